// The ways to read vectors: the positions of their rows, and the order of their axes.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/dump/shape.hpp"

namespace rope::io {
namespace {

// The order of axes in which q has one row where k has more, as in a decode step, or where k is one
// row.
std::optional<std::string> order_of_step(const Shape& q, const Shape& k,
                                         const std::vector<std::uint64_t>& heads) {
    if (q.size() != k.size() || q.empty()) return std::nullopt;
    if (q.size() == 2 && q[0] == 1 && k[0] > 1) return "sd";
    const bool is_one_key = std::count(k.begin(), k.end() - 1, 1) + 1 == std::ssize(k);
    for (const AxisOrder& order : axis_orders(q, heads))
        if (const std::size_t sequence = order.letters.find('s');
            q[sequence] == 1 && (k[sequence] > 1 || is_one_key))
            return order.letters;
    return std::nullopt;
}

class AxisChoices {
  public:
    AxisChoices(const VectorsToRead& vectors, const DumpHints& asked)
        : vectors_(vectors),
          found_(vectors.found),
          asked_(asked),
          shape_(vectors.before.array.shape),
          after_shape_(vectors.after.array.shape) {}

    // Choices by the axes that shapes and values suggest, then, with a config, by every likely
    // order of axes. Where positions leave no choice, the latter matter only if nothing else fits.
    std::vector<AxisChoice> with(std::vector<AxisChoice> all) const {
        if (shape_.empty() || after_shape_.empty()) return all;  // numbers are refused later
        if (found_.starts && shape_.size() > 3)                  // starts of batch entries, not ids
            std::erase_if(all, [](const AxisChoice& one) { return one.positions.ids; });
        const auto first = first_id();
        if (first && !first->axes.empty()) return {*first};
        // ids of a step, and of the cache
        if (all.size() > 1 && (!found_.is_derived || all[1].positions.is_of_keys)) {
            const std::uint64_t length = all[1].positions.ids->array.shape.back();
            const bool is_cache = asked_.are_keys && std::ranges::count(shape_, length) > 0;
            all = {all[is_cache ? 1 : 0]};
        }
        if (asked_.axes.empty() && asked_.are_keys)
            if (auto order = order_of_q())
                all.insert(all.begin(),
                           {all.front().positions, *std::move(order), false, false, "those of q"});
        if (vectors_.order_of_keys && !asked_.are_keys &&
            vectors_.order_of_keys->size() == shape_.size())
            all.insert(all.begin(),
                       {all.front().positions, *vectors_.order_of_keys, true, false, "those of k"});
        if (asked_.axes.empty() && !asked_.are_keys && !found_.ids)
            if (auto order = order_of_step(after_shape_, vectors_.keys, asked_.heads))
                all.insert(all.begin(),
                           {found_, *std::move(order), false, false, "one row where k has more"});
        if (asked_.axes.empty() && !asked_.are_keys)
            if (auto last = last_rows_of_ids()) all.insert(all.begin(), *std::move(last));
        const std::uint64_t axes = asked_.spec ? axis_count(asked_.spec->axes) : 1;
        if (axes > 1 && found_.ids)
            if (auto text = text_of_a_batch(found_, axes)) {
                // [1, A] next to A rows are rarely the ids of one row
                const bool is_likely = found_.ids->array.shape[0] == 1 &&
                                       std::count(shape_.begin(), shape_.end() - 1, axes) > 0;
                all.insert(is_likely ? all.begin() : all.end(), {*std::move(text), {}, !is_likely});
            }
        if (asked_.axes.empty() && asked_.follows) {
            const std::vector<AxisChoice> others = in_orders_of(all);
            all.insert(all.end(), others.begin(), others.end());
        }
        if (asked_.are_keys && (found_.starts || is_longer_than_ids())) {
            StatedPositions whole;
            whole.from = "row numbers of the cache";
            whole.is_derived = true;
            if (found_.ids) all.push_back({whole, {}, false, true});
            if (asked_.axes.empty() && asked_.follows)
                for (const AxisOrder& order : axis_orders(after_shape_, asked_.heads))
                    if (is_longer_than_q(order)) all.push_back({whole, order.letters, true});
        }
        // [B, heads, 1, d], [B, 1, heads, d] and [1, heads, d] are one token at that position
        const bool has_batch = shape_.size() > 3 || has_fused_heads();
        const bool has_rows =
            shape_.size() > 2 && std::count(shape_.begin() + has_batch, shape_.end(), 1) == 0;
        if (first && !asked_.are_keys && has_rows)
            all.insert(all.begin(), {first->positions});
        else if (first)
            all.push_back(*first);
        return all;
    }

  private:
    // Whether no axis is as long as the ids of one sequence, and one is longer and has a row for
    // each id: rows of a cache, of which some may be unused.
    bool is_longer_than_ids() const {
        if (!found_.ids || found_.ids->array.shape.empty()) return false;
        const std::uint64_t length = found_.ids->array.shape.back();
        const auto last = shape_.end() - 1;
        const std::uint64_t rows = *std::max_element(shape_.begin(), last);
        return length == found_.ids->array.size() &&
               std::count(shape_.begin(), last, length) == 0 && rows > length &&
               std::ranges::max(found_.ids->array.values()) < static_cast<double>(rows);
    }

    // Whether the last axis is wider than a head of the config.
    bool has_fused_heads() const { return asked_.spec && shape_.back() > asked_.spec->head_dim; }

    bool is_longer_than_q(const AxisOrder& order) const {
        const RotatedDump* const q = vectors_.q;
        return found_.ids ||
               (q != nullptr && after_shape_[order.letters.find('s')] > q->grid.sequence.length);
    }

    // The order of q's axes for k, which may be a whole cache next to q of a step.
    std::optional<std::string> order_of_q() const {
        const RotatedDump* const q = vectors_.q;
        if (q == nullptr) return std::nullopt;
        const auto read = std::ranges::find(q->read_as, "axes", &Assumption::what);
        if (read == q->read_as.end() || read->value.size() != shape_.size()) return std::nullopt;
        const std::size_t sequence = read->value.find('s'), batch = read->value.find('b');
        if (sequence == read->value.npos || shape_[sequence] < q->grid.sequence.length ||
            (batch != read->value.npos && shape_[batch] != q->grid.batch.length))
            return std::nullopt;
        std::uint64_t heads = 1;  // k has at most as many as q
        for (std::size_t axis = 0; axis < shape_.size(); ++axis)
            if (read->value[axis] == 'h') heads *= shape_[axis];
        if (heads > q->grid.head.length) return std::nullopt;
        return read->value;
    }

    // One id for several rows of q is their first (ONNX Runtime), if they rotate so; and then that
    // of as many rows of k.
    std::optional<AxisChoice> first_id() const {
        const bool is_one = found_.ids && found_.ids->array.shape == std::vector<std::uint64_t>{1};
        if (!is_one || !asked_.follows) return std::nullopt;
        StatedPositions start;
        start.starts = found_.ids;
        start.from = found_.ids->name + ", which is the first position";
        start.is_derived = true;
        const RotatedDump* const q = vectors_.q;
        const auto order = order_of_q();
        if (!asked_.are_keys || q == nullptr || !order) return AxisChoice{start, {}, true};
        const bool has_as_many_rows = shape_[order->find('s')] == q->grid.sequence.length;
        const bool is_first_of_q = std::ranges::min(q->positions) == found_.ids->array.at(0);
        if (!has_as_many_rows || !is_first_of_q) return std::nullopt;
        return AxisChoice{start, *order, false, false, "those of q"};
    }

    // q as the last rows of k, if the positions are as many as k's rows and q has no such axis.
    std::optional<AxisChoice> last_rows_of_ids() const {
        const Shape& q = shape_;
        if (!found_.ids || found_.is_derived || found_.ids->array.shape.empty() ||
            q.size() != vectors_.keys.size())
            return std::nullopt;
        const std::uint64_t length = found_.ids->array.size();
        if (found_.ids->array.shape.back() != length || std::ranges::count(q, length) > 0 ||
            std::ranges::count(vectors_.keys, length) != 1)
            return std::nullopt;
        for (const AxisOrder& order : axis_orders(q, asked_.heads))
            if (const std::size_t sequence = order.letters.find('s');
                vectors_.keys[sequence] == length && q[sequence] < length)
                return AxisChoice{last_of(found_, q[sequence]), order.letters, false, false,
                                  "the axis on which k has its rows"};
        return std::nullopt;
    }

    // The orders of axes in which vectors may be at these positions: those that have the config's
    // heads, or others if only these have as many entries and rows as the ids, or as many entries
    // as starts. These also tell [S, B, heads, d] from [B, S, heads, d].
    std::vector<AxisOrder> orders_at(const StatedPositions& positions) const {
        const Shape& shape = after_shape_;
        std::vector<AxisOrder> orders = axis_orders(shape, asked_.heads);
        Shape of;  // entries, rows
        if (positions.ids && positions.ids->array.shape.size() == 2)
            of = positions.ids->array.shape;
        else if (positions.starts && positions.starts->array.size() > 1 && shape.size() > 3)
            of = {positions.starts->array.size()};
        if (of.empty()) return orders;
        const auto fits = [&](const AxisOrder& order) {
            const std::size_t batch = order.letters.find('b'), sequence = order.letters.find('s');
            return (batch == std::string::npos || shape[batch] == of[0]) &&
                   (of.size() == 1 || of[1] == 1 || shape[sequence] == of[1]);  // 1: the last token
        };
        if (std::ranges::none_of(orders, fits)) {
            std::vector<AxisOrder> others = axis_orders(shape, {});
            std::erase_if(others, std::not_fn(fits));
            if (!others.empty()) orders = std::move(others);
        }
        const bool is_of_entries = of.size() == 1 || of[1] == 1;
        // a rotation by the number of the batch entry does not give entries their own ids
        const bool have_own_ids = !is_of_entries && !are_equal(position_ids(*positions.ids));
        for (AxisOrder& order : orders)
            order.is_usual = order.is_usual || (have_own_ids && fits(order)) ||
                             (is_of_entries && of[0] > 1 && shape[0] != of[0] && fits(order));
        return orders;
    }

    std::vector<AxisChoice> in_orders_of(const std::vector<AxisChoice>& all) const {
        // ids of one sequence may lie along several axes, or have an id for each batch entry
        const auto are_on_several = [&] {
            const Shape& ids = found_.ids->array.shape;
            return !ids.empty() && ids.back() == found_.ids->array.size() &&
                   std::count(shape_.begin(), shape_.end() - 1, ids.back()) > 1;
        };
        const bool leave_a_choice = !found_.ids || found_.is_derived || are_on_several() ||
                                    (asked_.are_keys && found_.ids->array.size() <= shape_.front());
        std::vector<AxisChoice> in_orders;
        for (const AxisChoice& one : all)
            for (const AxisOrder& order : orders_at(one.positions))
                if (order.is_usual && !one.is_last_resort && one.axes.empty() &&
                    !(order.letters == "bhsd" && !found_.ids && asked_.heads.empty() &&
                      has_too_many_heads(shape_)))
                    in_orders.push_back({one.positions, order.letters, true, !leave_a_choice});
        return in_orders;
    }

    const VectorsToRead& vectors_;
    const StatedPositions& found_;
    const DumpHints& asked_;
    const Shape &shape_, &after_shape_;
};

}  // namespace

std::vector<AxisChoice> choices_of_axes(std::vector<AxisChoice> by_positions,
                                        const VectorsToRead& vectors, const DumpHints& asked) {
    return AxisChoices(vectors, asked).with(std::move(by_positions));
}

}  // namespace rope::io
