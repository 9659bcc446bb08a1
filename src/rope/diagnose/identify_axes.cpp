// The Spec of a dump with positions on several axes.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "rope/changes/dump_view.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/evidence/phase_lines.hpp"
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

// Whether one of the first three axes has no pairs. No model has that, but a port may drop an axis.
bool leaves_axes_out(const AxisMap& axes) {
    const std::size_t all = std::min<std::size_t>(axes.sections.size(), 3);
    return std::ranges::count(axes.sections.begin(),
                              axes.sections.begin() + static_cast<std::ptrdiff_t>(all), 0u) > 0;
}

// The maps in which each pair follows its axis; known ones first, as slow pairs do not decide.
std::vector<AxisMap> fitting_maps(const AxisMisfits& misfits, std::span<const AxisMap> known) {
    std::vector<AxisMap> maps;
    for (const AxisMap& map : known)
        if (std::isfinite(misfit_by(map, misfits))) maps.push_back(map);
    for (AxisMap& map : maps_of_least_misfit(misfits))
        if (!leaves_axes_out(map)) maps.push_back(std::move(map));
    return maps;
}

Identity judged(const Spec& spec, const AllowsSpec& allows) {
    return {.spec = spec, .fits = true, .fits_all = !allows || allows(spec)};
}

// Identifies the frequencies first, then the axis of each pair.
std::optional<Identity> identify_sections(const DumpView& view, std::span<const Spec> known,
                                          const AllowsSpec& allows) {
    const std::size_t axes = view.samples.positions.size();
    const std::vector<AxisMap> maps = known_maps(known, view.samples.pairs, axes);
    const PhaseLines lines = fit_lines_by_axis(view.samples);
    std::optional<Identity> first;
    for (const Frequencies& one : identity_candidates(view.asked, known, lines)) {
        const AxisMisfits misfits = misfits_on_axes(view.samples, by_frequencies(view, one), axes);
        if (maps_of_least_misfit(misfits).empty()) continue;
        Spec spec = placed_as(view.asked, *one.spec);
        const std::vector<AxisMap> fitting = fitting_maps(misfits, maps);
        if (fitting.empty() && !is_scaled(spec)) break;  // simpler than another scaling
        for (const AxisMap& map : fitting) {
            spec.axes = map;
            Identity found = judged(spec, allows);
            if (found.fits_all) return found;
            if (!first) first = std::move(found);
        }
    }
    return first;
}

// For a map whose frequencies may restart: the lines of one ladder determine those of all.
std::optional<Spec> identify_ladders(const DumpView& view, std::span<const Spec> known) {
    const Spec& asked = view.asked;
    if (view.axis != axis_of_pairs(asked.axes, asked.pairs())) return std::nullopt;
    const PhaseLines lines = fit_lines_by_axis(view.samples);
    auto first = lines.begin();
    for (const std::uint32_t width : ladder_widths(asked.axes, asked.pairs())) {
        Spec narrow = asked;
        narrow.axes = {};
        narrow.head_dim = narrow.rotary_dim = width;
        narrow.rotary_offset = 0;
        const auto end = lines.empty() ? first : first + width / 2;
        for (const Frequencies& one : identity_candidates(narrow, known, PhaseLines(first, end))) {
            Spec spec = placed_as(asked, *one.spec);
            if (!is_scaled(spec)) spec.max_position_embeddings = asked.max_position_embeddings;
            if (!is_sound(spec)) continue;  // longrope's factors are for fewer pairs
            if (misfit(view.samples, by_frequencies(view, frequencies_of(spec)), 1) <= 1)
                return spec;
        }
        first = end;
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
