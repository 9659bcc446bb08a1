// A few rows of a dump as angles and moduli: what every hypothesis is held against.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "rope/subject/dump.hpp"
#include "rope/table/rotate.hpp"

namespace rope {

inline constexpr std::size_t most_samples = 256;

struct Samples {
    std::uint32_t pairs = 0;
    std::vector<std::vector<double>> positions = {};  // per axis (at least one) and row
    std::vector<double> angle = {};                   // rows × pairs, radians in (−π, π]
    // rows × pairs; NaN where the row is not finite, `left_out` where vectors say nothing
    std::vector<double> modulus = {};
    double storage = 0;  // √2·rounding of a stored component, for amplitude 1
    double largest_k = std::numeric_limits<double>::infinity();  // of the pipeline that was named
    Format format = Format::float32;
    // bfloat16 or float16 where every value is one of its numbers though the dump's format is finer
    std::optional<Format> narrow = {};

    static constexpr double left_out = -1;
    static bool is_left_out(double modulus) { return modulus < 0; }

    std::size_t rows() const { return positions[0].size(); }
    double position(std::size_t row, std::uint32_t axis) const {
        return positions[axis < positions.size() ? axis : 0][row];
    }
};

// Which lanes of a head rotate together.
struct Arrangement {
    std::vector<Lanes> before;  // of each pair, in q
    std::vector<Lanes> after;   // and in rotated q, if it moves them
    std::uint32_t head_dim = 0;
};

// The most diagnostic rows, by position: the first, the last, those around powers of two, and some
// between; where there are many, each position once if asked.
std::vector<std::size_t> diagnostic_rows(const std::vector<std::uint64_t>& positions,
                                         bool each_once, std::span<const std::uint64_t> also);

// `also`: additional positions.
Samples sample_table(const TableDump& dump, std::span<const std::uint64_t> also);
// ẑ = ŷ·conj(x)/|x|² in each pair of the arrangement.
Samples sample_vectors(const RotatedDump& dump, const Arrangement& arrangement,
                       std::span<const std::uint64_t> also);
// Frequencies as the rows that they would make at telling positions, of any amplitude.
Samples sample_frequencies(const FrequencyDump& dump, double amplitude);

// |e^{iα} − 1|, the distance of two points of the circle that are α apart.
double chord(double angle);

}  // namespace rope
