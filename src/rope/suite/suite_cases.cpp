// Which Specs the suite holds, and at which positions.
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include "rope/suite/suite.hpp"
#include "rope/suite/suite_types.hpp"

namespace rope {
namespace {

// Around the last integers that bfloat16, float16 and TF32 hold, float16's overflow, the ends of
// contexts in use, and the last 32-bit integer.
constexpr double positions[] = {0,    1,    255,   256,    257,     2047,      2048,
                                2049, 4096, 65519, 131071, 1048575, 2147483647};

using enum PairLayout;
constexpr std::pair<PairLayout, std::string_view> layouts[] = {
    {half_split, "half"},
    {interleaved, "interleaved"},
    {interleaved_to_half_split, "interleaved-to-half"},
};

// Axis a has the list turned by 3a, so that no two axes agree.
PositionsByAxis positions_below(double end, std::uint32_t axes) {
    std::vector<double> below;
    for (const double m : positions)
        if (m < end) below.push_back(m);
    PositionsByAxis all(axes);
    for (std::size_t axis = 0; axis < axes; ++axis)
        for (std::size_t r = 0; r < below.size(); ++r)
            all[axis].push_back(below[(r + 3 * axis) % below.size()]);
    return all;
}

Spec spec_of(std::uint32_t head_dim, std::uint32_t rotary_dim, PairLayout layout) {
    Spec spec;
    spec.head_dim = head_dim;
    spec.rotary_dim = rotary_dim;
    spec.layout = layout;
    return spec;
}

void add(std::vector<SuiteCase>& cases, std::string id, Spec spec) {
    validate(spec);
    const double end = spec.seq_len ? static_cast<double>(*spec.seq_len) : HUGE_VAL;
    PositionsByAxis at = positions_below(end, axis_count(spec.axes));
    cases.push_back({std::move(id), std::move(spec), std::move(at)});
}

// Every third position, where there are many cases or wide heads.
void thin(SuiteCase& one) {
    for (std::vector<double>& axis : one.positions) {
        std::vector<double> kept;
        for (std::size_t r = 0; r < axis.size(); r += 3) kept.push_back(axis[r]);
        axis = std::move(kept);
    }
}

void add_types(std::vector<SuiteCase>& cases) {
    for (const SuiteType& type : suite_types())
        for (const auto& [layout, name] : layouts) {
            Spec spec = spec_of(16, 16, layout);
            type.set(spec);
            add(cases, std::string(type.id) + "-" + std::string(name), std::move(spec));
        }
}

void add_axes(std::vector<SuiteCase>& cases) {
    using enum AxisScheme;
    const std::pair<std::string_view, AxisMap> maps[] = {
        {"sectioned", {sectioned, {2, 3, 3}}},
        {"thw", {interleaved, {4, 2, 2}}},
        {"thw4", {interleaved4, {3, 2, 2, 1}}},
        {"axial", {axial, {}}},
        {"halves", {halves, {}}},
        {"blocks", {blocks, {2, 3, 3}}},
        {"even_odd", {even_odd, {}}},
        {"alternating", {alternating, {}}},
        {"hwt", {height_width_time, {3, 3, 2}}},
    };
    for (const auto& [id, map] : maps)
        for (const auto& [layout, name] : layouts) {
            Spec spec = spec_of(16, 16, layout);
            spec.axes = map;
            add(cases, std::string(id) + "-" + std::string(name), std::move(spec));
            thin(cases.back());
        }
}

// 8 of 16 lanes, at the head's beginning and at its end.
void add_partial(std::vector<SuiteCase>& cases) {
    for (const std::uint32_t offset : {0u, 8u})
        for (const auto& [layout, name] : layouts) {
            Spec spec = spec_of(16, 8, layout);
            spec.rotary_offset = offset;
            add(cases, (offset == 0 ? "partial-" : "partial-end-") + std::string(name),
                std::move(spec));
        }
}

void add_directions(std::vector<SuiteCase>& cases) {
    for (const auto& [layout, name] : layouts) {
        Spec spec = spec_of(8, 8, layout);
        spec.direction = Direction::reverse;
        add(cases, "reverse-" + std::string(name), std::move(spec));
    }
}

// Keys before the query: distances, and caches that count back.
SuiteCase negative_positions() {
    SuiteCase one{"negative-positions", spec_of(16, 16, half_split), {{}}};
    for (const double m : {-1, -2, -255, -257, -2049, -4096, -65519, -131071, 1, 257})
        one.positions[0].push_back(m);
    return one;
}

// Head sizes and bases in use; exponents that no power of two divides.
void add_sizes(std::vector<SuiteCase>& cases) {
    const std::tuple<std::uint32_t, PairLayout, double> sizes[] = {
        {2, half_split, 10000},    {8, interleaved, 1000000}, {24, half_split, 10000},
        {64, interleaved, 500000}, {80, half_split, 10000},   {128, half_split, 1000000},
    };
    for (const auto& [head_dim, layout, base] : sizes) {
        Spec spec = spec_of(head_dim, head_dim, layout);
        spec.rope_theta = base;
        add(cases, "head_dim-" + std::to_string(head_dim), std::move(spec));
        if (head_dim >= 64) thin(cases.back());
    }
}

}  // namespace

std::vector<SuiteCase> suite_cases() {
    std::vector<SuiteCase> cases;
    add_types(cases);
    add_axes(cases);
    add_partial(cases);
    add_directions(cases);
    cases.push_back(negative_positions());
    add_sizes(cases);
    return cases;
}

}  // namespace rope
