#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/dump_view.hpp"
#include "rope/changes/positions.hpp"
#include "rope/rows/row_source.hpp"

namespace rope {
namespace {

// "1 (height)", or "1" for a scheme whose axes have no names.
std::string axis_label(const AxisMap& axes, std::uint32_t axis) {
    constexpr std::array<std::string_view, 3> of_images{"time", "height", "width"};
    const bool is_of_images =
        axis_count(axes) == 3 || (axes.scheme == AxisScheme::interleaved4 && axis < 3);
    return decimal(axis) + (is_of_images ? " (" + std::string(of_images[axis]) + ")" : "");
}

std::string labels(const std::vector<std::uint32_t>& axes, const AxisMap& map) {
    const auto label = [&](std::uint32_t axis) { return axis_label(map, axis); };
    return (axes.size() == 1 ? "axis " : "axes ") + join(axes, label, " and ");
}

// The ids of one axis on another.
NamedMistake axis_mistake(std::uint32_t axis, const AxisMap& map) {
    return named("axis-map", {{"map", "axis " + decimal(axis)}},
                 {{"label", axis_label(map, axis)}});
}

// Adds the axes to the rule's mistake; the sentence also names the axes that the rule may apply
// to.
void name_axes(PositionRule& rule, const AxisMap& map, const std::vector<std::uint32_t>& open) {
    rule.parameters.emplace_back("axes", join(rule.axes));
    rule.what = labels(rule.axes, map) + ": " + rule.what;
    if (!open.empty()) rule.what += "; " + labels(open, map) + " may be so, too";
}

using Axes = std::vector<std::uint32_t>;

constexpr std::size_t most_wrong = 4;        // most axes that may be wrong
constexpr std::size_t most_of_each = 6;      // most rules for one set of axes
constexpr std::size_t least_determined = 4;  // angles; a rule has one or two parameters

Places joined(const std::vector<Places>& several) {
    Places all;
    for (const Places& one : several) all.insert(all.end(), one.begin(), one.end());
    std::ranges::stable_sort(all, is_nearer_zero, &PlacedRow::should);
    return all;
}

class AxisRules {
  public:
    AxisRules(const Samples& samples, const Hypothesis& hypothesis, const AxisMap& map, double unit)
        : samples_(samples), hypothesis_(hypothesis), map_(map), unit_(unit) {
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            const std::uint32_t axis = hypothesis.axis[i];
            if (axis >= pairs_.size()) pairs_.resize(axis + 1);
            pairs_[axis].push_back(i);
        }
        for (std::uint32_t axis = 0; axis < pairs_.size(); ++axis) {
            if (pairs_[axis].empty()) continue;
            used_.push_back(axis);
            if (!fits(axis, {})) wrong_.push_back(axis);
        }
    }

    // By rules of all wrong axes together, else by those of each.
    std::vector<PositionRules> all(const std::function<bool(int cost)>& is_worth) {
        std::vector<PositionRules> found;
        const bool may_be_found = !wrong_.empty() && wrong_.size() <= most_wrong &&
                                  std::ranges::all_of(slowest_first(), [&](auto axis) {
                                      return takes_other_ids(axis) || places_on(axis);
                                  });
        if (!may_be_found || !is_worth(1)) return found;
        for (PositionRule& rule : rules_on(wrong_)) found.push_back({std::move(rule)});
        if (found.empty() && wrong_.size() > 1 && is_worth(static_cast<int>(wrong_.size())))
            return of_each();
        return found;
    }

  private:
    // The wrong axes, those with the slowest pairs first: slow pairs leave few turns to try.
    Axes slowest_first() const {
        const auto slowest = [&](std::uint32_t axis) {
            double theta = HUGE_VAL;
            for (const std::uint32_t pair : pairs_[axis])
                theta = std::min(theta, std::abs(hypothesis_.theta[pair]));
            return theta;
        };
        Axes order = wrong_;
        std::ranges::stable_sort(order, {}, slowest);
        return order;
    }

    // Every combination of the axes' rules. A rule for every axis is a combination by itself.
    std::vector<PositionRules> of_each() {
        std::vector<PositionRules> all{{}};
        for (const std::uint32_t axis : wrong_) {
            std::vector<PositionRules> more;
            for (const PositionRule& own : rules_on({axis}))
                for (const PositionRules& others : all) {
                    if (own.axes.empty()) continue;
                    more.push_back(others);
                    more.back().push_back(own);
                }
            all = std::move(more);
        }
        return all;
    }

    PositionRules rules_on(const Axes& axes) {
        PositionRules rules, fitted;
        for (PositionRule& rule : own_rules(axes))
            (rule.map.is_fitted() ? fitted : rules).push_back(by_own_ids(std::move(rule), axes));
        add_of_other_ids(axes, rules);
        rules.insert(rules.end(), fitted.begin(), fitted.end());
        if (rules.size() > most_of_each) rules.resize(most_of_each);
        return rules;
    }

    bool fits(std::uint32_t axis, const AxisPlace& place) const {
        Hypothesis placed = hypothesis_;
        placed.places.resize(pairs_.size());
        placed.places[axis] = place;
        return std::ranges::all_of(pairs_[axis], [&](std::uint32_t pair) {
            return pair_misfit(samples_, placed, pair, 1) <= 1;
        });
    }

    // Finds which of other_ids fit a wrong axis. Returns whether any does.
    bool takes_other_ids(std::uint32_t axis) {
        std::vector<bool>& right = other_ids_[axis];
        for (std::size_t k = 0; k < samples_.other_ids.size(); ++k)
            right.push_back(could_be_given(samples_.other_ids[k], axis) && fits(axis, {k, {}}));
        return std::ranges::count(right, true) > 0;
    }

    // The positions of the rows according to the pairs of an axis.
    const std::optional<Places>& places_on(std::uint32_t axis) {
        const auto [known, is_new] = places_.try_emplace(axis);
        if (is_new)
            known->second = places_on_axis(samples_, ids_of(axis), pairs_[axis], hypothesis_);
        return known->second;
    }

    // The ids of an axis; NaN from the third row with one id on, and where all pairs are left out.
    std::vector<double> ids_of(std::uint32_t axis) const {
        std::vector<double> ids = samples_.positions[axis < samples_.positions.size() ? axis : 0];
        std::map<double, int> rows;
        for (std::size_t row = 0; row < ids.size(); ++row) {
            const bool is_determined = std::ranges::any_of(pairs_[axis], [&](std::uint32_t pair) {
                return !Samples::is_left_out(samples_.modulus[row * samples_.pairs + pair]);
            });
            if (!is_determined || ++rows[ids[row]] > 2) ids[row] = std::nan("");
        }
        return ids;
    }

    std::vector<PositionRule> own_rules(const Axes& axes) {
        std::vector<Places> several;
        std::size_t determined = 0;
        for (const std::uint32_t axis : axes) {
            const auto& places = places_on(axis);
            if (!places) return {};
            several.push_back(*places);
            std::set<double> different;
            for (const PlacedRow& row : *places) different.insert(row.should);
            determined += different.size() * pairs_[axis].size();
        }
        if (determined < least_determined) return {};
        // the slow pairs of one axis may leave its positions open, and those of another not
        std::vector<Places> exact = several;
        const double least = std::ranges::min(several | std::views::transform(least_tolerance));
        std::erase_if(exact, [&](const Places& one) { return least_tolerance(one) > 8 * least; });
        if (exact.size() == several.size()) return rules_of(joined(several), unit_);
        std::vector<PositionRule> rules = rules_of(joined(exact), unit_);
        std::erase_if(rules, [&](const PositionRule& rule) {
            return !std::ranges::all_of(
                axes, [&](std::uint32_t axis) { return fits(axis, {{}, rule.map}); });
        });
        return rules;
    }

    // The other axes on which place_of(axis) fits as well.
    template <class PlaceOf>
    Axes also_true_of(const Axes& axes, const PlaceOf& place_of) const {
        Axes others;
        for (const std::uint32_t axis : used_)
            if (!std::ranges::count(axes, axis))
                if (const auto place = place_of(axis); place && fits(axis, *place))
                    others.push_back(axis);
        return others;
    }

    PositionRule by_own_ids(PositionRule rule, const Axes& axes) const {
        const Axes open = also_true_of(
            axes, [&](std::uint32_t) { return std::optional<AxisPlace>({{}, rule.map}); });
        if (axes.size() + open.size() == used_.size()) return rule;
        rule.axes = axes;
        name_axes(rule, map_, open);
        return rule;
    }

    // Rules by which each of the axes has ids of one kind: row numbers, another axis' ids, or ids
    // derived from its ids.
    void add_of_other_ids(const Axes& axes, PositionRules& rules) {
        for (std::size_t k = 0; k < samples_.other_ids.size(); ++k) {
            const OtherIds& source = samples_.other_ids[k];
            const bool are_there = std::ranges::all_of(
                axes, [&](std::uint32_t axis) { return other_ids_[axis][like(k, axis)]; });
            if (!are_there || like(k, axes[0]) != k) continue;
            const bool are_all_others =
                axes.size() + 1 == used_.size() && std::ranges::count(used_, source.axis) == 1;
            if (!source.source && are_all_others) continue;  // the view on one axis
            const Axes open =
                also_true_of(axes, [&](std::uint32_t axis) -> std::optional<AxisPlace> {
                    const std::size_t own = like(k, axis);
                    if (!could_be_given(samples_.other_ids[own], axis)) return std::nullopt;
                    return AxisPlace{own, {}};
                });
            rules.push_back(rule_of_other_ids(k, axes, open));
        }
    }

    // A rule for all axes if it fits all others as well, else for `axes`.
    PositionRule rule_of_other_ids(std::size_t k, const Axes& axes, const Axes& open) const {
        const bool is_of_all = axes.size() + open.size() == used_.size();
        const Axes& moved = is_of_all ? used_ : axes;
        const auto& [source, of_axis, positions] = samples_.other_ids[k];
        PositionRule rule{
            source ? source_mistake(*source) : axis_mistake(of_axis, map_), {}, 1, moved, {}};
        for (const std::uint32_t axis : moved) rule.other_ids.push_back(like(k, axis));
        if (!is_of_all) name_axes(rule, map_, open);
        return rule;
    }

    // Whether an axis may be given these ids: row numbers, another axis' ids, or ids made of its
    // ids.
    bool could_be_given(const OtherIds& ids, std::uint32_t axis) const {
        if (!ids.source) return ids.axis != axis && samples_.positions.size() > 1;
        return !ids.are_made_of_ids() || ids.axis == axis;
    }

    // The index in other_ids that gives `axis` ids of the same kind as entry k.
    std::size_t like(std::size_t k, std::uint32_t axis) const {
        const std::vector<OtherIds>& all = samples_.other_ids;
        if (!all[k].are_made_of_ids()) return k;
        const auto own = std::ranges::find_if(all, [&](const OtherIds& one) {
            return one.source == all[k].source && one.axis == axis;
        });
        return own == all.end() ? k : static_cast<std::size_t>(own - all.begin());
    }

    const Samples& samples_;
    const Hypothesis& hypothesis_;
    const AxisMap& map_;  // as asked
    double unit_;
    std::vector<std::vector<std::uint32_t>> pairs_;  // [axis]
    Axes used_, wrong_;
    std::map<std::uint32_t, std::vector<bool>> other_ids_;  // which of Samples::other_ids fit
    std::map<std::uint32_t, std::optional<Places>> places_;
};

}  // namespace

std::vector<std::pair<NamedMistake, PlaceOfRow>> other_places(const RowGroups& rows,
                                                              const AxisMap& axes) {
    std::vector<std::pair<NamedMistake, PlaceOfRow>> all;
    const auto add = [&](NamedMistake mistake, const PlaceOfRow& place) {
        for (std::size_t row = 0; row < rows.count() * rows.length(); ++row)
            for (std::uint32_t axis = 0; axis < rows.axes(); ++axis)
                if (place(row, axis) != rows.position(row, axis)) {
                    all.emplace_back(std::move(mistake), place);
                    return;
                }
    };
    Axes order = numbers_below<std::uint32_t>(rows.axes());
    while (std::ranges::next_permutation(order).found)
        add(named("axis-map", {{"map", "order " + join(order)}}, {{"order", 1.0}}),
            [&rows, order](std::size_t row, std::uint32_t axis) {
                return rows.position(row, order[axis]);
            });
    for (std::uint32_t axis = 0; axis < rows.axes(); ++axis)
        for (std::uint32_t other = 0; other < rows.axes(); ++other) {
            PositionRule rule{axis_mistake(other, axes), {}, 1, {axis}, {}};
            name_axes(rule, axes, {});
            add(std::move(rule), [&rows, axis, other](std::size_t row, std::uint32_t of) {
                return rows.position(row, of == axis ? other : of);
            });
        }
    for (const OtherSource* one : rows.sources())
        add(source_mistake(*one), [&rows, one](std::size_t row, std::uint32_t axis) {
            return rows.place(row, one, axis);
        });
    return all;
}

std::vector<AxisPlace> places_by(const PositionRules& rules, std::span<const std::uint32_t> axis) {
    std::vector<AxisPlace> places(1 + *std::ranges::max_element(axis));
    for (const PositionRule& rule : rules)
        for (std::size_t k = 0; k < rule.axes.size(); ++k) {
            AxisPlace& place = places[rule.axes[k]];
            if (!rule.other_ids.empty()) place.other_ids = rule.other_ids[k];
            place.map = rule.map;
        }
    return places;
}

std::vector<PositionRules> position_rules(const DumpView& view, const Samples& samples,
                                          const Hypothesis& hypothesis,
                                          const std::function<bool(int cost)>& is_worth) {
    const AxisMap& axes = view.asked.axes;
    const double unit = position_unit(view.asked);
    Effort* const effort = view.effort;
    std::vector<PositionRules> all;
    if (samples.positions.size() == 1)
        if (const auto places = places_of(samples, hypothesis, effort))
            for (PositionRule& rule : rules_of(*places, unit)) all.push_back({std::move(rule)});
    if (axis_count(axes) < 2 || samples.dump_row.empty()) return all;
    if (effort && !effort->spend(samples.rows() * samples.pairs)) return all;
    for (PositionRules& rules : AxisRules(samples, hypothesis, axes, unit).all(is_worth))
        all.push_back(std::move(rules));
    return all;
}

}  // namespace rope
