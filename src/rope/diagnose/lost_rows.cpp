// Rows that were never written or rotated, in a dump whose other rows may have any mistake; and
// wrong rows with any mistake, next to right ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr std::size_t least_half_rotated = 8;  // vectors; fewer may have position 0 on an axis

enum class Lost { none, zero, not_finite, unrotated, half_rotated, no_rotation };

// The norms of a row's pairs change by factors that differ so much where other pairs rotate, and
// where it is no rotation. Then the norm of the row changes, too, more than by rounding, and the
// row has nothing in common with the right one, unlike one that is clipped or has noise.
constexpr double norms_apart = 1.5, norm_changed = 0x1p-8, most_alike = 0.5;

// What became of a row whose vector before the rotation is not zero. Dimensions that do not rotate
// may be right.
class LostRow : public ArrayRows {
  public:
    LostRow(const Dump& dump, const Arrangement& arrangement, double amplitude)
        : ArrayRows(dump),
          dump_(std::get<RotatedDump>(dump)),
          columns_(arrangement.columns),
          amplitude_(amplitude),
          rest_(arrangement.rest()) {
        for (const auto& [a, b] : columns_) {
            rotated_.push_back(a.out);
            rotated_.push_back(b.out);
        }
    }

    bool has_values() const {
        return std::ranges::any_of(x(), [](double x) { return x != 0; });
    }
    // `errors`: of each pair over its tolerance.
    Lost kind(const std::vector<double>& errors) const {
        const auto are_all = [&](const auto& is_so) {
            return std::ranges::all_of(rotated_, is_so);
        };
        if (are_all([&](std::size_t k) { return y()[k] == 0; }) &&
            !are_all([&](std::size_t k) { return x()[k] == 0; }))
            return Lost::zero;
        if (are_all([&](std::size_t k) { return !std::isfinite(y()[k]) && std::isfinite(x()[k]); }))
            return Lost::not_finite;
        if (are_all([&](std::size_t k) { return is_kept(dump_, x()[k], y()[k]); }) && keeps_rest())
            return Lost::unrotated;
        bool are_wrong_kept = true;
        for (std::size_t pair = 0; pair < errors.size(); ++pair)
            are_wrong_kept = are_wrong_kept && (errors[pair] <= 1 || is_pair_kept(pair));
        if (are_wrong_kept && keeps_rest()) return Lost::half_rotated;
        return has_other_pairs() ? Lost::no_rotation : Lost::none;
    }
    // Whether the norm of the dimensions that change is another, which no other pairs explain.
    bool changes_its_norm() const {
        double before = 0, after = 0;
        const auto add = [&](const std::vector<std::size_t>& dimensions) {
            for (const std::size_t k : dimensions) {
                before += x()[k] * x()[k];
                after += y()[k] * y()[k];
            }
        };
        add(rotated_);
        if (!keeps_rest()) add(rest_);
        return std::abs(std::sqrt(after / before) / amplitude_ - 1) > norm_changed;
    }
    bool is_pair_kept(std::size_t pair) const {
        const auto& [a, b] = columns_[pair];
        return is_kept(dump_, x()[a.out], y()[a.out]) && is_kept(dump_, x()[b.out], y()[b.out]);
    }

  private:
    bool keeps_rest() const {
        return std::ranges::all_of(rest_,
                                   [&](std::size_t k) { return is_kept(dump_, x()[k], y()[k]); });
    }
    // Whether the norms of pairs change by different factors, which no scale explains.
    bool has_other_pairs() const {
        double least = HUGE_VAL, most = 0;
        for (const auto& [a, b] : columns_) {
            const double before = portable::hypot(x()[a.own], x()[b.own]);
            if (before * before * static_cast<double>(x().size()) < sum_of_squares(x())) continue;
            const double one = portable::hypot(y()[a.out], y()[b.out]) / before;
            least = std::min(least, one);
            most = std::max(most, one);
        }
        return std::isfinite(most) && most > norms_apart * least;
    }

    const RotatedDump& dump_;
    const std::vector<std::array<DimensionTerm, 2>>& columns_;
    double amplitude_;
    std::vector<std::size_t> rest_, rotated_;
};

// The pairs that some rows keep from before the rotation although others rotate.
struct KeptPairs {
    std::set<std::uint32_t> wrong;  // in some row
    std::set<std::uint32_t> moved;  // not kept in some row

    void add(const LostRow& row, const std::vector<double>& errors) {
        for (std::uint32_t pair = 0; pair < errors.size(); ++pair) {
            if (!(errors[pair] <= 1)) wrong.insert(pair);
            if (!row.is_pair_kept(pair)) moved.insert(pair);
        }
    }
    std::string words() const {
        const std::vector<std::uint32_t> pairs(wrong.begin(), wrong.end());
        const bool are_one_set =
            std::ranges::none_of(pairs, [&](std::uint32_t pair) { return moved.contains(pair); });
        return are_one_set ? of_pairs(pairs, "", "") : "some pairs";
    }
};

// Whether all heads of each of these rows, at least two, are multiplied by the same cos and sin.
bool have_one_table(const RotatedDump& dump, const Arrangement& arrangement, const RowGroups& rows,
                    const std::vector<std::size_t>& numbers) {
    const double tolerance = 16 * half_spacing(dump.format, 1);
    const Samples all = sample_vectors(dump, arrangement, numbers, rows);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::size_t>> tokens;
    for (std::size_t row = 0; row < all.rows(); ++row) {
        const std::size_t number = all.dump_row[row];
        tokens[{rows.batch_of(rows.group_of(number)), rows.index_of(number)}].push_back(row);
    }
    const auto are_alike = [&](std::size_t one, std::size_t other) {
        return Samples::is_left_out(all.modulus[one]) || Samples::is_left_out(all.modulus[other]) ||
               sample_distance(all.modulus[one] / all.modulus[other], all.angle[one],
                               all.angle[other]) <= tolerance;
    };
    return std::ranges::all_of(tokens, [&](const auto& token) {
        return token.second.size() > 1 && std::ranges::all_of(token.second, [&](std::size_t row) {
                   for (std::size_t pair = 0; pair < all.pairs; ++pair)
                       if (!are_alike(row * all.pairs + pair,
                                      token.second.front() * all.pairs + pair))
                           return false;
                   return true;
               });
    });
}

using RowsOfKind = std::map<Lost, std::vector<std::uint64_t>>;

// "rows 0–13 are zero, row 20 is not rotated"
std::string words_of(const RowsOfKind& kinds, const KeptPairs& kept) {
    return join(kinds, [&](const auto& one) {
        const auto& [kind, rows] = one;
        const bool is_one = rows.size() == 1;
        return std::string(is_one ? "row " : "rows ") + ranges(rows, 8) +
               (is_one ? " is " : " are ") +
               (kind == Lost::zero           ? "zero"
                : kind == Lost::not_finite   ? "not finite"
                : kind == Lost::unrotated    ? "not rotated"
                : kind == Lost::half_rotated ? "not rotated in " + kept.words()
                : is_one                     ? "not a rotation"
                                             : "not rotations");
    });
}

constexpr std::size_t most_parts_named = 4;

// "batch entry 1 of 3: rows 0–13 are zero; batch entry 2 of 3: rows 0–6 are zero"
std::string words_of(const std::map<std::size_t, RowsOfKind>& groups, const RowGroups& rows,
                     const KeptPairs& kept) {
    std::map<RowsOfKind, std::vector<std::size_t>> parts;
    for (const auto& [group, kinds] : groups) parts[kinds].push_back(group);
    std::vector<std::pair<std::vector<std::size_t>, RowsOfKind>> in_order;
    for (auto& [kinds, of] : parts) in_order.emplace_back(std::move(of), kinds);
    std::ranges::sort(in_order);
    std::string text;
    for (const auto& [of, kinds] :
         std::span(in_order).first(std::min(parts.size(), most_parts_named))) {
        const std::string name = name_of_part(of, rows);
        text +=
            (text.empty() ? "" : "; ") + (name.empty() ? "" : name + ": ") + words_of(kinds, kept);
    }
    if (parts.size() > most_parts_named)
        text += "; and " + decimal(parts.size() - most_parts_named) + " more parts";
    return text;
}

// The rows of vectors, with their errors under the Spec.
class RowsBySpec {
  public:
    RowsBySpec(const Spec& asked, const RotatedDump& dump, const CheckFacts& checked)
        : whole_(dump),
          rows_(whole_),
          part_(part_of(whole_, rows_, rows_.all(), checked)),
          view_(own_view(asked, part_, checked)) {}
    RowsBySpec(const RowsBySpec&) = delete;

    bool have_pairs() const { return view_ && view_->arrangement; }
    const RowGroups& rows() const { return rows_; }
    const Arrangement& arrangement() const { return *view_->arrangement; }

    // Calls visit(row, what became of it, errors) for each row whose vector before the rotation is
    // not zero: a zero vector is right by any rotation. Requires pairs.
    template <class Visit>
    void each(const Visit& visit) const {
        RowErrors errors = row_errors(*view_, part_, as_asked_and_stored(*view_));
        LostRow one(whole_, arrangement(), frequencies_of(view_->asked).amplitude);
        every_row(part_, [&](std::size_t row) {
            one.read(row);
            if (one.has_values()) visit(row, one, errors);
            return true;
        });
    }

  private:
    const Dump whole_;
    const RowGroups rows_;
    DumpPart part_;
    std::optional<DumpView> view_;
};

}  // namespace

std::optional<LostRows> lost_rows(const Spec& asked, const RotatedDump& dump,
                                  const CheckFacts& checked) {
    const RowsBySpec by_spec(asked, dump, checked);
    if (!by_spec.have_pairs()) return std::nullopt;
    const RowGroups& rows = by_spec.rows();
    std::map<std::size_t, Lost> lost;  // by row
    KeptPairs kept;
    double before = 0;
    std::size_t right = 0, others = 0, no_rotations = 0, of_others = 0;
    by_spec.each([&](std::size_t row, const LostRow& one, RowErrors& by_config) {
        if (by_config.error_within(row) <= 1) {
            ++right;
            return;
        }
        const std::vector<double>& errors = by_config.pair_errors(row);
        const Lost kind = one.kind(errors);
        if (kind == Lost::half_rotated) kept.add(one, errors);
        if (kind == Lost::none) {
            ++others;
            return;
        }
        if (kind == Lost::no_rotation) {
            ++no_rotations;
            of_others += one.changes_its_norm() && by_config.cosine() < most_alike ? 1 : 0;
        }
        lost[row] = kind;
        before = std::max(before, by_config.error(row));
    });
    // another mistake may change the norms or the angles of some rows
    const bool are_other_pairs = 2 * of_others < no_rotations;
    const bool may_be_changed = others > 0 || right == 0 || are_other_pairs;
    std::erase_if(lost, [&](const auto& one) {
        return (one.second == Lost::no_rotation && may_be_changed) ||
               (one.second == Lost::half_rotated &&
                (may_be_changed || right < lost.size() || lost.size() < least_half_rotated));
    });
    if (are_other_pairs) others += no_rotations;
    if (lost.empty() || right + others == 0) return std::nullopt;
    std::map<std::size_t, RowsOfKind> groups;
    std::vector<std::size_t> numbers;
    bool are_unrotated = true, are_open = true;
    for (const auto& [row, kind] : lost) {
        groups[rows.group_of(row)][kind].push_back(rows.index_of(row));
        numbers.push_back(row);
        are_unrotated = are_unrotated && (kind == Lost::unrotated || kind == Lost::half_rotated);
        are_open = are_open && kind == Lost::no_rotation;
    }
    for (auto& [group, kinds] : groups)
        for (auto& [kind, own] : kinds) std::ranges::sort(own);
    const std::string words = words_of(groups, rows, kept);
    RotatedDump rest = dump;
    rest.before = dump.before.with_zeros(numbers, dump.positions.size());
    rest.after = dump.after.with_zeros(numbers, dump.positions.size());
    rest.padding += lost.size();
    Parameters parameters{{"lost", words}};
    if (!kept.wrong.empty()) parameters.emplace_back("part", kept.words());
    if (are_open)
        parameters.emplace_back(
            have_one_table(dump, by_spec.arrangement(), rows, numbers) ? "table" : "open", "other");
    return LostRows{named(are_unrotated ? "not-rotated" : "uninitialised", std::move(parameters)),
                    before, std::move(rest)};
}

std::optional<WrongRows> wrong_rows(const Spec& asked, const RotatedDump& dump,
                                    const CheckFacts& checked) {
    constexpr std::size_t least = 3;  // fewer rows match many rules
    const RowsBySpec by_spec(asked, dump, checked);
    if (!by_spec.have_pairs()) return std::nullopt;
    const RowGroups& rows = by_spec.rows();
    std::vector<std::size_t> right;
    std::set<std::uint64_t> others;                        // indices of right rows
    std::map<std::size_t, std::set<std::uint64_t>> wrong;  // by group
    by_spec.each([&](std::size_t row, const LostRow&, RowErrors& by_config) {
        if (by_config.error_within(row) <= 1) {
            right.push_back(row);
            others.insert(rows.index_of(row));
        } else {
            wrong[rows.group_of(row)].insert(rows.index_of(row));
        }
    });
    if (wrong.empty()) return std::nullopt;
    const std::set<std::uint64_t>& own = wrong.begin()->second;
    const bool are_alike =
        std::ranges::all_of(wrong, [&](const auto& of) { return of.second == own; });
    for (const std::uint64_t index : own) others.erase(index);
    if (!are_alike || own.size() < least || others.size() < least) return std::nullopt;
    WrongRows found{"rows " + ranges(std::vector(own.begin(), own.end()), 8), dump};
    auto& rest = std::get<RotatedDump>(found.rest);
    rest.before = dump.before.with_zeros(right, dump.positions.size());
    rest.after = dump.after.with_zeros(right, dump.positions.size());
    rest.padding += right.size();
    return found;
}

}  // namespace rope
