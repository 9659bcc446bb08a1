// Dumps that tests make and change.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

struct OwnTable {
    std::vector<double> positions;
    std::uint32_t pairs = 0;
    std::vector<double> cos;  // positions × pairs
    std::vector<double> sin;
    Format format = Format::float32;
    std::string origin = {};

    operator TableDump() const {
        return {positions, pairs, {cos, pairs}, {sin, pairs}, format, origin};
    }
};

// cos and sin of angle(m, i) for positions 0 to rows − 1.
template <class Angle>
OwnTable table_of_angles(std::uint32_t pairs, std::uint64_t rows, Format format, Angle angle) {
    OwnTable table;
    table.pairs = pairs;
    table.format = format;
    for (std::uint64_t m = 0; m < rows; ++m) {
        table.positions.push_back(static_cast<double>(m));
        for (std::uint32_t i = 0; i < pairs; ++i) {
            const double phi = angle(static_cast<double>(m), i);
            table.cos.push_back(round_to(format, std::cos(phi)));
            table.sin.push_back(round_to(format, std::sin(phi)));
        }
    }
    return table;
}

struct OwnVectors {
    std::vector<double> positions;
    std::vector<double> before;  // positions × head_dim
    std::vector<double> after;
    Format format = Format::float32;
    std::string origin = {};

    operator RotatedDump() const {
        const std::uint64_t dimensions = positions.empty() ? 0 : before.size() / positions.size();
        return {positions, {before, dimensions}, {after, dimensions}, format, origin};
    }
};

inline std::vector<double> values_of(const StridedRows& rows, std::uint64_t count,
                                     std::uint64_t columns) {
    std::vector<double> values(count * columns);
    for (std::uint64_t row = 0; row < count; ++row)
        rows.read(row, 0, columns, values.data() + row * columns);
    return values;
}

}  // namespace rope
