// Somebody's tables or rotated vectors as rows.
#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <numbers>
#include <numeric>

#include "rope/decimal.hpp"
#include "rope/rotate.hpp"
#include "rope/row_source.hpp"

namespace rope {
namespace {

// Row numbers by position, and rows of one position by their bits: no report shows the order of
// a dump.
std::vector<std::size_t> in_order(const std::vector<std::uint64_t>& positions, Values first,
                                  Values second) {
    const std::size_t width = first.size() / positions.size();
    const auto compare = [width](Values values, std::size_t a, std::size_t b) {
        const auto bits = [](double x, double y) {
            return std::bit_cast<std::uint64_t>(x) <=> std::bit_cast<std::uint64_t>(y);
        };
        const Values x = values.subspan(a * width, width), y = values.subspan(b * width, width);
        return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end(), bits);
    };
    std::vector<std::size_t> order(positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (positions[a] != positions[b]) return positions[a] < positions[b];
        const auto by_first = compare(first, a, b);
        return by_first != 0 ? by_first < 0 : compare(second, a, b) < 0;
    });
    return order;
}

class DumpRows final : public RowSource {
  public:
    DumpRows(const Spec& spec, TableDump dump, Exactness exactness,
             std::optional<PassThrough> pass_through)
        : dump_(std::move(dump)),
          exactness_(std::move(exactness)),
          pass_through_(pass_through),
          axis_(axis_of_pairs(spec.axes, spec.pairs())) {
        add_axis(dump_.positions);
        for (const auto& positions : dump_.more_positions) add_axis(positions);
    }

    std::unique_ptr<RowReader> read(PairRange pairs) const override {
        return std::make_unique<Reader>(*this, pairs);
    }
    std::uint64_t rows() const override { return dump_.positions.size(); }
    std::span<const std::uint64_t> positions(std::uint32_t axis) const override {
        return by_axis_[has_several_axes() ? axis : 0].positions;
    }
    bool has_several_axes() const override { return by_axis_.size() > 1; }
    std::optional<PassThrough> pass_through() const override { return pass_through_; }
    const Exactness& exactness() const override { return exactness_; }
    Subject subject() const override {
        std::uint64_t context = 0;
        for (const Axis& axis : by_axis_) context = std::max(context, axis.positions.back() + 1);
        return {dump_.origin, "", context};
    }

  private:
    class Reader final : public RowReader {
      public:
        Reader(const DumpRows& source, PairRange pairs)
            : source_(source),
              order_(
                  source.by_axis_[source.has_several_axes() ? source.axis_[pairs.first] : 0].order),
              pairs_(pairs) {}
        void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) override {
            const TableDump& dump = source_.dump_;
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const std::size_t from = order_[rows[r]] * dump.pairs + pairs_.first;
                std::copy_n(&dump.cos[from], pairs_.count, cos + r * pairs_.count);
                std::copy_n(&dump.sin[from], pairs_.count, sin + r * pairs_.count);
            }
        }

      private:
        const DumpRows& source_;
        const std::vector<std::size_t>& order_;
        PairRange pairs_;
    };

    // The rows as they follow each other on one axis.
    struct Axis {
        std::vector<std::size_t> order;
        std::vector<std::uint64_t> positions;
    };

    void add_axis(const std::vector<std::uint64_t>& positions) {
        Axis axis{in_order(positions, dump_.cos, dump_.sin), {}};
        for (const std::size_t row : axis.order) axis.positions.push_back(positions[row]);
        by_axis_.push_back(std::move(axis));
    }

    TableDump dump_;
    Exactness exactness_;
    std::optional<PassThrough> pass_through_;
    std::vector<std::uint32_t> axis_;  // of each pair
    std::vector<Axis> by_axis_;
};

void require_shape(const std::string& name, std::size_t got, std::size_t rows, std::size_t width) {
    if (got == rows * width) return;
    throw InputError(name + " has " + decimal(std::uint64_t{got}) + " values; it must have " +
                     decimal(std::uint64_t{rows}) + " rows of " + decimal(std::uint64_t{width}));
}

void require_positions(const std::vector<std::uint64_t>& positions, std::size_t rows) {
    if (positions.empty()) throw InputError("positions are empty; at least one row is needed");
    if (positions.size() != rows)
        throw InputError("an axis has " + decimal(std::uint64_t{positions.size()}) +
                         " positions; there are " + decimal(std::uint64_t{rows}) + " rows");
    for (const std::uint64_t position : positions)
        if (position >= max_context)
            throw InputError("position is " + decimal(position) + "; it must be below " +
                             decimal(max_context));
}

// At the widest heads and steepest ramps the iterative and exp classes go beyond 256.
Exactness unknown_make(const Spec& spec, const FrequencyPlan& plan, double rounding) {
    const double log_base = std::log(spec.rope_theta), iterative = spec.rotary_dim + log_base + 4;
    Exactness exactness{{}, "unknown", rounding, 0};
    for (const PlannedFrequency& pair : plan.pairs)
        exactness.angle_k.push_back(
            std::max({largest_sound_k, iterative, (9 + 2 * log_base) * pair.conditioning}) +
            2 * pair.blend_error);
    return exactness;
}

// Half a spacing of the format, and 2 ulp of a float32 library; an attention factor is itself
// rounded, and its product.
double table_rounding(Format format, double amplitude) {
    const double factor = amplitude == 1 ? 0 : 2 * half_spacing(Format::float32, amplitude);
    return half_spacing(format, amplitude) + 2 * 0x1p-24 * amplitude + factor;
}

// y = c·x1 − s·x2 with c, s, both products and the sum rounded, and the other lane alike:
// |error| ≤ (2√2 + 1)u·a|x| per pair
double rotation_rounding(Format format, double amplitude) {
    return 2 * std::numbers::sqrt2 * unit_roundoff(format) * amplitude +
           2 * half_spacing(format, amplitude) + table_rounding(Format::float32, amplitude);
}

template <class Dump>
void require_axes(const Spec& spec, const Dump& dump) {
    require_positions(dump.positions, dump.positions.size());
    for (const auto& positions : dump.more_positions)
        require_positions(positions, dump.positions.size());
    const std::size_t axes = dump.more_positions.size() + 1;
    if (axes != 1 && axes != axis_count(spec.axes))
        throw InputError("positions have " + decimal(std::uint64_t{axes}) + " axes; the Spec has " +
                         decimal(std::uint64_t{axis_count(spec.axes)}));
}

PassThrough compare_passed_lanes(const Spec& spec, const RotatedDump& dump) {
    PassThrough passed;
    for (const std::size_t row : in_order(dump.positions, dump.before, dump.after))
        for (std::uint32_t lane = spec.rotary_dim; lane < spec.head_dim; ++lane) {
            const double want = dump.before[row * spec.head_dim + lane];
            const double got = dump.after[row * spec.head_dim + lane];
            ++passed.lanes;
            const double error = std::abs(got - want);
            if (error <= passed.worst || std::isnan(passed.worst)) continue;
            passed.worst = error;
            passed.position = dump.positions[row];
            passed.got = got;
            passed.want = want;
        }
    return passed;
}

}  // namespace

std::unique_ptr<RowSource> table_rows(const Spec& spec, TableDump dump) {
    require_axes(spec, dump);
    if (dump.pairs != spec.pairs())
        throw InputError("the table has " + decimal(std::uint64_t{dump.pairs}) +
                         " pairs; rotary_dim " + decimal(std::uint64_t{spec.rotary_dim}) +
                         " needs " + decimal(std::uint64_t{spec.pairs()}));
    require_shape("cos", dump.cos.size(), dump.positions.size(), dump.pairs);
    require_shape("sin", dump.sin.size(), dump.positions.size(), dump.pairs);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Exactness exactness =
        unknown_make(spec, plan, table_rounding(dump.format, plan.attention_factor));
    return std::make_unique<DumpRows>(spec, std::move(dump), std::move(exactness), std::nullopt);
}

// ẑ = ŷ·conj(x)/|x|² per pair
std::unique_ptr<RowSource> rotated_rows(const Spec& spec, RotatedDump dump) {
    require_axes(spec, dump);
    const std::size_t rows = dump.positions.size();
    require_shape("q", dump.before.size(), rows, spec.head_dim);
    require_shape("q_rot", dump.after.size(), rows, spec.head_dim);
    TableDump table{dump.positions, spec.pairs(),       {}, {}, dump.format,
                    dump.origin,    dump.more_positions};
    for (std::size_t row = 0; row < rows; ++row)
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [first, second] = lanes_of_pair(spec, i);
            const double* x = &dump.before[row * spec.head_dim];
            const double* y = &dump.after[row * spec.head_dim];
            const double norm = x[first] * x[first] + x[second] * x[second];
            if (norm == 0)
                throw InputError("q is zero in pair " + decimal(std::uint64_t{i}) +
                                 " at position " + decimal(dump.positions[row]) +
                                 ", where a rotation leaves no trace; use vectors without zeros");
            table.cos.push_back((y[first] * x[first] + y[second] * x[second]) / norm);
            table.sin.push_back((y[second] * x[first] - y[first] * x[second]) / norm);
        }
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Exactness exactness =
        unknown_make(spec, plan, rotation_rounding(dump.format, plan.attention_factor));
    exactness.recovery = 0x1p-48;
    std::optional<PassThrough> passed;
    if (spec.rotary_dim < spec.head_dim) passed = compare_passed_lanes(spec, dump);
    return std::make_unique<DumpRows>(spec, std::move(table), std::move(exactness), passed);
}

}  // namespace rope
