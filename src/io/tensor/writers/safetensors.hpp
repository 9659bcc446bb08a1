// Hugging Face's .safetensors: the same bytes every time.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/tensor/writers/written_array.hpp"

namespace rope::io {

// Wider elements come first, so that each tensor is aligned as its readers like it; complex numbers
// are a last axis of 2.
std::string write_safetensors(std::span<const WrittenArray> arrays,
                              const std::map<std::string, std::string>& metadata = {});

// The arrays in the order of their bytes, and what stands before these; only elements and shapes
// count.
std::vector<const WrittenArray*> safetensors_order(std::span<const WrittenArray> arrays);
std::string safetensors_header(std::span<const WrittenArray> arrays,
                               const std::map<std::string, std::string>& metadata);

}  // namespace rope::io
