// Identifies a dump: the Specs whose exact values it holds, by its phase lines.
#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identity/identify_axes.hpp"
#include "rope/diagnose/identity/identity_candidates.hpp"
#include "rope/diagnose/identity/told_spec.hpp"
#include "rope/diagnose/majority.hpp"
#include "rope/diagnose/search/search.hpp"

namespace rope {
namespace {

// Of Specs that fit alike the simplest is the likeliest.
std::tuple<int, bool, int, bool, std::size_t> complexity(const Replay& replay) {
    const Spec& spec = *replay.frequencies.spec;
    return {replay.cost - static_cast<int>(replay.reading->mistakes.size()), !is_told(replay),
            rank_of_type(spec), replay.fitted_amplitude, digits_of(spec)};
}

// A fit's own digits are no numbers that anybody wrote where simpler ones fit.
bool are_written(const Spec& spec, const Spec& simple) {
    return few_digits(spec.rope_theta, 1e-7) == spec.rope_theta &&
           digits_of(spec) <= digits_of(simple) + 2;
}

Identity simplest(std::vector<Replay> replays) {
    std::ranges::stable_sort(replays, {}, complexity);
    Identity found{spec_of(replays.front()), true, {}, false};
    const Replay& first = replays.front();
    const auto kind = [](const Replay& replay) {
        return std::tuple(std::get<0>(complexity(replay)), is_told(replay),
                          replay.fitted_amplitude);
    };
    for (const Replay& replay : replays) {
        // one pair turns by 1 whatever the base
        if (replay.reading == first.reading && replay.amplitude == first.amplitude &&
            replay.frequencies.theta == first.frequencies.theta)
            continue;
        Spec other = spec_of(replay);
        const auto is_other = [&](const Spec& one) { return rotate_alike(one, other); };
        if (kind(replay) == kind(first) && are_written(other, found.spec) &&
            !is_other(found.spec) && std::ranges::none_of(found.also, is_other))
            found.also.push_back(std::move(other));
    }
    return found;
}

// Those that the whole dump agrees with; where it agrees with none, all, since what it has of some
// mistake of another Spec is no better.
std::vector<Replay> search_judged(const std::vector<DumpReading>& readings,
                                  const FrequencyList& list, const AllowsSpec& allows) {
    bool is_refuted = false;
    const auto is_possible = [&](const Replay& replay) {
        if (!allows || !is_told(replay) || allows(spec_of(replay))) return true;
        is_refuted = true;
        return false;
    };
    std::vector<Replay> replays = search(readings, list, 3, is_possible);
    std::erase_if(replays,
                  [&](const Replay& replay) { return !replay.verified && !is_possible(replay); });
    return is_refuted && std::ranges::none_of(replays, is_told) ? search(readings, list, 3)
                                                                : replays;
}

const std::vector<double>* positions_of(const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump)) return &table->positions;
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) return &vectors->positions;
    return nullptr;
}

// A single row, or rows several positions apart, between which a pair may have turned around.
bool leaves_rates_open(const Dump& dump) {
    const std::vector<double>* positions = positions_of(dump);
    if (!positions) return false;
    const std::set<double> sorted(positions->begin(), positions->end());
    return std::adjacent_find(sorted.begin(), sorted.end(),
                              [](double a, double b) { return b - a <= 1; }) == sorted.end();
}

// Where some rows leave sections open, or say what all rows refute, what most pairs follow may be
// what all rows are.
Identity identity_on_axes(const Spec& plain, const Dump& dump, std::span<const Spec> known,
                          const AllowsSpec& allows) {
    auto found = identify_axes(plain, dump, known, allows);
    if (allows && !(found && found->is_allowed))
        if (auto most = majority_of(dump, known); most && allows(most->spec))
            return {std::move(most->spec), true};
    if (found) return {std::move(found->spec), true};
    return {with_axes(plain, axes_of(dump)), false, {}, true};
}

}  // namespace

bool rotate_alike(Spec a, const Spec& b) {
    a.max_position_embeddings = b.max_position_embeddings;
    a.seq_len = b.seq_len;
    return a == b;
}

Identity identify(const Dump& dump, std::span<const Spec> known, const AllowsSpec& allows) {
    const Spec plain = plain_spec(dump);
    if (axes_of(dump) > 1) return identity_on_axes(plain, dump, known, allows);
    const std::vector<DumpReading> all = readings(plain, dump, Judgement{});
    const auto list = [&](const DumpReading& reading, const std::vector<PhaseLine>& lines) {
        return identity_candidates(reading.asked, known, lines);
    };
    std::vector<Replay> replays;
    if (!all.empty()) replays = search_judged(all, list, allows);
    if (!replays.empty()) return simplest(std::move(replays));
    return {plain, false, {}, leaves_rates_open(dump)};
}

}  // namespace rope
