// A subject in one word.
#pragma once

#include <cstdint>
#include <string>

#include "rope/subject/row_source.hpp"

namespace rope {

// Of every cos and sin of the subject.
std::string digest_of(const RowSource& subject, std::uint32_t pairs);

}  // namespace rope
