// Samples at other positions than their own.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/evidence/samples.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

Samples at_places(const Samples& all, const std::vector<double>& places,
                  const std::vector<std::uint32_t>& pairs) {
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t row) { return std::isnan(places[row]); });
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return is_nearer_zero(places[a], places[b]); });
    Samples some = all;
    some.pairs = static_cast<std::uint32_t>(pairs.size());
    some.positions = {{}};
    some.ids.clear();
    some.elsewhere.clear();
    some.dump_row.clear();
    some.angle.clear();
    some.modulus.clear();
    for (const std::size_t row : order) {
        some.positions[0].push_back(places[row]);
        if (!all.dump_row.empty()) some.dump_row.push_back(all.dump_row[row]);
        for (const std::uint32_t pair : pairs) {
            some.angle.push_back(all.angle[row * all.pairs + pair]);
            some.modulus.push_back(all.modulus[row * all.pairs + pair]);
        }
    }
    return some;
}

Samples placed(const Samples& samples, const RowGroups& groups, PositionSource source) {
    std::vector<double> places;
    for (const std::size_t row : samples.dump_row) places.push_back(groups.place(row, source));
    std::vector<std::uint32_t> pairs(samples.pairs);
    std::iota(pairs.begin(), pairs.end(), 0U);
    Samples other = at_places(samples, places, pairs);
    other.source = source;
    if (source != PositionSource::position_ids)
        for (const std::size_t row : other.dump_row) other.ids.push_back(groups.position(row));
    return other;
}

double place_of(const Samples& samples, const RowGroups& groups, std::uint64_t row,
                std::uint32_t axis) {
    return samples.source == PositionSource::frame_times
               ? groups.place(row, samples.frame_times, axis)
               : groups.place(row, samples.source, axis);
}

namespace {

void place_on_axes(Samples& samples, const RowGroups& groups) {
    for (std::uint32_t axis = 0; axis < samples.positions.size(); ++axis)
        for (std::size_t row = 0; row < samples.rows(); ++row)
            samples.positions[axis][row] = place_of(samples, groups, samples.dump_row[row], axis);
}

}  // namespace

Samples placed_on_axes(const Samples& samples, const RowGroups& groups, PositionSource source) {
    Samples other = samples;
    other.source = source;
    place_on_axes(other, groups);
    return other;
}

Samples placed_on_axes(const Samples& samples, const RowGroups& groups, const FrameTimes& times) {
    Samples other = samples;
    other.source = PositionSource::frame_times;
    other.frame_times = times;
    place_on_axes(other, groups);
    return other;
}

void add_elsewhere(Samples& samples, const RowGroups& groups, std::uint32_t axes) {
    using enum PositionSource;
    const auto add = [&](PositionSource source, std::uint32_t axis) {
        Elsewhere one{source, axis};
        for (const std::size_t row : samples.dump_row)
            one.positions.push_back(groups.place(row, source, axis));
        samples.elsewhere.push_back(std::move(one));
    };
    std::vector<PositionSource> numbers{row_number}, ids{position_ids, behind_images, image_alone};
    if (groups.batches() > 1) {
        numbers.insert(numbers.end(), {row_in_dump, batch_number});
        ids.push_back(first_sequence);
    }
    if (groups.heads() > 1) numbers.push_back(head_number);
    ids.push_back(reversed);
    for (const PositionSource source : groups.other_image_ids()) ids.push_back(source);
    for (const PositionSource source : numbers) add(source, 0);
    for (const PositionSource source : ids)
        for (std::uint32_t axis = 0; axis < axes; ++axis) add(source, axis);
}

}  // namespace rope
