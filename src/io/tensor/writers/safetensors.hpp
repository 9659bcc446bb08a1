// Hugging Face's .safetensors: the same bytes every time.
#pragma once

#include <map>
#include <span>
#include <string>

#include "io/tensor/writers/written_array.hpp"

namespace rope::io {

// Complex numbers are a last axis of 2.
void write_safetensors(std::span<const WrittenArray> arrays,
                       const std::map<std::string, std::string>& metadata, const Sink& write);

}  // namespace rope::io
