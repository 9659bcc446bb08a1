// Vectors that xPos multiplies beside turning them: Sun et al., arXiv 2212.10554, §3.2. Of pair i
//     q at m by ζ_i^((m − c)/s), k at n by ζ_i^(−(n − c)/s), ζ_i = (2i/d + 0.4)/1.4
// so that a score is left with ζ_i^((m − n)/s): relative position holds of scores as it does of a
// rotation's, while norms are not kept and c is in neither. torchscale's XPOS has s = 512 and, of L
// positions, c = ⌈L/2⌉; lucidrains' and flash-attention's c is ⌊L/2⌋.
#pragma once

#include <cstdint>
#include <vector>

#include "rope/subject/dump.hpp"

namespace rope {

enum class XposSide { query, key };

struct Xpos {
    double base = 512;  // s
    double centre = 0;  // c
};

// ln ζ_i of each pair.
std::vector<double> xpos_logs(std::uint32_t rotary_dim);

// What the rotation alone made of the vectors: `after` divided by its scales, of which each is
// within 2⁻⁵¹. Throws InputError where positions have several axes, or a scale takes numbers to
// where the dump's format has fewer bits.
RotatedDump without_xpos(const Spec& spec, RotatedDump dump, const Xpos& xpos, XposSide side);

}  // namespace rope
