// The request to an audited program and its answer, as files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/tasks.hpp"
#include "io/tensor/array.hpp"
#include "rope/suite/audit.hpp"

namespace rope::io {

struct RequestForm {
    bool is_raw = false;           // arrays without header, for programs that read no .npy
    std::uint64_t contiguous = 0;  // positions per sequence; 0: one row per vector
    std::uint64_t offset = 0;      // first position of a sequence, after a cache
    std::uint64_t k_heads = 0;     // of k, whose request is in the folder k; 0: there is no k
};

struct Request {
    Audit audit;
    RequestForm form;

    Request of_k() const;
    std::uint64_t vectors() const { return audit.rows_per_place(); }
    // Shape of x and of the answer: [rows, head_dim], or [vectors + sequences, contiguous,
    // head_dim].
    Shape shape() const;
    // The row of x with this vector at this place, or for this row of the audit.
    std::uint64_t row(std::uint64_t place, std::uint64_t vector) const;
    std::uint64_t row_of(std::uint64_t audited) const;
};

// Throws InputError if contiguous sequences lack a position of the audit or would make x larger
// than 1 GiB, if positions have several axes, if sequences have another order of positions, or if
// the heads of q are no multiple of those of k.
void require_form(const Request& request);

// Writes x, positions, spec.json and README.txt, and those of k in its folder k. Adds the bytes of
// x to `bytes`. Throws InputError as require_form does, or IoError.
void write_request(const std::filesystem::path& folder, const Request& request,
                   TaskCount* bytes = nullptr);

// Returns the request of the folder's spec.json. Throws InputError or IoError.
Request read_request(const std::filesystem::path& folder);

// The files of a request, and every possible name of an answer.
inline constexpr std::string_view audit_files[] = {
    "x.npy",     "positions.npy", "x.f32", "positions.f64", "shape.txt",
    "spec.json", "README.txt",    "y.npy", "y.npz",         "y.f64",
    "y.f32",     "y.safetensors", "y.f16", "y.bf16",        "calls.txt"};
// The folder in it with the request of k.
inline constexpr std::string_view k_folder = "k";

// Reads the answer from y.npy, y.npz or y.safetensors, or raw values from y.f64, y.f32, y.f16 or
// y.bf16; exactly one of them, a regular file of the right size and shape. `origin` is the
// program's name. calls.txt, if it exists, has the faults of the calls, as rope-check's callers of
// functions write them. Throws InputError that names the files found instead.
Answers read_answers(const std::filesystem::path& folder, Request request, std::string origin);

// Programs that answer an audit, complete except for the call of the kernel.
struct Adapter {
    std::string_view language;  // "numpy"
    std::string_view text;      // the file in the folder adapters/
};

std::span<const Adapter> adapters();

// The script of `audit --python`, which calls one function of a module.
extern const std::string_view python_call;

}  // namespace rope::io
