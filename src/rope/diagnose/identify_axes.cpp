// The Spec of a dump with positions on several axes.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "rope/changes/dump_view.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/rows/dump.hpp"

namespace rope {
namespace {

// The frequencies of one Spec with the head and layout of another.
Spec placed_as(const Spec& place, Spec frequencies) {
    frequencies.head_dim = place.head_dim;
    frequencies.rotary_dim = place.rotary_dim;
    frequencies.rotary_offset = place.rotary_offset;
    frequencies.layout = place.layout;
    frequencies.axes = place.axes;
    return frequencies;
}

// The usual sections of three axes; of four, the last has any number of pairs, in ggml none. Text
// fits all maps: then interleaved4 is the likeliest.
std::vector<AxisMap> usual_maps(std::size_t axes, std::uint32_t pairs) {
    using enum AxisScheme;
    if (axes == 3) return usual_sections(pairs);
    std::vector<AxisMap> maps;
    for (std::uint32_t last = 0; axes == 4 && last < pairs; ++last)
        for (AxisMap& map : usual_sections(pairs - last)) {
            map.sections.push_back(last);
            if (map.scheme == interleaved) {
                if (last > 0 || 3 * map.sections[2] > pairs) continue;  // every third pair at most
                map.scheme = interleaved4;
            }
            maps.push_back(std::move(map));
        }
    std::ranges::stable_partition(maps,
                                  [](const AxisMap& map) { return map.scheme == interleaved4; });
    return maps;
}

bool follow_one_axis(const AxisMisfits& misfits) {
    for (std::size_t axis = 0; axis < misfits.front().size(); ++axis)
        if (std::ranges::all_of(misfits,
                                [&](const auto& of_pair) { return std::isfinite(of_pair[axis]); }))
            return true;
    return false;
}

Identity judged(const Spec& spec, const AllowsSpec& allows) {
    return {.spec = spec, .fits = true, .fits_all = !allows || allows(spec)};
}

// Identifies the frequencies first, then the axis of each pair.
std::optional<Identity> identify_sections(const DumpView& view, std::span<const Spec> known,
                                          const AllowsSpec& allows) {
    if (!may_follow_axes(view.samples)) return std::nullopt;
    const std::size_t axes = view.samples.positions.size();
    std::vector<AxisMap> maps = known_maps(known, view.samples.pairs, axes);
    const std::size_t published = maps.size();
    for (AxisMap& map : usual_maps(axes, view.samples.pairs)) maps.push_back(std::move(map));
    FrequencySet candidates =
        identity_candidates(view.asked, known, fit_lines_by_axis(view.samples));
    std::ranges::stable_sort(candidates, {}, [](const Frequencies& one) {
        return std::tuple(one.cost, rank_of_type(*one.spec), digits_of(*one.spec));
    });
    const auto& positions = view.samples.positions;
    const bool are_of_text = std::ranges::count(positions, positions[0]) == std::ssize(positions);
    std::optional<Identity> first;
    for (const Frequencies& one : candidates) {
        const AxisMisfits misfits = misfits_on_axes(view.samples, by_frequencies(view, one), axes);
        if (misfits.empty()) continue;
        Spec spec = placed_as(view.asked, *one.spec);
        // a port may drop the other axes
        const bool is_open = !are_of_text && follow_one_axis(misfits);
        for (const AxisMap& map : std::span(maps.data(), is_open ? published : maps.size())) {
            if (!std::isfinite(misfit_by(map, misfits))) continue;
            spec.axes = map;
            Identity found = judged(spec, allows);
            if (found.fits_all) return found;
            if (!first) first = std::move(found);
        }
        if (is_open) break;
    }
    return first;
}

// Whether the pairs from `first` on have the frequencies of a ladder.
bool follow_ladder(const DumpView& view, const Frequencies& ladder, std::size_t first) {
    Hypothesis own = by_frequencies(view, ladder);
    const std::size_t end = first + own.theta.size();
    own.theta.insert(own.theta.begin(), first, 0);
    own.angle_k.insert(own.angle_k.begin(), first, 0);
    for (std::size_t i = first; i < end; ++i)
        if (!(pair_misfit(view.samples, own, static_cast<std::uint32_t>(i), 1) <= 1)) return false;
    return true;
}

// For a map whose frequencies may restart: the lines of one ladder determine those of all.
std::optional<Spec> identify_ladders(const DumpView& view, std::span<const Spec> known) {
    const Spec& asked = view.asked;
    if (view.axis != axis_of_pairs(asked.axes, asked.pairs()) ||
        !are_constant_on_axes(view.samples, view.axis))
        return std::nullopt;
    const PhaseLines lines = fit_lines_by_axis(view.samples);
    std::size_t first = 0;
    for (const std::uint32_t width : ladder_widths(asked.axes, asked.pairs())) {
        Spec narrow = asked;
        narrow.axes = {};
        narrow.head_dim = narrow.rotary_dim = width;
        narrow.rotary_offset = 0;
        const std::span<const PhaseLine> all(lines);
        const auto own = lines.empty() ? all : all.subspan(first, width / 2);
        for (const Frequencies& one :
             identity_candidates(narrow, known, PhaseLines(own.begin(), own.end()))) {
            if (!follow_ladder(view, one, first)) continue;
            Spec spec = placed_as(asked, *one.spec);
            if (!is_scaled(spec)) spec.max_position_embeddings = asked.max_position_embeddings;
            if (!is_sound(spec)) continue;  // longrope's factors are for fewer pairs
            if (misfit(view.samples, by_frequencies(view, frequencies_of(spec)), 1) <= 1)
                return spec;
        }
        first += width / 2;
    }
    return std::nullopt;
}

}  // namespace

std::vector<AxisMap> maps_of_ladders(std::size_t axes, std::uint32_t pairs) {
    if (axes == 2 && pairs % 2 == 0) return {{AxisScheme::axial, {}}, {AxisScheme::halves, {}}};
    if (axes != 3 || pairs < 3) return {};
    const std::uint32_t third = pairs / 3;
    std::vector<AxisMap> maps{{AxisScheme::blocks, {pairs - 2 * third, third, third}}};
    if (pairs % 16 == 0)
        maps.push_back({AxisScheme::blocks, {pairs / 8, 7 * pairs / 16, 7 * pairs / 16}});
    const std::uint32_t eighth = pairs / 8;
    if (pairs % 8 == 0)
        for (const std::uint32_t first : {2 * eighth, 4 * eighth})
            maps.push_back({AxisScheme::blocks, {first, (pairs - first) / 2, (pairs - first) / 2}});
    if (pairs == 64) maps.push_back({AxisScheme::height_width_time, {22, 22, 20}});
    return maps;
}

std::vector<AxisMap> usual_sections(std::uint32_t pairs) {
    constexpr std::uint32_t most = 256;  // more are those of several heads
    if (pairs > most) return {};
    const auto third = [&](std::uint32_t own) {
        return std::abs(3 * static_cast<std::int64_t>(own) - std::int64_t{pairs});
    };
    std::vector<std::vector<std::uint32_t>> all;
    for (std::uint32_t two = 1; 2 * two < pairs; ++two) {
        all.push_back({pairs - 2 * two, two, two});
        if (3 * two != pairs) all.push_back({two, two, pairs - 2 * two});
    }
    std::ranges::stable_sort(all, {}, [&](const auto& one) { return third(one[1]); });
    std::vector<AxisMap> maps;
    for (const AxisScheme scheme : {AxisScheme::sectioned, AxisScheme::interleaved})
        for (const auto& sections : all) maps.push_back({scheme, sections});
    return maps;
}

std::size_t axes_of(const Dump& dump) {
    const auto rows = rows_of(dump);
    return rows ? rows->axes() : 1;
}

Spec with_axes(Spec plain, std::size_t axes) {
    const std::uint32_t pairs = plain.pairs(), count = static_cast<std::uint32_t>(axes);
    if (axes == 2 && pairs % 2 == 0) {
        plain.axes = {AxisScheme::axial, {}};
    } else if (axes > 1) {
        plain.axes = {AxisScheme::sectioned, std::vector<std::uint32_t>(axes, pairs / count)};
        plain.axes.sections.back() += pairs % count;
    }
    return plain;
}

std::optional<Identity> identify_axes(const Spec& plain, const Dump& dump,
                                      std::span<const Spec> known, const AllowsSpec& allows) {
    const std::size_t axes = axes_of(dump);
    std::optional<Identity> first;
    if (axes > 2)
        for (const DumpView& view : views_of(plain, dump, CheckFacts{})) {
            auto found = identify_sections(view, known, allows);
            if (found && found->fits_all) return found;
            if (!first) first = std::move(found);
        }
    if (first) return first;
    for (const AxisMap& map : maps_of_ladders(axes, plain.pairs())) {
        Spec asked = plain;
        asked.axes = map;
        for (const DumpView& view : views_of(asked, dump, CheckFacts{}))
            if (const auto spec = identify_ladders(view, known)) return judged(*spec, allows);
    }
    return std::nullopt;
}

}  // namespace rope
