// The conformance suite as files that need no tool of ours to be read.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rope::io {

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
