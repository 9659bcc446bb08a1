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
    DumpRows(TableDump dump, Exactness exactness, std::optional<PassThrough> pass_through)
        : dump_(std::move(dump)),
          exactness_(std::move(exactness)),
          pass_through_(pass_through),
          order_(in_order(dump_.positions, dump_.cos, dump_.sin)) {
        for (const std::size_t row : order_) positions_.push_back(dump_.positions[row]);
    }

    std::unique_ptr<RowReader> read(PairRange pairs) const override {
        return std::make_unique<Reader>(*this, pairs);
    }
    std::uint64_t rows() const override { return order_.size(); }
    std::span<const std::uint64_t> positions() const override { return positions_; }
    std::optional<PassThrough> pass_through() const override { return pass_through_; }
    const Exactness& exactness() const override { return exactness_; }
    Subject subject() const override {
        return {dump_.origin, "", positions_.empty() ? 0 : positions_.back() + 1};
    }

  private:
    class Reader final : public RowReader {
      public:
        Reader(const DumpRows& source, PairRange pairs) : source_(source), pairs_(pairs) {}
        void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) override {
            const TableDump& dump = source_.dump_;
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const std::size_t from = source_.order_[rows[r]] * dump.pairs + pairs_.first;
                std::copy_n(&dump.cos[from], pairs_.count, cos + r * pairs_.count);
                std::copy_n(&dump.sin[from], pairs_.count, sin + r * pairs_.count);
            }
        }

      private:
        const DumpRows& source_;
        PairRange pairs_;
    };

    TableDump dump_;
    Exactness exactness_;
    std::optional<PassThrough> pass_through_;
    std::vector<std::size_t> order_;  // rows by position
    std::vector<std::uint64_t> positions_;
};

void require_shape(const std::string& name, std::size_t got, std::size_t rows, std::size_t width) {
    if (got == rows * width) return;
    throw InputError(name + " has " + decimal(std::uint64_t{got}) + " values; it must have " +
                     decimal(std::uint64_t{rows}) + " rows of " + decimal(std::uint64_t{width}));
}

void require_positions(const std::vector<std::uint64_t>& positions) {
    if (positions.empty()) throw InputError("positions are empty; at least one row is needed");
    for (const std::uint64_t position : positions)
        if (position >= max_context)
            throw InputError("position is " + decimal(position) + "; it must be below " +
                             decimal(max_context));
}

// At the widest heads and steepest ramps the iterative and exp classes go beyond 256.
Exactness unknown_make(const Spec& spec, double rounding) {
    const double log_base = std::log(spec.rope_theta), iterative = spec.rotary_dim + log_base + 4;
    Exactness exactness{{}, "unknown", rounding, 0};
    for (const PlannedFrequency& pair : plan_frequencies(spec, exact_precision).pairs)
        exactness.angle_k.push_back(
            std::max({largest_sound_k, iterative, (9 + 2 * log_base) * pair.conditioning}));
    return exactness;
}

// Half a spacing of the format below the amplitude 1, and 2 ulp of a float32 library.
double table_rounding(Format format) { return unit_roundoff(format) / 2 + 2 * 0x1p-24; }

// y = c·x1 − s·x2 with c, s, both products and the sum rounded, and the other lane alike:
// |error| ≤ (2√2 + 1)u·|x| per pair
double rotation_rounding(Format format) {
    return (2 * std::numbers::sqrt2 + 1) * unit_roundoff(format) + 2 * 0x1p-24;
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
    require_positions(dump.positions);
    if (dump.pairs != spec.pairs())
        throw InputError("the table has " + decimal(std::uint64_t{dump.pairs}) +
                         " pairs; rotary_dim " + decimal(std::uint64_t{spec.rotary_dim}) +
                         " needs " + decimal(std::uint64_t{spec.pairs()}));
    require_shape("cos", dump.cos.size(), dump.positions.size(), dump.pairs);
    require_shape("sin", dump.sin.size(), dump.positions.size(), dump.pairs);
    Exactness exactness = unknown_make(spec, table_rounding(dump.format));
    return std::make_unique<DumpRows>(std::move(dump), std::move(exactness), std::nullopt);
}

// ẑ = ŷ·conj(x)/|x|² per pair
std::unique_ptr<RowSource> rotated_rows(const Spec& spec, RotatedDump dump) {
    require_positions(dump.positions);
    const std::size_t rows = dump.positions.size();
    require_shape("q", dump.before.size(), rows, spec.head_dim);
    require_shape("q_rot", dump.after.size(), rows, spec.head_dim);
    TableDump table{dump.positions, spec.pairs(), {}, {}, dump.format, dump.origin};
    for (std::size_t row = 0; row < rows; ++row)
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [first, second] = lanes_of_pair(spec.layout, spec.rotary_dim, i);
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
    Exactness exactness = unknown_make(spec, rotation_rounding(dump.format));
    exactness.recovery = 0x1p-48;
    std::optional<PassThrough> passed;
    if (spec.rotary_dim < spec.head_dim) passed = compare_passed_lanes(spec, dump);
    return std::make_unique<DumpRows>(std::move(table), std::move(exactness), passed);
}

}  // namespace rope
