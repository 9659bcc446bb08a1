// What a program is asked, in which files, and what it answers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tasks.hpp"
#include "rope/suite/audit.hpp"

namespace rope::io {

// What a program is asked, and in which files.

struct RequestForm {
    bool is_raw = false;           // numbers without a header, for programs that read no .npy
    std::uint64_t contiguous = 0;  // sequences of this many positions; 0: a row for each vector
    std::uint64_t offset = 0;      // the first of these, after a cache
    bool is_backward = false;      // asks for R(m)ᵀ·dy, which is the rotation to −m
};

// Where `form` is backward, the audit is of −m.
struct Request {
    Audit audit;
    RequestForm form;

    std::uint64_t vectors() const { return audit.rows_per_place(); }
    // Of x and of the answer: [rows, head_dim], or [vectors + sequences, contiguous, head_dim].
    std::vector<std::uint64_t> shape() const;
    // The row of x that asks for this vector at this place, or for this row of the audit.
    std::uint64_t row(std::uint64_t place, std::uint64_t vector) const;
    std::uint64_t row_of(std::uint64_t audited) const;
};

// Throws InputError when contiguous sequences lack one of the audit's positions, of which there
// must be one axis, and which sequences must have as they are, or would make x larger than 1 GiB.
void require_form(const Request& request);

// x, positions, spec.json and README.txt (request.cpp). Throws InputError as require_form
// does, or IoError.
// The bytes of x are added to `bytes`.
void write_request(const std::filesystem::path& folder, const Request& request,
                   TaskCount* bytes = nullptr);

// What the folder's spec.json asks for. Throws InputError or IoError.
Request read_request(const std::filesystem::path& folder);

// What an audited program answered.

// The request, and every name that an answer may have.
inline constexpr std::string_view audit_files[] = {
    "x.npy", "positions.npy", "x.f32", "positions.f64", "shape.txt",     "spec.json", "README.txt",
    "y.npy", "y.npz",         "y.f64", "y.f32",         "y.safetensors", "y.f16",     "y.bf16"};

// y.npy, y.npz, y.safetensors, or numbers alone in y.f64, y.f32, y.f16 or y.bf16: one of them, a
// regular file of the right size and shape; `origin` names it. Throws InputError saying what was
// found instead.
Answers read_answers(const std::filesystem::path& folder, Request request, std::string origin);

// Programs that answer an audit, complete but for the call of the kernel.

struct Adapter {
    std::string_view language;  // "numpy"
    std::string_view text;      // the file of the folder adapters/
};

std::span<const Adapter> adapters();

// What `audit --python` runs: it calls one function of a module.
extern const std::string_view python_call;

}  // namespace rope::io
