// Reads vectors in the likeliest of the ways in which axes may be ordered and rows have positions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/vectors.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

// Bits. A way whose rows follow the config is right if it costs no more than `likely` more than the
// likeliest; below `unlikely` the user decides; beyond that the likeliest way is wrong.
constexpr double likely = 4, unlikely = 8, most_tried = 14;
constexpr double of_alike = 5;   // heads that rotate alike
constexpr double of_unlike = 2;  // rows that do not, where nothing must
constexpr double lead = 2;       // without which the user decides

constexpr double most_alike = 0x1p-8;  // bfloat16 moves an angle so far

// A way to read vectors.
struct Candidate {
    const PositionsWay* way;
    const std::vector<PositionIds>* ids;  // on each axis; empty: row numbers
    IdsAre ids_are;
    std::string axes;
    AxisCounts counts;
    std::optional<std::size_t> sequence, batch;  // the axes on which positions differ
    double cost = 0;

    bool places_as(const Candidate& other) const {
        return way == other.way && sequence == other.sequence && batch == other.batch &&
               (ids_are == other.ids_are || counts.rows == 1 || other.counts.rows == 1);
    }
};

// Whether every vector is as one at position 0, where cos is 1 or the attention factor and sin is
// 0.
bool are_at_position_0(const Array& before, const Array& after, const DumpHints& asked) {
    constexpr double rounding = 0x1p-7;  // of bfloat16 numbers that are rounded twice
    const std::uint64_t width = before.shape.back();
    if (!asked.spec || width != asked.spec->head_dim) return before.values() == after.values();
    const Spec& spec = *asked.spec;
    const double factor = plan_frequencies(spec, exact_precision).attention_factor;
    const Vector one(spec.pairs(), 1), scaled(spec.pairs(), factor), zero(spec.pairs(), 0);
    Vector x(width);
    for (std::uint64_t first = 0; first < before.size(); first += width) {
        for (std::uint64_t k = 0; k < width; ++k) x[k] = before.at(first + k);
        const Vector plain = rotate(spec, x, one, zero), wanted = rotate(spec, x, scaled, zero);
        for (std::uint64_t k = 0; k < width; ++k) {
            const double y = after.at(first + k);
            if (y != plain[k] && !(std::abs(y - wanted[k]) <= rounding * std::abs(wanted[k])))
                return false;
        }
    }
    return true;
}

bool are_at_0(const RotatedDump& dump) {
    return DumpedRows(dump).are_all([](double m) { return m == 0; });
}

class Reader {
  public:
    Reader(const Vectors& vectors, const std::vector<PositionsWay>& ways, const NextTo& other,
           const DumpHints& asked)
        : vectors_(vectors),
          shape_(vectors.shape()),
          ways_(ways),
          other_(other),
          asked_(asked),
          orders_(axis_orders(vectors)),
          turns_(vectors) {
        for (const PositionsWay& way : ways_) ids_.push_back(ids_on_axes(way.stated));
        for (std::size_t k = 0; k < ways_.size(); ++k) add_candidates(k);
        std::ranges::stable_sort(all_, {}, &Candidate::cost);
    }

    ReadVectors read() const {
        if (all_.empty()) refuse_lengths();
        const bool is_only = all_.size() == 1;
        const Candidate* right = is_only || !asked_.follows ? nullptr : first_right();
        if (right != nullptr && is_likely(*right))
            return with_doubt(as_read(*right, reason_of(*right), true), *right, nullptr);
        if (right != nullptr && right_is_at_0_ && right->cost < least() + unlikely)
            refuse_open(*right, *rival_of(*right));
        const Likeliest found = likeliest_or_right(right);
        const Candidate& way = *found.candidate;
        if (right != nullptr && way.axes != right->axes && right->cost < least() + unlikely)
            refuse_open(*right, way);
        ReadVectors read = as_read(way, found.from, is_only);
        if (right == nullptr || way.axes == right->axes)
            return with_doubt(std::move(read), way, found.alike);
        add_other(read.dump,
                  vectors_.before.name + " is read as " + way.axes + "; as " + right->axes +
                      " it rotates as the config says",
                  *right);
        return read;
    }

  private:
    double least() const { return all_.front().cost; }

    std::vector<PositionIds> ids_on_axes(const StatedPositions& stated) const {
        std::vector<PositionIds> all;
        if (!stated.ids) return all;
        // counted ids [B, L] are those of a batch, never on B axes
        const bool are_counted =
            stated.is_derived && stated.kept && stated.ids->array.shape.size() <= 2;
        if (are_counted) return {position_ids(*stated.ids)};
        for (const NamedArray& one :
             positions_by_axis(*stated.ids, asked_, Shape(shape_.begin(), shape_.end() - 1)))
            all.push_back(position_ids(one));
        return all;
    }

    void add_candidates(std::size_t k) {
        for (const std::string& axes : orders_)
            for (const IdsAre ids_are : {IdsAre::of_rows, IdsAre::of_last_row,
                                         IdsAre::of_padded_row, IdsAre::of_first_row}) {
                Candidate one{&ways_[k], &ids_[k], ids_are, axes, counts_by(axes, shape_), {}, {}};
                if (!fits(one)) continue;
                if (one.counts.rows > 1) one.sequence = axis_of(axes, 's');
                // an id for each of several rows or entries
                if (entries_of(one) > 1)
                    (one.sequence ? one.batch : one.sequence) = axis_of(axes, 'b');
                one.cost = cost_of(one);
                add(std::move(one));
            }
    }

    void add(Candidate one) {
        for (Candidate& other : all_)
            if (one.places_as(other)) {
                if (one.cost < other.cost) other = std::move(one);
                return;
            }
        all_.push_back(std::move(one));
    }

    // How many batch entries have ids or starts.
    static std::uint64_t entries_of(const Candidate& one) {
        const auto& starts = one.way->stated.starts;
        if (one.ids->empty()) return starts ? starts->array.size() : 1;
        const PositionIds& ids = one.ids->front();
        const bool are_rows = one.ids_are == IdsAre::of_rows || one.ids_are == IdsAre::of_first_row;
        return are_rows ? ids.sequences : ids.values.size();
    }

    bool fits(const Candidate& one) const {
        const bool has_batch = one.axes.find('b') != one.axes.npos;
        if (!one.ids->empty())
            return std::ranges::all_of(
                *one.ids, [&](const PositionIds& ids) { return fits(one, ids, has_batch); });
        const auto& starts = one.way->stated.starts;
        if (one.ids_are != IdsAre::of_rows) return false;
        if (!starts) return axis_of(one.axes, 's').has_value();
        return starts->array.size() == 1 ||
               (has_batch && starts->array.size() == one.counts.entries);
    }

    bool fits(const Candidate& one, const PositionIds& ids, bool has_batch) const {
        const StatedPositions& stated = one.way->stated;
        const std::uint64_t rows = one.counts.rows, count = ids.values.size();
        const bool fits_batch =
            ids.sequences == 1 || (has_batch && ids.sequences == one.counts.entries);
        const bool is_exact = ids.length == rows && fits_batch;
        const Shape& shape = stated.ids->array.shape;
        const bool may_be_one_each = one.ids->size() > 1 || shape.size() < 2 || shape.back() == 1;
        const bool are_one_each =
            count == 1 || (has_batch && count == one.counts.entries && may_be_one_each);
        const auto last_ids = [&](const auto& is_it) {
            for (std::uint64_t k = 0; k < ids.sequences; ++k)
                if (!is_it(ids.at(k, ids.length - 1))) return false;
            return true;
        };
        const auto before = static_cast<double>(rows) - 1;
        switch (one.ids_are) {
            case IdsAre::of_rows:
                if (is_exact) return true;
                if (!fits_batch || count == 1) return false;
                if (ids.length > rows)
                    return stated.is_derived || ids.length == rows_of_keys(one.axes) ||
                           (rows == 1 && ids.sequences == 1 && !are_one_each &&
                            axis_of(one.axes, 's'));
                return ids.length > 1 && !stated.is_derived &&
                       last_ids([&](double last) { return last == before; });
            case IdsAre::of_last_row:
                return are_one_each && !(is_exact && count == 1);
            case IdsAre::of_padded_row:
                return are_one_each && count > 1 && rows > 1 &&
                       *std::ranges::max_element(ids.values) == before &&
                       *std::ranges::min_element(ids.values) < before;
            case IdsAre::of_first_row:
                return count == 1 && rows > 1 && shape.size() == 1;
        }
        return false;
    }

    // The rows of k in an order of its axes, if it is next to q.
    std::uint64_t rows_of_keys(const std::string& axes) const {
        return asked_.are_keys || !is_like_other() ? 0 : counts_of_other(axes).rows;
    }
    bool is_like_other() const {
        return other_.vectors != nullptr && other_.vectors->shape().size() == shape_.size();
    }
    AxisCounts counts_of_other(const std::string& axes) const {
        return counts_by(other_.axes.empty() ? axes : other_.axes, other_.vectors->shape());
    }

    double cost_of(const Candidate& one) const {
        const StatedPositions& stated = one.way->stated;
        const bool is_behind = stated.starts && axis_of(one.axes, 'b') != 0;
        return one.way->cost + (is_behind && have_own_positions(one) ? 1 : 0) +
               cost_of_order(one.axes, shape_, asked_.heads, stated.ids || stated.starts,
                             have_own_positions(one)) +
               cost_of_ids(one) + cost_of_token(one) + cost_next_to_other(one);
    }

    // Whether batch entries have different positions, which no rotation by their number gives them.
    static bool have_own_positions(const Candidate& one) {
        if (entries_of(one) == 1) return false;
        if (!one.ids->empty())
            return std::ranges::any_of(*one.ids, [](const PositionIds& ids) {
                return ids.sequences == 1 || !are_equal(ids);
            });
        const std::vector<double> starts = one.way->stated.starts->array.values();
        return std::ranges::count(starts, starts[0]) < std::ssize(starts);
    }

    // An axis but the batch is of length 1: that of the sequence, rather than one of several rows.
    bool may_be_token() const {
        const std::size_t first = shape_.size() > 3 || vectors_.are_fused ? 1 : 0;
        return shape_.size() > 2 && std::count(shape_.begin() + static_cast<std::ptrdiff_t>(first),
                                               shape_.end() - 1, 1) > 0;
    }

    double cost_of_ids(const Candidate& one) const {
        if (one.ids->empty()) return 0;
        const PositionIds& ids = one.ids->front();
        const Shape& shape = one.way->stated.ids->array.shape;
        const std::uint64_t rows = one.counts.rows, count = ids.values.size();
        const bool are_of_entries = shape.size() > 1 && shape.back() == 1 && count > 1;
        const double of_several = rows == 1                          ? 0  // rows of one number
                                  : may_be_token()                   ? 3
                                  : shape_.size() == 2 && count == 1 ? 2
                                                                     : 0;
        switch (one.ids_are) {
            case IdsAre::of_rows:
                if (ids.length > rows && ids.length != rows_of_keys(one.axes))  // the last ones
                    return rows == 1 ? 7 : std::ranges::count(shape_, ids.length) > 0 ? 5 : 1;
                if (ids.length != rows) return 1;
                return are_of_entries && rows > 1 ? 2 : 0;
            case IdsAre::of_padded_row:
            case IdsAre::of_last_row: {
                const double unlikely_shape = count == 1 || are_of_entries ? 0 : 2;
                const double of_many = rows == 1 || asked_.are_keys ? 0 : count == 1 ? 4 : 3;
                return unlikely_shape + of_many + of_several +
                       (one.ids_are == IdsAre::of_padded_row ? 1 : 0) +
                       (was_from_first() ? unlikely : 0);
            }
            case IdsAre::of_first_row:
                return of_several + (asked_.are_keys && !was_from_first() ? 1 : 0);
        }
        return 0;
    }
    // Whether q's only id was that of its first row.
    bool was_from_first() const {
        return asked_.are_keys && other_.ids_are == IdsAre::of_first_row;
    }

    // One row is rather a sequence where the file says so.
    double cost_of_token(const Candidate& one) const {
        const StatedPositions& stated = one.way->stated;
        const bool is_exact =
            !asked_.heads.empty() && std::ranges::count(asked_.heads, one.counts.heads) > 0;
        if (stated.ids) return 0;
        if (one.counts.rows > 1) return stated.starts && may_be_token() && token_is_exact() ? 2 : 0;
        if (stated.starts)
            return is_exact || stated.starts->array.size() > 1 ? 0
                   : one.counts.entries > 1                    ? 1
                   : shape_.size() == 2                        ? 6
                                                               : 4;
        if (is_like_other()) {
            const auto [entries, heads, rows] = counts_of_other(one.axes);
            if (asked_.are_keys ? rows == 1 : rows > 1 || entries * heads == 1) return 0;
        }
        return is_exact ? 1 : 4;
    }
    bool token_is_exact() const {
        return std::ranges::any_of(orders_, [&](const std::string& axes) {
            const AxisCounts counts = counts_by(axes, shape_);
            return counts.rows == 1 && std::ranges::count(asked_.heads, counts.heads) > 0;
        });
    }

    // q and k have one batch, k at most as many heads, and q at most as many rows.
    double cost_next_to_other(const Candidate& one) const {
        double cost = 0;
        if (is_like_other()) {
            const AxisCounts other = counts_of_other(one.axes);
            const AxisCounts &q = asked_.are_keys ? other : one.counts,
                             &k = asked_.are_keys ? one.counts : other;
            if (q.entries != k.entries) cost += 7;
            if (k.heads > q.heads) cost += 4;
            if (q.rows > k.rows) cost += 4;
            if (!other_.axes.empty() && other_.axes != one.axes) cost += 1;
        }
        const StatedPositions& stated = one.way->stated;
        if (!asked_.are_keys || other_.vectors == nullptr || other_.axes.empty()) return cost;
        const bool is_longer =
            one.counts.rows > counts_by(other_.axes, other_.vectors->shape()).rows;
        if (stated.starts && is_longer) cost += unlikely;
        if (one.way->is_whole_cache && !is_longer) cost += unlikely;
        if (one.way->is_whole_cache && may_be_token()) cost += 3;
        return cost;
    }

    // The rows' ids on one axis.
    PositionIds ids_of_rows(const Candidate& one, const PositionIds& given) const {
        PositionIds ids = given;
        if (one.ids_are == IdsAre::of_last_row || one.ids_are == IdsAre::of_padded_row)
            std::tie(ids.sequences, ids.length) = std::pair(given.values.size(), std::uint64_t{1});
        const std::uint64_t rows = one.counts.rows;
        const auto before = static_cast<double>(rows) - 1;
        PositionIds all{ids.sequences, rows, {}};
        for (std::uint64_t entry = 0; entry < ids.sequences; ++entry) {
            const double last = ids.at(entry, ids.length - 1);
            for (std::uint64_t row = 0; row < rows; ++row) {
                const auto index = static_cast<double>(row);
                all.values.push_back(
                    one.ids_are == IdsAre::of_first_row    ? last + index
                    : one.ids_are == IdsAre::of_last_row   ? std::max(0.0, last - before) + index
                    : one.ids_are == IdsAre::of_padded_row ? std::max(0.0, last - before + index)
                    : ids.length >= rows                   ? ids.at(entry, ids.length - rows + row)
                                                           : index);
            }
        }
        return all;
    }

    // Row numbers from a start on; q without ids is the last rows of k.
    PositionIds counted(const Candidate& one) const {
        const auto& starts = one.way->stated.starts;
        PositionIds all{starts ? starts->array.size() : 1, one.counts.rows, {}};
        const std::uint64_t keys = is_in_keys(one) ? rows_of_keys(one.axes) : 0;
        const double first =
            keys > one.counts.rows ? static_cast<double>(keys - one.counts.rows) : 0;
        for (std::uint64_t entry = 0; entry < all.sequences; ++entry)
            for (std::uint64_t row = 0; row < one.counts.rows; ++row)
                all.values.push_back(static_cast<double>(row) +
                                     (starts ? starts->array.at(entry) : first));
        return all;
    }
    bool is_in_keys(const Candidate& one) const {
        const StatedPositions& stated = one.way->stated;
        return !stated.ids && !stated.starts && !stated.is_derived && !other_.is_cross_attention &&
               rows_of_keys(one.axes) > one.counts.rows;
    }

    RotatedDump dump_of(const Candidate& one) const {
        std::vector<PositionIds> ids;
        for (const PositionIds& given : *one.ids) ids.push_back(ids_of_rows(one, given));
        if (ids.empty()) ids.push_back(counted(one));
        const RowAxis batch = row_axis(shape_, axis_of(one.axes, 'b')),
                      sequence = row_axis(shape_, axis_of(one.axes, 's'));
        std::vector<std::vector<double>> positions;
        for (const PositionIds& on_axis : ids) {
            auto& all = positions.emplace_back(vectors_.before.array.size() / shape_.back());
            for (std::uint64_t row = 0; row < all.size(); ++row)
                all[row] = on_axis.at(batch.of(row), sequence.of(row));
        }
        StatedPositions stated = one.way->stated;
        if (one.ids_are == IdsAre::of_padded_row) stated.kept = kept_behind_padding(one);
        return rows_as_read(vectors_, one.axes, std::move(positions), stated);
    }

    // The rows of each batch entry whose last one has the entry's id, without those before
    // position 0.
    NamedArray kept_behind_padding(const Candidate& one) const {
        const std::vector<double>& last = one.ids->front().values;
        std::vector<double> kept;
        for (const double id : last)
            for (std::uint64_t row = 0; row < one.counts.rows; ++row)
                kept.push_back(
                    id + static_cast<double>(row + 1) >= static_cast<double>(one.counts.rows) ? 1
                                                                                              : 0);
        return made(*one.way->stated.ids, {last.size(), one.counts.rows}, std::move(kept));
    }

    ReadVectors as_read(const Candidate& one, const std::string& from, bool is_right) const {
        ReadVectors read{dump_of(one), one.axes, one.ids_are, one.way->stated, is_right};
        RotatedDump& dump = read.dump;
        require_no_steps(vectors_.before, vectors_.after, dump.grid);
        Assumption& axes = assumption_named(dump.read_as, "axes");
        axes.from = from + axes.from;
        Assumption& rows = assumption_named(dump.read_as, "positions");
        if (is_in_keys(one)) rows.from = std::string(last_rows_of_k);
        if (one.ids_are == IdsAre::of_first_row && one.ids->size() == 1)
            rows.from = one.way->stated.ids->name + ", which is the first position";
        if (read.positions.is_derived) {
            rows.from = read.positions.from;
            rows.are_row_numbers = read.positions.counts_padding;
        }
        return read;
    }

    // ---- which way ----

    bool is_right(const Candidate& one, bool& is_at_0) const {
        const RotatedDump dump = dump_of(one);
        is_at_0 = are_at_0(dump);
        return is_at_0 ? are_at_position_0(vectors_.before.array, vectors_.after.array, asked_)
                       : asked_.follows(dump);
    }

    // The likeliest way whose rows follow the config.
    const Candidate* first_right() const {
        for (const Candidate& one : all_) {
            if (one.cost > least() + most_tried) break;
            bool is_at_0 = false;
            if (is_right(one, is_at_0)) {
                right_is_at_0_ = is_at_0;
                return &one;
            }
        }
        return nullptr;
    }

    // Rows at position 0 show nothing: then the way must be likelier than all others.
    bool is_likely(const Candidate& right) const {
        if (!right_is_at_0_) return right.cost <= least() + likely;
        const Candidate* rival = rival_of(right);
        return rival == nullptr || rival->cost >= right.cost + lead;
    }

    // The likeliest way with another order of axes.
    const Candidate* rival_of(const Candidate& way) const {
        const auto is_rival = [&](const Candidate& one) { return one.axes != way.axes; };
        const auto rival = std::ranges::find_if(all_, is_rival);
        return rival == all_.end() ? nullptr : &*rival;
    }

    struct Likeliest {
        const Candidate* candidate;
        std::string from;
        const Candidate* alike = nullptr;  // in which vectors at one position rotate alike
    };

    std::string reason_of(const Candidate& one) const {
        if (!vectors_.axes.empty()) return "--axes";
        const bool is_only = std::ranges::all_of(all_, [&](const Candidate& other) {
            return other.sequence == one.sequence || other.cost > one.cost + unlikely;
        });
        if (is_only && one.way->stated.ids) return "the length of " + one.way->stated.ids->name;
        if (is_only) return "the shape";
        if (&one == &all_.front() && std::ranges::count(asked_.heads, one.counts.heads) > 0)
            return "as many heads as in the config";
        return "the order in which the vectors rotate as the config says";
    }

    // The likeliest ways with each axis as the sequence.
    std::vector<const Candidate*> by_sequence() const {
        std::vector<const Candidate*> all;
        for (const Candidate& one : all_) {
            const auto is_same = [&](const Candidate* other) {
                return other->sequence == one.sequence;
            };
            if (one.cost < least() + unlikely + lead && std::ranges::none_of(all, is_same))
                all.push_back(&one);
        }
        return all;
    }

    // A token at position 0, where nothing rotates.
    static const Candidate* token_at_0(const std::vector<const Candidate*>& ways) {
        const auto found = std::ranges::find_if(ways, [](const Candidate* one) {
            const StatedPositions& stated = one->way->stated;
            return one->counts.rows == 1 && !stated.ids && !stated.starts;
        });
        return found == ways.end() ? nullptr : *found;
    }

    // How many bits likelier values make a way: those in which vectors at one position rotate
    // alike, and others do not.
    double gain_of(const Candidate& one) const {
        const auto turn = turns_.at_one_position(one.sequence, one.batch, 3, false);
        if (!turn.is_determined || turn.most > most_alike) return 0;
        const auto apart =
            one.sequence ? turns_.along(*one.sequence, 3, false) : std::optional(HUGE_VAL);
        if (!apart || *apart == 0 || *apart <= (turn.count > 0 ? 8 * turn.most : most_alike))
            return 0;
        // vectors that do not rotate are alike along every axis
        const auto moved = turns_.at_one_position(one.sequence, one.batch, 3, true);
        if (moved.most > most_alike) return 0;
        return turn.count > 0 ? of_alike : one.batch ? 0 : of_unlike;
    }

    Likeliest likeliest() const {
        const std::vector<const Candidate*> ways = by_sequence();
        if (ways.size() == 1) return {ways[0], reason_of(*ways[0])};
        const bool have_moved = turns_.have_moved();
        const Candidate* token =
            have_moved || asked_.is_any_axis_right ? nullptr : token_at_0(ways);
        std::vector<std::pair<double, const Candidate*>> costs;
        const Candidate* alike = token;
        for (const Candidate* one : ways) {
            const double gain = have_moved ? gain_of(*one) : one == token ? of_alike : 0;
            if (gain == of_alike && alike == nullptr) alike = one;
            costs.emplace_back(one->cost - gain, one);
        }
        const auto cost = &std::pair<double, const Candidate*>::first;
        const auto [least_cost, best] = *std::ranges::min_element(costs, {}, cost);
        std::vector<const Candidate*> open;
        for (const auto& [own, one] : costs)
            if (own < least_cost + lead) open.push_back(one);
        if (open.size() == 1)
            return {best,
                    best == alike ? "vectors at the same position rotate by the same angles"
                                  : reason_of(*best),
                    alike};
        return only_of(open, alike);
    }

    // The only one of ways that are as likely; throws UndeterminedAxes without one.
    Likeliest only_of(const std::vector<const Candidate*>& open, const Candidate* alike) const {
        const auto only = [&](const auto& is_it) {
            const Candidate* found = nullptr;
            for (const Candidate* one : open) {
                if (!is_it(*one)) continue;
                if (found != nullptr) return static_cast<const Candidate*>(nullptr);
                found = one;
            }
            return found;
        };
        // unrotated rows contradict every axis
        if (const auto* one = only([&](const Candidate& way) {
                return turns_.at_one_position(way.sequence, way.batch, 2, true).most <= most_alike;
            });
            one != nullptr && alike == nullptr)
            return {one,
                    "in any other order, vectors at the same position would rotate "
                    "differently"};
        const bool have_rows =
            std::ranges::all_of(open, [](const Candidate* one) { return one->counts.rows > 1; });
        if (have_rows && !turns_.have_moved()) {
            const std::uint64_t longest = (*std::ranges::max_element(open, {}, [](const auto* one) {
                                              return one->counts.rows;
                                          }))->counts.rows;
            if (const auto* one =
                    only([&](const Candidate& way) { return way.counts.rows == longest; }))
                return {one, "the longest axis; no vector is rotated"};
        }
        if (const auto* one = only([&](const Candidate& way) {
                return asked_.table_rows && !way.way->stated.ids &&
                       way.counts.rows == *asked_.table_rows;
            }))
            return {one, "as long as the table"};
        if (asked_.is_any_axis_right) return {open[0], "the checked property holds along any axis"};
        if (const Candidate* one = by_mistakes(open))
            return {one, "the order in which the fewest known mistakes explain every value"};
        refuse_undetermined(open, alike);
    }

    // As likeliest(), and of several grids that with the fewest mistakes.
    Likeliest likeliest_or_right(const Candidate* right) const try {
        Likeliest found = likeliest();
        std::vector<const Candidate*> grids;
        for (const Candidate& one : all_)
            if (one.way->stated.is_of_grids && one.axes == found.candidate->axes)
                grids.push_back(&one);
        if (right == nullptr && grids.size() > 1)
            if (const Candidate* one = by_mistakes(grids)) found.candidate = one;
        return found;
    } catch (const UndeterminedAxes&) {
        if (right == nullptr) throw;
        refuse_open(*right, *rival_of(*right));
    }

    // The only way whose rows the fewest known mistakes explain.
    const Candidate* by_mistakes(const std::vector<const Candidate*>& ways) const {
        const Candidate* found = nullptr;
        std::size_t least = SIZE_MAX;
        for (const Candidate* one : ways) {
            const auto mistakes = asked_.mistakes ? asked_.mistakes(dump_of(*one)) : std::nullopt;
            if (!mistakes || *mistakes > least) continue;
            found = *mistakes == least ? nullptr : one;
            least = *mistakes;
        }
        return found;
    }

    // ---- what is said ----

    // "2 batch entries of 16 positions of 300 heads"
    static std::string words(const Candidate& one) {
        const auto [entries, heads, rows] = one.counts;
        const auto some = [](std::uint64_t count, const std::string& what) {
            return decimal(count) + " " + what + (count == 1 ? "" : "s");
        };
        return (entries == 1 ? "" : decimal(entries) + " batch entries of ") +
               some(rows, "position") + " of " + some(heads, "head");
    }

    // "300 positions of 16 heads (--axes bshd)"
    static std::string words_and_axes(const Candidate& one) {
        return words(one) + " (--axes " + one.axes + ")";
    }

    // "; pass one of them, or the positions with --positions"
    std::string advice(const std::vector<const Candidate*>& ways) const {
        const bool has_token = std::ranges::any_of(ways, [](const Candidate* one) {
            return one->counts.rows == 1 && !one->way->stated.ids;
        });
        return std::string("; pass one of them") +
               (has_token ? ", or the positions with --positions" : "");
    }

    [[noreturn]] void refuse_open(const Candidate& right, const Candidate& wrong) const {
        throw OpenOrder(vectors_.before.name + ": shape " + shape_text(shape_) + " is right as " +
                        words_and_axes(right) +
                        (right_is_at_0_ ? " at position 0, where nothing rotates" : "") +
                        ", and wrong as " + words_and_axes(wrong) + advice({&right, &wrong}));
    }

    static void add_other(RotatedDump& dump, const std::string& doubt, const Candidate& other) {
        dump.read_as.push_back({"other_axes", other.axes, doubt});
    }

    // Names another order of axes that is as likely, or in which vectors rotate alike: a rotation
    // along the heads makes these look like the sequence.
    ReadVectors with_doubt(ReadVectors read, const Candidate& way, const Candidate* alike) const {
        const auto is_as_likely = [&](const Candidate& other) {
            return other.sequence != way.sequence && other.cost < way.cost + lead;
        };
        const auto likely = std::ranges::find_if(all_, is_as_likely);
        const Candidate* other = alike != nullptr && alike->sequence != way.sequence ? alike
                                 : likely != all_.end()                              ? &*likely
                                                                                     : nullptr;
        if (other == nullptr || !vectors_.axes.empty()) return read;
        add_other(read.dump,
                  vectors_.before.name + " is read as " + words_and_axes(way) + "; if it is " +
                      words(*other),
                  *other);
        return read;
    }

    [[noreturn]] void refuse_undetermined(const std::vector<const Candidate*>& open,
                                          const Candidate* alike) const {
        std::string text =
            vectors_.before.name + ": shape " + shape_text(shape_) + " may be " +
            join(open, [&](const auto* one) { return words_and_axes(*one); }, " or ");
        text += alike != nullptr
                    ? "; it rotates as the " + words(*alike) + ", which may be a mistake"
                    : ", and q_rot is no rotation of q with one angle per position along any axis "
                      "(zeros, values that are not finite and batch entries at other positions "
                      "prevent it, too)";
        throw UndeterminedAxes(text + advice(open));
    }

    [[noreturn]] void refuse_lengths() const {
        const StatedPositions& stated = ways_.front().stated;
        const auto& given = stated.ids ? stated.ids : stated.starts;
        if (!given)
            refuse_shape(vectors_.before,
                         vectors_.axes.empty()
                             ? "has no axis for positions"
                             : "has no axis of positions by --axes; it needs one position, such as "
                               "--positions 17");
        const std::string own = given->name + ", shape " + shape_text(given->array.shape);
        if (!vectors_.axes.empty() || !stated.ids)
            refuse_shape(vectors_.before, "does not fit " + own);
        const Shape& ids = given->array.shape;
        if (shape_.size() == 4 && shape_[0] == 1 && ids == Shape{shape_[1], shape_[2]})
            refuse_shape(vectors_.before,
                         "is a batch of one, but " + own +
                             ", is not one row; if its rows are axes, give --rope "
                             "axes=SCHEME,mrope_section=LIST, if they are a batch, --axes hbsd");
        refuse_shape(vectors_.before, "has no axis as long as " + own);
    }

    const Vectors& vectors_;
    const Shape& shape_;
    const std::vector<PositionsWay>& ways_;
    const NextTo& other_;
    const DumpHints& asked_;
    std::vector<std::string> orders_;
    Turns turns_;
    std::vector<std::vector<PositionIds>> ids_;  // of each way
    std::vector<Candidate> all_;                 // the likeliest first
    mutable bool right_is_at_0_ = false;
};

}  // namespace

ReadVectors read_vectors(const Vectors& vectors, const std::vector<PositionsWay>& ways,
                         const NextTo& other, const DumpHints& asked) {
    return Reader(vectors, ways, other, asked).read();
}

}  // namespace rope::io
