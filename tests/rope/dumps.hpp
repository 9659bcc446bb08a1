// Dumps that a test makes, changes and hands over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

struct OwnVectors {
    std::vector<double> positions;
    std::vector<double> before;  // positions × head_dim
    std::vector<double> after;
    Format format = Format::float32;
    std::string origin = {};

    operator RotatedDump() const {
        const std::uint64_t lanes = positions.empty() ? 0 : before.size() / positions.size();
        return {positions, {before, lanes}, {after, lanes}, format, origin};
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
