// The conformance suite as files that need no special reader, and the answers of a program to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tasks.hpp"
#include "io/tensor/written_array.hpp"
#include "io/text/document.hpp"
#include "rope/suite/suite.hpp"

namespace rope::io {

// The JSON schema of a suite's manifest: src/io/schema/suite.json.
extern const std::string_view suite_schema_text;

struct SuiteFile {
    std::string name;
    std::string bytes;
};

// Returns manifest.json and its schema, and every array in vectors.safetensors and, as hexadecimal
// digits of the same little-endian bytes, in vectors.json. The bytes are equal on all machines.
std::vector<SuiteFile> suite_files();

// Writes into an existing folder. Throws IoError.
void write_files(std::span<const SuiteFile> files, const std::filesystem::path& folder);

// Throws InputError if a file in the folder is missing or differs; or IoError.
void require_files(std::span<const SuiteFile> files, const std::filesystem::path& folder);

struct AnsweredTest {
    Format format;
    SuiteOutput output;
    bool is_answered = false;
    Arithmetic like = least_exact;  // the arithmetic whose tolerance applies
    SuiteWorst worst = {};

    bool holds() const { return is_answered && worst.holds(); }
};

struct AnsweredCase {
    SuiteCase asked;
    std::vector<AnsweredTest> tests;  // suite_formats × suite_outputs
};

struct AnsweredSuite {
    std::string program;
    std::optional<Arithmetic> arithmetic;  // if one was requested
    std::vector<AnsweredCase> cases;

    std::uint64_t tests = 0, answered = 0, violated = 0;
};

// Reads answers.safetensors, or answers.json with {"ID/DTYPE/OUTPUT": "hexadecimal digits"};
// answers may be missing. All answers of a case in one format have the tolerance of one arithmetic:
// the requested one, or the most exact that explains them. Throws InputError if there is no answer,
// an unknown one, or one of another dtype or shape; or IoError. Adds finished cases to `cases`.
AnsweredSuite judge_suite(const std::filesystem::path& folder, std::string program,
                          std::optional<Arithmetic> arithmetic, TaskCount* cases = nullptr);

// Returns at most 80 columns, with the worst value of each violated answer; only the first few
// unless `verbose`.
Document suite_document(const AnsweredSuite& suite, bool verbose, bool quiet);

}  // namespace rope::io
