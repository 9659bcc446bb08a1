// Chooses a file's reader by its first bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "io/tensor/tensor_file.hpp"

namespace rope::io {

// Null where the bytes are of no format that is read. `file_size` is more than bytes.size() where
// only the head of a GGUF is there. The listing refers to the bytes.
ReadResult<std::shared_ptr<const TensorListing>> list_tensors(std::span<const std::byte> bytes,
                                                              std::uint64_t file_size);

bool is_gguf(std::span<const std::byte> bytes);
// A pickle of PyTorch's: the data.pkl of a zip archive, or bytes that no listing was made of and
// that open as one.
bool is_pickle(std::span<const std::byte> bytes, const TensorListing* listing);

}  // namespace rope::io
