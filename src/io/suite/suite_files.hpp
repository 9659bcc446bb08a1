// The conformance suite as files that need no tool of ours to be read.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/tensor/written_array.hpp"
#include "rope/suite/suite.hpp"

namespace rope::io {

// Every array of the suite, under the name by which readers find it.

// Of a case ID: ID/shape, which is rows, head_dim and pairs; ID/attention_factor, ID/rounding of
// each dtype, ID/positions [axes, rows], ID/pairs [pairs, 5], ID/inv_freq, ID/q, ID/k and ID/dy
// [rows, head_dim], ID/angle/ARITHMETIC [rows, pairs], and ID/DTYPE/q_rot, k_rot and dx.
std::vector<WrittenArray> case_arrays(const SuiteCase& suite_case, const SuiteValues& values);

// "yarn-interleaved/bfloat16/q_rot"
std::string answer_name(const SuiteCase& suite_case, Format format, SuiteOutput output);

// The right answer's name and "/wrong/base", or "/wrong/direction-2" of the second of a mistake.
std::vector<std::string> wrong_names(std::span<const WrongAnswer> wrong);

// The JSON schema of a suite's manifest: src/io/schema/suite.json.

extern const std::string_view suite_schema_text;

// The conformance suite as files that need no tool of ours to be read.

inline constexpr std::string_view suite_schema = "rope-check-suite/1";
inline constexpr std::string_view suite_vectors_schema = "rope-check-suite-vectors/1";

struct SuiteFile {
    std::string name;
    std::string bytes;
};

// manifest.json and the schema that it follows; every array in vectors.safetensors and, as the
// hexadecimal digits of the same little-endian bytes, in vectors.json. The same bytes everywhere.
std::vector<SuiteFile> suite_files();

// Into a folder that is there. Throws IoError.
void write_files(std::span<const SuiteFile> files, const std::filesystem::path& folder);

// Throws InputError where one is not in the folder as it is here, or IoError.
void require_files(std::span<const SuiteFile> files, const std::filesystem::path& folder);

}  // namespace rope::io
