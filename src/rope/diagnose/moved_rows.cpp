// Rows that are each at another position than asked: packed sequences, padding, the order of a ring
// buffer, single rows. Positions that follow one rule are left to position_rules().
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/diagnose/search.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {
namespace {

using Point = std::vector<double>;  // a position on each axis
using Positions = std::vector<Point>;

constexpr std::uint32_t fewest_pairs = 8;  // of an axis; with fewer, many positions fit a row

Point sum(Point one, const Point& other, double times = 1) {
    for (std::size_t axis = 0; axis < one.size(); ++axis) one[axis] += times * other[axis];
    return one;
}

bool is_step(const Point& step, double size) {
    return std::ranges::all_of(step, [&](double one) { return one == size; });
}

// Compares single rows with the asked frequencies at any place.
class Rows {
  public:
    Rows(const DumpReading& reading, const DumpPart& part)
        : reading_(reading),
          part_(part),
          replay_(replay_of(reading, part, as_asked_and_stored(reading))) {}

    bool is_at(std::size_t group, std::uint64_t index, const Point& place) {
        const double error = replay_.error_for(part_.rows.row(group, index), place);
        if (!(error <= 1)) return false;
        worst_ = std::max(worst_, error);
        return true;
    }

    bool are_at(std::size_t group, const Positions& places) {
        const double before = worst_;
        for (std::uint64_t index = 0; index < part_.rows.length(); ++index)
            if (!is_at(group, index, places[index])) {
                worst_ = before;
                return false;
            }
        return true;
    }

    // Returns the places of the rows of all these groups: those of another batch entry, or those
    // that the first group fits; none of these with few pairs, which fit many places.
    std::optional<Positions> positions_of(const std::vector<std::size_t>& groups) {
        const auto fit = [&, before = worst_](const Positions& places) {
            worst_ = before;
            return std::ranges::all_of(groups,
                                       [&](std::size_t group) { return are_at(group, places); });
        };
        for (std::uint64_t entry = 0; entry < part_.rows.batches(); ++entry)
            if (const Positions other = asked(entry * part_.rows.heads()); fit(other)) return other;
        if (reading_.axis.size() < part_.rows.axes() * fewest_pairs) return std::nullopt;
        const auto own = positions(groups.front());
        return own && fit(*own) ? own : std::nullopt;
    }

    // Returns the place of each row of a group; none if a row fits no whole place.
    std::optional<Positions> positions(std::size_t group) {
        const Positions own = asked(group);
        const auto is_negative = [](const Point& place) { return std::ranges::min(place) < 0; };
        may_be_negative_ = std::ranges::any_of(own, is_negative);
        Positions all;
        for (std::uint64_t index = 0; index < part_.rows.length(); ++index) {
            auto found = likely_place(group, index, all, own);
            if (!found) found = fitted_place(group, index, own[index]);
            if (!found) return std::nullopt;
            all.push_back(*std::move(found));
        }
        return all;
    }

    Positions places(std::size_t group, const PlaceOfRow& place_of) const {
        Positions all(part_.rows.length());
        for (std::uint64_t index = 0; index < all.size(); ++index)
            for (std::uint32_t axis = 0; axis < part_.rows.axes(); ++axis)
                all[index].push_back(place_of(part_.rows.row(group, index), axis));
        return all;
    }

    Positions asked(std::size_t group) const {
        return places(group, [&](std::size_t row, std::uint32_t axis) {
            return part_.rows.position(row, axis);
        });
    }

    // Whether a row with different shifts on its axes also fits the dump's id, or a neighbouring
    // id, on one of them.
    bool are_others_at(std::size_t group, const Positions& places, const Positions& own) {
        for (std::uint64_t index = 0; index < places.size(); ++index) {
            const Point &place = places[index], moved = sum(place, own[index], -1);
            if (is_step(place, place[0]) || is_step(moved, moved[0])) continue;
            for (std::size_t axis = 0; axis < place.size(); ++axis)
                for (const double id : {own[index][axis], place[axis] - 1, place[axis] + 1}) {
                    Point other = place;
                    other[axis] = id;
                    if (id != place[axis] && is_at(group, index, other)) return true;
                }
        }
        return false;
    }

    double worst() const { return worst_; }

  private:
    // Tries the place as far from the asked one as that of the row before, the asked place, a step
    // from the last, the last, 0 and 1.
    std::optional<Point> likely_place(std::size_t group, std::uint64_t index,
                                      const Positions& before, const Positions& own) {
        const std::size_t axes = own.front().size();
        Positions likely{own[index]};
        if (!before.empty()) {
            const Point& last = before.back();
            likely.insert(likely.begin(), sum(own[index], sum(last, own[index - 1], -1)));
            likely.push_back(sum(last, Point(axes, 1)));
            likely.push_back(last);
        }
        likely.insert(likely.end(), {Point(axes, 0), Point(axes, 1)});
        return first_fit(group, index, likely);
    }

    // Finds the whole position on which all pairs of the row agree, or those of each axis. If these
    // also agree with the asked position of an axis, takes that one.
    std::optional<Point> fitted_place(std::size_t group, std::uint64_t index, const Point& own) {
        DumpPart one = part_;
        one.sampled = {part_.rows.row(group, index)};
        const Samples row = samples_of(reading_, one);
        if (row.rows() == 0) return std::nullopt;
        const auto fit = [&](std::optional<std::uint32_t> axis) {
            return std::round(
                fit_position(row, as_asked_and_stored(reading_), 0, axis).value_or(NAN));
        };
        Positions likely{Point(own.size(), fit({})), {}};
        for (std::uint32_t axis = 0; axis < own.size(); ++axis) likely[1].push_back(fit(axis));
        auto found = first_fit(group, index, likely);
        for (std::size_t axis = 0; found && axis < own.size(); ++axis) {
            Point other = *found;
            other[axis] = own[axis];
            if (is_at(group, index, other)) found = other;
        }
        return found;
    }

    // Negative positions that are not asked for belong to another direction.
    std::optional<Point> first_fit(std::size_t group, std::uint64_t index,
                                   const Positions& likely) {
        for (const Point& one : likely)
            if ((may_be_negative_ || std::ranges::min(one) >= 0) && is_at(group, index, one))
                return one;
        return std::nullopt;
    }

    const DumpReading& reading_;
    const DumpPart& part_;
    RowReplay replay_;
    double worst_ = 0;
    bool may_be_negative_ = false;
};

// Consecutive rows whose positions have a constant step or, if that gives more rows, a constant
// difference from the position_ids, `moved`. The first and the last row are moved.
struct Run {
    std::uint64_t first, last;
    Point from, to, moved = {};
};

// Runs are as long as possible; those with a step other than 0 and 1 have three rows or more.
std::vector<Run> moved_runs(const Positions& found, const Positions& asked) {
    std::vector<Run> runs;
    const auto is_moved = [&](std::uint64_t k) { return found[k] != asked[k]; };
    const auto step_to = [&](std::uint64_t k) { return sum(found[k], found[k - 1], -1); };
    const auto moved = [&](std::uint64_t k) { return sum(found[k], asked[k], -1); };
    for (std::uint64_t k = 0, next = 0; k < found.size(); k = next) {
        next = k + 1;
        if (!is_moved(k)) continue;
        for (; next < found.size() && step_to(next) == step_to(k + 1);) ++next;
        std::uint64_t alike = k + 1;
        while (alike < found.size() && moved(alike) == moved(k)) ++alike;
        if (alike > next) {
            runs.push_back({k, alike - 1, found[k], found[alike - 1], moved(k)});
            next = alike;
            continue;
        }
        if (next - k == 2 && !is_step(step_to(k + 1), 1) && !is_step(step_to(k + 1), 0)) --next;
        std::uint64_t last = next - 1;
        while (!is_moved(last)) --last;
        runs.push_back({k, last, found[k], found[last]});
    }
    return runs;
}

std::string from_to(const Point& from, const Point& to) {
    return from == to ? point_name(from) : point_name(from) + "–" + point_name(to);
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

// "rows 0–10 are for positions 29–39, rows 11–39 for 0–28"
std::string words_of(const std::vector<Run>& runs) {
    std::string text;
    for (std::size_t k = 0; k < std::min(runs.size(), most_runs_named); ++k) {
        const Run& run = runs[k];
        const bool is_one = run.first == run.last;
        text += (text.empty() ? "" : ", ") + std::string(is_one ? "row " : "rows ") +
                decimal(run.first) + (is_one ? "" : "–" + decimal(run.last));
        if (k == 0)
            text += std::string(is_one ? " is" : " are") +
                    (run.from == run.to ? " for position " : " for positions ");
        else
            text += " for ";
        text += run.moved.empty() ? from_to(run.from, run.to) : later(run.moved);
    }
    if (runs.size() <= most_runs_named) return text;
    return text + " and " + decimal(runs.size() - most_runs_named) + " more runs";
}

// Returns the rows at which positions restart at 0; none if another row does not follow its
// predecessor.
std::optional<std::vector<std::uint64_t>> starts_of(const Positions& places) {
    const Point zero(places.front().size(), 0), step(zero.size(), 1);
    std::vector<std::uint64_t> starts;
    for (std::uint64_t k = 0; k < places.size(); ++k) {
        if (places[k] == (k == 0 ? zero : sum(places[k - 1], step))) continue;
        if (places[k] != zero) return std::nullopt;
        starts.push_back(k);
    }
    return starts;
}

bool is_permutation_of(Positions one, Positions other) {
    std::ranges::sort(one);
    std::ranges::sort(other);
    return one == other;
}

// The constant difference between found and asked positions on every axis, if there is one.
std::optional<double> offset_of(const Positions& found, const Positions& asked) {
    const double offset = found.front()[0] - asked.front()[0];
    for (std::size_t k = 0; k < found.size(); ++k)
        if (!is_step(sum(found[k], asked[k], -1), offset)) return std::nullopt;
    return offset;
}

struct MovedEntry {
    std::uint64_t entry;
    Positions positions, asked;
    bool is_open = false;  // whether other positions fit as well
};

std::string words_of(const MovedEntry& one) {
    if (const auto offset = offset_of(one.positions, one.asked))
        return "every row is for position m " + std::string(*offset < 0 ? "− " : "+ ") +
               decimal(std::abs(*offset));
    const auto starts = starts_of(one.positions);
    if (starts && !starts->empty())
        return std::string("positions start over from 0 at ") +
               (starts->size() == 1 ? "row " : "rows ") + ranges(*starts, 8);
    return words_of(moved_runs(one.positions, one.asked)) +
           (one.is_open ? " (other positions fit the values, too)" : "");
}

constexpr std::size_t most_entries_named = 4;

std::vector<std::uint64_t> moved_rows(const MovedEntry& one) {
    std::vector<std::uint64_t> rows;
    for (std::uint64_t k = 0; k < one.positions.size(); ++k)
        if (one.positions[k] != one.asked[k]) rows.push_back(k);
    return rows;
}

// The same rows of each entry are not rotated, or the same two are swapped.
std::optional<NamedMistake> same_rows(const std::vector<MovedEntry>& entries) {
    const std::vector<std::uint64_t> rows = moved_rows(entries.front());
    const auto all_are = [&](const auto& is_so) {
        return std::ranges::all_of(entries, [&](const MovedEntry& one) {
            return moved_rows(one) == rows &&
                   std::ranges::all_of(rows, [&](std::uint64_t row) { return is_so(one, row); });
        });
    };
    if (all_are([&](const MovedEntry& one, std::uint64_t row) {
            return rows.size() == 2 &&
                   one.positions[row] == one.asked[row == rows[0] ? rows[1] : rows[0]];
        }))
        return swap_mistake({rows[0], rows[1]});
    if (!all_are([](const MovedEntry& one, std::uint64_t row) {
            return is_step(one.positions[row], 0);
        }))
        return std::nullopt;
    const std::string text = ranges(rows, most_runs_named);
    return named("not-rotated", {{"rows", text}},
                 {{"which", (rows.size() == 1 ? "row " : "rows ") + text +
                                (entries.size() > 1 ? " of each sequence" : "") +
                                (rows.size() == 1 ? " is" : " are")}});
}

// Batch entries that are each at the positions of another one, each of a different one.
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

// The places of the moved rows of several batch entries.
std::string_view kind_of(const std::vector<MovedEntry>& entries) {
    const auto has_offset = [](const MovedEntry& one) {
        return offset_of(one.positions, one.asked).has_value();
    };
    if (std::ranges::all_of(entries, has_offset)) return "offsets";
    const auto restarts = [](const MovedEntry& one) {
        const auto starts = starts_of(one.positions);
        return starts && !starts->empty();
    };
    return std::ranges::any_of(entries, restarts) ? "sequences" : "entries";
}

// Whether all rows of each entry, which has several, are at the position of its first row.
bool are_at_first(const std::vector<MovedEntry>& entries) {
    return std::ranges::all_of(entries, [](const MovedEntry& one) {
        return one.asked.size() > 1 &&
               std::ranges::count(one.positions, one.asked.front()) == std::ssize(one.positions);
    });
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
    const auto starts = starts_of(first.positions);
    if (starts && std::ranges::all_of(
                      *starts, [&](std::uint64_t row) { return is_step(first.asked[row], 0); }))
        return named("position-source", {{"source", "row number"}});
    if (starts && !starts->empty())
        return named("position-source", {{"starts", ranges(*starts, 8)}},
                     starts->size() == 1 ? Parameters{} : Parameters{{"several", 1.0}});
    return named("position-source", {{"rows", words_of(first)}}, {{"of", "one"}});
}

// Whether the rows of a run are at one place or as far apart as asked: another step is a scale,
// which other mistakes explain.
bool has_asked_step(const Run& run, const MovedEntry& one) {
    return run.from == run.to ||
           sum(run.to, run.from, -1) == sum(one.asked[run.last], one.asked[run.first], -1);
}

// Whether a few numbers describe the positions, so that no other explanation is shorter.
bool is_short(const MovedEntry& one) {
    const auto starts = starts_of(one.positions);
    if ((starts && !starts->empty()) || is_permutation_of(one.positions, one.asked)) return true;
    const std::vector<Run> runs = moved_runs(one.positions, one.asked);
    return runs.size() <= most_short_runs &&
           std::ranges::all_of(runs, [&](const Run& run) { return has_asked_step(run, one); });
}

// Whether nothing shorter than a list of many runs describes the positions of these entries.
bool is_long(const std::vector<MovedEntry>& entries) {
    std::size_t runs = 0;
    for (const MovedEntry& one : entries)
        if (!is_short(one) && !offset_of(one.positions, one.asked))
            runs += moved_runs(one.positions, one.asked).size();
    return runs > most_runs_of_cause && !same_rows(entries) && !exchanged(entries);
}

// Whether many runs all have another step than asked.
bool has_another_step(const MovedEntry& one) {
    const std::vector<Run> runs = moved_runs(one.positions, one.asked);
    return runs.size() > most_runs_named &&
           std::ranges::none_of(runs, [&](const Run& run) { return has_asked_step(run, one); });
}

// Rows of each sequence.
struct Stretch {
    std::uint64_t first, last;
};

// The rows from the first wrong one of a group to the last; none if fewer than two are wrong.
std::optional<Stretch> wrong_rows(Rows& rows, const DumpPart& part) {
    const std::size_t group = part.groups.front();
    const Positions asked = rows.asked(group);
    std::optional<Stretch> found;
    for (std::uint64_t index = 0; index < part.rows.length(); ++index)
        if (!rows.is_at(group, index, asked[index])) found = {found ? found->first : index, index};
    return found && found->first < found->last ? found : std::nullopt;
}

// Returns which of other groups have all rows at these places.
auto fitting_at(const SharedReadings& all, const DumpPart& part, const PlaceOfRow& place) {
    return [all, &part, place](std::vector<std::size_t> groups) {
        Rows rows(all->front(), part);
        std::erase_if(groups, [&](std::size_t group) {
            return !rows.are_at(group, rows.places(group, place));
        });
        return groups;
    };
}

// Explains the rows of a stretch by one order of the axes or one source of positions that the other
// rows do not have.
std::optional<PartFinding> by_other_ids(const SharedReadings& all, const DumpPart& part,
                                        const Stretch& of) {
    const DumpReading& reading = all->front();
    const bool is_whole = of.first == 0 && of.last + 1 == part.rows.length();
    const std::string which = decimal(of.first) + "–" + decimal(of.last);
    std::optional<PartFinding> found;
    for (auto& [mistake, source] : other_places(part.rows, reading.asked.axes)) {
        const PlaceOfRow place = [&groups = part.rows, of, by = source](std::size_t row,
                                                                        std::uint32_t axis) {
            const std::uint64_t index = groups.index_of(row);
            return of.first <= index && index <= of.last ? by(row, axis)
                                                         : groups.position(row, axis);
        };
        Rows rows(reading, part);
        const auto is_right = [&](std::size_t group) {
            return rows.are_at(group, rows.places(group, place));
        };
        if (!std::ranges::all_of(part.groups, is_right) || !turn_as_asked(reading, part, place))
            continue;
        if (!is_whole) mistake.parameters.emplace_back("rows", which);
        if (found) {
            found->explanations[0].also_fits.push_back(name_of(mistake));
            continue;
        }
        if (!is_whole) mistake.what = "rows " + which + ": " + mistake.what;
        found = PartFinding{{explanation_of(mistake, asked_misfit(reading), rows.worst())},
                            fitting_at(all, part, place)};
    }
    return found;
}

std::map<std::uint64_t, std::vector<std::size_t>> by_entry(const DumpPart& part) {
    std::map<std::uint64_t, std::vector<std::size_t>> entries;
    for (const std::size_t group : part.groups) entries[part.rows.batch_of(group)].push_back(group);
    return entries;
}

constexpr std::size_t most_compared = 1 << 16;  // pairs of groups

// "heads 1, 0" or "batch entry 0"; empty if heads and batch entries both differ.
std::string names_of(const std::map<std::size_t, std::size_t>& sources, const RowGroups& rows) {
    std::map<std::uint64_t, std::uint64_t> heads, entries;
    bool are_own_heads = true, are_own_entries = true, agree = true;
    for (const auto& [group, source] : sources) {
        const std::uint64_t head = rows.head_of(source), entry = rows.batch_of(source);
        are_own_heads = are_own_heads && head == rows.head_of(group);
        are_own_entries = are_own_entries && entry == rows.batch_of(group);
        agree = agree && heads.try_emplace(rows.head_of(group), head).first->second == head &&
                entries.try_emplace(rows.batch_of(group), entry).first->second == entry;
    }
    if (!agree || are_own_heads == are_own_entries) return "";
    const auto& others = are_own_heads ? entries : heads;
    const bool is_one = others.size() == 1;
    const std::string kind = are_own_heads ? (is_one ? "batch entry " : "batch entries ")
                                           : (is_one ? "head " : "heads ");
    return kind + join(others, [](const auto& one) { return decimal(one.second); });
}

}  // namespace

std::optional<MovedRows> find_moved_rows(const SharedReadings& all, const DumpPart& part) {
    const DumpReading& reading = all->front();
    if (!reading.mistakes.empty()) return std::nullopt;
    Rows rows(reading, part);
    if (part.rows.axes() > 1)
        if (const auto wrong = wrong_rows(rows, part))
            if (auto some = by_other_ids(all, part, *wrong))
                return MovedRows{*std::move(some), true, false};
    std::vector<MovedEntry> entries;
    for (const auto& [entry, groups] : by_entry(part)) {
        const auto positions = rows.positions_of(groups);
        if (!positions) return std::nullopt;
        entries.push_back({entry, *positions, rows.asked(groups.front())});
        MovedEntry& own = entries.back();
        if (own.positions == own.asked) return std::nullopt;
        own.is_open = rows.are_others_at(groups.front(), own.positions, own.asked);
    }
    const bool are_alike = std::ranges::all_of(
        entries, [&](const MovedEntry& one) { return one.positions == entries.front().positions; });
    const bool are_exchanged = exchanged(entries).has_value();
    if (!are_exchanged && std::ranges::any_of(entries, has_another_step)) return std::nullopt;
    const bool are_short =
        are_exchanged || (part.rows.axes() == 1 && std::ranges::all_of(entries, is_short));
    if (are_alike) entries.resize(1);
    MovedRows found{{{explanation_of(mistake_of(entries), asked_misfit(reading), rows.worst())}},
                    are_short,
                    is_long(entries)};
    if (entries.size() > 1) return found;
    const auto place = [&groups = part.rows, at = entries.front().positions](std::size_t row,
                                                                             std::uint32_t axis) {
        return at[groups.index_of(row)][axis];
    };
    found.finding.fitting = fitting_at(all, part, place);
    return found;
}

std::optional<Explanation> explain_slow_axes(const SharedReadings& all, const DumpPart& part) {
    if (part.rows.axes() < 2 || all->empty() || !all->front().mistakes.empty()) return std::nullopt;
    auto found = by_other_ids(all, part, {0, part.rows.length() - 1});
    return found ? std::optional(found->explanations.front()) : std::nullopt;
}

std::optional<Explanation> explain_other_groups(const DumpReading& asked, const DumpPart& part) {
    const RowGroups& rows = part.rows;
    if (!asked.arrangement || !asked.mistakes.empty() ||
        part.groups.size() * rows.count() > most_compared)
        return std::nullopt;
    std::map<std::size_t, std::size_t> sources;
    double worst = 0;
    for (std::size_t source = 0; source < rows.count(); ++source) {
        DumpReading reading = asked;
        reading.arrangement->before_group.assign(rows.count(), source);
        Rows of_source(reading, part);
        const Positions places = of_source.asked(source);
        for (const std::size_t group : part.groups)
            if (group != source && !sources.contains(group) && of_source.are_at(group, places))
                sources[group] = source;
        worst = std::max(worst, of_source.worst());
    }
    if (sources.size() < part.groups.size()) return std::nullopt;
    const std::string names = names_of(sources, rows);
    if (names.empty()) return std::nullopt;
    return explanation_of(named("head-order", {{"from", names}}), asked_misfit(asked), worst);
}

}  // namespace rope
