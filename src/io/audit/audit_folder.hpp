// The folder through which a program is audited: a request goes in, an answer comes out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "rope/subject/audit.hpp"

namespace rope::io {

// The request, and every name that an answer may have.
inline constexpr std::string_view audit_files[] = {
    "x.npy", "positions.npy", "spec.json", "README.txt", "y.npy", "y.npz", "y.safetensors"};

// x.npy, positions.npy, spec.json and README.txt (audit_protocol.hpp). Throws IoError.
void write_request(const std::filesystem::path& folder, const Audit& audit);

// The audit that the folder's spec.json asks for. Throws InputError or IoError.
Audit read_request(const std::filesystem::path& folder);

// y.npy, y.npz or y.safetensors, a regular file of the right size and shape; `origin` names it.
// Throws InputError saying what was found instead.
Answers read_answers(const std::filesystem::path& folder, Audit audit, std::string origin);

}  // namespace rope::io
