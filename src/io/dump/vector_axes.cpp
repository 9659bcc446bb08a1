// Infers which axes of vectors are the sequence and the batch, and places rows at positions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/dump/shape.hpp"
#include "rope/exact/row_sample.hpp"

namespace rope::io {
namespace {

constexpr double most_alike = 0x1p-8;  // bfloat16 moves an angle so far

// Stands for the sequence in vectors that have no axis for it, the heads of one token: the axis of
// the dimensions.
std::size_t no_sequence(const Shape& shape) { return shape.size() - 1; }

// Measures whether vectors along an axis rotate alike. Vectors at one position do, so the angle
// between two of them along the axis of the heads stays.
class Turns {
  public:
    Turns(const Array& before, const Array& after) : before_(before), after_(after) {}

    // The change of the angle between a vector and another one along the axis, which `fifths` of
    // the rows do not exceed. It is the smaller change for two others, since one may be in a wrong
    // head. Nothing if no two of the rows are finite. `moved_only` counts only rows that moved.
    std::optional<double> along(std::size_t axis, unsigned fifths, bool moved_only) const {
        constexpr std::uint64_t most_sampled = 256;  // rows
        const Shape& shape = before_.shape;
        const std::uint64_t rows = before_.size() / shape.back();
        const auto [length, step] = row_axis(shape, axis);
        std::vector<double> turns;
        for (std::uint64_t k = 0; k < std::min(rows, most_sampled); ++k) {
            const std::uint64_t row = sampled_row(k, rows, most_sampled);
            if (moved_only && !is_moved(row)) continue;
            const std::uint64_t index = row_axis(shape, axis).of(row);
            double least = INFINITY;
            // half the axis apart, where positions turn fast and slow pairs unlike each other;
            // nearer if rows are zero, as unwritten rows of a cache are
            for (std::uint64_t apart = length / 2; apart > 0 && !std::isfinite(least); apart /= 2)
                for (const std::uint64_t away : {apart, length > 2 ? apart + 1 : apart}) {
                    const std::uint64_t other = row - index * step + (index + away) % length * step;
                    if (moved_only && !is_moved(other)) continue;
                    if (const double turn = between(row, other); turn < least) least = turn;
                }
            if (std::isfinite(least)) turns.push_back(least);
        }
        if (turns.empty()) return std::nullopt;
        const auto at = turns.begin() + static_cast<std::ptrdiff_t>(fifths * turns.size() / 5);
        std::nth_element(turns.begin(), at, turns.end());
        return *at;
    }

    // The largest change along all axes but the sequence and the batch; `is_determined` if there
    // is one along each of them. Three fifths of the rows count, since a head of three may be
    // wrong.
    struct Turn {
        double most = 0;
        bool is_determined = true;
    };
    Turn at_one_position(const VectorAxes& axes, unsigned fifths = 3,
                         bool moved_only = false) const {
        Turn turn;
        for (std::size_t axis = 0; axis + 1 < before_.shape.size(); ++axis) {
            if (axis == axes.sequence || axis == axes.batch || before_.shape[axis] == 1) continue;
            const auto turned = along(axis, fifths, moved_only);
            turn.most = std::max(turn.most, turned.value_or(0));
            turn.is_determined = turn.is_determined && turned;
        }
        return turn;
    }

    bool is_moved(std::uint64_t row) const {
        const std::uint64_t dimensions = before_.shape.back();
        for (std::uint64_t value = row * dimensions; value < (row + 1) * dimensions; ++value)
            if (before_.at(value) != after_.at(value)) return true;
        return false;
    }

  private:
    // The change of the angle between two rows, over the dimensions that moved in one of them,
    // since an attention factor scales only these. NaN if a row is zero.
    double between(std::uint64_t a, std::uint64_t b) const {
        const std::uint64_t dimensions = before_.shape.back();
        Cosine all, own, moved;
        for (std::uint64_t dimension = 0; dimension < dimensions; ++dimension) {
            const std::uint64_t x = a * dimensions + dimension, y = b * dimensions + dimension;
            all.add(before_.at(x), before_.at(y));
            if (before_.at(x) == after_.at(x) && before_.at(y) == after_.at(y)) continue;
            own.add(before_.at(x), before_.at(y));
            moved.add(after_.at(x), after_.at(y));
        }
        if (!all.is_determined()) return NAN;
        return own.is_determined() ? std::abs(moved.value() - own.value()) : 0;
    }

    const Array &before_, &after_;
};

// Infers the axes. Of the candidates that fit the lengths one remains.
class AxesFinder {
  public:
    AxesFinder(const NamedArray& before, const NamedArray& after,
               const std::optional<NamedArray>& positions, const std::optional<PositionIds>& ids,
               const DumpHints& asked, std::uint64_t starts = 1)
        : before_(before),
          shape_(before.array.shape),
          turns_(before.array, after.array),
          positions_(positions),
          ids_(ids),
          asked_(asked),
          starts_(starts),
          orders_(axis_orders(shape_, asked.heads)),
          found_(candidates()) {}

    VectorAxes find() const {
        if (found_.empty()) refuse_lengths();
        const auto by_heads = of_as_many_heads();
        if (const VectorAxes token{2, {}, of_config};
            is_one_token() && !by_heads && has_heads(token) && turn_alike(token))
            return token;
        // every choice among axes of length 1 is the same
        if (found_.size() == 1 || (ids_ && ids_->length == 1)) return by_length();
        const auto alike = turning_alike();
        const bool differ = by_heads && alike && alike->sequence != by_heads->sequence;
        // a device or a test may have a part of the config's heads
        const bool is_part = differ && std::ranges::any_of(asked_.heads, [&](std::uint64_t all) {
                                 return all % heads_of(*alike) == 0;
                             });
        if (by_heads && !is_part && !(differ && is_before_batch(*alike))) {
            VectorAxes axes = *by_heads;
            axes.leave_a_doubt = differ;
            return axes;
        }
        if (alike && runs_along_batch(*alike))
            return {1, 0, "no more entries on axis 0 than rows on axis 1, behind it the heads"};
        if (alike) {
            require_possible_heads(*alike);
            return *alike;
        }
        // unrotated rows contradict every axis
        if (const auto left = only(
                [&](const VectorAxes& one) {
                    return turns_.at_one_position(one, 2, true).most <= most_alike;
                },
                "in any other order, vectors at the same position would rotate differently", true))
            return *left;
        if (const auto still = not_rotated()) return *still;
        const auto is_as_long = [&](const VectorAxes& one) {
            return asked_.table_rows && !ids_ && shape_[one.sequence] == *asked_.table_rows;
        };
        if (const auto same = only(is_as_long, "as long as the table")) return *same;
        if (asked_.is_any_axis_right)
            return {found_.front().sequence, found_.front().batch,
                    "the checked property holds along any axis"};
        if (is_one_token() && turn_alike({2, 0}))
            refuse_shape(before_, "may be one row of " + decimal(shape_[1]) +
                                      " heads for each of " + decimal(shape_[0]) +
                                      " sequences; pass positions, or --axes bhsd if all are at 0");
        throw UndeterminedAxes(
            before_.name + ": shape " + shape_text(shape_) +
            " does not determine which axis is the sequence, and q_rot is no rotation of q with "
            "one angle per position along any axis (zeros, values that are not finite and batch "
            "entries at other positions prevent it, too); pass --axes " +
            join(longest_first(), {}, " or ") + " for a diagnosis");
    }

  private:
    static constexpr const char* of_config = "as many heads as in the config";

    // Axes that may be the sequence and, where each entry has other positions, the batch: as long
    // as the positions, or without them every axis longer than 1.
    std::vector<VectorAxes> candidates() const {
        std::vector<VectorAxes> found;
        for (std::size_t sequence = 0; sequence + 1 < shape_.size(); ++sequence) {
            if (ids_ ? shape_[sequence] != ids_->length : shape_[sequence] == 1) continue;
            if (!ids_ && starts_ > 1 && shape_.size() == 4 && shape_[0] == starts_) {
                if (sequence > 0) found.push_back({sequence, 0});
                continue;
            }
            if (!ids_ || ids_->sequences == 1) {
                found.push_back({sequence, std::nullopt});
                continue;
            }
            for (std::size_t batch = 0; batch + 1 < shape_.size(); ++batch)
                if (batch != sequence && shape_[batch] == ids_->sequences &&
                    !are_heads(sequence, batch)) {
                    found.push_back({sequence, batch});
                    if (batch == 0) break;  // the usual place
                }
        }
        if (found.empty() && !ids_ && shape_.size() >= 2) found.push_back({0, std::nullopt});
        return found;
    }

    // [1, heads, L, d] is a batch of one: ids of [heads, L] are on as many axes.
    bool are_heads(std::size_t sequence, std::size_t axis) const {
        return shape_.size() == 4 && shape_[0] == 1 && sequence != 0 && axis != 0;
    }

    std::uint64_t heads_of(const VectorAxes& axes) const {
        std::uint64_t count = 1;
        for (std::size_t axis = 0; axis + 1 < shape_.size(); ++axis)
            if (axis != axes.sequence && axis != batch_of(shape_, axes)) count *= shape_[axis];
        return count;
    }
    bool has_heads(const VectorAxes& axes) const {
        return std::ranges::count(asked_.heads, heads_of(axes)) > 0;
    }
    // Whether [S, B, heads, d] with the config's heads is possible, and the axes have this
    // sequence.
    bool is_before_batch(const VectorAxes& axes) const {
        return axes.sequence == 0 && std::ranges::any_of(orders_, [](const AxisOrder& order) {
                   return order.is_usual && order.letters.starts_with('s');
               });
    }
    // Whether the vectors of [B, S, heads, d] rotate by the number of the batch entry: the config's
    // heads, or a part of them, are on axis 2.
    bool runs_along_batch(const VectorAxes& axes) const {
        return shape_.size() == 4 && axes.sequence == 0 && !is_before_batch(axes) &&
               std::ranges::any_of(asked_.heads,
                                   [&](std::uint64_t all) { return all % shape_[2] == 0; });
    }
    bool turn_alike(const VectorAxes& axes) const {
        return turns_.at_one_position(axes).most <= most_alike;
    }
    // [B, N, 1, d] without positions may be one token.
    bool is_one_token() const { return !ids_ && shape_.size() == 4 && shape_[2] == 1; }

    // The only candidate that `is_it`.
    template <class IsIt>
    std::optional<VectorAxes> only(const IsIt& is_it, const char* from,
                                   bool leave_a_doubt = false) const {
        std::optional<VectorAxes> left;
        for (const VectorAxes& one : found_) {
            if (!is_it(one)) continue;
            if (left) return std::nullopt;
            left = {one.sequence, one.batch, from, leave_a_doubt};
        }
        return left;
    }
    std::optional<VectorAxes> of_as_many_heads() const {
        return only([&](const VectorAxes& one) { return has_heads(one); }, of_config);
    }

    // Refuses [B, H, S, d] if [B, S, H, d] whose rotation runs along the heads is likelier.
    void require_possible_heads(const VectorAxes& axes) const {
        if (positions_ || axes.sequence != 2 || !has_too_many_heads(shape_)) return;
        const std::string rows = decimal(shape_[2]), heads = decimal(shape_[1]);
        refuse_shape(before_, "rotates as " + rows + " positions of " + heads +
                                  " heads, more than any model has; pass --axes bshd if it is " +
                                  heads + " positions of " + rows + " heads, --axes bhsd if not");
    }

    VectorAxes by_length() const {
        const VectorAxes& first = found_.front();
        // N vectors that rotate alike are N heads, or N rows at one position, which is a fault
        const bool may_be_heads = is_one_token() && first.sequence == 1 && !of_as_many_heads();
        const bool may_be_token =
            !ids_ && !asked_.spec && shape_.size() == 4 && shape_[1] == 1 && first.sequence == 2;
        if ((may_be_heads || may_be_token) && shape_[first.sequence] <= most_heads &&
            turn_alike({may_be_heads ? 2U : 1U, std::nullopt})) {
            const std::string count = decimal(shape_[first.sequence]);
            refuse_shape(before_, "may be one row of " + count + " heads or " + count +
                                      " rows of one; pass positions, or --axes bhsd or bshd");
        }
        // [1, heads, 1, d] is bhsd, as any batch of it would be
        VectorAxes last = found_.back();
        last.from = positions_ ? "the length of " + positions_->name : "the shape";
        return last;
    }

    // The candidate along whose heads vectors rotate alike, if they do not along the others; along
    // the batch, too, where all entries have the same positions.
    std::optional<VectorAxes> turning_alike() const {
        std::vector<std::pair<double, std::size_t>> turns;
        for (std::size_t k = 0; k < found_.size(); ++k) {
            VectorAxes axes = found_[k];
            if (ids_ && are_equal(*ids_)) axes.batch.reset();
            const Turns::Turn turn = turns_.at_one_position(axes);
            if (!turn.is_determined) return std::nullopt;
            turns.emplace_back(turn.most, k);
        }
        std::ranges::sort(turns);
        if (turns[0].first > most_alike || turns[1].first < 8 * turns[0].first ||
            turns[1].first == 0)
            return std::nullopt;
        VectorAxes axes = found_[turns[0].second];
        // vectors that do not rotate are alike along every axis
        if (turns_.at_one_position(axes, 3, true).most > most_alike) return std::nullopt;
        axes.from = "vectors at the same position rotate by the same angles";
        axes.leave_a_doubt = true;
        return axes;
    }

    // The letters of the orders whose sequence is one of the candidates, the longest one first.
    std::vector<std::string> longest_first() const {
        std::vector<std::string> letters;
        for (const AxisOrder& order : orders_)
            if (std::ranges::count(found_, order.letters.find('s'), &VectorAxes::sequence) > 0)
                letters.push_back(order.letters);
        std::ranges::stable_sort(letters, std::greater{},
                                 [&](const std::string& order) { return shape_[order.find('s')]; });
        return letters;
    }

    // The longest axis, if no row moved. Every axis is wrong then.
    std::optional<VectorAxes> not_rotated() const {
        const auto rows = std::views::iota(std::uint64_t{0}, before_.array.size() / shape_.back());
        if (std::ranges::any_of(rows, [&](std::uint64_t row) { return turns_.is_moved(row); }))
            return std::nullopt;
        const auto length = [&](const VectorAxes& one) { return shape_[one.sequence]; };
        const std::uint64_t longest = std::ranges::max(found_ | std::views::transform(length));
        return only([&](const VectorAxes& one) { return length(one) == longest; },
                    "the longest axis; no vector is rotated");
    }

    [[noreturn]] void refuse_lengths() const {
        if (!positions_) refuse_shape(before_, "has no axis for positions");
        const std::string own = positions_->name + ", shape " + shape_text(positions_->array.shape);
        if (ids_ && are_heads(2, 1) && ids_->sequences == shape_[1] && ids_->length == shape_[2])
            refuse_shape(before_,
                         "is a batch of one, but " + own +
                             ", is not one row; if its rows are axes, give --rope "
                             "axes=SCHEME,mrope_section=LIST, if they are a batch, --axes hbsd");
        refuse_shape(before_, "has no axis as long as " + own);
    }

    const NamedArray& before_;
    const Shape& shape_;
    Turns turns_;
    const std::optional<NamedArray>& positions_;
    const std::optional<PositionIds>& ids_;
    const DumpHints& asked_;
    std::uint64_t starts_;  // of as many batch entries, each at its own position
    std::vector<AxisOrder> orders_;
    std::vector<VectorAxes> found_;
};

// The axes that letters name: one letter an axis, d once and last, s once, b at most once, else h;
// no s and no b for the heads of one token.
VectorAxes named_axes(const NamedArray& vectors, const std::string& axes) {
    const auto times = [&](char letter) { return std::ranges::count(axes, letter); };
    const auto rank = static_cast<std::ptrdiff_t>(vectors.array.shape.size());
    const bool is_token = times('h') > 0 && times('s') + times('b') == 0;
    if (std::ssize(axes) != rank || (times('s') != 1 && !is_token) || times('d') != 1 ||
        !axes.ends_with('d') || times('b') > 1 || times('b') + times('h') + times('s') + 1 != rank)
        refuse_shape(vectors, "does not fit the axes '" + printable(axes) +
                                  "'; write one letter per axis: d last, one s (none for one "
                                  "token), b or h for the others");
    const std::size_t batch = axes.find('b');
    return {is_token ? no_sequence(vectors.array.shape) : axes.find('s'),
            batch == axes.npos ? std::nullopt : std::optional(batch), "--axes"};
}

// Places the rows of vectors on one axis of positions.
class Placing {
  public:
    Placing(const NamedArray& before, const NamedArray& after, const std::string& letters,
            const StatedPositions& stated, const DumpHints& asked)
        : before_(before),
          after_(after),
          shape_(before.array.shape),
          stated_(stated),
          asked_(asked) {
        if (!letters.empty()) named_ = named_axes(before, letters);
    }

    PlacedRows rows() const {
        std::optional<PositionIds> ids;
        if (stated_.ids) ids = position_ids(*stated_.ids);
        if (auto token = one_token(ids)) return *std::move(token);
        if (ids)
            if (auto placed = on_other_rows(*ids)) return *std::move(placed);
        if (ids && is_decode_step(*ids)) std::swap(ids->sequences, ids->length);
        const auto step = stated_.starts && !ids ? axes_of_step(shape_[0]) : std::nullopt;
        const VectorAxes axes = named_ ? *named_
                                : step
                                    ? *step
                                    : AxesFinder(before_, after_, stated_.ids, ids, asked_,
                                                 stated_.starts ? stated_.starts->array.size() : 1)
                                          .find();
        if (!ids) ids = counting_positions(shape_[axes.sequence]);
        const bool batch_fits = ids->sequences == 1 || (axes.batch && axes.batch != axes.sequence &&
                                                        shape_[*axes.batch] == ids->sequences);
        if (stated_.ids && (shape_[axes.sequence] != ids->length || !batch_fits))
            refuse(*stated_.ids);
        PlacedRows placed = at(axes, *ids);
        if (stated_.starts) start_at(placed, *stated_.starts);
        return placed;
    }

  private:
    [[noreturn]] void refuse(const NamedArray& positions) const {
        refuse_shape(before_, "does not fit " + positions.name + ", shape " +
                                  shape_text(positions.array.shape));
    }

    PlacedRows at(const VectorAxes& axes, const PositionIds& ids) const {
        PlacedRows placed{axes, std::vector<double>(before_.array.size() / shape_.back())};
        const RowAxis batch = row_axis(shape_, axes.batch),
                      sequence = row_axis(shape_, axes.sequence);
        for (std::uint64_t row = 0; row < placed.positions.size(); ++row)
            placed.positions[row] = ids.at(batch.of(row), sequence.of(row));
        return placed;
    }

    // The heads of one token, [heads, d] with any axes of length 1, next to its only position: as
    // --axes says, as many as in the config, or rows of two axes that rotate alike by an only id.
    std::optional<PlacedRows> one_token(const std::optional<PositionIds>& ids) const {
        const std::size_t axes = shape_.size() - 1;
        const std::uint64_t rows = before_.array.size() / shape_.back();
        const auto& given = ids ? stated_.ids : stated_.starts;
        const bool is_one = given && given->array.size() == 1;
        if (named_ && named_->sequence == no_sequence(shape_)) {
            if (!is_one)
                refuse_shape(before_,
                             "has no axis of positions by --axes; it needs one position, "
                             "such as --positions 17");
            return PlacedRows{*named_, std::vector<double>(rows, given->array.at(0))};
        }
        const bool is_of_config = std::ranges::count(asked_.heads, rows) > 0;
        if (named_ || axes == 0 || !is_one || !(is_of_config || (axes == 1 && ids)))
            return std::nullopt;
        const auto longest = static_cast<std::size_t>(
            std::max_element(shape_.begin(), shape_.end() - 1) - shape_.begin());
        if (shape_[longest] != rows) return std::nullopt;
        // [heads, 1, d] and its start are one token, unless the config has one head
        const bool is_step = !ids && axes > 1 && std::ranges::count(asked_.heads, 1) == 0;
        const auto turn = Turns(before_.array, after_.array).along(longest, 3, false);
        if (!is_step && (!turn || *turn > most_alike)) return std::nullopt;
        std::size_t sequence = axes;  // the last axis of length 1, the usual place
        while (sequence > 0 && shape_[sequence - 1] != 1) --sequence;
        return PlacedRows{{sequence > 0 ? sequence - 1 : no_sequence(shape_), std::nullopt,
                           is_of_config ? "as many heads as in the config, at one position"
                                        : "one position for all rows, which rotate alike"},
                          std::vector<double>(rows, given->array.at(0))};
    }

    // Whether ids are those of a decode step, one token of each batch entry: with named axes, or
    // [B, 1] or [B] for [B, heads, 1, head_dim], or [B, 1] for [B, 1, heads, head_dim]. Ids that
    // count up are those of one sequence.
    bool is_decode_step(const PositionIds& ids) const {
        if (ids.sequences != 1 || ids.length == 1) return false;
        if (named_)
            return shape_[named_->sequence] == 1 && named_->batch &&
                   shape_[*named_->batch] == ids.length;
        const bool ascends = std::ranges::adjacent_find(ids.values, [](double a, double b) {
                                 return b != a + 1;
                             }) == ids.values.end();
        const Shape& of_ids = stated_.ids->array.shape;
        if (shape_.size() != 4 || shape_[0] != ids.length || ascends) return false;
        return (shape_[2] == 1 && (of_ids.size() == 1 || of_ids.back() == 1)) ||
               (shape_[1] == 1 && of_ids.back() == 1);
    }

    // Whether ids are those of one token of each batch entry, [B, 1], while the vectors,
    // [B, heads, L, d], are all keys up to it.
    bool are_of_last_token() const {
        const Shape& ids = stated_.ids->array.shape;
        const std::uint64_t count = stated_.ids->array.size();
        const bool may_be_one_each = ids.size() < 2 || ids.back() == 1;
        if (named_)
            return shape_[named_->sequence] != 1 &&
                   (count == 1 ||
                    (may_be_one_each && named_->batch && count == shape_[*named_->batch]));
        return shape_.size() == 4 && count == shape_[0] && may_be_one_each && shape_[1] != 1 &&
               shape_[2] != 1;
    }

    // Ids for a sequence of another length: of its last rows if there are more ids, and where
    // there is only the id of the last row, ids that count up to it. Nothing if they are others.
    std::optional<PositionIds> ids_of_length(const PositionIds& ids, std::uint64_t length) const {
        if (ids.length == length) return ids;
        if (ids.length > length ? length != 1 && !stated_.is_derived
                                : ids.length != 1 && stated_.is_derived)
            return std::nullopt;
        PositionIds fitted{ids.sequences, length, {}};
        for (std::uint64_t sequence = 0; sequence < ids.sequences; ++sequence) {
            const double last = ids.at(sequence, ids.length - 1);
            const auto before = static_cast<double>(length - 1);
            if (ids.length < length && ids.length > 1 && last != before) return std::nullopt;
            for (std::uint64_t index = 0; index < length; ++index)
                fitted.values.push_back(ids.length > length
                                            ? ids.at(sequence, ids.length - length + index)
                                            : std::max(0.0, last - before) +
                                                  static_cast<double>(index));
        }
        return fitted;
    }

    // The axes of one row for each of several sequences, [B, heads, 1, head_dim] or
    // [B, 1, heads, head_dim], as far as the heads are those of the config, or a part of them
    // where each sequence has a start.
    std::optional<VectorAxes> axes_of_step(std::uint64_t sequences) const {
        if (sequences == 1 || shape_.size() != 4 || shape_[0] != sequences) return std::nullopt;
        const bool has_each = stated_.starts && stated_.starts->array.size() == sequences;
        const auto is_part = [&](std::uint64_t heads) {
            return asked_.heads.empty() || std::ranges::any_of(asked_.heads, [&](auto all) {
                       return has_each ? all % heads == 0 : all == heads;
                   });
        };
        for (const std::size_t sequence : {std::size_t{2}, std::size_t{1}})
            if (shape_[sequence] == 1 && is_part(shape_[3 - sequence]))
                return VectorAxes{sequence, 0, "one row for each sequence of the positions"};
        return std::nullopt;
    }

    // The axes that the vectors have without ids; nothing if these leave a choice.
    std::optional<VectorAxes> axes_without_ids(const PositionIds& ids) const try {
        if (named_) return named_;
        if (auto step = axes_of_step(ids.sequences)) return step;
        return AxesFinder(before_, after_, std::nullopt, std::nullopt, asked_).find();
    } catch (const InputError&) {
        return std::nullopt;
    }

    // The rows if there are not as many as ids.
    std::optional<PlacedRows> on_other_rows(PositionIds ids) const {
        const bool has_axis = named_ ? shape_[named_->sequence] == ids.length || is_decode_step(ids)
                                     : std::count(shape_.begin(), shape_.end() - 1, ids.length) > 0;
        const bool is_last = are_of_last_token();
        if (has_axis && !is_last) return std::nullopt;
        auto axes = axes_without_ids(ids);
        if (!axes) return std::nullopt;
        const std::uint64_t length = shape_[axes->sequence];
        const double least = *std::ranges::min_element(ids.values);
        const bool may_be_rows = has_axis && stated_.ids->array.shape.size() == 1;  // [L], not [B]
        if (may_be_rows && (length == ids.length || least + 1 < static_cast<double>(length)))
            return std::nullopt;
        if (is_last) ids = {ids.values.size(), 1, std::move(ids.values)};
        axes->batch = batch_of(shape_, *axes);
        const auto fitted = ids_of_length(ids, length);
        const bool batch_fits =
            ids.sequences == 1 || (axes->batch && shape_[*axes->batch] == ids.sequences);
        if (!fitted || !batch_fits) return std::nullopt;
        return at(*axes, *fitted);
    }

    // Adds a position that the file states, for all batch entries or for each.
    void start_at(PlacedRows& placed, const NamedArray& starts) const {
        const auto batch = batch_of(shape_, placed.axes);
        const std::uint64_t count = starts.array.size();
        if (count != 1 && (!batch || shape_[*batch] != count)) refuse(starts);
        for (std::size_t row = 0; row < placed.positions.size(); ++row)
            placed.positions[row] +=
                starts.array.at(count == 1 ? 0 : row_axis(shape_, batch).of(row));
    }

    const NamedArray &before_, &after_;
    const Shape& shape_;
    const StatedPositions& stated_;
    const DumpHints& asked_;
    std::optional<VectorAxes> named_;
};

}  // namespace

bool has_too_many_heads(const Shape& shape) {
    return shape.size() == 4 && shape[1] > most_heads && shape[2] > 1 && shape[2] <= most_heads;
}

std::vector<AxisOrder> axis_orders(const Shape& shape, const std::vector<std::uint64_t>& heads) {
    std::vector<AxisOrder> all, of_config;
    if (shape.size() < 3) return all;
    if (shape.size() == 3) {  // the last axis may hold fused heads
        all = {{"bsd"}, {"hsd"}, {"shd"}, {"sbd", shape[0] > shape[1]}};
    } else {  // [kv heads, q heads of each] are two axes
        const std::string own(shape.size() - 3, 'h');
        all = {{"b" + own + "sd"}, {"bs" + own + "d"}, {"sb" + own + "d", shape[0] > shape[1]}};
        if (std::ranges::count(heads, shape[1]) > 0 && shape.size() == 4)
            all.push_back({"shbd", shape[0] > shape[2]});
    }
    for (const AxisOrder& order : all) {
        std::uint64_t own = 1;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            if (order.letters[axis] == 'h') own *= shape[axis];
        if (std::ranges::count(heads, own) > 0) of_config.push_back(order);
    }
    return of_config.empty() ? all : of_config;
}

RowAxis row_axis(const Shape& shape, std::optional<std::size_t> axis) {
    if (!axis) return {};
    std::uint64_t stride = 1;
    for (std::size_t inner = *axis + 1; inner + 1 < shape.size(); ++inner) stride *= shape[inner];
    return {shape[*axis], stride};
}

std::optional<std::size_t> batch_of(const Shape& shape, const VectorAxes& axes) {
    const bool is_grouped = shape.size() == 5 && axes.sequence == 1;  // [B, S, kv heads, heads, d]
    if (axes.batch || axes.sequence == 0 || !(shape.size() == 4 || is_grouped)) return axes.batch;
    return 0;
}

bool rotate_alike(const Array& before, const Array& after) {
    const auto turn = Turns(before, after).along(0, 3, true);
    return turn && *turn <= most_alike;
}

PlacedRows placed_rows(const NamedArray& before, const NamedArray& after,
                       const std::string& letters, const StatedPositions& stated,
                       const DumpHints& asked) {
    return Placing(before, after, letters, stated, asked).rows();
}

}  // namespace rope::io
