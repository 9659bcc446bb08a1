// Dumps that tests make and change.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rope/exact/format.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/dimensions.hpp"
#include "tests/rope/seeded.hpp"

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

// first, first + 1, …
inline std::vector<double> counted(std::uint64_t rows, double first = 0) {
    std::vector<double> positions(rows);
    std::iota(positions.begin(), positions.end(), first);
    return positions;
}

// amplitude·cos and amplitude·sin of angle(m, i)
template <class Angle>
OwnTable table_of_angles(std::vector<double> positions, std::uint32_t pairs, Format format,
                         const Angle& angle, double amplitude = 1) {
    OwnTable table{std::move(positions), pairs, {}, {}, format};
    for (const double m : table.positions)
        for (std::uint32_t i = 0; i < pairs; ++i) {
            const double phi = angle(m, i);
            table.cos.push_back(round_to(format, amplitude * std::cos(phi)));
            table.sin.push_back(round_to(format, amplitude * std::sin(phi)));
        }
    return table;
}

// angle(m, θ) for each frequency of the Spec, with its attention factor
template <class Angle>
OwnTable table_of_spec(const Spec& spec, std::vector<double> positions, Format format,
                       const Angle& angle) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    return table_of_angles(
        std::move(positions), spec.pairs(), format,
        [&](double m, std::uint32_t i) { return angle(m, plan.pairs[i].inv_freq.to_double()); },
        plan.attention_factor);
}

// A pipeline's rows at these positions, as a user would save them.
template <class Position = double>
OwnTable table_of_pipeline(const Spec& spec, const Pipeline& pipeline,
                           const std::vector<Position>& positions) {
    const auto last = static_cast<std::uint64_t>(std::ranges::max(positions));
    const auto rows = emulate(spec, pipeline, last + 1);
    const auto reader = rows->read({0, spec.pairs()});
    OwnTable table{
        {positions.begin(), positions.end()}, spec.pairs(), {}, {}, pipeline.table, "a test"};
    table.cos.resize(positions.size() * table.pairs);
    table.sin.resize(table.cos.size());
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const auto row = static_cast<std::uint64_t>(positions[k]);
        reader->fill({&row, 1}, &table.cos[k * table.pairs], &table.sin[k * table.pairs]);
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

// Random vectors within ±size, rotated by rotation(x, cos, sin) with each row of the table.
template <class Rotation>
OwnVectors vectors_of(const OwnTable& table, Format format, std::uint32_t head_dim, Seeded random,
                      const Rotation& rotation, double size = 1) {
    OwnVectors dump{table.positions, {}, {}, format};
    for (std::size_t row = 0; row < table.positions.size(); ++row) {
        Vector x = random.vector(head_dim);
        for (double& value : x) value = round_to(format, size * value);
        const auto cos = table.cos.begin() + static_cast<std::ptrdiff_t>(row * table.pairs);
        const auto sin = table.sin.begin() + static_cast<std::ptrdiff_t>(row * table.pairs);
        const Vector y =
            rotation(x, Vector(cos, cos + table.pairs), Vector(sin, sin + table.pairs));
        dump.before.insert(dump.before.end(), x.begin(), x.end());
        for (const double value : y) dump.after.push_back(round_to(format, value));
    }
    return dump;
}

// Rotated as the Spec says.
inline OwnVectors vectors_of(const OwnTable& table, Format format, const Spec& spec, Seeded random,
                             double size = 1) {
    const auto rotation = [&](const Vector& x, const Vector& cos, const Vector& sin) {
        return rotate(spec, x, cos, sin);
    };
    return vectors_of(table, format, spec.head_dim, random, rotation, size);
}

inline std::vector<double> values_of(const StridedRows& rows, std::uint64_t count,
                                     std::uint64_t columns) {
    std::vector<double> values(count * columns);
    for (std::uint64_t row = 0; row < count; ++row)
        rows.read(row, 0, columns, values.data() + row * columns);
    return values;
}

}  // namespace rope
