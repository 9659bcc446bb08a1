// Dumped tables or rotated vectors as rows.
#include <algorithm>
#include <functional>
#include <numeric>

#include "rope/number/element.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/dump_cells.hpp"
#include "rope/subject/exactness.hpp"
#include "rope/subject/positions.hpp"
#include "rope/subject/row_source.hpp"
#include "rope/subject/usable_dump.hpp"

namespace rope {
namespace {

struct RowKey {
    double position;
    std::uint64_t bits;  // mixed from all values
    std::size_t row;
};

// Row numbers by position, and rows of one position by their bits: no report shows the order of
// a dump.
template <class BitsOfRow>
std::vector<std::size_t> in_order(const std::vector<double>& positions,
                                  const BitsOfRow& bits_of_row) {
    std::vector<std::size_t> order(positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (std::adjacent_find(positions.begin(), positions.end(), [](double a, double b) {
            return !is_nearer_zero(a, b);
        }) == positions.end())
        return order;
    std::vector<RowKey> keys;
    keys.reserve(order.size());
    for (const std::size_t row : order) keys.push_back({positions[row], bits_of_row(row), row});
    std::sort(keys.begin(), keys.end(), [&](const RowKey& a, const RowKey& b) {
        if (a.position != b.position) return is_nearer_zero(a.position, b.position);
        return std::pair(a.bits, a.row) < std::pair(b.bits, b.row);
    });
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = keys[k].row;
    return order;
}

// Whether q has numbers that the format of the rotated vectors has not.
bool rounds_inputs(const RotatedDump& dump, std::uint64_t head_dim) {
    if (!dump.stored_in && dump.before.element() == dump.after.element()) return false;
    const auto narrow = narrower_format(dump.before, dump.positions.size(), head_dim);
    const Format before = narrow ? *narrow : format_of(dump.before.element()).value_or(dump.format);
    if (before == dump.format) return false;
    return unit_roundoff(before) < unit_roundoff(dump.format) || dump.format == Format::float16;
}

// Pairs turn by several axes, and no row tells which by which.
bool hides_axes(const std::vector<std::uint32_t>& axis_of_pair, const std::vector<double>& first,
                const std::vector<std::vector<double>>& more) {
    const bool has_several =
        std::ranges::adjacent_find(axis_of_pair, std::ranges::not_equal_to()) != axis_of_pair.end();
    return has_several && std::ranges::all_of(more, [&](const auto& one) { return one == first; });
}

class DumpRows final : public RowSource {
  public:
    template <class AnyDump>
    DumpRows(const Spec& spec, AnyDump dump, std::unique_ptr<DumpCells> cells, Exactness exactness,
             std::optional<PassThrough> pass_through = {}, std::vector<std::string> notes = {},
             const RotatedCells* with_gaps = nullptr, std::uint64_t left_out = 0)
        : cells_(std::move(cells)),
          pairs_(spec.pairs()),
          origin_(dump.origin),
          exactness_(std::move(exactness)),
          pass_through_(pass_through),
          notes_(std::move(notes)),
          read_as_(dump.read_as),
          with_gaps_(with_gaps),
          left_out_(left_out),
          axis_(axis_of_pairs(spec.axes, spec.pairs())),
          dump_(std::move(dump)) {
        const auto& own = std::get<AnyDump>(dump_);
        if (hides_axes(axis_, own.positions, own.more_positions))
            notes_.push_back(
                "every row has one position on all axes, as text has: which pair turns by which "
                "axis is not tested; rows of an image or a video show it");
        add_axis(own.positions);
        for (const auto& positions : own.more_positions) add_axis(positions);
    }

    std::unique_ptr<RowReader> read(PairRange pairs) const override {
        return std::make_unique<Reader>(*this, pairs);
    }
    std::uint64_t rows() const override { return by_axis_[0].positions.size(); }
    std::span<const double> positions(std::uint32_t axis) const override {
        return by_axis_[has_several_axes() ? axis : 0].positions;
    }
    bool has_several_axes() const override { return by_axis_.size() > 1; }
    bool is_at_zero(std::uint64_t row, std::uint32_t axis) const override {
        if (!has_several_axes()) return position_of(row, axis) == 0;
        const std::size_t own = by_axis_[axis].order[row];
        return std::ranges::all_of(positions_, [&](const auto& on) { return on[own] == 0; });
    }
    std::uint64_t distinct_positions() const override {
        return has_several_axes() ? distinct_tuples() : distinct_on_one_axis();
    }
    std::optional<PassThrough> pass_through() const override { return pass_through_; }
    const Dump* dumped() const override { return &dump_; }
    const Exactness& exactness() const override { return exactness_; }
    Subject subject() const override {
        std::uint64_t context = 0;
        for (const Axis& axis : by_axis_) context = std::max(context, context_of(axis.positions));
        Subject subject{origin_, "", context};
        subject.notes = notes_;
        subject.left_out = left_out_;
        subject.read_as = read_as_;
        return subject;
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
            // rows of one position lie apart, and no processor foresees where
            constexpr std::size_t ahead = 2;
            for (std::size_t r = 0; r < rows.size(); ++r) {
                if (r + ahead < rows.size()) source_.cells_->prefetch(order_[rows[r + ahead]]);
                source_.cells_->read(order_[rows[r]], pairs_, cos + r * pairs_.count,
                                     sin + r * pairs_.count);
            }
            if (source_.with_gaps_ == nullptr) return;
            left_out_.clear();
            for (const std::uint64_t row : rows)
                for (std::uint32_t j = 0; j < pairs_.count; ++j)
                    left_out_.push_back(
                        source_.with_gaps_->is_left_out(order_[row], pairs_.first + j) ? 1 : 0);
        }
        std::span<const std::uint8_t> left_out() const override { return left_out_; }

      private:
        const DumpRows& source_;
        const std::vector<std::size_t>& order_;
        PairRange pairs_;
        std::vector<std::uint8_t> left_out_;
    };

    // The rows as they follow each other on one axis.
    struct Axis {
        std::vector<std::size_t> order;
        std::vector<double> positions;
    };

    std::uint64_t distinct_on_one_axis() const {
        const std::vector<double>& positions = by_axis_[0].positions;
        std::uint64_t count = 1;
        for (std::size_t row = 1; row < positions.size(); ++row)
            count += positions[row] != positions[row - 1] ? 1 : 0;
        return count;
    }

    std::uint64_t distinct_tuples() const {
        std::vector<std::size_t> rows(positions_[0].size());
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        const auto is_less = [&](std::size_t a, std::size_t b) {
            for (const std::span<const double> on : positions_)
                if (on[a] != on[b]) return on[a] < on[b];
            return false;
        };
        std::ranges::sort(rows, is_less);
        std::uint64_t count = 1;
        for (std::size_t k = 1; k < rows.size(); ++k)
            count += is_less(rows[k - 1], rows[k]) ? 1 : 0;
        return count;
    }

    void add_axis(const std::vector<double>& positions) {
        const auto bits = [this](std::size_t row) { return cells_->mixed_bits(row); };
        Axis axis{in_order(positions, bits), {}};
        for (const std::size_t row : axis.order) axis.positions.push_back(positions[row]);
        by_axis_.push_back(std::move(axis));
        positions_.emplace_back(positions);
    }

    std::unique_ptr<DumpCells> cells_;
    std::uint32_t pairs_;
    std::string origin_;
    Exactness exactness_;
    std::optional<PassThrough> pass_through_;
    std::vector<std::string> notes_;
    std::vector<Assumption> read_as_;
    const RotatedCells* with_gaps_;  // cells_, where it leaves pairs out
    std::uint64_t left_out_;
    std::vector<std::uint32_t> axis_;  // of each pair
    std::vector<Axis> by_axis_;
    Dump dump_;
    std::vector<std::span<const double>> positions_;  // of its rows, by axis
};

// Those that are not at position 0 of every axis.
std::vector<bool> rows_that_turn(const RotatedDump& dump) {
    std::vector<bool> turns(dump.positions.size());
    for (std::size_t row = 0; row < turns.size(); ++row) {
        turns[row] = dump.positions[row] != 0;
        for (const auto& axis : dump.more_positions) turns[row] = turns[row] || axis[row] != 0;
    }
    return turns;
}

}  // namespace

std::string note_on_narrow_values(std::string_view what, Format format, Format stored_in) {
    const std::string name(to_string(format));
    return "every " + std::string(what) + " value is a " + name + " number, stored as " +
           std::string(to_string(stored_in)) + ": judged as " + name;
}

PassThrough compare_passed_lanes(const Spec& spec, const RotatedDump& dump) {
    const auto bits = [&](std::size_t row) {
        return dump.before.mixed_bits(row, spec.head_dim) ^
               3 * dump.after.mixed_bits(row, spec.head_dim);
    };
    const std::vector<std::size_t> lanes = passed_lanes(spec);
    PassThrough passed;
    for (const std::size_t row : in_order(dump.positions, bits))
        for (const std::size_t lane : lanes)
            passed.compare(dump.positions[row], dump.after.at(row, lane),
                           round_to(dump.format, dump.before.at(row, lane)));
    return passed;
}

std::unique_ptr<RowSource> table_rows(const Spec& spec, TableDump dump, const Pipeline* pipeline) {
    require_usable(spec, dump);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    auto cells = std::make_unique<TableCells>(dump.cos, dump.sin, dump.pairs);
    Exactness exactness = table_exactness(spec, plan, dump.format, pipeline);
    return std::make_unique<DumpRows>(spec, std::move(dump), std::move(cells),
                                      std::move(exactness));
}

std::unique_ptr<RowSource> rotated_rows(const Spec& spec, RotatedDump dump,
                                        const Pipeline* pipeline) {
    require_usable(spec, dump);
    const TellingNorm norm = telling_norm(dump, spec.head_dim);
    const double rounding = rounding_of_small_vectors(dump, norm.coarseness);
    auto cells = std::make_unique<RotatedCells>(spec, dump.before, dump.after, norm.least);
    const std::uint64_t left_out = cells->count_left_out(dump.positions.size());
    std::vector<std::uint32_t> untold;
    if (left_out > 0) untold = cells->untold_pairs(rows_that_turn(dump));
    std::vector<std::string> notes = notes_on(spec, dump, norm.coarseness, left_out, untold);
    const RotatedCells* with_gaps = left_out > 0 ? cells.get() : nullptr;
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Exactness exactness = rotation_exactness(spec, plan, dump.format, pipeline);
    // what rounds q to the format of the rotated vectors rounds it at position 0, too
    if (rounds_inputs(dump, spec.head_dim)) exactness.recovery += exactness.rounding;
    if (norm.coarseness > 1) exactness.rounding += plan.attention_factor * rounding;
    if (dump.scale_rounding > 0) {  // at position 0, too
        exactness.rounding += plan.attention_factor * dump.scale_rounding;
        exactness.recovery += exactness.rounding;
    }
    std::optional<PassThrough> passed;
    if (spec.rotary_dim < spec.head_dim) passed = compare_passed_lanes(spec, dump);
    return std::make_unique<DumpRows>(spec, std::move(dump), std::move(cells), std::move(exactness),
                                      passed, std::move(notes), with_gaps, left_out);
}

}  // namespace rope
