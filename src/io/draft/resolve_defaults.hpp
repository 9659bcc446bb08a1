// The silent rules of transformers, applied to what config and flags left open.
#pragma once

#include "io/draft/spec_draft.hpp"

namespace rope::io {

//   rotary_dim = int(head_dim · partial_rotary_factor), truncated as Python's int; proportional
//                keeps the fraction as a key of its own and rotates the whole head
//   original_max_position_embeddings of a file's llama3, yarn or longrope is else
//                max_position_embeddings
//   factor       of a file's yarn, where it is null: max/original_max_position_embeddings
// Throws InputError when two keys contradict each other.
void resolve_defaults(SpecDraft& draft, bool has_file);

// The origin that a report prints for a field: "--dim", "config.json: head_dim", "default".
std::string origin_of(const SpecDraft& draft, std::string_view field);
inline constexpr std::string_view default_origin = "default";

}  // namespace rope::io
