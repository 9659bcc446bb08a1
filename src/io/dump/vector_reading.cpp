// Reads vectors in the likeliest of the ways in which axes may be ordered and rows have positions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ranges>
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

// Bits. A way whose rows follow the config is compared with the likeliest way. If it costs up to
// `likely` more, it is taken; up to `unlikely` more, the user must choose; beyond that the
// likeliest way is taken, and its rows are wrong.
constexpr double likely = 4, unlikely = 8, most_tried = 14;
constexpr double of_alike = 5;   // heads that rotate alike
constexpr double of_unlike = 2;  // rows that do not, where nothing must
constexpr double lead = 2;       // without which the user decides

constexpr double most_alike = 0x1p-8;  // bfloat16 moves an angle so far

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

class Reader {
  public:
    Reader(const Vectors& vectors, const std::vector<GivenPositions>& given, const NextTo& other,
           const DumpHints& asked)
        : vectors_(vectors),
          shape_(vectors.shape()),
          given_(given),
          other_(other),
          asked_(asked),
          turns_(vectors),
          all_(ways_to_read(vectors, given, other, asked)) {}

    ReadVectors read() const {
        if (all_.empty()) refuse_lengths();
        const bool is_only = all_.size() == 1;
        const VectorWay* right = is_only || !asked_.follows ? nullptr : first_right();
        if (right != nullptr && is_likely(*right))
            return with_doubt(as_read(*right, reason_of(*right, true), true), *right, nullptr);
        if (right != nullptr && right_is_at_0_ && right->cost < least() + unlikely)
            refuse_open(*right, *rival_of(*right));
        const Likeliest found = likeliest_or_right(right);
        const VectorWay& way = *found.way;
        if (right != nullptr && right->cost < least() + unlikely) {
            if (way.axes != right->axes) refuse_open(*right, way);
            return as_read(*right, reason_of(*right, true), true);
        }
        ReadVectors read = as_read(way, found.from, is_only);
        if (right == nullptr || right_is_at_0_ || way.axes == right->axes)
            return with_doubt(std::move(read), way, found.alike);
        add_other(read.dump,
                  vectors_.before.name + " is read as " + way.axes + "; as " + right->axes +
                      " it rotates as the config says",
                  *right);
        return read;
    }

  private:
    double least() const { return all_.front().cost; }

    ReadVectors as_read(const VectorWay& way, const std::string& from, bool is_right) const {
        ReadVectors read{rows_in(vectors_, way), way.axes, way.ids_are, way.given->stated,
                         is_right};
        require_no_steps(vectors_.before, vectors_.after, read.dump.grid);
        Assumption& axes = assumption_named(read.dump.read_as, "axes");
        axes.from = from + axes.from;
        return read;
    }

    // ---- which way ----

    bool is_right(const VectorWay& one, bool& is_at_0) const {
        const RotatedDump dump = rows_in(vectors_, one);
        is_at_0 = are_at_0(dump);
        return is_at_0 ? are_at_position_0(vectors_.before.array, vectors_.after.array, asked_)
                       : asked_.follows(dump);
    }

    // The likeliest way whose rows follow the config.
    const VectorWay* first_right() const {
        for (const VectorWay& one : all_) {
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
    bool is_likely(const VectorWay& right) const {
        if (!right_is_at_0_) return right.cost <= least() + likely;
        const VectorWay* rival = rival_of(right);
        return rival == nullptr || rival->cost >= right.cost + lead ||
               are_at_0(rows_in(vectors_, *rival));
    }

    // The likeliest way with another order of axes.
    const VectorWay* rival_of(const VectorWay& way) const {
        const auto is_rival = [&](const VectorWay& one) { return one.axes != way.axes; };
        const auto rival = std::ranges::find_if(all_, is_rival);
        return rival == all_.end() ? nullptr : &*rival;
    }

    struct Likeliest {
        const VectorWay* way;
        std::string from;
        const VectorWay* alike = nullptr;  // in which vectors at one position rotate alike
    };

    std::string reason_of(const VectorWay& one, bool is_right) const {
        if (!vectors_.axes.empty()) return "--axes";
        const bool is_only = std::ranges::all_of(all_, [&](const VectorWay& other) {
            return other.sequence == one.sequence || other.cost > one.cost + unlikely;
        });
        if (is_only && one.given->stated.ids) return "the length of " + one.given->stated.ids->name;
        if (is_only) return "the shape";
        if (&one == &all_.front() && std::ranges::count(asked_.heads, one.counts.heads) > 0)
            return "as many heads as in the config";
        return is_right ? "the order in which the vectors rotate as the config says"
                        : "the usual order of this shape";
    }

    // The likeliest ways with each axis as the sequence.
    std::vector<const VectorWay*> by_sequence() const {
        std::vector<const VectorWay*> all;
        for (const VectorWay& one : all_) {
            const auto is_same = [&](const VectorWay* other) {
                return other->sequence == one.sequence || other->axes == one.axes;
            };
            if (one.cost < least() + unlikely + lead && std::ranges::none_of(all, is_same))
                all.push_back(&one);
        }
        return all;
    }

    // A token at position 0, where nothing rotates.
    static const VectorWay* token_at_0(const std::vector<const VectorWay*>& ways) {
        const auto found = std::ranges::find_if(ways, [](const VectorWay* one) {
            const StatedPositions& stated = one->given->stated;
            return one->counts.rows == 1 && !stated.ids && !stated.starts;
        });
        return found == ways.end() ? nullptr : *found;
    }

    // How many bits likelier values make a way: those in which vectors at one position rotate
    // alike, and others do not.
    double gain_of(const VectorWay& one) const {
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
        const std::vector<const VectorWay*> ways = by_sequence();
        if (ways.size() == 1) return {ways[0], reason_of(*ways[0], false)};
        const bool have_moved = turns_.have_moved();
        const VectorWay* token =
            have_moved || asked_.is_any_axis_right ? nullptr : token_at_0(ways);
        std::vector<std::pair<double, const VectorWay*>> costs;
        const VectorWay* alike = token;
        for (const VectorWay* one : ways) {
            const double gain = have_moved ? gain_of(*one) : one == token ? of_alike : 0;
            if (gain == of_alike && alike == nullptr) alike = one;
            costs.emplace_back(one->cost - gain, one);
        }
        const auto cost = &std::pair<double, const VectorWay*>::first;
        const auto [least_cost, best] = *std::ranges::min_element(costs, {}, cost);
        std::vector<const VectorWay*> open;
        for (const auto& [own, one] : costs)
            if (own < least_cost + lead) open.push_back(one);
        if (open.size() == 1)
            return {best,
                    best == alike ? "vectors at the same position rotate by the same angles"
                                  : reason_of(*best, false),
                    alike};
        return only_of(open, alike);
    }

    // The only one of ways that are as likely; throws UndeterminedAxes without one.
    Likeliest only_of(const std::vector<const VectorWay*>& open, const VectorWay* alike) const {
        const auto only = [&](const auto& is_it) {
            const VectorWay* found = nullptr;
            for (const VectorWay* one : open) {
                if (!is_it(*one)) continue;
                if (found != nullptr) return static_cast<const VectorWay*>(nullptr);
                found = one;
            }
            return found;
        };
        // unrotated rows contradict every axis
        if (const auto* one = only([&](const VectorWay& way) {
                return turns_.at_one_position(way.sequence, way.batch, 2, true).most <= most_alike;
            });
            one != nullptr && alike == nullptr)
            return {one,
                    "in any other order, vectors at the same position would rotate "
                    "differently"};
        const auto rows_of = [](const VectorWay* way) { return way->counts.rows; };
        const auto [least, most] = std::ranges::minmax(open | std::views::transform(rows_of));
        if (least > 1 && !turns_.have_moved())
            if (const auto* one = only([&](const VectorWay& way) { return rows_of(&way) == most; }))
                return {one, "the longest axis; no vector is rotated"};
        if (const auto* one = only([&](const VectorWay& way) {
                return asked_.table_rows && !way.given->stated.ids &&
                       way.counts.rows == *asked_.table_rows;
            }))
            return {one, "as long as the table"};
        if (asked_.is_any_axis_right) return {open[0], "the checked property holds along any axis"};
        if (const VectorWay* one = by_mistakes(open))
            return {one, "the order in which the fewest known mistakes explain every value"};
        refuse_undetermined(open, alike);
    }

    // As likeliest(), and of several grids that with the fewest mistakes.
    Likeliest likeliest_or_right(const VectorWay* right) const try {
        Likeliest found = likeliest();
        std::vector<const VectorWay*> grids;
        for (const VectorWay& one : all_)
            if (one.given->stated.is_of_grids && one.axes == found.way->axes) grids.push_back(&one);
        if (right == nullptr && grids.size() > 1)
            if (const VectorWay* one = by_mistakes(grids)) found.way = one;
        return found;
    } catch (const UndeterminedAxes&) {
        if (right == nullptr) throw;
        refuse_open(*right, *rival_of(*right));
    }

    // The only way whose rows the fewest known mistakes explain.
    const VectorWay* by_mistakes(const std::vector<const VectorWay*>& ways) const {
        const auto found = fewest_mistakes(
            asked_, ways.size(), [&](std::size_t k) { return rows_in(vectors_, *ways[k]); });
        return found ? ways[*found] : nullptr;
    }

    // ---- what is said ----

    // "2 batch entries of 16 positions of 300 heads"
    static std::string words(const VectorWay& one) {
        const auto [entries, heads, rows] = one.counts;
        const auto some = [](std::uint64_t count, const std::string& what) {
            return decimal(count) + " " + what + (count == 1 ? "" : "s");
        };
        return (entries == 1 ? "" : decimal(entries) + " batch entries of ") +
               some(rows, "position") + " of " + some(heads, "head");
    }

    // "[batch, positions, heads, head_dim]"
    static std::string shape_in_words(const std::string& axes) {
        return "[" +
               join(axes,
                    [](char letter) -> std::string {
                        return letter == 'b'   ? "batch"
                               : letter == 's' ? "positions"
                               : letter == 'h' ? "heads"
                                               : "head_dim";
                    }) +
               "]";
    }

    // "300 positions of 16 heads (--axes bshd)"
    static std::string words_and_axes(const VectorWay& one) {
        return words(one) + " (--axes " + one.axes + ")";
    }

    // "; pass one of them, or the positions with --positions"
    std::string advice(const std::vector<const VectorWay*>& ways) const {
        const bool has_token = std::ranges::any_of(ways, [](const VectorWay* one) {
            return one->counts.rows == 1 && !one->given->stated.ids;
        });
        return std::string("; pass one of them") +
               (has_token ? ", or the positions with --positions" : "");
    }

    [[noreturn]] void refuse_open(const VectorWay& right, const VectorWay& wrong) const {
        if (asked_.are_keys && other_.is_right() && other_.read->axes == wrong.axes)
            throw OpenOrder(vectors_.before.name + ": shape " + shape_text(shape_) +
                            " is right as " + shape_in_words(right.axes) + " (" + right.axes +
                            "), and wrong as " + shape_in_words(wrong.axes) +
                            ", which is the order of q; if k is saved in another order than q, "
                            "check it alone with k=" +
                            name_in_file(vectors_.before.name) + " k_rot=" +
                            name_in_file(vectors_.after.name) + " --axes " + right.axes);
        throw OpenOrder(vectors_.before.name + ": shape " + shape_text(shape_) + " is right as " +
                        words_and_axes(right) +
                        (!right_is_at_0_          ? ""
                         : right.counts.rows == 1 ? " at position 0, where nothing rotates"
                                                  : " whose positions are all 0") +
                        ", and wrong as " + words_and_axes(wrong) + advice({&right, &wrong}));
    }

    static void add_other(RotatedDump& dump, const std::string& doubt, const VectorWay& other) {
        dump.read_as.push_back({"other_axes", other.axes, doubt});
    }

    // Names another order of axes that is as likely, or in which vectors rotate alike: a rotation
    // along the heads makes these look like the sequence.
    ReadVectors with_doubt(ReadVectors read, const VectorWay& way, const VectorWay* alike) const {
        const auto is_as_likely = [&](const VectorWay& other) {
            return other.sequence != way.sequence && other.cost < way.cost + lead;
        };
        const auto rival = std::ranges::find_if(all_, is_as_likely);
        const VectorWay* other = alike != nullptr && alike->sequence != way.sequence ? alike
                                 : rival != all_.end()                               ? &*rival
                                                                                     : nullptr;
        if (other == nullptr || !vectors_.axes.empty()) return read;
        const bool are_alike = words(way) == words(*other);
        add_other(read.dump,
                  vectors_.before.name + " is read as " + words_and_axes(way) + "; if it is " +
                      (are_alike ? shape_in_words(other->axes) : words(*other)),
                  *other);
        return read;
    }

    [[noreturn]] void refuse_undetermined(const std::vector<const VectorWay*>& open,
                                          const VectorWay* alike) const {
        std::vector<const VectorWay*> all = open;
        if (alike != nullptr && std::ranges::count(all, alike) == 0) all.push_back(alike);
        const std::string ways =
            join(all, [&](const auto* one) { return words_and_axes(*one); }, " or ");
        const std::string seen =
            alike != nullptr ? "; it rotates as the " + words(*alike) + ", which may be a mistake"
            : asked_.follows ? "; it follows the config as none of them, so that the mistake "
                               "depends on the order"
                             : ", and the values do not show which";
        throw UndeterminedAxes(vectors_.before.name + ": shape " + shape_text(shape_) + " may be " +
                               ways + seen + advice(all));
    }

    [[noreturn]] void refuse_lengths() const {
        const StatedPositions& stated = given_.front().stated;
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
    const std::vector<GivenPositions>& given_;
    const NextTo& other_;
    const DumpHints& asked_;
    Turns turns_;
    std::vector<VectorWay> all_;  // the likeliest first
    mutable bool right_is_at_0_ = false;
};

}  // namespace

bool are_at_0(const RotatedDump& dump) {
    return DumpedRows(dump).are_all([](double m) { return m == 0; });
}

ReadVectors read_vectors(const Vectors& vectors, const std::vector<GivenPositions>& given,
                         const NextTo& other, const DumpHints& asked) {
    return Reader(vectors, given, other, asked).read();
}

}  // namespace rope::io
