// The ways to read vectors: each order of their axes with each way in which the file's ids may be
// those of the rows. Costs are bits, by which a way is unlikely.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/vectors.hpp"

namespace rope::io {
namespace {

constexpr double excluded = 8;  // only where nothing else fits

bool has_axis(const std::string& axes, char letter) { return axis_of(axes, letter).has_value(); }

bool are_of_entries(IdsAre ids_are) {
    return ids_are == IdsAre::of_last_row || ids_are == IdsAre::of_padded_row;
}

// How many batch entries have ids or starts.
std::uint64_t entries_of(const VectorWay& way) {
    const auto& starts = way.given->stated.starts;
    if (way.ids->empty()) return starts ? starts->array.size() : 1;
    const PositionIds& ids = way.ids->front();
    return are_of_entries(way.ids_are) ? ids.values.size() : ids.sequences;
}

// Whether rows of batch entries that are not padding have different ids.
bool differ(const PositionIds& ids, const std::optional<NamedArray>& kept) {
    if (!kept || kept->array.size() != ids.values.size()) return !are_equal(ids);
    for (std::uint64_t k = ids.length; k < ids.values.size(); ++k) {
        const std::uint64_t first = k % ids.length;
        if (kept->array.at(k) != 0 && kept->array.at(first) != 0 &&
            ids.values[k] != ids.values[first])
            return true;
    }
    return false;
}

// Whether batch entries have different positions, which no rotation by their number gives them.
bool have_own_positions(const VectorWay& way) {
    if (entries_of(way) == 1) return false;
    if (!way.ids->empty())
        return std::ranges::any_of(*way.ids, [&](const PositionIds& ids) {
            return ids.sequences == 1 || differ(ids, way.given->stated.kept);
        });
    const std::vector<double> starts = way.given->stated.starts->array.values();
    return std::ranges::count(starts, starts[0]) < std::ssize(starts);
}

class Ways {
  public:
    Ways(const Vectors& vectors, const NextTo& other, const DumpHints& asked)
        : vectors_(vectors), shape_(vectors.shape()), other_(other), asked_(asked) {
        orders_ = axis_orders(vectors);
        const bool is_alike =
            other.vectors != nullptr && other.vectors->shape().size() == shape_.size();
        if (is_alike) like_ = other.vectors;
    }

    void add(const GivenPositions& given) {
        const auto ids = std::make_shared<const std::vector<PositionIds>>(ids_of(given.stated));
        for (const std::string& axes : orders_)
            for (const IdsAre ids_are : {IdsAre::of_rows, IdsAre::of_last_row,
                                         IdsAre::of_padded_row, IdsAre::of_first_row}) {
                VectorWay way{&given, ids, ids_are, axes, counts_by(axes, shape_)};
                if (!fits(way)) continue;
                if (way.counts.rows > 1) way.sequence = axis_of(axes, 's');
                // an id for each of several rows or entries
                const bool have_own = have_own_positions(way);
                if (have_own) (way.sequence ? way.batch : way.sequence) = axis_of(axes, 'b');
                way.rows_before = rows_before(way);
                way.cost = given.cost + cost_of_order(way, have_own) + cost_of_ids(way) +
                           cost_of_one_row(way) + cost_next_to_other(way);
                add(std::move(way));
            }
    }

    std::vector<VectorWay> sorted() && {
        std::ranges::stable_sort(all_, {}, &VectorWay::cost);
        return std::move(all_);
    }

  private:
    // Of two ways that give every row the same position, the likelier one counts.
    void add(VectorWay way) {
        const auto same = std::ranges::find_if(all_, [&](const VectorWay& one) {
            return one.given == way.given && one.sequence == way.sequence &&
                   one.batch == way.batch &&
                   (one.ids_are == way.ids_are || one.counts.rows == 1 || way.counts.rows == 1);
        });
        if (same == all_.end())
            all_.push_back(std::move(way));
        else if (way.cost < same->cost)
            *same = std::move(way);
    }

    // The ids on each axis.
    std::vector<PositionIds> ids_of(const StatedPositions& stated) const {
        std::vector<PositionIds> all;
        if (!stated.ids) return all;
        if (stated.is_on_one_axis) return {position_ids(*stated.ids)};
        for (const NamedArray& one :
             positions_by_axis(*stated.ids, asked_, Shape(shape_.begin(), shape_.end() - 1)))
            all.push_back(position_ids(one));
        return all;
    }

    bool fits(const VectorWay& way) const {
        if (!way.ids->empty())
            return std::ranges::all_of(*way.ids,
                                       [&](const PositionIds& ids) { return fits(way, ids); });
        if (way.ids_are != IdsAre::of_rows) return false;
        const auto& starts = way.given->stated.starts;
        if (!starts) return has_axis(way.axes, 's');
        return starts->array.size() == 1 ||
               (has_axis(way.axes, 'b') && starts->array.size() == way.counts.entries);
    }

    bool fits(const VectorWay& way, const PositionIds& ids) const {
        const Shape& shape = way.given->stated.ids->array.shape;
        const std::uint64_t rows = way.counts.rows, count = ids.values.size();
        const bool has_batch = has_axis(way.axes, 'b'), is_derived = way.given->stated.is_derived;
        const bool fits_batch =
            ids.sequences == 1 || (has_batch && ids.sequences == way.counts.entries);
        const bool is_exact = ids.length == rows && fits_batch;
        const bool may_be_one_each = way.ids->size() > 1 || shape.size() < 2 || shape.back() == 1;
        const bool are_one_each =
            count == 1 || (has_batch && count == way.counts.entries && may_be_one_each);
        switch (way.ids_are) {
            case IdsAre::of_rows:
                return is_exact || (fits_batch && count > 1 && fits_other_rows(way, ids) &&
                                    !(rows == 1 && are_one_each));
            case IdsAre::of_last_row:
                return are_one_each && !(is_exact && count == 1) &&
                       (is_derived || reach_all_rows(way, ids));
            case IdsAre::of_padded_row: {
                const auto [least, most] = std::ranges::minmax(ids.values);
                return are_one_each && count > 1 && rows > 1 &&
                       most == static_cast<double>(rows) - 1 && least < most;
            }
            case IdsAre::of_first_row:
                return count == 1 && rows > 1 && !is_derived;
        }
        return false;
    }

    // Whether the ids of last rows leave a position for each row before them, or rows behind the
    // last one are 0. A cache next to q may have any unused rows there.
    bool reach_all_rows(const VectorWay& way, const PositionIds& ids) const {
        const double most = static_cast<double>(way.counts.rows) - 1;
        if ((asked_.are_keys && other_.vectors != nullptr) || std::ranges::min(ids.values) >= most)
            return true;
        const RowAxis batch = row_axis(shape_, axis_of(way.axes, 'b')),
                      sequence = row_axis(shape_, axis_of(way.axes, 's'));
        const std::uint64_t width = shape_.back();
        const Array& after = vectors_.after.array;
        for (std::uint64_t row = 0; row < after.size() / width; ++row) {
            const double last = ids.values[ids.values.size() == 1 ? 0 : batch.of(row)];
            if (static_cast<double>(sequence.of(row)) <= last) continue;
            for (std::uint64_t k = 0; k < width; ++k)
                if (after.at(row * width + k) != 0) return false;
        }
        return true;
    }

    // Whether rows are the last ones of more ids, or a cache whose last rows have ids.
    bool fits_other_rows(const VectorWay& way, const PositionIds& ids) const {
        const std::uint64_t rows = way.counts.rows;
        const bool is_derived = way.given->stated.is_derived;
        if (ids.length > rows)
            return is_derived || ids.length == rows_of_keys(way.axes) ||
                   (rows == 1 && ids.sequences == 1 && has_axis(way.axes, 's') &&
                    (way.counts.entries == 1 || has_axis_of_1()));
        if (ids.length == 1 || is_derived) return false;
        for (std::uint64_t entry = 0; entry < ids.sequences; ++entry)
            if (ids.at(entry, ids.length - 1) != static_cast<double>(rows) - 1) return false;
        return true;
    }

    // The rows of k in an order of its axes, if it is next to q.
    std::uint64_t rows_of_keys(const std::string& axes) const {
        return asked_.are_keys || like_ == nullptr ? 0 : counts_of_other(axes).rows;
    }
    // Requires vectors of as many axes. Those that were not read have these axes.
    AxisCounts counts_of_other(const std::string& axes) const {
        return counts_by(other_.read == nullptr ? axes : other_.read->axes, like_->shape());
    }

    // q without positions is the last rows of k.
    std::uint64_t rows_before(const VectorWay& way) const {
        const StatedPositions& stated = way.given->stated;
        const std::uint64_t keys = rows_of_keys(way.axes);
        const bool is_last = !stated.ids && !stated.starts && !stated.is_derived &&
                             !other_.is_cross_attention && keys > way.counts.rows;
        return is_last ? keys - way.counts.rows : 0;
    }

    // ---- costs ----

    double cost_of_order(const VectorWay& way, bool have_own) const {
        const StatedPositions& stated = way.given->stated;
        const bool is_behind = stated.starts && axis_of(way.axes, 'b') != 0;
        return io::cost_of_order(way.axes, shape_, asked_.heads, stated.ids || stated.starts,
                                 have_own) +
               (is_behind && have_own ? 1 : 0);
    }

    double cost_of_ids(const VectorWay& way) const {
        if (way.ids->empty()) return 0;
        const PositionIds& ids = way.ids->front();
        const Shape& shape = way.given->stated.ids->array.shape;
        const std::uint64_t rows = way.counts.rows, count = ids.values.size();
        const bool is_column = count > 1 && shape.size() > 1 && shape.back() == 1;  // [B, 1]
        const double of_several = rows == 1                          ? 0
                                  : has_axis_of_1()                  ? 3
                                  : shape_.size() == 2 && count == 1 ? 2
                                                                     : 0;
        const bool was_of_first = asked_.are_keys && other_.read != nullptr &&
                                  other_.read->ids_are == IdsAre::of_first_row;
        // [1, 1], or the length of one sequence, for several
        const double of_one = count == 1 && way.counts.entries > 1 && shape.size() > 1 ? 4 : 0;
        if (way.ids_are == IdsAre::of_first_row)
            return of_several + (shape.size() > 1 ? 5 : 0) +
                   (asked_.are_keys && !was_of_first ? 1 : 0);
        if (are_of_entries(way.ids_are))
            return of_several + of_one +
                   (count == 1 || is_column ? 0
                    // those of one sequence rather count up
                    : do_count_up(ids.values) ? 5
                                              : 2) +
                   (rows == 1 || asked_.are_keys   ? 0
                    : way.given->stated.is_derived ? 1
                    : count == 1                   ? 4
                                                   : 3) +
                   (way.ids_are == IdsAre::of_padded_row ? 1 : 0) + (was_of_first ? excluded : 0);
        if (ids.length > rows && ids.length != rows_of_keys(way.axes))
            return rows == 1 ? 7 : std::ranges::count(shape_, ids.length) > 0 ? 5 : 1;
        return of_one + (ids.length != rows ? 1 : is_column && rows > 1 ? 2 : 0);
    }

    // Whether an axis behind the batch is of length 1: rather the sequence than one of several
    // rows.
    bool has_axis_of_1() const {
        const bool has_batch = shape_.size() > 3 || vectors_.are_fused;
        return shape_.size() > 2 &&
               std::count(shape_.begin() + (has_batch ? 1 : 0), shape_.end() - 1, 1) > 0;
    }

    bool are_of_config(std::uint64_t heads) const {
        return std::ranges::count(asked_.heads, heads) > 0;
    }

    // One row that no ids say: the heads of a token, or rather rows on the axis of the heads.
    double cost_of_one_row(const VectorWay& way) const {
        const StatedPositions& stated = way.given->stated;
        // a decode batch at one position, or rows from there on that do not advance
        const bool is_batch_at_one = way.axes == "bhd" && entries_of(way) == 1;
        if (is_batch_at_one) return 5;
        if (stated.ids) return 0;
        const bool are_exact = are_of_config(way.counts.heads);
        if (way.counts.rows > 1)
            return stated.starts && !are_exact && may_be_heads_of_config() ? 2 : 0;
        if (stated.starts)
            return are_exact || stated.starts->array.size() > 1 ? 0
                   : way.counts.entries > 1                     ? 1
                   : shape_.size() == 2                         ? 6
                                                                : 4;
        if (like_ != nullptr) {
            const auto [entries, heads, rows] = counts_of_other(way.axes);
            if (asked_.are_keys ? rows == 1 : rows > 1 || entries * heads == 1) return 0;
        }
        return are_exact ? 1 : 4;
    }
    bool may_be_heads_of_config() const {
        return has_axis_of_1() && std::ranges::any_of(orders_, [&](const std::string& axes) {
                   const AxisCounts counts = counts_by(axes, shape_);
                   return counts.rows == 1 && are_of_config(counts.heads);
               });
    }

    // q and k have one batch, k at most as many heads, and q at most as many rows.
    double cost_next_to_other(const VectorWay& way) const {
        double cost = 0;
        if (like_ != nullptr) {
            const AxisCounts other = counts_of_other(way.axes);
            const AxisCounts &q = asked_.are_keys ? other : way.counts,
                             &k = asked_.are_keys ? way.counts : other;
            if (q.entries != k.entries) cost += 12;
            if (k.heads > q.heads) cost += 5;
            if (q.rows > k.rows) cost += 5;
            // as many rows as heads: k may be rotated along its heads
            const bool is_open = asked_.are_keys && other_.is_right() && k.rows == k.heads;
            if (other_.read != nullptr && other_.read->axes != way.axes) cost += is_open ? 5 : 1;
        }
        if (!asked_.are_keys || other_.read == nullptr) return cost;
        // k next to a start is the whole cache if it is longer than q
        const bool is_longer =
            way.counts.rows > counts_by(other_.read->axes, other_.vectors->shape()).rows;
        if (way.given->stated.starts && is_longer) cost += excluded;
        if (way.given->is_whole_cache)
            cost += (is_longer ? 0 : excluded) + (has_axis_of_1() ? 3 : 0);
        return cost;
    }

    const Vectors& vectors_;
    const Shape& shape_;
    const NextTo& other_;
    const DumpHints& asked_;
    const Vectors* like_ = nullptr;  // the other vectors, if they have as many axes
    std::vector<std::string> orders_;
    std::vector<VectorWay> all_;
};

// The ids of rows on one axis.
PositionIds ids_of_rows(const VectorWay& way, const PositionIds& ids) {
    const bool are_one_each = are_of_entries(way.ids_are);
    const std::uint64_t rows = way.counts.rows,
                        entries = are_one_each ? ids.values.size() : ids.sequences;
    const double most = static_cast<double>(rows) - 1;
    PositionIds all{entries, rows, {}};
    for (std::uint64_t entry = 0; entry < entries; ++entry) {
        const double last = are_one_each ? ids.values[entry] : ids.at(entry, ids.length - 1);
        for (std::uint64_t row = 0; row < rows; ++row) {
            const auto index = static_cast<double>(row);
            double id = index;  // of a cache
            if (way.ids_are == IdsAre::of_first_row)
                id = last + index;
            else if (way.ids_are == IdsAre::of_last_row)
                id = std::max(0.0, last - most) + index;
            else if (way.ids_are == IdsAre::of_padded_row)
                id = std::max(0.0, last - most + index);
            else if (ids.length >= rows)
                id = ids.at(entry, ids.length - rows + row);
            all.values.push_back(id);
        }
    }
    return all;
}

// Row numbers from a start on, or behind the first rows of k.
PositionIds counted_ids(const VectorWay& way) {
    const auto& starts = way.given->stated.starts;
    PositionIds all{starts ? starts->array.size() : 1, way.counts.rows, {}};
    for (std::uint64_t entry = 0; entry < all.sequences; ++entry)
        for (std::uint64_t row = 0; row < way.counts.rows; ++row)
            all.values.push_back(static_cast<double>(row + way.rows_before) +
                                 (starts ? starts->array.at(entry) : 0));
    return all;
}

// 0 for each row before the position 0 of its batch entry.
NamedArray kept_behind_padding(const VectorWay& way) {
    const std::vector<double>& last = way.ids->front().values;
    const std::uint64_t rows = way.counts.rows;
    std::vector<double> kept;
    for (const double id : last)
        for (std::uint64_t row = 1; row <= rows; ++row)
            kept.push_back(id + static_cast<double>(row) >= static_cast<double>(rows) ? 1 : 0);
    return made(*way.given->stated.ids, {last.size(), rows}, std::move(kept));
}

// The number of each row: of the last ones of each sequence, or of the only sequence.
std::vector<double> in_rows(const Vectors& vectors, const std::string& axes,
                            const PositionIds& numbers) {
    const Shape& shape = vectors.shape();
    const RowAxis batch = row_axis(shape, axis_of(axes, 'b')),
                  sequence = row_axis(shape, axis_of(axes, 's'));
    std::vector<double> all(vectors.before.array.size() / shape.back());
    for (std::uint64_t row = 0; row < all.size(); ++row)
        all[row] = numbers.at(batch.of(row), numbers.length - sequence.length + sequence.of(row));
    return all;
}

}  // namespace

std::vector<VectorWay> ways_to_read(const Vectors& vectors,
                                    const std::vector<GivenPositions>& given, const NextTo& other,
                                    const DumpHints& asked) {
    Ways ways(vectors, other, asked);
    for (const GivenPositions& one : given) ways.add(one);
    return std::move(ways).sorted();
}

RotatedDump rows_in(const Vectors& vectors, const VectorWay& way) {
    RotatedDump dump = rows_of(vectors, way.axes);
    const auto place = [&](const PositionIds& ids) { return in_rows(vectors, way.axes, ids); };
    const StatedPositions& stated = way.given->stated;
    dump.positions =
        place(way.ids->empty() ? counted_ids(way) : ids_of_rows(way, way.ids->front()));
    for (std::size_t axis = 1; axis < way.ids->size(); ++axis)
        dump.more_positions.push_back(place(ids_of_rows(way, (*way.ids)[axis])));
    Assumption read = positions_read(dump.positions, dump.more_positions,
                                     stated.starts ? stated.starts : stated.ids);
    if (way.rows_before > 0) read.from = std::string(last_rows_of_k);
    if (way.ids_are == IdsAre::of_first_row)
        read.from = stated.ids->name + ", which is the first position";
    if (stated.is_derived) read.from = stated.from;
    read.are_row_numbers =
        read.are_row_numbers || stated.are_of_text || (stated.is_derived && stated.counts_padding);
    dump.read_as.insert(dump.read_as.begin() + 2, std::move(read));
    const auto kept = way.ids_are == IdsAre::of_padded_row ? kept_behind_padding(way) : stated.kept;
    if (!kept) return dump;
    const PositionIds of = position_ids(*kept);
    if (of.length >= way.counts.rows && (of.sequences == 1 || of.sequences == way.counts.entries))
        leave_out(dump, vectors, place(of), kept->name);
    return dump;
}

}  // namespace rope::io
