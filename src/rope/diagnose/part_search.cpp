#include "rope/diagnose/part_search.hpp"

#include <algorithm>
#include <utility>

#include "rope/changes/frequencies.hpp"
#include "rope/changes/reading.hpp"
#include "rope/diagnose/every_row.hpp"
#include "rope/diagnose/explain/damage.hpp"
#include "rope/diagnose/explain/explain.hpp"
#include "rope/diagnose/explain/switched.hpp"
#include "rope/diagnose/frequency_lists.hpp"
#include "rope/diagnose/identity/told_spec.hpp"
#include "rope/diagnose/inv_freq_numbers.hpp"
#include "rope/diagnose/restarts.hpp"
#include "rope/diagnose/search/odd_pair.hpp"
#include "rope/evidence/fit_axes.hpp"

namespace rope {
namespace {

constexpr int most_mistakes = 3;

using Readings = std::vector<DumpReading>;

// A number of the dump's own in one entry.
bool has_entry(const Replay& replay) {
    return std::ranges::any_of(
        replay.mistakes(), [](const NamedMistake& one) { return one.mistake == "inv-freq-entry"; });
}

// Lists that cost more, after `replays` by the usual one; each only where it may explain more
// simply: in fewer mistakes, or in as many that a config can have.
void search_unlikely(std::vector<Replay>& replays, const Readings& all, UsualList& usual,
                     const Verify& verify) {
    ListsOfSpecs specs;
    const FrequencyList few = [&](const DumpReading& reading, const std::vector<PhaseLine>&) {
        return unusual(specs, reading);
    };
    const FrequencyList twice = [&](const DumpReading& reading,
                                    const std::vector<PhaseLine>& lines) {
        return twice_of(usual, reading, lines);
    };
    for (const auto& [list, most] : {std::pair<FrequencyList, int>{few, 2},
                                     {doubly_changed, most_mistakes},
                                     {twice, most_mistakes},
                                     {ending_still, 2}}) {
        const int less =
            replays.empty()
                ? most
                : std::min(most, replays.front().cost - (has_entry(replays.front()) ? 0 : 1));
        if (less < 1) return;
        std::vector<Replay> others = search(all, list, less, verify);
        if (!others.empty()) replays = std::move(others);
    }
}

// Nearly all pairs turn at a constant rate: one may be odd. Of several axes all.
bool could_be_a_rotation(const DumpReading& reading) {
    const Samples& samples = reading.samples;
    if (samples.positions.size() > 1)
        return fit_lines_on_axes(samples, reading.axis, Orientation::right).is_constant;
    const std::vector<PhaseLine> lines = fit_phase_lines(samples, Orientation::right);
    const auto even =
        std::ranges::count(lines, samples.rows(), [](const PhaseLine& line) { return line.rows; });
    return !lines.empty() && 10 * static_cast<std::size_t>(even) >= 9 * lines.size();
}

// As asked, or twice that, by positions, angles or frequencies of 16 bits, at which no pair's rate
// is constant.
bool is_rounded(const DumpReading& reading) {
    Replay replay;
    replay.reading = &reading;
    replay.amplitude = fitted_amplitude(reading.samples);
    const Frequencies plan = frequencies_of(reading.asked);
    for (const Frequencies& own : {plan, rotated_twice(plan, plan)}) {
        replay.frequencies = own;
        for (const RoundingMistake& rounding : rounding_mistakes()) {
            replay.rounding = &rounding;
            if (!rounding.rounding.cuts_table() &&
                misfit(reading.samples, replay.hypothesis(), 1) <= 1)
                return true;
        }
    }
    return false;
}

// Readings of the rows at positions from elsewhere, of those that could be a rotation's.
Readings moved(const Readings& all, const DumpPart& part, int most) {
    Readings others;
    for (const DumpReading& reading : all) {
        if (static_cast<int>(reading.mistakes.size()) >= most || !reading.keeps_the_rest) continue;
        Readings elsewhere = moved_readings(reading, part);
        for (DumpReading& other : frame_readings(reading, part.rows))
            elsewhere.push_back(std::move(other));
        for (DumpReading& other : elsewhere)
            if (could_be_a_rotation(other) ||
                (other.samples.positions.size() == 1 && is_rounded(other)))
                others.push_back(std::move(other));
    }
    return others;
}

// Whether an entry of its own for one pair explains in fewer mistakes, where it takes as many as
// may be, or nothing does.
bool takes_odd_pair(std::vector<Replay>& replays, const Readings& all, const Verify& verify) {
    const int cost = replays.empty() ? most_mistakes + 1 : replays.front().cost;
    if (cost < most_mistakes) return false;
    std::vector<Replay> odd = search_odd_pair(all, cost - 1, verify);
    if (odd.empty()) return false;
    replays = std::move(odd);
    return true;
}

// Replays, and the readings that they refer to.
struct Found {
    std::vector<Replay> replays;
    std::shared_ptr<const Readings> of;
    std::shared_ptr<const Readings> of_names = {};
};

// Two mistakes with parameters fit noise that is hardly beyond its tolerance: a combination must
// improve the error tenfold.
bool improves_enough(const std::vector<Explanation>& combined, const DumpReading& asked,
                     const DumpPart& part) {
    return combined.size() < 2 || error_as_asked(asked, part) >= 10 * combined.front().after;
}

std::optional<PartFinding> finding_of(const Found& all, const FrequencyList& list,
                                      const Spec& asked, const DumpReading& reading,
                                      const DumpPart& part) {
    const auto worst = [&part](const Replay& replay) { return worst_of_all(replay, part); };
    PartFinding found{explain_replays(all.replays, *all.of, list, asked, worst)};
    if (!improves_enough(found.explanations, reading, part)) return std::nullopt;
    const Replay& best = all.replays.front();
    if (best.frequencies.spec) found.spec = spec_of(best);
    if (is_stepped(best)) return found;
    found.sweep = [best, &part, of = all.of,
                   of_names = all.of_names](const std::vector<std::size_t>& groups) {
        return sweep_of(best, part, groups);
    };
    return found;
}

// A shift from some position on, or a period: parameters of the dump's own, where elsewhere has
// none.
bool has_fitted_place(const Replay& replay) {
    using Kind = PositionMap::Kind;
    return replay.positions && (replay.positions->map.kind == Kind::switched ||
                                replay.positions->map.kind == Kind::wrap);
}

// One number for all rows, which another place of the positions may make, too.
bool is_shifted(const Replay& replay) {
    return replay.cost == 1 && replay.positions && replay.positions->mistake == "position-offset";
}

// By rows at positions from elsewhere, where that takes fewer mistakes, or as many and none with a
// parameter of the dump's own.
void look_elsewhere(Found& found, const DumpPart& part, const FrequencyList& usual,
                    const Verify& verify) {
    std::vector<Replay>& replays = found.replays;
    const int cost = replays.empty() ? most_mistakes + 1 : replays.front().cost;
    const bool is_fitted = !replays.empty() && has_fitted_place(replays.front());
    if (cost <= 1 && !is_fitted) return;
    const int most = cost - (is_fitted ? 0 : 1);
    auto others = std::make_shared<const Readings>(moved(*found.of, part, most));
    std::vector<Replay> better = search(*others, usual, most, verify);
    if (better.empty()) return;
    if (better.front().cost == cost) better.insert(better.end(), replays.begin(), replays.end());
    replays = std::move(better);
    found.of = std::move(others);
}

// A multiple of each id or its quotient, as are row numbers of ids in steps: id 4n + 1 in row n.
bool is_of_steps(const Replay& replay) {
    using Kind = PositionMap::Kind;
    return replay.scale() || (replay.positions && replay.positions->map.kind == Kind::quotient);
}

// By row numbers first, where those explain the rows in as few mistakes: a step is a number of the
// dump's own.
void prefer_row_numbers(Found& found, const Readings& all, const DumpPart& part,
                        const FrequencyList& usual, const Verify& verify) {
    std::vector<Replay>& replays = found.replays;
    if (replays.empty() || found.of.get() != &all || !is_of_steps(replays.front())) return;
    const int cost = replays.front().cost;
    Readings numbered = moved(all, part, cost);
    std::erase_if(numbered, [](const DumpReading& reading) {
        return reading.samples.source != PositionSource::row_number;
    });
    found.of_names = std::make_shared<const Readings>(std::move(numbered));
    const std::vector<Replay> better = search(*found.of_names, usual, cost, verify);
    replays.insert(replays.begin(), better.begin(), better.end());
}

// What else a shift of all rows may be called, last.
void add_other_names(Found& found, const Readings& all, const DumpPart& part,
                     const FrequencyList& usual, const Verify& verify) {
    if (found.replays.empty() || !is_shifted(found.replays.front())) return;
    found.of_names = std::make_shared<const Readings>(moved(all, part, 1));
    const std::vector<Replay> names = search(*found.of_names, usual, 1, verify);
    found.replays.insert(found.replays.end(), names.begin(), names.end());
}

std::optional<PartFinding> still_part(const DumpPart& part,
                                      const std::shared_ptr<const Readings>& all) {
    const auto still = explain_stillness(all->front(), part);
    if (!still) return std::nullopt;
    const auto sweep = [all, &part, name = still->mistake](const std::vector<std::size_t>& groups) {
        std::vector<GroupErrors> errors;
        for (const std::size_t group : groups) {
            DumpPart one = part;
            one.groups = {group};
            const auto own = explain_stillness(all->front(), one);
            errors.push_back({.wrong = own && own->mistake == name ? 0u : 1u});
        }
        return errors;
    };
    return PartFinding{{*still}, sweep};
}

}  // namespace

std::optional<PartFinding> find_in_part(const Spec& asked, const DumpPart& part,
                                        const std::shared_ptr<const Readings>& all) {
    if (auto still = still_part(part, all)) return still;
    UsualList own;
    const FrequencyList usual = std::ref(own);
    const Verify verify = [&](Replay& replay) { return explains_all(replay, part); };
    Found found{search(*all, usual, most_mistakes, verify), all};
    std::vector<Replay>& replays = found.replays;
    look_elsewhere(found, part, usual, verify);
    prefer_row_numbers(found, *all, part, usual, verify);
    add_other_names(found, *all, part, usual, verify);
    const bool by_no_rule = !replays.empty() && !replays.front().frequencies.spec;
    if (found.of == all) search_unlikely(replays, *all, own, verify);
    if (replays.empty()) replays = search_rounded(*all, usual, most_mistakes, verify);
    if (takes_odd_pair(replays, *all, verify)) found.of = all;
    if (replays.empty() || by_no_rule) {
        if (auto switched = explain_switched(all->front(), part))
            return PartFinding{{std::move(*switched)}};
        if (auto packed = find_restarts(all, part)) return packed;
        if (auto damaged = explain_damage(all->front(), part))
            return PartFinding{{std::move(*damaged)}};
    }
    if (replays.empty()) return std::nullopt;
    return finding_of(found, usual, asked, all->front(), part);
}

std::optional<PartFinding> find_along_heads(const Spec& asked, const DumpPart& part,
                                            const std::shared_ptr<const Readings>& all) {
    Readings own = moved(*all, part, most_mistakes);
    std::erase_if(own, [](const DumpReading& reading) {
        return reading.samples.source != PositionSource::head_number;
    });
    const auto along = std::make_shared<const Readings>(std::move(own));
    UsualList list;
    const FrequencyList usual = std::ref(list);
    const Verify verify = [&](Replay& replay) { return explains_all(replay, part); };
    const Found found{search(*along, usual, most_mistakes, verify), along};
    if (found.replays.empty()) return std::nullopt;
    return finding_of(found, usual, asked, all->front(), part);
}

std::vector<Explanation> find_in_frequencies(const Spec& asked, const Readings& all) {
    if (auto empty = explain_empty_frequencies(all.front())) return {*std::move(empty)};
    UsualList own;
    const FrequencyList usual = std::ref(own);
    std::vector<Replay> replays = search(all, usual, most_mistakes);
    search_unlikely(replays, all, own, {});
    if (replays.empty() || replays.front().frequencies.mistake == "uninitialised")
        if (auto named = explain_named_frequencies(all.front())) return {*std::move(named)};
    if (replays.empty()) return {};
    return explain_replays(replays, all, usual, asked);
}

}  // namespace rope
