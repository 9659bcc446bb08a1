// Identifies a dump whose rows have positions on several axes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rope/evidence/samples.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

std::size_t axes_of(const Dump& dump);  // of its positions

// `plain` with so many axes: axial, or even sections.
Spec with_axes(Spec plain, std::size_t axes);

struct SpecOnAxes {
    Spec spec;
    bool is_allowed;  // by all of the dump; always where nobody asks
};

// Axial and ChatGLM's halves on two axes; M-RoPE, sectioned and interleaved, on three and four;
// the maps of video and of ERNIE-4.5-VL on three.
// Of several that fit, one that is allowed.
std::optional<SpecOnAxes> identify_axes(const Spec& plain, const Dump& dump,
                                        std::span<const Spec> known, const AllowsSpec& allows);

}  // namespace rope
