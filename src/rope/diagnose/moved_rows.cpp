// Rows that are each at another position than asked: packed sequences, padding, the order of a ring
// buffer, single rows. Positions that follow one rule are left to rules_of().
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/diagnose/moved_entry.hpp"
#include "rope/diagnose/search.hpp"

namespace rope {
namespace {

constexpr std::uint32_t fewest_pairs = 8;  // of an axis; with fewer, many positions fit a row

// Compares single rows with the asked frequencies at any place.
class Rows {
  public:
    Rows(const DumpView& view, const DumpPart& part)
        : view_(view), part_(part), errors_(row_errors(view, part, as_asked_and_stored(view))) {}

    bool is_at(std::size_t group, std::uint64_t index, const Point& place) {
        const double error = errors_.error_for(part_.rows.row(group, index), place);
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
        if (view_.axis.size() < part_.rows.axes() * fewest_pairs) return std::nullopt;
        const auto own = positions(groups);
        return own && fit(*own) ? own : std::nullopt;
    }

    // Returns the place of each row of some groups, by the first that has values; none if a row
    // fits no whole place.
    std::optional<Positions> positions(const std::vector<std::size_t>& groups) {
        const Positions own = asked(groups.front());
        const auto is_negative = [](const Point& place) { return std::ranges::min(place) < 0; };
        may_be_negative_ = std::ranges::any_of(own, is_negative);
        Positions all;
        for (std::uint64_t index = 0; index < part_.rows.length(); ++index) {
            const std::size_t group = group_with(groups, index).value_or(groups.front());
            auto found = likely_place(group, index, all, own);
            if (!found) found = fitted_place(group, index, own[index]);
            if (!found) return std::nullopt;
            all.push_back(*std::move(found));
        }
        return all;
    }

    MovedEntry entry(std::uint64_t number, const std::vector<std::size_t>& groups,
                     const Positions& places) {
        const Positions own = asked(groups.front());
        MovedEntry one{.entry = number, .is_of_several = part_.rows.batches() > 1};
        for (std::uint64_t index = 0; index < places.size(); ++index) {
            const auto group = group_with(groups, index);
            if (!group) continue;
            one.rows.push_back(index);
            one.positions.push_back(places[index]);
            one.asked.push_back(own[index]);
            one.is_open.push_back(is_other_at(*group, index, places[index], own[index]));
        }
        return one;
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

    double worst() const { return worst_; }

  private:
    // The first group in which the row's vector is not zero.
    std::optional<std::size_t> group_with(const std::vector<std::size_t>& groups,
                                          std::uint64_t index) const {
        const auto* vectors = std::get_if<RotatedDump>(&part_.dump);
        const auto has_values = [&](std::size_t group) {
            return !vectors || norm_of(vectors->before, part_.rows.row(group, index), 0,
                                       head_dim_of(*vectors)) > 0;
        };
        const auto found = std::ranges::find_if(groups, has_values);
        return found == groups.end() ? std::nullopt : std::optional(*found);
    }

    // Whether a row with different shifts on its axes also fits the dump's id, or a neighbouring
    // id, on one of them.
    bool is_other_at(std::size_t group, std::uint64_t index, const Point& place, const Point& own) {
        const Point moved = sum(place, own, -1);
        if (is_step(place, place[0]) || is_step(moved, moved[0])) return false;
        for (std::size_t axis = 0; axis < place.size(); ++axis)
            for (const double id : {own[axis], place[axis] - 1, place[axis] + 1}) {
                Point other = place;
                other[axis] = id;
                if (id != place[axis] && is_at(group, index, other)) return true;
            }
        return false;
    }

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
        const Samples row = samples_of(view_, one);
        if (row.rows() == 0) return std::nullopt;
        const auto fit = [&](std::optional<std::uint32_t> axis) {
            return std::round(fit_position(row, as_asked_and_stored(view_), 0, axis).value_or(NAN));
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

    const DumpView& view_;
    const DumpPart& part_;
    RowErrors errors_;
    double worst_ = 0;
    bool may_be_negative_ = false;
};

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
auto fitting_at(const DumpView& view, const DumpPart& part, const PlaceOfRow& place) {
    return [&view, &part, place](std::vector<std::size_t> groups) {
        Rows rows(view, part);
        std::erase_if(groups, [&](std::size_t group) {
            return !rows.are_at(group, rows.places(group, place));
        });
        return groups;
    };
}

bool are_at_0(const DumpPart& part, const Stretch& of, const PlaceOfRow& place) {
    for (const std::size_t group : part.groups)
        for (std::uint64_t index = of.first; index <= of.last; ++index)
            for (std::uint32_t axis = 0; axis < part.rows.axes(); ++axis)
                if (place(part.rows.row(group, index), axis) != 0) return false;
    return true;
}

// Explains the rows of a stretch by one order of the axes or one source of positions that the other
// rows do not have.
std::optional<PartFinding> by_other_ids(const DumpView& view, const DumpPart& part,
                                        const Stretch& of) {
    const bool is_whole = of.first == 0 && of.last + 1 == part.rows.length();
    const std::string which = decimal(of.first) + "–" + decimal(of.last);
    const FrequencyPlan plan = plan_frequencies(view.asked, exact_precision);
    std::optional<PartFinding> found;
    for (auto& [mistake, source] : other_places(part.rows, view.asked.axes)) {
        const PlaceOfRow place = [&groups = part.rows, of, by = source](std::size_t row,
                                                                        std::uint32_t axis) {
            const std::uint64_t index = groups.index_of(row);
            return of.first <= index && index <= of.last ? by(row, axis)
                                                         : groups.position(row, axis);
        };
        if (are_at_0(part, of, source)) continue;  // rows that are not rotated
        Rows rows(view, part);
        const auto is_right = [&](std::size_t group) {
            return rows.are_at(group, rows.places(group, place));
        };
        if (!std::ranges::all_of(part.groups, is_right) || !turn_at(view, part, plan, place))
            continue;
        if (!is_whole) mistake.parameters.emplace_back("rows", which);
        if (found) {
            found->explanations[0].also_fits.push_back(name_of(mistake));
            continue;
        }
        if (!is_whole) mistake.what = "rows " + which + ": " + mistake.what;
        found = PartFinding{{explanation_of(mistake, asked_misfit(view), rows.worst())},
                            fitting_at(view, part, place)};
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

std::optional<MovedRows> find_moved_rows(const DumpView& view, const DumpPart& part) {
    if (!view.mistakes.empty()) return std::nullopt;
    Rows rows(view, part);
    if (part.rows.axes() > 1)
        if (const auto wrong = wrong_rows(rows, part))
            if (auto some = by_other_ids(view, part, *wrong))
                return MovedRows{*std::move(some), true, false};
    std::vector<MovedEntry> entries;
    Positions places;  // of the first
    for (const auto& [entry, groups] : by_entry(part)) {
        const auto positions = rows.positions_of(groups);
        if (!positions) return std::nullopt;
        if (places.empty()) places = *positions;
        entries.push_back(rows.entry(entry, groups, *positions));
        if (entries.back().moved_rows().empty()) return std::nullopt;
    }
    const bool are_alike = std::ranges::all_of(entries, [&](const MovedEntry& one) {
        return one.positions == entries.front().positions && one.rows == entries.front().rows &&
               one.asked == entries.front().asked;
    });
    const bool are_others = exchanged(entries).has_value();
    if (!are_others && std::ranges::any_of(entries, has_another_step)) return std::nullopt;
    const bool are_short =
        are_others || (part.rows.axes() == 1 && std::ranges::all_of(entries, is_short));
    if (are_alike) entries.resize(1);
    MovedRows found{{{explanation_of(mistake_of(entries), asked_misfit(view), rows.worst())}},
                    are_short,
                    is_long(entries)};
    if (entries.size() > 1) return found;
    const auto place = [&groups = part.rows, at = places](std::size_t row, std::uint32_t axis) {
        return at[groups.index_of(row)][axis];
    };
    found.finding.fitting = fitting_at(view, part, place);
    return found;
}

std::optional<PartFinding> find_slow_axes(const DumpView& view, const DumpPart& part) {
    if (part.rows.axes() < 2 || !view.mistakes.empty()) return std::nullopt;
    return by_other_ids(view, part, {0, part.rows.length() - 1});
}

bool turn_at(const DumpView& view, const DumpPart& part, const FrequencyPlan& plan,
             const PlaceOfRow& place) {
    const auto* vectors = std::get_if<RotatedDump>(&part.dump);
    if (!vectors || !is_in_16_bits(part.dump, vectors->format) ||
        !view.arrangement->before_group.empty() ||
        view.arrangement->columns != arrangement_of(view.asked).columns)
        return true;
    const Dump moved = moved_to(part.dump, place);
    const SlowPairs slow(view.asked, plan, moved, vectors->format, view.axis);
    const RateFits fits = fit_rates(slow);
    for (std::size_t k = 0; k < slow.pairs().size(); ++k)
        if (share_off(fits.in(k, part.groups), slow.pairs()[k], vectors->roundings) > 1)
            return false;
    return true;
}

std::optional<Explanation> explain_other_groups(const DumpView& asked, const DumpPart& part) {
    const RowGroups& rows = part.rows;
    if (!asked.arrangement || !asked.mistakes.empty() ||
        part.groups.size() * rows.count() > most_compared)
        return std::nullopt;
    std::map<std::size_t, std::size_t> sources;
    double worst = 0;
    for (std::size_t source = 0; source < rows.count(); ++source) {
        DumpView view = asked;
        view.arrangement->before_group.assign(rows.count(), source);
        Rows of_source(view, part);
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
