// The numbers that a program answered, by name.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/suite/suite.hpp"

namespace rope::io {

class SuiteAnswers {
  public:
    // answers.safetensors or answers.json. Throws InputError or IoError.
    explicit SuiteAnswers(const std::filesystem::path& folder);
    ~SuiteAnswers();

    // rows × head_dim values; nothing where it was not answered. Throws InputError where it is of
    // another dtype or shape.
    std::optional<std::vector<double>> take(const SuiteCase& asked, Format format,
                                            SuiteOutput output);
    // Throws InputError naming an answer that nobody took.
    void require_all_taken() const;

  private:
    struct Source;
    std::unique_ptr<Source> source_;
    std::vector<std::string> left_;
};

}  // namespace rope::io
