#include "rope/rows/dump.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/tasks.hpp"
#include "base/text.hpp"
#include "rope/exact/element.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/axis.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

double table_rounding(Format format, double amplitude, Format library) {
    const double factor = amplitude == 1 ? 0 : 2 * half_spacing(library, amplitude);
    return half_spacing(format, amplitude) + 2 * unit_roundoff(library) * amplitude + factor;
}

double rotation_rounding(Format format, double amplitude, Format library) {
    return 2 * std::numbers::sqrt2 * unit_roundoff(format) * amplitude +
           2 * half_spacing(format, amplitude) + table_rounding(library, amplitude, library);
}

namespace {

Exactness make_of(const Spec& spec, const FrequencyPlan& plan, const Pipeline* pipeline) {
    return pipeline ? expected_exactness(spec, *pipeline, plan)
                    : Exactness{angle_k(least_exact, spec, plan), true, 0, 0};
}

Exactness table_exactness(const Spec& spec, const FrequencyPlan& plan, const TableDump& dump,
                          const Pipeline* pipeline) {
    Exactness exactness = make_of(spec, plan, pipeline);
    exactness.table = pipeline ? pipeline->table : dump.format;
    exactness.rounding =
        table_rounding(exactness.table, plan.attention_factor) + (pipeline ? 0 : dump.printed);
    return exactness;
}

// Checks of a dump's shape, and notes on its values.

// Largest rounding error, relative to a pair's norm, with which its angle is still meaningful.
constexpr double most_rounding = 0.1;

void require_room(const std::string& name, const StridedRows& values, std::size_t rows,
                  std::size_t width) {
    if (values.size() >= rows * width) return;
    throw InputError(name + " has " + decimal(values.size()) + " values; it must have " +
                     decimal(rows) + " rows of " + decimal(width));
}

void require_positions(const std::vector<double>& positions, std::size_t rows) {
    if (positions.empty()) throw InputError("positions are empty; at least one row is needed");
    if (positions.size() != rows)
        throw InputError("an axis has " + decimal(positions.size()) + " positions; there are " +
                         decimal(rows) + " rows");
    for (const double position : positions)
        if (!(std::abs(position) < static_cast<double>(max_context)))
            throw InputError("position", decimal(position), "between -2^32 and 2^32");
}

// Names the pairs that no row determines. θ_0 is 1 for every base.
std::string untested(const Spec& spec, std::span<const std::uint32_t> undetermined) {
    if (undetermined.empty()) return "";
    const std::vector<std::uint32_t> pairs(undetermined.begin(), undetermined.end());
    const bool only_first = pairs.size() + 1 == spec.pairs() && pairs.front() == 1;
    return std::string("; ") + (pairs.size() == 1 ? "pair " : "pairs ") + ranges(pairs, 4) +
           " in every row at a position other than 0, so that " +
           (pairs.size() == 1 ? "its frequency was" : "their frequencies were") + " not tested" +
           (only_first ? ", nor rope_theta, nor a scaling that leaves pair 0 as it is" : "");
}

template <class Dump>
void require_axes(const Spec& spec, const Dump& dump) {
    require_positions(dump.positions, dump.positions.size());
    for (const auto& positions : dump.more_positions)
        require_positions(positions, dump.positions.size());
    const std::size_t axes = dump.more_positions.size() + 1;
    if (axes != 1 && axes != axis_count(spec.axes))
        throw InputError("positions have " + decimal(axes) + " axes; the config has " +
                         decimal(axis_count(spec.axes)));
}

// Throw InputError unless the numbers of positions and values fit the Spec's shape.
void require_usable(const Spec& spec, const TableDump& dump) {
    require_axes(spec, dump);
    if (dump.pairs != spec.pairs())
        throw InputError("the table has " + decimal(dump.pairs) + " pairs; rotary_dim " +
                         decimal(spec.rotary_dim) + " needs " + decimal(spec.pairs()));
    require_room("cos", dump.cos, dump.positions.size(), dump.pairs);
    require_room("sin", dump.sin, dump.positions.size(), dump.pairs);
}

void require_usable(const Spec& spec, const RotatedDump& dump) {
    require_axes(spec, dump);
    require_room("q", dump.before, dump.positions.size(), spec.head_dim);
    require_room("q_rot", dump.after, dump.positions.size(), spec.head_dim);
}

std::string note_on_roundings(const RotatedDump& dump) {
    const std::string format(to_string(dump.format));
    return dump.roundings == Roundings::twice
               ? "the values are rounded to " + format +
                     " twice, as those of two rotations are (keys that are moved in a cache): "
                     "tolerances are those of two roundings"
               : "the values were rounded to " + format +
                     " after a rotation that had more exact ones (fused or compiled code): "
                     "tolerances include the rounding of the vectors before it";
}

// Returns the rounding error relative to a pair's norm, `coarseness` times that of normal numbers.
// Throws InputError if no angle is meaningful with it.
double rounding_of_small_vectors(const RotatedDump& dump, double coarseness) {
    const double rounding = coarseness * rotation_rounding(dump.format, 1);
    if (coarseness > 1 && rounding > most_rounding)
        throw InputError(dump.origin + ": every value is so small that " +
                         std::string(to_string(dump.format)) + " rounds it by " +
                         decimal(std::round(100 * rounding)) +
                         " % or more; scale q up before it is rotated");
    return rounding;
}

// Throws InputError if every pair was left out. `undetermined`: pairs left out in every row.
std::vector<std::string> notes_on(const Spec& spec, const RotatedDump& dump, double coarseness,
                                  std::uint64_t left_out,
                                  std::span<const std::uint32_t> undetermined) {
    std::vector<std::string> notes;
    const std::string format(to_string(dump.format));
    if (dump.stored_in)
        notes.push_back(note_on_narrow_values("rotated", dump.format, *dump.stored_in));
    const std::uint64_t pairs = dump.positions.size() * spec.pairs();
    if (left_out == pairs)
        throw InputError(dump.origin +
                         ": vectors are zero in every pair; a rotation has no effect on them");
    if (dump.printed > 0)
        notes.push_back(
            "the vectors were printed with few digits: tolerances include half a unit of the last "
            "one, " +
            decimal(dump.printed) + " in all");
    else if (coarseness > 1)
        notes.push_back("every value is so small that " + format +
                        " is subnormal: its roundings, " + decimal(std::ceil(coarseness)) +
                        " times as large in proportion, are allowed");
    const std::uint64_t small = left_out - dump.padding * spec.pairs();
    if (small > 0)
        notes.push_back("vectors are zero, or too small for " +
                        (dump.printed > 0 ? "their digits" : format) + ", in " + decimal(small) +
                        " of " + decimal(pairs) + " pairs: these were left out" +
                        untested(spec, undetermined));
    return notes;
}

struct RowKey {
    double position;
    std::uint64_t bits;  // hash of all values
    std::size_t row;
};

bool is_before(const RowKey& a, const RowKey& b) {
    if (a.position != b.position) return is_nearer_zero(a.position, b.position);
    return std::pair(a.bits, a.row) < std::pair(b.bits, b.row);
}

// Returns row numbers sorted by position, and by their bits if positions are equal, so that no
// report depends on the order of a dump's rows.
template <class BitsOfRow>
std::vector<std::size_t> in_order(const std::vector<double>& positions,
                                  const BitsOfRow& bits_of_row, unsigned threads) {
    std::vector<std::size_t> order = numbers_below(positions.size());
    if (std::adjacent_find(positions.begin(), positions.end(), [](double a, double b) {
            return !is_nearer_zero(a, b);
        }) == positions.end())
        return order;
    std::vector<RowKey> keys(order.size());
    const auto sorted = [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
            keys[row] = {positions[row], bits_of_row(row), row};
        std::sort(&keys[begin], &keys[0] + end, is_before);
        return end;
    };
    const auto ends = results_of_ranges(keys.size(), least_rows, threads, sorted);
    for (std::size_t k = 1; k < ends.size(); ++k)
        std::inplace_merge(&keys[0], &keys[ends[k - 1]], &keys[0] + ends[k], is_before);
    std::ranges::transform(keys, order.begin(), &RowKey::row);
    return order;
}

// Returns whether q has numbers that are not in the format of the rotated vectors.
bool rounds_inputs(const RotatedDump& dump, std::uint64_t head_dim) {
    if (!dump.stored_in && dump.before.element() == dump.after.element()) return false;
    const auto narrow = narrower_format(dump.before, dump.positions.size(), head_dim);
    const Format before = narrow ? *narrow : format_of(dump.before.element()).value_or(dump.format);
    if (before == dump.format) return false;
    return unit_roundoff(before) < unit_roundoff(dump.format) || dump.format == Format::float16;
}

// Returns whether several axes rotate the pairs but all axes have the same positions.
bool hides_axes(const std::vector<std::uint32_t>& axis_of_pair, const std::vector<double>& first,
                const std::vector<std::vector<double>>& more) {
    const bool has_several =
        std::ranges::adjacent_find(axis_of_pair, std::ranges::not_equal_to()) != axis_of_pair.end();
    return has_several && std::ranges::all_of(more, [&](const auto& one) { return one == first; });
}

bool has_repeated_columns(const std::vector<Assumption>& read_as) {
    return std::ranges::any_of(read_as, [](const Assumption& one) {
        return one.what == "cache_layout" && one.value == "repeated";
    });
}

class DumpRows final : public RowSource {
  public:
    template <class AnyDump>
    DumpRows(const Spec& spec, AnyDump dump, std::unique_ptr<DumpCells> cells, Exactness exactness,
             unsigned threads, std::vector<std::string> notes = {},
             std::shared_ptr<const Answers> answers = nullptr, std::uint64_t left_out = 0)
        : cells_(std::move(cells)),
          pairs_(spec.pairs()),
          origin_(dump.origin),
          exactness_(std::move(exactness)),
          notes_(std::move(notes)),
          read_as_(dump.read_as),
          answers_(std::move(answers)),
          left_out_(left_out),
          axis_(axis_of_pairs(spec.axes, spec.pairs())),
          dump_(std::move(dump)) {
        const auto& own = std::get<AnyDump>(dump_);
        if (hides_axes(axis_, own.positions, own.more_positions))
            notes_.push_back(
                "every row has one position on all axes, as text has: which axis rotates which "
                "pairs is not tested; rows of an image or a video show it");
        if (spec.layout == PairLayout::half_split && has_repeated_columns(read_as_))
            notes_.push_back(
                "columns 2i and 2i + 1 are equal (f0 f0 f1 f1), as interleaved pairs (GPT-J) need; "
                "the config's half_split pairs (NeoX) need cat(f, f): check what the kernel reads");
        add_axis(own.positions, threads);
        for (const auto& positions : own.more_positions) add_axis(positions, threads);
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
    const Dump* dumped() const override { return &dump_; }
    const Answers* answers() const override { return answers_.get(); }
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
            // Rows of one position may be far apart in memory; hardware prefetching cannot predict
            // them.
            constexpr std::size_t ahead = 2;
            for (std::size_t r = 0; r < rows.size(); ++r) {
                if (r + ahead < rows.size()) source_.cells_->prefetch(order_[rows[r + ahead]]);
                source_.cells_->read(order_[rows[r]], pairs_, cos + r * pairs_.count,
                                     sin + r * pairs_.count);
            }
            if (source_.left_out_ == 0) return;
            left_out_.clear();
            for (const std::uint64_t row : rows)
                for (std::uint32_t j = 0; j < pairs_.count; ++j)
                    left_out_.push_back(
                        source_.cells_->is_left_out(order_[row], pairs_.first + j) ? 1 : 0);
        }
        std::span<const std::uint8_t> left_out() const override { return left_out_; }

      private:
        const DumpRows& source_;
        const std::vector<std::size_t>& order_;
        PairRange pairs_;
        std::vector<std::uint8_t> left_out_;
    };

    // The rows in the order of one axis.
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
        std::vector<std::size_t> rows = numbers_below(positions_[0].size());
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

    void add_axis(const std::vector<double>& positions, unsigned threads) {
        const auto bits = [this](std::size_t row) { return cells_->mixed_bits(row); };
        Axis axis{in_order(positions, bits, threads), {}};
        for (const std::size_t row : axis.order) axis.positions.push_back(positions[row]);
        by_axis_.push_back(std::move(axis));
        positions_.emplace_back(positions);
    }

    std::unique_ptr<DumpCells> cells_;
    std::uint32_t pairs_;
    std::string origin_;
    Exactness exactness_;
    std::vector<std::string> notes_;
    std::vector<Assumption> read_as_;
    std::shared_ptr<const Answers> answers_;
    std::uint64_t left_out_;
    std::vector<std::uint32_t> axis_;  // axis of each pair
    std::vector<Axis> by_axis_;
    Dump dump_;
    std::vector<std::span<const double>> positions_;  // positions of the dump's rows on each axis
};

// Returns which rows have a position other than 0 on some axis.
std::vector<bool> rows_that_turn(const RotatedDump& dump) {
    std::vector<bool> turns(dump.positions.size());
    for (std::size_t row = 0; row < turns.size(); ++row) {
        turns[row] = dump.positions[row] != 0;
        for (const auto& axis : dump.more_positions) turns[row] = turns[row] || axis[row] != 0;
    }
    return turns;
}

template <class Rows>
std::optional<Dump> completed(const Rows& rows) {
    const std::size_t axes = rows.more_positions.size() + 1;
    if (axes != 1 && axes != 3) return std::nullopt;
    Rows all = rows;
    if (axes == 1) all.more_positions.assign(2, all.positions);
    all.more_positions.emplace_back(all.positions.size(), 0.0);
    return all;
}

// Rows computed from given frequencies.

// Returns the accuracy expected of them: only the angles are rounded.
Exactness frequency_exactness(const Spec& spec, const FrequencyPlan& plan,
                              const Pipeline* pipeline) {
    Exactness exactness = make_of(spec, plan, pipeline);
    // our cos and sin have cos_sin_error, and their product with the attention factor is rounded
    exactness.rounding = cos_sin_error * std::abs(plan.attention_factor) +
                         half_spacing(Format::float64, plan.attention_factor);
    exactness.recovery = 0x1p-48;
    return exactness;
}

class FrequencyRows final : public RowSource {
  public:
    FrequencyRows(const FrequencyDump& dump, std::uint64_t context, double amplitude,
                  Exactness exactness)
        : origin_(dump.origin),
          read_as_(dump.read_as),
          context_(context),
          amplitude_(amplitude),
          exactness_(std::move(exactness)) {
        for (const double inv_freq : dump.inv_freq) {
            turns_.push_back(is_frequency(inv_freq));
            effective_.emplace_back(turns_.back() ? inv_freq : 0, exact_precision);
        }
    }

    std::unique_ptr<RowReader> read(PairRange pairs) const override {
        return std::make_unique<Reader>(*this, pairs);
    }
    std::uint64_t rows() const override { return context_; }
    const std::vector<BigReal>* effective_inv_freq() const override { return &effective_; }
    const Exactness& exactness() const override { return exactness_; }
    Subject subject() const override {
        Subject subject{origin_, "", context_};
        subject.read_as = read_as_;
        return subject;
    }

  private:
    class Reader final : public RowReader {
      public:
        Reader(const FrequencyRows& source, PairRange pairs)
            : rows_(source.rates(pairs)), amplitude_(source.amplitude_) {
            for (std::uint32_t i = 0; i < pairs.count; ++i)
                if (!source.turns_[pairs.first + i]) undefined_.push_back(i);
        }
        void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) override {
            rows_.fill(rows, cos, sin);
            for (const std::size_t i : undefined_)
                for (std::size_t row = 0; row < rows.size(); ++row)
                    cos[row * rows_.pairs() + i] = sin[row * rows_.pairs() + i] =
                        std::numeric_limits<double>::quiet_NaN();
            for (std::size_t k = 0; amplitude_ != 1 && k < rows.size() * rows_.pairs(); ++k) {
                cos[k] *= amplitude_;
                sin[k] *= amplitude_;
            }
        }

      private:
        ExactRows rows_;
        double amplitude_;
        std::vector<std::size_t> undefined_;  // pairs without a valid frequency
    };

    std::vector<TurnRate> rates(PairRange pairs) const {
        std::vector<TurnRate> rates;
        for (std::uint32_t i = 0; i < pairs.count; ++i)
            rates.push_back(turn_rate(effective_[pairs.first + i]));
        return rates;
    }

    std::string origin_;
    std::vector<Assumption> read_as_;
    std::uint64_t context_;
    double amplitude_;
    Exactness exactness_;
    std::vector<BigReal> effective_;  // 0 for an invalid frequency
    std::vector<bool> turns_;
};

}  // namespace

Exactness rotation_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                             const Pipeline* pipeline) {
    Exactness exactness = make_of(spec, plan, pipeline);
    exactness.rounding = rotation_rounding(format, plan.attention_factor);
    exactness.table = pipeline ? pipeline->table : format;
    if (pipeline) exactness.rounding += half_spacing(pipeline->table, plan.attention_factor);
    exactness.recovery = 0x1p-48;
    return exactness;
}

Exactness exactness_of(const Spec& spec, const FrequencyPlan& plan, const Dump& dump,
                       const Pipeline* pipeline) {
    if (const auto* table = std::get_if<TableDump>(&dump))
        return table_exactness(spec, plan, *table, pipeline);
    return rotation_exactness(spec, plan, rows_of(dump)->format, pipeline);
}

TellingNorm telling_norm(const RotatedDump& dump, std::size_t head_dim) {
    const double normal = std::ldexp(1, smallest_exponent(dump.format) + 1);
    double largest = 0;
    std::vector<double> x(head_dim);
    for (std::size_t row = 0; row < dump.positions.size(); ++row) {
        dump.before.read(row, 0, static_cast<std::uint32_t>(head_dim), x.data());
        for (const double dimension : x)
            if (!(std::abs(dimension) <= largest)) largest = std::abs(dimension);
        if (!(largest < normal) && !(dump.printed > 0)) return {normal, 1};
    }
    if (largest == 0 || !std::isfinite(largest)) return {normal, 1};
    const double least = largest / 4,
                 printed = dump.printed / (least * rotation_rounding(dump.format, 1));
    return {least, dump.printed > 0 ? 1 + printed : normal / least};
}

std::string note_on_narrow_values(std::string_view what, Format format, Format stored_in) {
    const std::string name(to_string(format));
    return "every " + std::string(what) + " value is a " + name + " number, stored as " +
           std::string(to_string(stored_in)) + ": checked as " + name;
}

void visit_passed_dimensions(const Spec& spec, const RotatedDump& dump, unsigned threads,
                             const std::function<void(double, double, double)>& visit) {
    const auto bits = [&](std::size_t row) {
        return dump.before.mixed_bits(row, spec.head_dim) ^
               3 * dump.after.mixed_bits(row, spec.head_dim);
    };
    const std::vector<std::size_t> dimensions = passed_dimensions(spec);
    for (const std::size_t row : in_order(dump.positions, bits, threads))
        for (const std::size_t dimension : dimensions) {
            const double before = dump.before.at(row, dimension),
                         after = dump.after.at(row, dimension);
            const double want = round_to(dump.format, before);
            visit(dump.positions[row], is_kept(dump, before, after) ? want : after, want);
        }
}

std::unique_ptr<RowSource> table_rows(const Spec& spec, TableDump dump, const Pipeline* pipeline,
                                      unsigned threads, std::shared_ptr<const Answers> answers) {
    require_usable(spec, dump);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    auto cells = std::make_unique<TableCells>(dump.cos, dump.sin, dump.pairs);
    Exactness exactness = table_exactness(spec, plan, dump, pipeline);
    std::vector<std::string> notes;
    if (dump.printed > 0 && pipeline == nullptr)
        notes.push_back(
            "cos and sin were printed with few digits: tolerances include half a unit "
            "of the last one, " +
            decimal(dump.printed));
    return std::make_unique<DumpRows>(spec, std::move(dump), std::move(cells), std::move(exactness),
                                      threads, std::move(notes), std::move(answers));
}

std::unique_ptr<RowSource> rotated_rows(const Spec& spec, RotatedDump dump,
                                        const Pipeline* pipeline, unsigned threads) {
    require_usable(spec, dump);
    if (pipeline) dump.printed = 0;  // as for tables: a pipeline prints no values
    const TellingNorm norm = telling_norm(dump, spec.head_dim);
    const double rounding = rounding_of_small_vectors(dump, norm.coarseness);
    auto cells = std::make_unique<RotatedCells>(spec, dump.before, dump.after, norm.least);
    const std::uint64_t left_out = cells->count_left_out(dump.positions.size(), threads);
    std::vector<std::uint32_t> undetermined;
    if (left_out > 0) undetermined = cells->undetermined_pairs(rows_that_turn(dump));
    std::vector<std::string> notes = notes_on(spec, dump, norm.coarseness, left_out, undetermined);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Exactness exactness = rotation_exactness(spec, plan, dump.format, pipeline);
    // rounding q to the format of the rotated vectors also affects position 0
    if (rounds_inputs(dump, spec.head_dim)) exactness.recovery += exactness.rounding;
    if (norm.coarseness > 1) exactness.rounding += plan.attention_factor * rounding;
    if (dump.printed > 0) exactness.recovery += exactness.rounding;
    if (dump.roundings != Roundings::once) {
        const double once = dump.roundings == Roundings::twice
                                ? exactness.rounding
                                : plan.attention_factor * unit_roundoff(dump.format);
        exactness.rounding += once;
        exactness.recovery += once;
        notes.push_back(note_on_roundings(dump));
    }
    if (dump.scale_rounding > 0) {  // also affects position 0
        exactness.rounding += plan.attention_factor * dump.scale_rounding;
        exactness.recovery += exactness.rounding;
    }
    return std::make_unique<DumpRows>(spec, std::move(dump), std::move(cells), std::move(exactness),
                                      threads, std::move(notes), nullptr, left_out);
}

std::optional<Dump> with_fourth_axis(const Spec& spec, const Dump& dump) {
    if (spec.axes.scheme != AxisScheme::interleaved4) return std::nullopt;
    if (const auto* table = std::get_if<TableDump>(&dump)) return completed(*table);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) return completed(*vectors);
    return std::nullopt;
}

std::unique_ptr<RowSource> frequency_rows(const Spec& spec, const FrequencyDump& dump,
                                          std::uint64_t context, const Pipeline* pipeline) {
    if (dump.inv_freq.size() != spec.pairs())
        throw InputError(dump.origin + " has " + decimal(dump.inv_freq.size()) +
                         " frequencies; rotary_dim " + decimal(spec.rotary_dim) + " needs " +
                         decimal(spec.pairs()));
    if (context == 0 || context > max_context)
        throw InputError("context", decimal(context), "from 1 to " + decimal(max_context));
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    return std::make_unique<FrequencyRows>(dump, context, plan.attention_factor,
                                           frequency_exactness(spec, plan, pipeline));
}

}  // namespace rope
