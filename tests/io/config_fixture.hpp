// A config given as text.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "io/resolve/resolved_model.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/resolved.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {

// Reads `text` as config.json in the current folder, so that messages have only the file name.
class ConfigTest : public testing::Test {
  protected:
    ConfigTest() : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder_.path());
    }
    ~ConfigTest() override { std::filesystem::current_path(before_); }

    ResolvedModel resolve_all(std::string_view text, const Flags& flags = {}) const {
        folder_.write("config.json", text);
        return resolve_model("config.json", flags);
    }
    ResolvedSpec resolve(std::string_view text, const Flags& flags = {}) const {
        folder_.write("config.json", text);
        return resolve_spec("config.json", flags);
    }
    std::string refusal(std::string_view text, const Flags& flags = {}) const {
        return error_message<InputError>([&] { resolve(text, flags); });
    }

  private:
    TemporaryFolder folder_;
    std::filesystem::path before_;
};

}  // namespace rope::io
