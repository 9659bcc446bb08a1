// The conformance suite as files that need no special reader.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/tensor/written_array.hpp"
#include "rope/suite/suite.hpp"

namespace rope::io {

// Returns the arrays of case ID: ID/shape (rows, head_dim, pairs), ID/attention_factor, ID/rounding
// per dtype, ID/positions [axes, rows], ID/pairs [pairs, 5], ID/inv_freq, ID/q, ID/k and ID/dy
// [rows, head_dim], ID/angle/ARITHMETIC [rows, pairs], and ID/DTYPE/q_rot, k_rot and dx.
std::vector<WrittenArray> case_arrays(const SuiteCase& suite_case, const SuiteValues& values);

// "yarn-interleaved/bfloat16/q_rot"
std::string answer_name(const SuiteCase& suite_case, Format format, SuiteOutput output);

// Returns the right answer's name with "/wrong/base", or "/wrong/direction-2" for a mistake's
// second answer.
std::vector<std::string> wrong_names(std::span<const WrongAnswer> wrong);

// The JSON schema of a suite's manifest: src/io/schema/suite.json.
extern const std::string_view suite_schema_text;

inline constexpr std::string_view suite_schema = "rope-check-suite/1";
inline constexpr std::string_view suite_vectors_schema = "rope-check-suite-vectors/1";

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

}  // namespace rope::io
