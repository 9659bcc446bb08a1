// Which libraries read a config otherwise than transformers 5, and by how much.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/readings/readings.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope {

// How text, whose positions are the same on every axis but a fourth, is turned otherwise.
struct ReadingDifference {
    Difference difference;                    // a: transformers 5's, b: the other's
    std::vector<std::string> differing = {};  // difference.hpp
    std::vector<Contrast> turning = {};     // radians per position of text, of the pairs both have
    std::vector<std::uint32_t> pairs = {};  // those that turn otherwise
    std::uint32_t worst_pair = 0;           // the largest relative difference
    // The first position at which a pair is a radian off, below max_context, and that pair.
    std::optional<std::uint64_t> radian_position = {};
    std::uint32_t radian_pair = 0;
};

// Requires both valid.
ReadingDifference reading_difference(const Spec& spec, const Spec& other);

struct ReadBy {
    const Reading* reading;
    std::vector<const ReadingRule*> changed;
};
// Readings that differ from transformers 5's and not from one another.
struct OtherReading {
    std::vector<ReadBy> by;
    ReadingDifference difference;
    std::optional<LayerNumbers> layers = {};  // that turn so, where they are others
};
struct RefusedReading {
    const Reading* reading;
    std::string why;  // "mlx-lm d78bf58e has no rope_type he_xu; …"
};
struct ComparedReadings {
    std::vector<OtherReading> others;
    std::vector<const Reading*> alike;
    std::vector<RefusedReading> refused;
    LayerNumbers layers = {};  // as transformers 5 reads it; empty: not known
    // Keys about rotary embeddings that transformers 5 does not read, and a class that is not known
    // here: what the rules say nothing about.
    std::vector<std::string> unread = {};
    std::string unknown_class = {};
};

// Of a Spec as transformers 5 reads it. Requires validate(spec).
ComparedReadings compare_readings(const Spec& spec, const ConfigFacts& facts);

}  // namespace rope
