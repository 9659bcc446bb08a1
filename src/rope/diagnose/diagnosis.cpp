#include "rope/diagnose/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "rope/changes/cleared.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/diagnose/search.hpp"

namespace rope {
namespace {

// Up to one row in fifty, at least 2 and at most 16.
std::uint64_t few(std::uint64_t rows) {
    return std::min<std::uint64_t>(std::max<std::uint64_t>(2, rows / 50), 16);
}

// A mistake that is removed from a dump before the rest is diagnosed.
struct TakenOut {
    NamedMistake mistake;
    const Dump& from;           // the dump with the change
    const CheckFacts& checked;  // of that dump
    double wider = 1;           // factor by which undoing widens the tolerance
};

// Limits for one dump: searches without a result, which take longest with several axes, and all
// searches.
constexpr int most_failures = 4, most_failures_with_axes = 2;
constexpr int most_searches = 24;

using Groups = std::vector<std::size_t>;

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

bool is_at_one_position(const PartFinding& found) {
    return std::ranges::any_of(found.explanations, [](const Explanation& one) {
        return one.mistake == "position-collapse" && one.parameters.size() == 1 &&
               find_value(one.parameters, "position");
    });
}

bool counts_heads(const PartFinding& found) {
    return std::ranges::any_of(found.explanations, [](const Explanation& one) {
        const FieldValue* name = find_value(one.parameters, "source");
        const OtherSource* const source = name ? source_named(text_of(*name)) : nullptr;
        return source && (source->needs & has::rows_of_heads) == has::rows_of_heads;
    });
}

// Diagnoses a table or vectors. `taken_out` is reported only for heads and batch entries that
// become right, and at least twice as exact, when it is undone. Its `before` is their error in the
// dump.
class Diagnosing {
  public:
    Diagnosing(const Spec& asked, const Dump& dump, const CheckFacts& checked,
               const TakenOut* taken_out)
        : asked_(asked), dump_(&dump), checked_(checked), taken_out_(taken_out), rows_(dump) {
        if (taken_out) mistakes_.push_back(taken_out->mistake);
        if (const auto* vectors = std::get_if<RotatedDump>(&dump))
            if (const auto order = other_order(asked, *vectors, rows_)) {
                before_group_ = *order;
                mistakes_.push_back(order_mistake(*order, rows_));
            }
    }

    Diagnosis diagnosis() && {
        explain_all(wrong_groups());
        if (std::exchange(may_be_shared_, false)) explain_all(std::exchange(unexplained_, {}));
        if (!unexplained_.empty()) explain_swapped();
        if (!unexplained_.empty()) explain_moved(unexplained_, unexplained_);
        if (taken_out_) measure_taken_out();
        Diagnosis found{joined(parts_, rows_), std::move(observations_), {}, !unexplained_.empty()};
        for (const ExplainedPart& part : parts_)
            if (2 * part.groups.size() > rows_.count()) found.spec = part.spec;
        observe(found);
        return found;
    }

  private:
    DumpPart part_of(Groups groups) const {
        DumpPart part = rope::part_of(*dump_, rows_, std::move(groups), checked_);
        part.before_group = before_group_;
        part.mistakes = mistakes_;
        return part;
    }

    bool may_search() const {
        return searches_ < most_searches &&
               failures_ < (rows_.axes() > 1 ? most_failures_with_axes : most_failures);
    }

    void explain_all(Groups wrong) {
        while (!wrong.empty() && may_search()) {
            if (explain(wrong, wrong) || explain_along_heads(wrong)) continue;
            if (wrong.size() == 1 || !may_search()) break;
            // try one group, with those that have the same mistake
            if (!explain({wrong.front()}, wrong)) {
                unexplained_.push_back(wrong.front());
                wrong.erase(wrong.begin());
            }
        }
        if (!may_search()) untried_ = wrong;
        unexplained_.insert(unexplained_.end(), wrong.begin(), wrong.end());
    }

    // Explains groups that have another mistake and two swapped rows.
    void explain_swapped() {
        const DumpPart part = part_of(unexplained_);
        for (const DumpView& view : views_of(asked_, part, checked_)) {
            const auto swapped = swapped_rows(view, part);
            if (!swapped) continue;
            const auto [a, b] = *swapped;
            const Dump exchanged = moved_to(*dump_, [&](std::size_t row, std::uint32_t axis) {
                const std::uint64_t index = rows_.index_of(row);
                const bool is_other = index == a || index == b;
                return rows_.position(
                    is_other ? rows_.row(rows_.group_of(row), a + b - index) : row, axis);
            });
            const Dump* const as_is = std::exchange(dump_, &exchanged);
            const RowGroups rows = std::exchange(rows_, RowGroups(exchanged));
            mistakes_.push_back(swap_mistake(a, b));
            searches_ = failures_ = 0;
            explain_all(std::exchange(unexplained_, {}));
            mistakes_.pop_back();
            dump_ = as_is;
            rows_ = rows;
            return;
        }
    }

    // Explains groups whose rows are each at a position that no rule gives, and groups that hold
    // other groups' vectors; see explain().
    bool explain_moved(const Groups& groups, Groups& wrong) {
        const DumpPart part = part_of(groups);
        const Views all = views_of(asked_, part, checked_);
        if (all.empty()) return false;
        if (const auto moved = find_moved_rows(all.front(), part)) {
            if (!moved->is_long) {
                take(moved->finding, groups, wrong);
                return true;
            }
            const std::string name = name_of_part(groups, rows_);
            observations_.push_back((name.empty() ? "" : name + ": ") +
                                    moved->finding.explanations.front().what);
            return false;
        }
        const auto others = explain_other_groups(all.front(), part);
        if (others) take({{*others}}, groups, wrong);
        return others.has_value();
    }

    // Returns the groups that do not match the Spec. A few wrong rows of a group are explained
    // here.
    Groups wrong_groups() {
        const DumpPart part = part_of(rows_.all());
        const Views all = views_of(asked_, part, checked_);
        if (all.empty() || !all.front().mistakes.empty()) return part.groups;
        // all heads share the table
        if (const auto rounded = find_rounded_table(asked_, part, all)) {
            parts_.push_back({part.groups, rounded->explanations});
            return {};
        }
        const std::vector<GroupErrors> errors =
            row_errors(all.front(), part, as_asked(all.front()))
                .sweep(part.groups, few(rows_.length()), part.threads);
        Groups wrong, odd;  // odd: with a few wrong rows
        std::uint64_t count = 0;
        std::vector<std::size_t> odd_rows;
        for (const std::size_t group : part.groups) {
            const GroupErrors& own = errors[group];
            if (own.wrong == 0) continue;
            if (is_wrong_throughout(own, rows_.length())) {
                wrong.push_back(group);
                continue;
            }
            odd.push_back(group);
            count += own.wrong;
            odd_rows.insert(odd_rows.end(), own.first.begin(), own.first.end());
        }
        Groups left = odd;
        if (odd.empty() || explain(odd, left) || explain_moved(odd, left)) return wrong;
        const std::string name = name_of_part(odd, rows_);
        const std::string at = positions_of(odd_rows, rows_);
        const bool is_one = at.find(", ") == at.npos && at.find("–") == at.npos;
        observations_.push_back((name.empty() ? "" : name + ": ") + grouped(count) + " of the " +
                                grouped(odd.size() * rows_.length()) + " rows looked at " +
                                (count == 1 ? "does" : "do") + " not match the config, at " +
                                (is_one ? "position " : "positions ") + at);
        append(observations_, lost_observations(all.front(), part_of(odd)));
        return wrong;
    }

    // Explains `groups` and all others of `wrong` with the same mistake; removes these from
    // `wrong`.
    bool explain(const Groups& groups, Groups& wrong) {
        ++searches_;
        const DumpPart part = part_of(groups);
        const Views all = views_of(asked_, part, checked_);
        auto found = all.empty() ? std::nullopt : find_in_part(asked_, part, all, known_);
        if (!found)
            if (auto misread = explain_misread_table(asked_, part, checked_))
                found = PartFinding{{std::move(*misread)}};
        // a single head at one position, or whose rows count heads, may be part of a rule for all
        // heads that was not found
        const bool is_one = groups.size() == 1 && rows_.count() > 1 && !is_along_heads_;
        if (!found || (is_one && (is_at_one_position(*found) ||
                                  (counts_heads(*found) &&
                                   (!found->fitting ||
                                    found->fitting(those_not_in(groups, wrong)).empty()))))) {
            ++failures_;
            return false;
        }
        // all heads share inv_freq, so a wrong entry of one head is looked at again after the
        // others
        if (is_one && wrong.size() > 1 &&
            std::ranges::count(found->explanations, "inv-freq-entry", &Explanation::mistake) > 0) {
            may_be_shared_ = true;
            return false;
        }
        take(*found, groups, wrong);
        return true;
    }

    // Explains all heads but one, or all batch entries but one, by head numbers as positions.
    bool explain_along_heads(Groups& wrong) {
        if (is_along_heads_ || wrong.size() != rows_.count()) return false;
        for (const Groups& groups : rows_.all_but_one_head_or_entry()) {
            const DumpPart part = part_of(groups);
            const Views all = views_of(asked_, part, checked_);
            if (all.empty()) continue;
            const auto found = find_along_heads(asked_, part, all);
            // heads that share one position are not at their numbers
            if (found && !is_at_one_position(*found)) {
                is_along_heads_ = true;
                // head 0 is at position 0 by any other rule as well
                wrong = those_not_in(groups, wrong);
                parts_.push_back({groups, found->explanations, found->spec});
                return true;
            }
        }
        return false;
    }

    // Adds a part with `explained` and those of `wrong` that the finding fits; removes these.
    void take(const PartFinding& found, Groups explained, Groups& wrong) {
        if (found.fitting) append(explained, found.fitting(those_not_in(explained, wrong)));
        if (found.frequencies) known_.push_back(*found.frequencies);
        if (is_at_one_position(found)) add_right_ones_there(found, wrong, explained);
        std::sort(explained.begin(), explained.end());
        wrong = those_not_in(explained, wrong);
        parts_.push_back({std::move(explained), found.explanations, found.spec});
    }

    // If every other row belongs to that position as well, all rows are at it.
    void add_right_ones_there(const PartFinding& found, const Groups& wrong, Groups& explained) {
        const Groups right = those_not_in(wrong, rows_.all());
        if (found.fitting && explained.size() + right.size() == rows_.count() &&
            found.fitting(right) == right)
            append(explained, right);
    }

    // The change that was taken out explains nothing in groups that are hardly more exact without
    // it.
    void measure_taken_out() {
        const RowGroups rows(taken_out_->from);
        std::erase_if(parts_, [&](ExplainedPart& part) {
            DumpPart own = rope::part_of(taken_out_->from, rows, part.groups,
                                         CheckFacts{.threads = checked_.threads});
            own.before_group = before_group_;
            const auto asked = own_view(asked_, own, taken_out_->checked);
            const double before = asked ? error_as_asked(*asked, own) : HUGE_VAL;
            // both errors are in units of tolerances, which may differ
            if (part.explanations.size() == 1 &&
                !(before >= 2 * part.explanations[0].after * taken_out_->wider)) {
                unexplained_.insert(unexplained_.end(), part.groups.begin(), part.groups.end());
                return true;
            }
            for (Explanation& one : part.explanations)
                if (!std::isfinite(one.before)) one.before = before;
            observe_rest(part);
            return false;
        });
    }

    // Undoing the change widens the tolerance for errors that add up. Random ones stay far below
    // it.
    void observe_rest(const ExplainedPart& part) {
        constexpr double of_random_errors = 0.25;
        const double after = part.explanations.front().after;
        if (taken_out_->wider < 4 || after <= of_random_errors) return;
        const std::string name = name_of_part(part.groups, rows_);
        observations_.push_back((name.empty() ? "" : name + ": ") + "the error left is " +
                                decimal(few_digits(after, 0.1)) +
                                " times the tolerance, which is " + decimal(taken_out_->wider) +
                                " times wider once this is undone: another mistake may be left" +
                                factor_of_pairs(part));
    }

    // ", such as a factor 1.15 of every pair"
    std::string factor_of_pairs(const ExplainedPart& part) {
        constexpr double least = 0.02;
        const bool has_own_factor =
            std::ranges::any_of(part.explanations, [](const Explanation& one) {
                return one.mistake == "attention-factor" || one.mistake == "vector-scale" ||
                       one.mistake.starts_with("scaling");
            });
        DumpPart undone = part_of(part.groups);
        undone.mistakes.clear();
        const auto own = own_view(asked_, undone, checked_);
        if (has_own_factor || !own || !own->arrangement) return "";
        const double factor =
            fitted_amplitude(own->samples).value / frequencies_of(asked_).amplitude;
        if (std::abs(factor - 1) <= least || !std::isfinite(factor)) return "";
        return ", such as a factor of " + decimal(few_digits(factor, 0.01)) + " in every pair";
    }

    void observe(Diagnosis& found) {
        if (unexplained_.empty()) return;
        std::sort(unexplained_.begin(), unexplained_.end());
        const DumpPart part = part_of(unexplained_);
        const Views all = views_of(asked_, part, checked_);
        const std::string name = name_of_part(unexplained_, rows_);
        if (!name.empty()) found.observations.push_back(name + ": not explained; there:");
        if (!found.explanations.empty()) found.unexplained = name;
        if (all.empty()) {
            found.observations.push_back("no known RoPE of this shape explains it");
            return;
        }
        for (const NamedMistake& one : mistakes_) found.observations.push_back(one.what);
        append(found.observations, lost_observations(all.front(), part));
        append(found.observations, observations(all.front(), &part, checked_.odd_pairs.pairs));
        if (checked_.effort && checked_.effort->is_spent)
            found.observations.push_back(
                "not every mistake was tried together with other positions: there are too many");
        if (untried_.empty()) return;
        found.observations.push_back(name_of_part(untried_, rows_) +
                                     ": not searched one by one, since " + decimal(failures_) +
                                     " searches named no mistake");
    }

    const Spec& asked_;
    const Dump* dump_;
    const CheckFacts& checked_;
    const TakenOut* taken_out_;
    RowGroups rows_;
    Groups before_group_;
    std::vector<NamedMistake> mistakes_;
    std::vector<ExplainedPart> parts_;
    std::vector<RoundedFrequencies> known_;  // of the parts
    Groups unexplained_, untried_;           // untried_: those that were not searched one by one
    std::vector<std::string> observations_;
    int searches_ = 0, failures_ = 0;
    bool is_along_heads_ = false;
    bool may_be_shared_ = false;  // a head's explanation was put off until the others have one
};

Diagnosis diagnose_frequencies(const Spec& asked, const Dump& dump, const CheckFacts& checked) {
    const Views all = views_of(asked, dump, checked);
    if (all.empty()) return {{}, {"no known RoPE of this shape explains it"}};
    Diagnosis found{find_in_frequencies(asked, all), {}};
    if (found.explanations.empty()) found.observations = observations(all.front());
    return found;
}

// The diagnosis with a further change of the values undone, if that leaves a known mistake.
class DiagnosingCleared {
  public:
    DiagnosingCleared(const Spec& asked, const Dump& dump, const CheckFacts& checked)
        : asked_(asked), dump_(dump), checked_(checked) {
        if (!checked_.effort) checked_.effort = &effort_;
    }

    Diagnosis diagnosis() && {
        const auto* vectors = std::get_if<RotatedDump>(&dump_);
        if (vectors && is_explained(cleared_of_scale(asked_, *vectors))) return std::move(found_);
        Diagnosis plain = Diagnosing(asked_, dump_, checked_, nullptr).diagnosis();
        if (!plain.explanations.empty() && plain.observations.empty()) return plain;
        if (plain.explanations.empty() &&
            (vectors ? explains(*vectors) : explains(std::get<TableDump>(dump_))))
            return std::move(found_);
        if (!vectors) return plain;
        plain = without_lost_rows(std::move(plain), *vectors);
        return plain.explanations.empty() ? of_wrong_rows(std::move(plain), *vectors) : plain;
    }

  private:
    // Names the mistake of some rows if all others are right.
    Diagnosis of_wrong_rows(Diagnosis plain, const RotatedDump& vectors) const {
        const auto wrong = wrong_rows(asked_, vectors, checked_);
        if (!wrong) return plain;
        Diagnosis found = diagnose(asked_, wrong->rest, checked_);
        if (found.explanations.empty() || found.is_open || !found.observations.empty())
            return plain;
        for (Explanation& one : found.explanations) add_part(one, wrong->name);
        found.spec.reset();
        return found;
    }

    // Names lost rows if every other row that is wrong throughout a head is explained.
    Diagnosis without_lost_rows(Diagnosis plain, const RotatedDump& vectors) const {
        const auto lost = lost_rows(asked_, vectors, checked_);
        if (!lost) return plain;
        Diagnosis rest = diagnose(asked_, lost->rest, checked_);
        // a row that does not rotate may be at position 0 by the rule of the other rows
        const bool may_be_at_0 = lost->mistake.mistake == "not-rotated" &&
                                 std::ranges::any_of(rest.explanations, [](const Explanation& one) {
                                     return one.mistake.starts_with("position-");
                                 });
        if (rest.is_open || may_be_at_0) {
            Diagnosis& best = plain.explanations.empty() ? rest : plain;
            best.observations.insert(best.observations.begin(), lost->mistake.what);
            return std::move(best);
        }
        Explanation of_lost = explanation_of(lost->mistake, lost->before, 0);
        for (Explanation& one : rest.explanations) one.what = "the other rows: " + one.what;
        rest.explanations.insert(rest.explanations.begin(), std::move(of_lost));
        return rest;
    }

    bool explains(const RotatedDump& vectors) {
        // each changed value takes 16 bytes, before and after
        constexpr std::uint64_t most_changed = 3'000'000;
        const Undoing rows{asked_, JoinedHeads(vectors), is_enough_};
        if (is_explained(cleared_of_other_vectors(rows))) return true;
        if (vectors.positions.size() * asked_.head_dim > most_changed) return false;
        const RowGroups groups(dump_);
        const Undoing tokens{asked_, JoinedHeads(vectors, groups), is_enough_};
        return clear_of_moved_dimensions(rows) || is_explained(cleared_of_xpos(rows)) ||
               clear_of_order(tokens) || clear_of_weights(rows) ||
               (groups.heads() > 1 && clear_of_weights(tokens)) || clear_of_shift(tokens) ||
               clear_of_transform(rows) || clear_of_second_rotation(rows);
    }
    bool explains(const TableDump& table) {
        return is_explained(cleared_of_unequal_scale(asked_, table)) ||
               is_explained(cleared_of_fixed_point(table));
    }

    bool is_explained(std::optional<Cleared> cleared) {
        if (!cleared) return false;
        CheckFacts checked = checked_;
        if (checked.exactness) {
            checked.exactness->rounding *= cleared->times;
            checked.exactness->rounding += cleared->further;
        }
        const TakenOut taken_out{std::move(cleared->mistake), dump_, checked_, cleared->times};
        found_ = Diagnosing(asked_, cleared->dump, checked, &taken_out).diagnosis();
        return !found_.explanations.empty();
    }

    const Spec& asked_;
    const Dump& dump_;
    CheckFacts checked_;
    Effort effort_ = {};
    const IsExplained is_enough_ = [this](Cleared cleared) {
        return is_explained(std::move(cleared));
    };
    Diagnosis found_;
};

}  // namespace

bool is_wrong_throughout(const GroupErrors& errors, std::uint64_t length) {
    return errors.wrong > few(length) || 4 * errors.wrong > errors.looked;
}

Diagnosis diagnose(const Spec& asked, const Dump& dump, const CheckFacts& checked) {
    if (std::holds_alternative<FrequencyDump>(dump))
        return diagnose_frequencies(asked, dump, checked);
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors && head_dim_of(*vectors) != asked.head_dim)
        return {{}, {"no known RoPE of this shape explains it"}};
    return DiagnosingCleared(asked, dump, checked).diagnosis();
}

std::vector<Explanation> name_slow_pairs(const Spec& asked, const Dump& dump,
                                         const CheckFacts& checked) {
    const RowGroups rows(dump);
    const Groups groups = checked.odd_pairs.groups.empty() ? rows.all() : checked.odd_pairs.groups;
    const DumpPart part = part_of(dump, rows, groups, CheckFacts{.threads = checked.threads});
    const Views all = views_of(asked, part, checked);
    if (all.empty()) return {};
    const auto found = find_in_slow_pairs(asked, part, all);
    return found ? joined({{groups, found->explanations}}, rows) : std::vector<Explanation>{};
}

}  // namespace rope
