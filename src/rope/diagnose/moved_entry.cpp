#include "rope/diagnose/moved_entry.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/dump_view.hpp"
#include "rope/diagnose/explain.hpp"

namespace rope {
namespace {

// Consecutive rows, from the k-th to another, whose positions have a constant step or, if that
// gives more rows, a constant difference from the position_ids, `moved`. The first and the last row
// are moved.
struct Run {
    std::size_t first, last;
    std::optional<Point> moved = {};
};

// Runs are as long as possible; those with a step other than 0 and 1 have three rows or more.
std::vector<Run> moved_runs(const MovedEntry& of) {
    std::vector<Run> runs;
    for (std::size_t k = 0, next = 0; k < of.size(); k = next) {
        next = k + 1;
        if (!of.is_moved(k)) continue;
        const auto goes_on = [&](std::size_t row) { return row < of.size() && of.follows(row); };
        while (goes_on(next) && of.step_to(next) == of.step_to(k + 1)) ++next;
        std::size_t alike = k + 1;
        while (goes_on(alike) && of.moved(alike) == of.moved(k)) ++alike;
        if (alike > next || (of.is_of_several && alike == next && next > k + 1)) {
            runs.push_back({k, alike - 1, of.moved(k)});
            next = alike;
            continue;
        }
        if (next - k == 2 && !is_step(of.step_to(k + 1), 1) && !is_step(of.step_to(k + 1), 0))
            --next;
        std::size_t last = next - 1;
        while (!of.is_moved(last)) --last;
        runs.push_back({k, last});
    }
    return runs;
}

constexpr std::size_t most_runs_named = 6;
constexpr std::size_t most_short_runs = 3;
constexpr std::size_t most_runs_of_cause = 16;

// "46 later on each axis", "(46, 0, 0) later"
std::string later(const Point& moved) {
    return is_step(moved, moved[0])
               ? decimal(std::abs(moved[0])) + (moved[0] < 0 ? " earlier" : " later") +
                     (moved.size() > 1 ? " on each axis" : "")
               : point_name(moved) + " later";
}

// "rows 3–5, 9 (4 of 1,024)"
std::string some_rows(const std::vector<std::uint64_t>& rows, const std::string& of = "") {
    return (rows.size() == 1 ? "row " : "rows ") + ranges(rows, most_runs_named) + of;
}

std::string are(const std::vector<std::uint64_t>& rows) {
    return rows.size() == 1 ? " is" : " are";
}

// "rows 0–10 are for positions 29–39, rows 11–39 for 0–28"; `each`: with the distance of each row.
std::string words_of(const std::vector<Run>& runs, const MovedEntry& of, bool each) {
    std::string text;
    for (std::size_t k = 0; k < std::min(runs.size(), most_runs_named); ++k) {
        const Run& run = runs[k];
        const bool is_one = run.first == run.last;
        const Point &from = of.positions[run.first], &to = of.positions[run.last];
        text += std::string(text.empty() ? ""
                            : each       ? "; "
                                         : ", ") +
                (is_one ? "row " : "rows ") + decimal(of.rows[run.first]) +
                (is_one ? "" : "–" + decimal(of.rows[run.last]));
        if (k == 0)
            text += std::string(is_one ? " is" : " are") +
                    (from == to ? " for position " : " for positions ");
        else
            text += " for ";
        text += run.moved ? later(*run.moved)
                          : point_name(from) + (from == to ? "" : "–" + point_name(to));
        if (each) text += ", " + later(of.moved(run.first));
    }
    if (runs.size() <= most_runs_named) return text;
    return text + " and " + decimal(runs.size() - most_runs_named) + " more runs";
}

// Returns the places in `one` at which positions restart at 0; none if another row does not follow
// its predecessor.
std::optional<std::vector<std::size_t>> starts_of(const MovedEntry& one) {
    const Point zero(one.positions.front().size(), 0);
    std::vector<std::size_t> starts;
    for (std::size_t k = 0; k < one.size(); ++k) {
        const auto gap = static_cast<double>(k == 0 ? 0 : one.rows[k] - one.rows[k - 1]);
        if (k == 0 ? one.positions[0] == zero
                   : is_step(one.step_to(k), 1) || is_step(one.step_to(k), gap))
            continue;
        if (one.positions[k] != zero) return std::nullopt;
        starts.push_back(k);
    }
    return starts;
}

bool restarts(const MovedEntry& one) {
    const auto starts = starts_of(one);
    return starts && !starts->empty();
}

// Whether positions restart at 0 and go on: several rows at 0 are padding.
bool counts_from_starts(const MovedEntry& one) {
    const auto starts = starts_of(one);
    return starts && !starts->empty() && std::ranges::none_of(*starts, [&](std::size_t k) {
               return k > 0 && one.positions[k - 1] == one.positions[k];
           });
}

// The numbers of the wrong rows at which positions restart at 0, the first one too; of all such
// rows if these are right.
std::vector<std::uint64_t> start_rows(const MovedEntry& one) {
    std::vector<std::size_t> starts = *starts_of(one);
    if (starts.front() != 0) starts.insert(starts.begin(), 0);
    std::vector<std::uint64_t> wrong, all;
    for (const std::size_t k : starts) {
        if (k > 0) all.push_back(one.rows[k]);
        if (one.is_moved(k)) wrong.push_back(one.rows[k]);
    }
    return wrong.empty() ? all : wrong;
}

bool is_permutation_of(Positions one, Positions other) {
    std::ranges::sort(one);
    std::ranges::sort(other);
    return one == other;
}

// The constant difference between found and asked positions on every axis, if there is one.
std::optional<double> offset_of(const MovedEntry& one) {
    const double offset = one.moved(0)[0];
    for (std::size_t k = 0; k < one.size(); ++k)
        if (!is_step(one.moved(k), offset)) return std::nullopt;
    return offset;
}

constexpr std::size_t most_shifts = 3;

// The moved rows by their distance from the position_ids, if these are many runs with few
// distances; those of most rows first.
std::vector<std::pair<Point, std::vector<std::uint64_t>>> shifts_of(const MovedEntry& one) {
    if (moved_runs(one).size() <= most_runs_named || is_permutation_of(one.positions, one.asked))
        return {};
    std::map<Point, std::vector<std::uint64_t>> shifts;
    for (std::size_t k = 0; k < one.size() && shifts.size() <= most_shifts; ++k)
        if (one.is_moved(k)) shifts[one.moved(k)].push_back(one.rows[k]);
    if (shifts.size() > most_shifts) return {};
    std::vector<std::pair<Point, std::vector<std::uint64_t>>> all(shifts.begin(), shifts.end());
    std::ranges::stable_sort(all, std::greater<>(),
                             [](const auto& one) { return one.second.size(); });
    return all;
}

// Returns n if every moved row has the position_id of the row n rows before it.
std::optional<std::size_t> rows_before(const MovedEntry& one) {
    std::vector<std::size_t> moved;
    for (std::size_t k = 0; k < one.size(); ++k)
        if (one.is_moved(k)) moved.push_back(k);
    for (std::size_t by = 1; by <= moved.front(); ++by)
        if (std::ranges::all_of(moved, [&](std::size_t k) {
                return one.rows[k] - one.rows[k - by] == by &&
                       one.positions[k] == one.asked[k - by];
            }))
            return by;
    return std::nullopt;
}

// "rows 20–21, 23–24, … (307 of 1024) are for positions 16 earlier"
std::string words_of_shifts(const MovedEntry& one) {
    const auto shifts = shifts_of(one);
    const std::vector<std::uint64_t> moved = one.moved_rows();
    const std::string of = " (" + decimal(moved.size()) + " of " + decimal(one.size()) + ")";
    if (shifts.size() > 1)
        if (const auto by = rows_before(one))
            return some_rows(moved, of) + " are for the position of the row " + decimal(*by) +
                   " before";
    std::string text;
    for (const auto& [by, rows] : shifts)
        text += text.empty() ? some_rows(rows, " (" + decimal(rows.size()) + " of " +
                                                   decimal(one.size()) + ")") +
                                   are(rows) + " for positions " + later(by)
                             : ", " + some_rows(rows) + " for " + later(by);
    return text;
}

// Whether the moved rows have different distances from their position_ids, each its own.
bool are_each_moved(const MovedEntry& one) {
    const std::vector<Run> runs = moved_runs(one);
    return runs.size() > 1 && !is_permutation_of(one.positions, one.asked) &&
           std::ranges::all_of(runs, [](const Run& run) { return run.first == run.last; }) &&
           std::ranges::any_of(runs, [&](const Run& run) {
               return one.moved(run.first) != one.moved(runs.front().first);
           });
}

// Whether a list of the rows would be long, and in part by chance.
bool are_undetermined(const MovedEntry& one) {
    return one.open().size() > 0 && moved_runs(one).size() > most_runs_named;
}

std::string words_of(const MovedEntry& one) {
    if (const auto offset = offset_of(one))
        return "every row is for position m " + std::string(*offset < 0 ? "− " : "+ ") +
               decimal(std::abs(*offset));
    if (counts_from_starts(one))
        return "positions start over from 0 at " + some_rows(start_rows(one));
    if (!shifts_of(one).empty()) return words_of_shifts(one);
    const std::vector<Run> all = moved_runs(one);
    if (!are_undetermined(one))
        return words_of(all, one, are_each_moved(one)) +
               (one.open().size() > 0 ? " (other positions fit the values, too)" : "");
    const MovedEntry open = one.open(), certain = one.certain();
    const std::vector<Run> runs = moved_runs(certain);
    return (runs.empty() ? "" : words_of(runs, certain, false) + "; ") + some_rows(open.rows) +
           are(open.rows) + " for other positions, which the values do not determine";
}

constexpr std::size_t most_entries_named = 4;

// The same rows of each entry are not rotated, or the same two are swapped.
std::optional<NamedMistake> same_rows(const std::vector<MovedEntry>& entries) {
    const std::vector<std::uint64_t> rows = entries.front().moved_rows();
    const auto all_are = [&](const auto& is_so) {
        return std::ranges::all_of(entries, [&](const MovedEntry& one) {
            const MovedEntry moved = one.some([&](std::size_t k) { return one.is_moved(k); });
            return moved.rows == rows && is_so(moved);
        });
    };
    if (rows.size() == 2 && all_are([](const MovedEntry& moved) {
            return moved.positions[0] == moved.asked[1] && moved.positions[1] == moved.asked[0];
        }))
        return swap_mistake(rows[0], rows[1]);
    if (!all_are([](const MovedEntry& moved) {
            return std::ranges::all_of(moved.positions,
                                       [](const Point& place) { return is_step(place, 0); });
        }))
        return std::nullopt;
    const std::string text = ranges(rows, most_runs_named);
    return named("not-rotated", {{"rows", text}},
                 {{"which", (rows.size() == 1 ? "row " : "rows ") + text +
                                (entries.size() > 1 ? " of each sequence" : "") +
                                (rows.size() == 1 ? " is" : " are")}});
}

// The usual cause of the places of the moved rows.
std::string_view kind_of(const std::vector<MovedEntry>& entries) {
    const auto any = [&](const auto& is_so) { return std::ranges::any_of(entries, is_so); };
    if (entries.size() > 1 && std::ranges::all_of(entries, [](const MovedEntry& one) {
            return offset_of(one).has_value();
        }))
        return "offsets";
    if (any(restarts)) return "sequences";
    if (any([](const MovedEntry& one) { return !shifts_of(one).empty(); })) return "shifts";
    if (any(are_undetermined)) return "open";
    if (any(are_each_moved)) return "each";
    return entries.size() > 1 ? "entries" : "one";
}

// Whether all rows of each entry, which has several, are at the position of its first row.
bool are_at_first(const std::vector<MovedEntry>& entries) {
    return std::ranges::all_of(entries, [](const MovedEntry& one) {
        return one.asked.size() > 1 &&
               std::ranges::count(one.positions, one.asked.front()) == std::ssize(one.positions);
    });
}

// Whether the rows of a run are at one place or as far apart as asked: another step is a scale,
// which other mistakes explain.
bool has_asked_step(const Run& run, const MovedEntry& of) {
    return of.positions[run.first] == of.positions[run.last] ||
           sum(of.positions[run.last], of.positions[run.first], -1) ==
               sum(of.asked[run.last], of.asked[run.first], -1);
}

}  // namespace

std::optional<NamedMistake> exchanged(const std::vector<MovedEntry>& entries) {
    std::vector<std::uint64_t> own, others;
    for (const MovedEntry& one : entries) {
        const auto other = std::ranges::find(entries, one.positions, &MovedEntry::asked);
        if (other == entries.end() || std::ranges::count(others, other->entry)) return std::nullopt;
        own.push_back(one.entry);
        others.push_back(other->entry);
    }
    return named(
        "position-source",
        {{"source", "other entries"}, {"entries", join(own)}, {"positions_of", join(others)}});
}

NamedMistake mistake_of(const std::vector<MovedEntry>& entries) {
    if (auto same = same_rows(entries)) return *std::move(same);
    if (auto of_others = exchanged(entries)) return *std::move(of_others);
    const MovedEntry& first = entries.front();
    if (entries.size() > 1) {
        if (are_at_first(entries))
            return named("position-collapse", {{"rows", "first of each batch entry"}});
        std::string text;
        for (std::size_t k = 0; k < std::min(entries.size(), most_entries_named); ++k)
            text += (k == 0 ? "" : "; ") + std::string("batch entry ") + decimal(entries[k].entry) +
                    ": " + words_of(entries[k]);
        if (entries.size() > most_entries_named)
            text += "; and " + decimal(entries.size() - most_entries_named) + " more batch entries";
        return named("position-source", {{"rows", text}}, {{"of", std::string(kind_of(entries))}});
    }
    const auto starts = starts_of(first);
    if (starts &&
        std::ranges::all_of(*starts, [&](std::size_t k) { return is_step(first.asked[k], 0); }))
        return named("position-source", {{"source", "row number"}});
    if (counts_from_starts(first)) {
        const std::vector<std::uint64_t> rows = start_rows(first);
        return named("position-source", {{"starts", ranges(rows, 8)}},
                     rows.size() == 1 ? Parameters{} : Parameters{{"several", 1.0}});
    }
    return named("position-source", {{"rows", words_of(first)}},
                 {{"of", std::string(kind_of(entries))}});
}

bool is_short(const MovedEntry& one) {
    if (restarts(one) || is_permutation_of(one.positions, one.asked) || shifts_of(one).size() == 1)
        return true;
    const std::vector<Run> runs = moved_runs(one);
    return runs.size() <= most_short_runs &&
           std::ranges::all_of(runs, [&](const Run& run) { return has_asked_step(run, one); });
}

bool is_long(const std::vector<MovedEntry>& entries) {
    std::size_t runs = 0;
    for (const MovedEntry& one : entries)
        if (!is_short(one) && !offset_of(one) && shifts_of(one).empty())
            runs += moved_runs(one.certain()).size();
    return runs > most_runs_of_cause && !same_rows(entries) && !exchanged(entries);
}

bool has_another_step(const MovedEntry& one) {
    const std::vector<Run> runs = moved_runs(one);
    return runs.size() > most_runs_named &&
           std::ranges::none_of(runs, [&](const Run& run) { return has_asked_step(run, one); });
}

}  // namespace rope
