// The fourth position of interleaved4, where a dump has positions for text or on three axes: 0, as
// llama.cpp gives it to text and images (src/llama-graph.cpp, llm_graph_input_pos::set_input).
#pragma once

#include <optional>

#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// The dump with all four; empty where it has them, or the Spec's axes are others.
std::optional<Dump> with_fourth_axis(const Spec& spec, const Dump& dump);

}  // namespace rope
