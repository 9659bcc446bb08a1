// A black-box test of a program that rotates vectors: what it is asked.
#pragma once

#include <cstdint>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

inline constexpr std::uint32_t max_audited_head_dim = 1024;
inline constexpr std::size_t max_audited_positions = 64;

// At each place head_dim + probes.size() rows: the unit vectors e_0, e_1, …, whose images are the
// columns of R(m), and then the probes, which tell whether the program is linear at all.
struct Audit {
    Spec spec;
    std::uint64_t seed = 1;
    std::vector<std::vector<double>> positions;  // of each place, by axis
    // head_dim values each, none of them 0, of one size per probe: 1, 2⁻⁷ and 2⁷. Multiples of a
    // quarter of it, so that no number format down to bfloat16 has to round them.
    std::vector<std::vector<double>> probes;

    std::uint64_t places() const { return positions[0].size(); }
    std::uint64_t rows_per_place() const { return spec.head_dim + probes.size(); }
    std::uint64_t rows() const { return places() * rows_per_place(); }
    double x(std::uint64_t row, std::size_t lane) const;
};

// Requires validate(spec). Throws InputError when the head is wider than max_audited_head_dim, or
// there are no positions, too many, one twice, or an invalid one.
Audit plan_audit(const Spec& spec, std::vector<double> positions, std::uint64_t seed);

// The telling ones below `context`, small ones for the fit, and the last: 64 at most, fewer where
// the head is wide.
std::vector<double> audited_positions(const Spec& spec, std::uint64_t context);

}  // namespace rope
