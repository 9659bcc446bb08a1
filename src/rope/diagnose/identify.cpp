// Identifies a dump: the Specs whose exact values it holds, by its phase lines.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identify_axes.hpp"
#include "rope/diagnose/identity_candidates.hpp"
#include "rope/diagnose/search/search.hpp"
#include "rope/subject/positions.hpp"

namespace rope {
namespace {

const std::vector<double>* positions_of(const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump)) return &table->positions;
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) return &vectors->positions;
    return nullptr;
}

std::uint64_t length_of(const Dump& dump) {
    const std::vector<double>* positions = positions_of(dump);
    return positions ? context_of(*positions) : 0;
}

// A default Spec of the dump's width.
Spec plain_spec(const Dump& dump) {
    Spec spec;
    if (const auto* table = std::get_if<TableDump>(&dump))
        spec.head_dim = 2 * table->pairs;
    else if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        spec.head_dim = static_cast<std::uint32_t>(
            vectors->before.size() / std::max<std::size_t>(1, vectors->positions.size()));
    else
        spec.head_dim =
            static_cast<std::uint32_t>(2 * std::get<FrequencyDump>(dump).inv_freq.size());
    spec.rotary_dim = spec.head_dim;
    spec.max_position_embeddings = std::max<std::uint64_t>(2048, length_of(dump));
    return spec;
}

// What a reading or a rule says of the Spec rather than of a mistake.
Spec spec_of(const Replay& replay) {
    Spec spec = *replay.frequencies.spec;
    spec.head_dim = replay.reading->asked.head_dim;
    spec.layout = replay.reading->asked.layout;
    const auto is_said = [](const auto& parameter, std::string_view name, std::string_view value) {
        return parameter.first == name && parameter.second == FieldValue(std::string(value));
    };
    for (const NamedMistake& one : replay.reading->mistakes)
        for (const auto& parameter : one.parameters) {
            if (is_said(parameter, "lanes", "suffix"))
                spec.rotary_offset = spec.head_dim - spec.rotary_dim;
            if (is_said(parameter, "before", to_string(PairLayout::interleaved)))
                spec.layout = PairLayout::interleaved_to_half_split;
        }
    if (replay.amplitude != replay.frequencies.amplitude && replay.frequencies.takes_any_amplitude)
        spec.scaling.attention_factor = replay.amplitude;
    if (replay.positions && replay.positions->mistake == "position-scale" &&
        spec.scaling.rope_type == "default" && replay.positions->map.offset == 0 &&
        replay.positions->map.scale < 1) {
        spec.scaling.rope_type = "linear";
        spec.scaling.factor = few_digits(1 / replay.positions->map.scale, 1e-6);
    }
    return spec;
}

// Of Specs that fit alike the simplest is the likeliest.
std::tuple<int, bool, std::size_t> complexity(const Replay& replay) {
    const Spec& spec = *replay.frequencies.spec;
    const std::string digits = decimal(spec.rope_theta);
    // another layout or width of the pairs is not a mistake here
    return {replay.cost - static_cast<int>(replay.reading->mistakes.size()),
            spec.scaling.rope_type != "default", digits.find_last_not_of('0') + 1};
}

// A fit's own digits are no base that anybody wrote.
bool is_written(const Spec& spec) { return few_digits(spec.rope_theta, 1e-7) == spec.rope_theta; }

Identity simplest(std::vector<Replay> replays) {
    std::ranges::stable_sort(replays, {}, complexity);
    Identity found{spec_of(replays.front()), true, {}, false};
    const Replay& first = replays.front();
    for (const Replay& replay : replays) {
        // one pair turns by 1 whatever the base
        if (replay.reading == first.reading && replay.amplitude == first.amplitude &&
            replay.frequencies.theta == first.frequencies.theta)
            continue;
        Spec other = spec_of(replay);
        const auto is_other = [&](const Spec& one) { return rotate_alike(one, other); };
        if (std::get<0>(complexity(replay)) == std::get<0>(complexity(first)) &&
            is_written(other) && !is_other(found.spec) &&
            std::ranges::none_of(found.also, is_other))
            found.also.push_back(std::move(other));
    }
    return found;
}

// A single row, or rows several positions apart, between which a pair may have turned around.
bool leaves_rates_open(const Dump& dump) {
    const std::vector<double>* positions = positions_of(dump);
    if (!positions) return false;
    const std::set<double> sorted(positions->begin(), positions->end());
    return std::adjacent_find(sorted.begin(), sorted.end(),
                              [](double a, double b) { return b - a <= 1; }) == sorted.end();
}

}  // namespace

bool rotate_alike(Spec a, const Spec& b) {
    a.max_position_embeddings = b.max_position_embeddings;
    a.seq_len = b.seq_len;
    return a == b;
}

Identity identify(const Dump& dump, std::span<const Spec> known) {
    const Spec plain = plain_spec(dump);
    if (const std::size_t axes = axes_of(dump); axes > 1) {
        auto spec = identify_axes(plain, dump, known);
        if (spec) return {std::move(*spec), true};
        return {with_axes(plain, axes), false};
    }
    const std::vector<DumpReading> all = readings(plain, dump, Judgement{});
    const auto list = [&](const DumpReading& reading, const std::vector<PhaseLine>& lines) {
        return identity_candidates(reading.asked, known, lines);
    };
    const std::vector<Replay> replays = all.empty() ? std::vector<Replay>{} : search(all, list, 3);
    if (!replays.empty()) return simplest(replays);
    return {plain, false, {}, leaves_rates_open(dump)};
}

}  // namespace rope
