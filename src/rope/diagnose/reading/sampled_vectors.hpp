// Some rows of a dump of vectors, before and after, as doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rope/diagnose/evidence/diagnostic_rows.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

struct SampledVector {
    std::size_t row;
    std::vector<double> before, after;
};

// Rows of finite values, evenly over the dump.
inline std::vector<SampledVector> sampled_vectors(const RotatedDump& dump) {
    const std::size_t rows = dump.positions.size(), lanes = head_dim_of(dump);
    const std::size_t step = std::max<std::size_t>(1, rows / most_samples);
    std::vector<SampledVector> all;
    for (std::size_t row = 0; row < rows; row += step) {
        SampledVector one{row, std::vector<double>(lanes), std::vector<double>(lanes)};
        dump.before.read(row, 0, lanes, one.before.data());
        dump.after.read(row, 0, lanes, one.after.data());
        const auto is_finite = [](double x) { return std::isfinite(x); };
        if (std::ranges::all_of(one.before, is_finite) && std::ranges::all_of(one.after, is_finite))
            all.push_back(std::move(one));
    }
    return all;
}

// The Spec, and the same with its pairs in the other layout.
inline std::vector<Spec> in_both_layouts(const Spec& asked) {
    Spec other = asked;
    other.layout =
        asked.layout == PairLayout::half_split ? PairLayout::interleaved : PairLayout::half_split;
    return {asked, other};
}

}  // namespace rope
