// Identifies a dump: the Specs whose exact values it holds, by its phase lines.
#include <algorithm>
#include <cmath>
#include <optional>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identify_axes.hpp"
#include "rope/diagnose/identity_candidates.hpp"
#include "rope/diagnose/search/search.hpp"
#include "rope/subject/positions.hpp"

namespace rope {
namespace {

std::uint64_t length_of(const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump)) return context_of(table->positions);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        return context_of(vectors->positions);
    return 0;
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
    for (const NamedMistake& one : replay.reading->mistakes)
        for (const auto& [name, value] : one.parameters)
            if (name == "lanes" && value == FieldValue(std::string("suffix")))
                spec.rotary_offset = spec.head_dim - spec.rotary_dim;
    if (replay.fitted_amplitude && replay.frequencies.takes_any_amplitude)
        spec.scaling.attention_factor = replay.amplitude;
    if (replay.positions && replay.positions->mistake == "position-scale" &&
        spec.scaling.rope_type == "default" && replay.positions->map.offset == 0 &&
        replay.positions->map.scale < 1) {
        spec.scaling.rope_type = "linear";
        spec.scaling.factor = few_digits(1 / replay.positions->map.scale, 1e-6);
    }
    return spec;
}

int rank(const Replay& replay) {
    // another layout or width of the pairs is not a mistake here
    return replay.cost - static_cast<int>(replay.reading->mistakes.size());
}

}  // namespace

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
    if (replays.empty()) return {plain, false};
    return {spec_of(*std::min_element(
                replays.begin(), replays.end(),
                [](const Replay& a, const Replay& b) { return rank(a) < rank(b); })),
            true};
}

}  // namespace rope
