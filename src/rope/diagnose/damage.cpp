#include "rope/diagnose/damage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

// A row of a dump: x before and y after the rotation; for tables cos and sin.
class RowValues : public ArrayRows {
  public:
    explicit RowValues(const Dump& dump)
        : ArrayRows(dump), is_table_(std::holds_alternative<TableDump>(dump)) {}
    bool is_zero() const {
        return (!is_table_ || std::ranges::count(x(), 0) == std::ssize(x())) &&
               std::ranges::count(y(), 0) == std::ssize(y());
    }
    bool has_no_value() const { return !is_table_ && norm(x()) == 0; }
    bool is_still() const {
        if (!is_table_) return std::ranges::equal(x(), y());
        return std::ranges::count(x(), 1) == std::ssize(x()) &&
               std::ranges::count(y(), 0) == std::ssize(y());
    }
    bool is_finite() const {
        const auto finite = [](double value) { return std::isfinite(value); };
        return std::ranges::all_of(x(), finite) && std::ranges::all_of(y(), finite);
    }
    // Whether the values are not finite, or too large for a rotation, as in memory that was never
    // written.
    bool is_memory() const {
        const double most =
            8 * (is_table_ ? std::sqrt(static_cast<double>(x().size())) : norm(x()));
        const double norm_now = is_table_ ? portable::hypot(norm(x()), norm(y())) : norm(y());
        return !(norm_now <= most) || norm_now == 0;
    }
    // Sets which kinds of values a row has that is no rotation; a table's values all together.
    void add_kinds(bool& zero, bool& lost, bool& other) const {
        const bool is_whole = is_zero() || is_finite();
        zero = zero || (is_whole && is_zero());
        lost = lost || !is_finite();
        other = other || (is_whole && !is_zero());
        if (is_whole || is_table_) return;
        const double most = 8 * norm(x());
        for (std::size_t dimension = 0; dimension < y().size(); ++dimension) {
            zero = zero || (y()[dimension] == 0 && x()[dimension] != 0);
            other = other || (std::isfinite(y()[dimension]) && std::abs(y()[dimension]) > most);
        }
    }

  private:
    bool is_table_;
};

// Counts of pairs of values over all rows of a part.
struct LostValues {
    std::uint64_t values = 0;                     // finite or not
    std::array<std::uint64_t, 4> lost = {};       // by Loss
    std::optional<std::size_t> first_given = {};  // first row with Loss::given
    // Pairs with Loss::memory in every row.
    std::vector<std::uint32_t> pairs = {};
    bool are_whole_pairs = false;  // no other value has it, and both dimensions have
    bool are_both = true;          // Loss::memory only of both dimensions of a pair
    bool else_right = true;        // every other value matches the Spec
    double after = 0;              // their largest error divided by its tolerance

    std::uint64_t by(Loss loss) const { return lost[static_cast<std::size_t>(loss)]; }
};

// Unwritten rows of a table have another usual cause than those of vectors.
NamedMistake unwritten_in(const Dump& dump, Parameters parameters, Parameters context = {}) {
    if (std::holds_alternative<TableDump>(dump)) context.emplace_back("table", 1.0);
    return named("uninitialised", std::move(parameters), context);
}

std::string place_of(std::size_t row, const RowGroups& rows) {
    const std::string part = name_of_part({rows.group_of(row)}, rows);
    return (part.empty() ? "" : part + ", ") + "row " + decimal(rows.index_of(row)) +
           " (position " + position_name(row, rows) + ")";
}

// `until_wrong`: returns at the first other value that is wrong.
LostValues lost_values(const DumpPart& part, RowErrors& asked, bool until_wrong) {
    LostValues found;
    std::map<std::uint32_t, std::uint64_t> rows_of_pair;
    every_row(part, [&](std::size_t row) {
        const std::vector<double>& errors = asked.pair_errors(row);
        found.values += errors.size();
        for (std::uint32_t pair = 0; pair < errors.size(); ++pair) {
            const bool is_finite = std::isfinite(errors[pair]);
            const Loss loss = is_finite ? Loss::none : asked.loss(pair);
            if (loss == Loss::none && !(errors[pair] <= 1)) found.else_right = false;
            if (is_finite) {
                found.after = std::max(found.after, errors[pair]);
                continue;
            }
            ++found.lost[static_cast<std::size_t>(loss)];
            if (loss == Loss::given && !found.first_given) found.first_given = row;
            if (loss != Loss::memory) continue;
            ++rows_of_pair[pair];
            found.are_both = found.are_both && asked.are_both_lost(pair);
        }
        return !until_wrong || found.else_right;
    });
    for (const auto& [pair, rows] : rows_of_pair)
        if (rows == part.groups.size() * part.rows.length()) found.pairs.push_back(pair);
    found.are_whole_pairs =
        found.are_both && !found.pairs.empty() && found.pairs.size() == rows_of_pair.size();
    return found;
}

// Returns the angle, in radians, from which on every value is lost, if none below it is; none
// below 1024, where fast sines and cosines are right.
std::optional<double> angle_of_loss(const DumpPart& part, RowErrors& asked,
                                    const Hypothesis& hypothesis) {
    constexpr double least_reduced = 1024;
    double most_right = 0, least_lost = HUGE_VAL;
    every_row(part, [&](std::size_t row) {
        const std::vector<double>& errors = asked.pair_errors(row);
        for (std::uint32_t pair = 0; pair < errors.size(); ++pair) {
            const double angle =
                std::abs(hypothesis.theta[pair] * part.rows.position(row, hypothesis.axis[pair]));
            if (std::isfinite(errors[pair]))
                most_right = std::max(most_right, angle);
            else
                least_lost = std::min(least_lost, angle);
        }
        return most_right < least_lost;
    });
    const bool is_known = most_right < least_lost && least_lost >= least_reduced;
    return is_known ? std::optional(least_lost) : std::nullopt;
}

// Rows that do not match the Spec, each of which is zero or unwritten memory.
struct Damage {
    std::vector<std::size_t> rows;
    std::size_t right = 0;  // number of the other rows
    bool still = true;      // every wrong row equals its vector before the rotation
    bool has_zero = false, has_lost = false, has_other = false;  // kinds of wrong rows
    bool has_values = true;                                      // none is of a zero vector
    double after = 0;        // largest error of the other rows, divided by its tolerance
    double from = HUGE_VAL;  // first wrong position
    double last_right = 0;   // last right position

    bool is_zero() const { return !has_lost && !has_other; }
    // Whether rows are wrong from one position on. A single right position, such as 0, fits many
    // rules.
    bool is_an_end() const { return from < HUGE_VAL && 0 < last_right && last_right < from; }
    // Whether at most half of the rows are wrong, or wrong in each way. lost_values() counts values
    // that are not finite.
    bool are_some() const {
        return has_values && (has_zero || has_other) &&
               (right >= rows.size() || (has_zero && has_lost && has_other));
    }
};

// A row whose other pairs are right was computed: its cos or sin overflowed.
bool are_most_wrong(const std::vector<double>& errors) {
    const auto right = std::ranges::count_if(errors, [](double error) { return error <= 1; });
    return 2 * right < std::ssize(errors);
}

std::optional<Damage> damage(const DumpPart& part, RowErrors& asked) {
    Damage found;
    RowValues values(part.dump);
    bool are_memory = true;
    const bool are_lost = every_row(part, [&](std::size_t row) {
        values.read(row);
        const double m = std::abs(part.rows.position(row)), error = asked.error_within(row);
        if (error <= 1) {
            ++found.right;
            found.after = std::max(found.after, error);
            if (!values.has_no_value()) found.last_right = std::max(found.last_right, m);
            return true;
        }
        found.rows.push_back(row);
        found.from = std::min(found.from, m);
        values.add_kinds(found.has_zero, found.has_lost, found.has_other);
        found.has_values = found.has_values && !values.has_no_value();
        are_memory = are_memory && values.is_memory() && are_most_wrong(asked.pair_errors(row));
        found.still = found.still && values.is_still();
        return are_memory || found.still;
    });
    found.still = found.still && !are_memory;
    return are_lost ? std::optional(std::move(found)) : std::nullopt;
}

// "the rows at position 7", "rows at positions 7, 30"
std::string rows_at(const DumpPart& part, const std::vector<std::size_t>& rows) {
    const bool is_one = std::ranges::all_of(rows, [&](std::size_t row) {
        return part.rows.position(row) == part.rows.position(rows.front());
    });
    return (is_one ? "the rows at position " : "rows at positions ") +
           positions_of(rows, part.rows);
}

// Explains rows of a page of a cache, or of a block that a kernel left out. `before`: the error of
// all rows.
Explanation unwritten_rows(const DumpPart& part, const Damage& found, double before) {
    const std::string at = positions_of(found.rows, part.rows);
    return explanation_of(
        unwritten_in(part.dump, {{"rows", found.is_zero() ? "zero" : "memory"}, {"positions", at}},
                     {{found.right == 0 ? "none" : "place", rows_at(part, found.rows)}}),
        before, found.after);
}

// Explains a table or a cache that ends, with zeros or unwritten memory behind its end.
Explanation rows_from(const DumpPart& part, const Damage& found, double before) {
    const auto first = static_cast<std::uint64_t>(found.from);
    const std::string from = decimal(found.from);
    Parameters words{{"first", from}, {"of_axis", part.rows.axes() > 1 ? " of axis 0" : ""}};
    // the dump may have no row between
    if (found.last_right + 1 < found.from) words.emplace_back("last", found.last_right);
    if (found.is_zero())
        return explanation_of(named("table-truncated", {{"rows", first}}, words), before,
                              found.after, {"uninitialised from=" + from});
    if (!found.has_zero && !found.has_other) words.emplace_back("is_lost", 1.0);
    return explanation_of(unwritten_in(part.dump, {{"from", first}}, words), before, found.after,
                          {"table-truncated rows=" + from});
}

// Explains dimensions that do not rotate and are not those of q, next to pairs that match the Spec.
std::optional<Explanation> unkept_dimensions(const DumpView& view, const DumpPart& part,
                                             RowErrors& asked) {
    const auto& vectors = std::get<RotatedDump>(part.dump);
    const std::vector<std::size_t> rest = view.arrangement->rest();
    std::set<std::uint64_t> changed;
    std::optional<double> first;
    bool are_one = true, are_lost = true;
    std::uint64_t rows = 0, lost_rows = 0;
    double worst = 0, after = 0;
    const bool are_right = every_row(part, [&](std::size_t row) {
        for (const double error : asked.pair_errors(row)) {
            if (!(error <= 1)) return false;
            after = std::max(after, error);
        }
        bool is_lost = false;
        for (const std::size_t dimension : rest) {
            const double value = vectors.after.at(row, dimension);
            const double apart = std::abs(value - vectors.before.at(row, dimension));
            if (apart == 0) continue;
            changed.insert(dimension);
            if (!first) first = value;
            are_one = are_one && value == *first;
            are_lost = are_lost && !std::isfinite(value);
            is_lost = is_lost || !std::isfinite(value);
            worst = std::isfinite(apart) ? std::max(worst, apart) : HUGE_VAL;
        }
        ++rows;
        lost_rows += is_lost ? 1 : 0;
        return true;
    });
    if (!are_right || changed.empty()) return std::nullopt;
    Parameters context;
    if (changed.size() == 1) context.emplace_back("one", 1.0);
    if (are_lost)
        context.insert(context.end(), {{"lost", lost_rows}, {"rows", rows}});
    else if (are_one)
        context.emplace_back("value", *first);
    return explanation_of(
        named("uninitialised",
              {{"dimensions", ranges(std::vector(changed.begin(), changed.end()), 4)}}, context),
        worst / half_spacing(vectors.format, 1), after);
}

// Explains vectors of which some dimensions were not written: in every row these equal x, are 0 or
// are not finite, and all others match the Spec. Some pairs have one dimension that matches.
std::optional<Explanation> unwritten_dimensions(const DumpView& view, const DumpPart& part,
                                                RowErrors& asked, double before) {
    const auto* vectors = std::get_if<RotatedDump>(&part.dump);
    if (vectors == nullptr || !part.before_group.empty()) return std::nullopt;
    const auto& columns = view.arrangement->columns;
    struct Written {
        bool right = true, still = true, zero = true, lost = true;  // lost: not finite
    };
    std::vector<Written> dimensions(head_dim_of(*vectors));
    double after = 0;
    const auto look_at = [&](std::size_t row, std::size_t dimension, bool is_right) {
        const double y = vectors->after.at(row, dimension);
        Written& written = dimensions[dimension];
        written.right &= is_right;
        written.still &= y == vectors->before.at(row, dimension);
        written.zero &= y == 0;
        written.lost &= !std::isfinite(y);
        return is_right || written.still || written.zero || written.lost;
    };
    const bool are_unwritten = every_row(part, [&](std::size_t row) {
        const std::vector<double>& errors = asked.pair_errors(row);
        for (std::uint32_t i = 0; i < errors.size(); ++i) {
            auto right = std::array{true, true};
            if (errors[i] <= 1)
                after = std::max(after, errors[i]);
            else
                right = asked.right_dimensions(i);
            for (const std::size_t side : {0U, 1U})
                if (!look_at(row, columns[i][side].out, right[side])) return false;
        }
        return true;
    });
    if (!are_unwritten) return std::nullopt;
    std::vector<std::uint64_t> wrong;
    bool still = true, zero = true, lost = true, is_half_right = false;
    for (std::uint64_t dimension = 0; dimension < dimensions.size(); ++dimension) {
        // slow pairs behind a wrong dimension may match although they are not rotated
        const bool follows =
            !wrong.empty() && wrong.back() + 1 == dimension && dimensions[dimension].still;
        if (dimensions[dimension].right && !follows) continue;
        wrong.push_back(dimension);
        still &= dimensions[dimension].still;
        zero &= dimensions[dimension].zero;
        lost &= dimensions[dimension].lost;
    }
    for (const auto& [a, b] : columns)
        is_half_right |= dimensions[a.out].right != dimensions[b.out].right;
    if (!(still || zero || lost) || !is_half_right || wrong.size() > view.samples.pairs)
        return std::nullopt;
    Parameters context;
    if (wrong.size() == 1) context.emplace_back("one", 1.0);
    const char* const written = still ? "x" : zero ? "0" : "not finite";
    return explanation_of(named(still ? "not-rotated" : "uninitialised",
                                {{"dimensions", ranges(wrong, 4)}, {"written", written}}, context),
                          before, after);
}

// With several axes, those on which every row has position 0.
std::vector<std::uint32_t> axes_at_zero(const DumpPart& part) {
    std::vector<std::uint32_t> axes;
    for (std::uint32_t axis = 0; part.rows.axes() > 1 && axis < part.rows.axes(); ++axis)
        if (every_row(part, [&](std::size_t row) { return part.rows.position(row, axis) == 0; }))
            axes.push_back(axis);
    return axes;
}

}  // namespace

std::vector<std::string> lost_observations(const DumpView& view, const DumpPart& part) {
    if (!view.mistakes.empty()) return {};
    RowValues values(part.dump);
    const auto is_finite = [&](std::size_t row) {
        values.read(row);
        return values.is_finite();
    };
    if (part.before_group.empty() && every_row(part, is_finite)) return {};
    RowErrors asked = row_errors(view, part, as_asked(view));
    const LostValues found = lost_values(part, asked, false);
    const std::string of = " of " + grouped(found.values) + " pairs",
                      others =
                          found.else_right && found.by(Loss::memory) == 0 &&
                                  found.by(Loss::given) + found.by(Loss::overflow) < found.values
                              ? "; all finite values match the config"
                              : "";
    std::vector<std::string> facts;
    if (found.by(Loss::given) > 0)
        facts.push_back("the vectors before the rotation are not finite in " +
                        grouped(found.by(Loss::given)) + of + ", first at " +
                        place_of(*found.first_given, part.rows) + others);
    if (!found.pairs.empty())
        facts.push_back(of_pairs(found.pairs, " is", " are") + " not finite in any row" +
                        (found.are_both ? ", as with an inv_freq that is not finite" : ""));
    if (found.by(Loss::overflow) > 0)
        facts.push_back("the exact result exceeds the largest " +
                        std::string(to_string(std::get<RotatedDump>(part.dump).format)) +
                        " number in " + grouped(found.by(Loss::overflow)) + of +
                        ", which overflow to infinity" + others);
    return facts;
}

double asked_misfit(const DumpView& view) { return misfit(view.samples, as_asked(view), HUGE_VAL); }

std::optional<Explanation> explain_stillness(const DumpView& view, const DumpPart& part) {
    RowValues values(part.dump);
    bool zero = true, still = true, moves = false;  // moves: a row has a position other than 0
    every_row(part, [&](std::size_t row) {
        values.read(row);
        zero = zero && values.is_zero();
        still = still && values.is_still();
        for (std::uint32_t axis = 0; axis < part.rows.axes(); ++axis)
            moves = moves || part.rows.position(row, axis) != 0;
        return zero || still;
    });
    if (zero)
        return explanation_of(unwritten_in(part.dump, {{"rows", "zero"}}), asked_misfit(view), 0,
                              {"table-truncated rows=0"});
    if (still && moves) {
        std::vector<std::string> others;
        if (frequencies_of(view.asked).amplitude == 1)
            others = {"position-collapse position=0", "uninitialised inv_freq=0"};
        for (const std::uint32_t axis : axes_at_zero(part))
            others.push_back("axis-map map=axis " + decimal(axis));
        return explanation_of(named("not-rotated"), asked_misfit(view), 0, std::move(others));
    }
    return std::nullopt;
}

std::optional<Explanation> explain_damage(const DumpView& view, const DumpPart& part) {
    if (!view.mistakes.empty()) return std::nullopt;
    const Hypothesis hypothesis = as_asked_and_stored(view);
    RowErrors asked = row_errors(view, part, hypothesis);
    const double before = misfit(view.samples, hypothesis, HUGE_VAL);
    const auto damaged = damage(part, asked);
    if (damaged && damaged->still) {  // with a factor of 1 they are at position 0
        if (hypothesis.amplitude == 1 || !damaged->are_some()) return std::nullopt;
        return explanation_of(
            named("not-rotated", {{"rows", positions_of(damaged->rows, part.rows)}},
                  {{"which", rows_at(part, damaged->rows) + " are"}}),
            before, damaged->after);
    }
    if (damaged && damaged->is_an_end()) return rows_from(part, *damaged, before);
    if (damaged && damaged->are_some()) return unwritten_rows(part, *damaged, before);
    if (!view.leaves_other_dimensions_unchanged) return unkept_dimensions(view, part, asked);
    if (auto unwritten = unwritten_dimensions(view, part, asked, before)) return unwritten;
    const LostValues found = lost_values(part, asked, true);
    const std::uint64_t memory = found.by(Loss::memory);
    if (!found.else_right || memory == 0) return std::nullopt;
    const std::vector<std::uint32_t>& pairs = found.pairs;
    if (found.are_whole_pairs && pairs.size() == 1 && hypothesis.theta.size() > pairs.front())
        return explanation_of(entry_mistake(pairs.front(), NAN, hypothesis.theta[pairs.front()]),
                              before, found.after);
    if (found.are_whole_pairs && 1 < pairs.size() && pairs.size() < view.samples.pairs)
        return explanation_of(
            named("uninitialised", {{"inv_freq", "not finite"}, {"pairs", ranges(pairs, 4)}}),
            before, found.after);
    if (const auto angle = angle_of_loss(part, asked, hypothesis))
        return explanation_of(named("angle-precision", {{"not_finite", memory}},
                                    {{"angle", few_digits(*angle, 0.01)}}),
                              before, found.after);
    const std::uint64_t others = found.by(Loss::given) + found.by(Loss::overflow);
    Parameters words{
        {"count", grouped(memory)},
        {"values", grouped(found.values)},
        {"have", memory == 1 ? "has a value that is" : "have values that are"},
        {"more", others == 0 ? "" : grouped(others) + " more are so in q or by overflow; "}};
    if (memory == found.values) words.push_back({"none", "is finite"});
    return explanation_of(unwritten_in(part.dump, {{"not_finite", memory}}, words), before,
                          found.after);
}

}  // namespace rope
