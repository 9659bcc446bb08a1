// A few positions and random vectors on which a subject is put to use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "rope/comparison/comparison.hpp"

namespace rope {

struct Sample {
    std::vector<double> positions;  // ascending, without repeats
    std::vector<double> q, k;       // head_dim each, standard normal from the seed
    std::vector<double> suspects;   // at which a check of all rows found an error

    // Rows of the subject (rotary_dim/2 values each) at the positions and suspects, and at the sums
    // of two positions as far as the subject has those.
    struct Row {
        std::vector<double> cos, sin;
        // Pairs of which the subject says nothing: their values are as its own frequencies have
        // them. Empty: none
        std::vector<std::uint8_t> left_out = {};
    };
    std::map<double, Row> rows;

    const Row* row(double position) const;
};

// The first row at a position, if there is one.
std::optional<std::uint64_t> row_at(const RowSource& subject, double position);

// q and k alone.
Sample random_vectors(const Spec& spec, std::uint64_t seed);

// Of `suspects` those that the subject has.
Sample make_sample(const Comparison& comparison, const std::vector<double>& suspects = {});

}  // namespace rope
