// What a program answered to the conformance suite, judged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/tasks.hpp"
#include "io/text/document.hpp"
#include "rope/suite/suite.hpp"

namespace rope::io {

struct AnsweredTest {
    Format format;
    SuiteOutput output;
    bool is_answered = false;
    Arithmetic like = least_exact;  // by whose allowance it is judged
    SuiteWorst worst = {};

    bool holds() const { return is_answered && worst.holds(); }
};

struct AnsweredCase {
    SuiteCase asked;
    std::vector<AnsweredTest> tests;  // those of suite_formats by suite_outputs
};

struct AnsweredSuite {
    std::string program;
    std::optional<Arithmetic> arithmetic;  // that was asked for
    std::vector<AnsweredCase> cases;

    std::uint64_t tests = 0, answered = 0, violated = 0;
};

// answers.safetensors, or answers.json of {"ID/DTYPE/OUTPUT": "hexadecimal digits"}, in which any
// may be missing. All of a case in one format are judged by the allowances of one arithmetic: of
// the most exact that explains them, or the one asked for. Throws InputError when there is no
// answer, one to no question, or one of another dtype or shape; or IoError. Cases are added to
// `cases`.
AnsweredSuite judge_suite(const std::filesystem::path& folder, std::string program,
                          std::optional<Arithmetic> arithmetic, TaskCount* cases = nullptr);

// At most 80 columns; the worst value of each violated answer, the first few unless `verbose`.
Document suite_document(const AnsweredSuite& suite, bool verbose);

}  // namespace rope::io
