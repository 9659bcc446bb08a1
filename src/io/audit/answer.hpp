// What an audited program answered.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/audit/request.hpp"
#include "rope/suite/audit.hpp"

namespace rope::io {

// The request, and every name that an answer may have.
inline constexpr std::string_view audit_files[] = {
    "x.npy", "positions.npy", "x.f32", "positions.f64", "shape.txt",     "spec.json", "README.txt",
    "y.npy", "y.npz",         "y.f64", "y.f32",         "y.safetensors", "y.f16",     "y.bf16"};

// y.npy, y.npz, y.safetensors, or numbers alone in y.f64, y.f32, y.f16 or y.bf16: one of them, a
// regular file of the right size and shape; `origin` names it. Throws InputError saying what was
// found instead.
Answers read_answers(const std::filesystem::path& folder, Request request, std::string origin);

}  // namespace rope::io
