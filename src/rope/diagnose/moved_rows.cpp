// Rows that are each at another position than asked: packed sequences, padding, the order of a ring
// buffer, single rows. Positions that follow one rule are left to position_rules().
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/positions.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/diagnose/search.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {
namespace {

using Positions = std::vector<double>;

constexpr int most_looked_at = 60000;  // most positions that are compared, a few microseconds each
constexpr double beyond = 64;          // searched positions before the first and after the last
constexpr std::uint32_t fewest_pairs = 8;  // with fewer, many positions fit a row

// Compares single rows with the asked frequencies at any position.
class Rows {
  public:
    Rows(const DumpReading& reading, const DumpPart& part)
        : part_(part), replay_(replay_of(reading, part, as_asked_and_stored(reading))) {}

    bool is_at(std::size_t group, std::uint64_t index, double position) {
        const double error = replay_.error_for(part_.rows.row(group, index), position);
        if (!(error <= 1)) return false;
        worst_ = std::max(worst_, error);
        return true;
    }

    bool are_at(std::size_t group, const Positions& positions) {
        for (std::uint64_t index = 0; index < part_.rows.length(); ++index)
            if (!is_at(group, index, positions[index])) return false;
        return true;
    }

    // Returns the position of each row of a group; none if a row fits no whole position near the
    // dump's.
    std::optional<Positions> positions(std::size_t group) {
        Positions all;
        const auto near = range(group);
        for (std::uint64_t index = 0; index < part_.rows.length(); ++index) {
            const auto found = position(group, index, all, near);
            if (!found) return std::nullopt;
            all.push_back(*found);
        }
        return all;
    }

    Positions asked(std::size_t group) const {
        Positions all;
        for (std::uint64_t index = 0; index < part_.rows.length(); ++index)
            all.push_back(part_.rows.position(part_.rows.row(group, index)));
        return all;
    }

    double worst() const { return worst_; }

  private:
    // Tries the likeliest first: the asked one, one after the last row, a step from it, 0 and 1.
    std::optional<double> position(std::size_t group, std::uint64_t index, const Positions& before,
                                   std::pair<double, double> near) {
        const double own = part_.rows.position(part_.rows.row(group, index));
        Positions likely{own};
        if (!before.empty()) {
            likely.push_back(before.back() + 1);
            if (before.size() > 1) likely.push_back(2 * before.back() - before[before.size() - 2]);
            likely.push_back(before.back());
        }
        likely.insert(likely.end(), {0, 1});
        const auto [first, last] = near;
        for (const double one : likely)
            if ((one >= 0 || one >= first) && is_at(group, index, one)) return one;
        for (double one = first; one <= last; ++one) {
            if (++looked_at_ > most_looked_at) return std::nullopt;
            if (is_at(group, index, one)) return one;
        }
        return std::nullopt;
    }

    std::pair<double, double> range(std::size_t group) const {
        const Positions all = asked(group);
        const auto [least, most] = std::ranges::minmax(all);
        // negative positions that are not asked for belong to another direction
        return {least < 0 ? std::floor(least) - beyond : std::max(0.0, std::floor(least) - beyond),
                most + beyond};
    }

    const DumpPart& part_;
    RowReplay replay_;
    double worst_ = 0;
    int looked_at_ = 0;
};

// Consecutive rows whose positions have a constant step.
struct Run {
    std::uint64_t first, last;
    double from, to;
};

// Runs are as long as possible; those with a step other than 0 and 1 have three rows or more.
std::vector<Run> runs_of(const Positions& positions) {
    std::vector<Run> runs;
    for (std::uint64_t k = 0; k < positions.size();) {
        std::uint64_t last = k;
        if (k + 1 < positions.size()) {
            const double step = positions[k + 1] - positions[k];
            while (last + 1 < positions.size() && positions[last + 1] - positions[last] == step)
                ++last;
            if (last - k < 2 && step != 1 && step != 0) last = k;
        }
        runs.push_back({k, last, positions[k], positions[last]});
        k = last + 1;
    }
    return runs;
}

std::string from_to(double from, double to) {
    return from == to ? decimal(from) : decimal(from) + "–" + decimal(to);
}

constexpr std::size_t most_runs_named = 6;
constexpr std::ptrdiff_t most_short_runs = 3;

// "rows 0–10 are for positions 29–39, rows 11–39 for 0–28"
std::string words_of(const std::vector<Run>& runs, const Positions& asked) {
    std::string text;
    std::size_t named = 0, left = 0;
    for (const Run& run : runs) {
        if (run.from == asked[run.first] && run.to == asked[run.last]) continue;
        if (named == most_runs_named) {
            ++left;
            continue;
        }
        const bool is_one = run.first == run.last;
        text += (text.empty() ? "" : ", ") + std::string(is_one ? "row " : "rows ") +
                from_to(static_cast<double>(run.first), static_cast<double>(run.last));
        if (named++ == 0)
            text += std::string(is_one ? " is" : " are") +
                    (run.from == run.to ? " for position " : " for positions ");
        else
            text += " for ";
        text += from_to(run.from, run.to);
    }
    return text + (left > 0 ? " and " + decimal(left) + " more runs" : "");
}

// Returns the rows at which positions restart at 0; none if another row does not follow its
// predecessor.
std::optional<std::vector<std::uint64_t>> starts_of(const Positions& positions) {
    std::vector<std::uint64_t> starts;
    for (std::uint64_t k = 0; k < positions.size(); ++k) {
        if (positions[k] == (k == 0 ? 0 : positions[k - 1] + 1)) continue;
        if (positions[k] != 0) return std::nullopt;
        starts.push_back(k);
    }
    return starts;
}

bool is_permutation_of(Positions one, Positions other) {
    std::ranges::sort(one);
    std::ranges::sort(other);
    return one == other;
}

// The constant difference between found and asked positions, if there is one.
std::optional<double> offset_of(const Positions& found, const Positions& asked) {
    const double offset = found.front() - asked.front();
    for (std::size_t k = 0; k < found.size(); ++k)
        if (found[k] - asked[k] != offset) return std::nullopt;
    return offset;
}

// found = a·asked + b
bool is_affine(const Positions& found, const Positions& asked) {
    const double asked_step = asked.back() - asked.front(), step = found.back() - found.front();
    for (std::size_t k = 0; k < found.size(); ++k)
        if ((found[k] - found.front()) * asked_step != (asked[k] - asked.front()) * step)
            return false;
    return asked_step != 0 || step == 0;
}

// Whether one rule of positions gives all of them.
bool is_by_a_rule(const Positions& found, const Positions& asked) {
    if (is_affine(found, asked)) return true;
    std::vector<std::pair<double, double>> rows;
    for (std::size_t k = 0; k < found.size(); ++k) rows.emplace_back(asked[k], found[k]);
    std::ranges::sort(rows);
    Places places;
    for (const auto& [should, stand] : rows) {
        places.should.push_back(should);
        places.stand.push_back(stand);
    }
    places.tolerance.assign(rows.size(), 0.01);
    places.error = places.tolerance;
    return !rules_of(places, 1).empty();
}

// Whether these are the asked ids in reverse order, or the row numbers.
bool is_other_source(const Positions& found, const Positions& asked) {
    if (std::equal(found.begin(), found.end(), asked.rbegin())) return true;
    for (std::size_t k = 0; k < found.size(); ++k)
        if (found[k] != static_cast<double>(k)) return false;
    return true;
}

// Two swapped rows are the mistake rows-swapped.
bool are_two_swapped(const Positions& found, const Positions& asked) {
    std::size_t moved = 0;
    for (std::size_t k = 0; k < found.size(); ++k) moved += found[k] != asked[k] ? 1 : 0;
    return moved == 2 && is_permutation_of(found, asked);
}

// Whether the moved runs number at most a third of the rows, or the rows are a permutation.
bool are_few(const std::vector<Run>& runs, const Positions& found, const Positions& asked) {
    const auto moved = static_cast<std::size_t>(std::ranges::count_if(
        runs, [&](const Run& run) { return found[run.first] != asked[run.first]; }));
    return 3 * moved <= found.size() || is_permutation_of(found, asked);
}

struct MovedEntry {
    std::uint64_t entry;
    Positions positions, asked;
    std::vector<std::size_t> groups;
};

std::string words_of(const MovedEntry& one) {
    if (const auto offset = offset_of(one.positions, one.asked))
        return "every row is for position m " + std::string(*offset < 0 ? "− " : "+ ") +
               decimal(std::abs(*offset));
    const auto starts = starts_of(one.positions);
    if (starts && !starts->empty())
        return std::string("positions start over from 0 at ") +
               (starts->size() == 1 ? "row " : "rows ") + ranges(*starts, 8);
    return words_of(runs_of(one.positions), one.asked);
}

constexpr std::size_t most_entries_named = 4;

// The rows that are not where they should be, if all of these are at position 0.
std::optional<std::vector<std::uint64_t>> still_rows(const MovedEntry& one) {
    std::vector<std::uint64_t> rows;
    for (std::size_t k = 0; k < one.positions.size(); ++k) {
        if (one.positions[k] == one.asked[k]) continue;
        if (one.positions[k] != 0) return std::nullopt;
        rows.push_back(k);
    }
    return rows;
}

// Rows that came back as they went in, the same ones of each entry.
std::optional<NamedMistake> not_rotated(const std::vector<MovedEntry>& entries) {
    const auto rows = still_rows(entries.front());
    if (!rows || !std::ranges::all_of(
                     entries, [&](const MovedEntry& one) { return still_rows(one) == rows; }))
        return std::nullopt;
    const std::string text = ranges(*rows, most_runs_named);
    return named("not-rotated", {{"rows", text}},
                 {{"which", (rows->size() == 1 ? "row " : "rows ") + text +
                                (entries.size() > 1 ? " of each sequence" : "") +
                                (rows->size() == 1 ? " is" : " are")}});
}

NamedMistake mistake_of(const std::vector<MovedEntry>& entries) {
    if (auto still = not_rotated(entries)) return *std::move(still);
    const MovedEntry& first = entries.front();
    if (entries.size() > 1) {
        std::string text;
        for (std::size_t k = 0; k < std::min(entries.size(), most_entries_named); ++k)
            text += (k == 0 ? "" : "; ") + std::string("batch entry ") + decimal(entries[k].entry) +
                    ": " + words_of(entries[k]);
        if (entries.size() > most_entries_named)
            text += "; and " + decimal(entries.size() - most_entries_named) + " more batch entries";
        return named("position-source", {{"rows", text}}, {{"of", "entries"}});
    }
    const auto starts = starts_of(first.positions);
    if (starts && !starts->empty())
        return named("position-source", {{"starts", ranges(*starts, 8)}},
                     starts->size() == 1 ? Parameters{} : Parameters{{"several", 1.0}});
    return named("position-source", {{"rows", words_of(first)}}, {{"of", "one"}});
}

// Whether row numbers replace other positions in a part of the rows.
bool has_row_numbers(const MovedEntry& one) {
    return std::ranges::any_of(runs_of(one.positions), [&](const Run& run) {
        return run.last > run.first && run.from == static_cast<double>(run.first) &&
               run.to == static_cast<double>(run.last) && one.asked[run.first] != run.from;
    });
}

// Whether no simpler mistake gives these positions.
bool is_worth_naming(const MovedEntry& one) {
    if (has_row_numbers(one)) return false;
    return !is_by_a_rule(one.positions, one.asked) && !is_other_source(one.positions, one.asked) &&
           !are_two_swapped(one.positions, one.asked) &&
           are_few(runs_of(one.positions), one.positions, one.asked);
}

// Whether the rows are at the asked positions of another batch entry.
bool are_of_another_entry(const MovedEntry& one, const Rows& rows, std::size_t groups) {
    for (std::size_t group = 0; group < groups; ++group)
        if (rows.asked(group) == one.positions) return true;
    return false;
}

// Whether a few numbers describe the positions, so that no other explanation is shorter.
bool is_short(const MovedEntry& one) {
    const auto starts = starts_of(one.positions);
    if ((starts && !starts->empty()) || is_permutation_of(one.positions, one.asked)) return true;
    return std::ranges::count_if(runs_of(one.positions), [&](const Run& run) {
               return one.positions[run.first] != one.asked[run.first];
           }) <= most_short_runs;
}

// Whether the batch entries have different offsets, or one has rows that follow no rule.
bool are_worth_naming(const std::vector<MovedEntry>& entries) {
    if (entries.size() == 1) return is_worth_naming(entries.front());
    std::set<double> offsets;
    std::size_t shifted = 0;
    for (const MovedEntry& one : entries)
        if (const auto offset = offset_of(one.positions, one.asked)) {
            offsets.insert(*offset);
            ++shifted;
        } else if (!is_worth_naming(one)) {
            return false;
        }
    // a constant step between entries is a rule as well
    const bool is_rule =
        shifted == entries.size() &&
        (offsets.size() == 1 || is_other_source(entries.front().positions, entries.front().asked));
    if (is_rule || offsets.size() < shifted) return false;
    if (shifted < entries.size() || shifted < 3) return shifted < entries.size() || shifted == 2;
    const double step = *std::next(offsets.begin()) - *offsets.begin();
    const auto apart = [&](double a, double b) { return b - a != step; };
    return std::ranges::adjacent_find(offsets, apart) != offsets.end();
}

std::map<std::uint64_t, std::vector<std::size_t>> by_entry(const DumpPart& part) {
    std::map<std::uint64_t, std::vector<std::size_t>> entries;
    for (const std::size_t group : part.groups) entries[part.rows.batch_of(group)].push_back(group);
    return entries;
}

}  // namespace

std::optional<PartFinding> find_moved_rows(
    const std::shared_ptr<const std::vector<DumpReading>>& all, const DumpPart& part,
    MovedRows which) {
    const DumpReading& reading = all->front();
    if (!reading.mistakes.empty() || reading.samples.positions.size() > 1 ||
        reading.samples.pairs < fewest_pairs)
        return std::nullopt;
    Rows rows(reading, part);
    std::vector<MovedEntry> entries;
    for (const auto& [entry, groups] : by_entry(part)) {
        auto positions = rows.positions(groups.front());
        if (!positions) return std::nullopt;
        for (const std::size_t group : groups)
            if (!rows.are_at(group, *positions)) return std::nullopt;
        MovedEntry one{entry, *std::move(positions), rows.asked(groups.front()), groups};
        if (one.positions == one.asked || are_of_another_entry(one, rows, part.rows.count()))
            return std::nullopt;
        entries.push_back(std::move(one));
    }
    const bool are_alike = std::ranges::all_of(
        entries, [&](const MovedEntry& one) { return one.positions == entries.front().positions; });
    if (are_alike) entries.resize(1);
    if (!are_worth_naming(entries)) return std::nullopt;
    if (which == MovedRows::in_few_words && !std::ranges::all_of(entries, is_short))
        return std::nullopt;
    const Explanation one =
        explanation_of(mistake_of(entries), asked_misfit(reading), rows.worst());
    if (entries.size() > 1) return PartFinding{{one}};
    return PartFinding{
        {one},
        [all, &part, at = entries.front().positions](const std::vector<std::size_t>& groups) {
            Rows others(all->front(), part);
            std::vector<GroupErrors> errors;
            for (const std::size_t group : groups)
                errors.push_back({.wrong = others.are_at(group, at) ? 0U : 1U});
            return errors;
        }};
}

}  // namespace rope
