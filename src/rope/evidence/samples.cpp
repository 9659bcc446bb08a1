#include "rope/evidence/samples.hpp"

#include <numbers>
#include <set>
#include <span>
#include <utility>

namespace rope {
namespace {

// Finds the format, bfloat16 or float16, whose numbers all values are within `tolerance`. In
// float16, whose rounding is an eighth of bfloat16's, values of bfloat16 are near its numbers.
class Narrowness {
  public:
    Narrowness(Format format, double tolerance)
        : is_float16_(format == Format::float16), tolerance_(tolerance) {
        if (format != Format::float32 && format != Format::float64)
            possible_[0] = possible_[1] = false;
        if (tolerance >= half_spacing(Format::float16, 1) / 4) possible_[1] = false;
        if (tolerance >= half_spacing(Format::bfloat16, 1) / 4) possible_[0] = false;
    }
    void look_at(double value) {
        if (!std::isfinite(value)) return;
        // 0 and 1 are numbers of every format
        if (std::abs(value) > 0.01 && std::abs(std::abs(value) - 1) > tolerance_) ++determining_;
        for (int k = 0; k < 2; ++k)
            possible_[k] =
                possible_[k] && std::abs(round_to(formats[k], value) - value) <= tolerance_;
        if (!is_float16_ || !(std::abs(value) > 0.25 && std::abs(value) < 0.98)) return;
        const double nearest = round_to(Format::bfloat16, value);
        const double off = (nearest - value) / half_spacing(Format::bfloat16, nearest);
        squares_ += off * off;
        ++looked_;
        numbers_.insert(nearest);
    }
    std::optional<Format> found() const {
        // if values are anywhere, the square's mean is 1/3 and its standard deviation 0.3
        if (numbers_.size() >= 48 && squares_ < 0.1 * looked_) return Format::bfloat16;
        if (determining_ < 16) return std::nullopt;
        for (int k = 0; k < 2; ++k)
            if (possible_[k]) return formats[k];
        return std::nullopt;
    }

  private:
    static constexpr Format formats[2] = {Format::bfloat16, Format::float16};
    bool is_float16_;
    double tolerance_;
    bool possible_[2] = {true, true};
    int determining_ = 0;
    // of values in float16: the sum of squares of distances, in half spacings of bfloat16
    double squares_ = 0;
    int looked_ = 0;
    std::set<double> numbers_;
};

// determined[i]: whether the dump determines pair i
void add_row(Samples& samples, const std::vector<double>& cos, const std::vector<double>& sin,
             const std::vector<bool>& determined) {
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        if (!determined[i]) {
            samples.angle.push_back(0);
            samples.modulus.push_back(Samples::left_out);
            continue;
        }
        const bool finite = std::isfinite(cos[i]) && std::isfinite(sin[i]);
        samples.angle.push_back(finite ? portable::atan2(sin[i], cos[i]) : 0);
        samples.modulus.push_back(finite ? portable::hypot(cos[i], sin[i])
                                         : std::numeric_limits<double>::quiet_NaN());
    }
}

void add_positions(Samples& samples, const DumpedRows& dump, const std::vector<std::size_t>& rows) {
    for (std::uint32_t axis = 0; axis < dump.axes(); ++axis) {
        samples.positions.emplace_back();
        for (const std::size_t row : rows) samples.positions.back().push_back(dump.on(axis)[row]);
    }
}

// Solves one column for (c, s). Returns false if the vectors are too small or nearly singular.
bool recover(const std::array<DimensionTerm, 2>& column, const double* x, const double* y,
             double least, double& cos, double& sin) {
    const auto& [a, b] = column;
    // y_a = x_a·c + σ_a·p_a·s, y_b = x_b·c + σ_b·p_b·s by Cramer's rule
    const double xa = x[a.own], pa = a.sign * x[a.partner];
    const double xb = x[b.own], pb = b.sign * x[b.partner];
    const double ya = y[a.out], yb = y[b.out];
    const double determinant = xa * pb - pa * xb;
    const double norm = (xa * xa + pa * pa + xb * xb + pb * pb) / 2;
    if (norm == 0 && ya == 0 && yb == 0) return false;
    if (norm < least * least && portable::hypot(ya, yb) < 2 * least)
        return norm == 0 && portable::hypot(ya, yb) > 0;
    if (std::abs(determinant) < norm / 2) return false;
    cos = (ya * pb - pa * yb) / determinant;
    sin = (xa * yb - ya * xb) / determinant;
    return true;
}

Samples placed_on_axes(Samples samples, const RowGroups& groups) {
    for (std::uint32_t axis = 0; axis < samples.positions.size(); ++axis)
        for (std::size_t row = 0; row < samples.rows(); ++row)
            samples.positions[axis][row] = place_of(samples, groups, samples.dump_row[row], axis);
    return samples;
}

}  // namespace

double chord(double angle) {
    // 2·sin(x), |x| ≤ π/2, by Taylor's series to 6e-8
    const double x = within_half_a_turn(angle) / 2, z = x * x;
    return 2 * std::abs(x) *
           (1 + z * (-1.0 / 6 +
                     z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 - z / 39916800)))));
}

Samples sample_table(const TableDump& dump, std::vector<std::size_t> rows) {
    Samples samples{
        {.storage = std::numbers::sqrt2 * (table_rounding(dump.format, 1) + dump.printed),
         .format = dump.format},
        dump.pairs};
    add_positions(samples, DumpedRows(dump), rows);
    std::vector<double> cos(dump.pairs), sin(dump.pairs);
    Narrowness narrowness(dump.format, 0);
    for (const std::size_t row : rows) {
        dump.cos.read(row, 0, dump.pairs, cos.data());
        dump.sin.read(row, 0, dump.pairs, sin.data());
        add_row(samples, cos, sin, std::vector<bool>(dump.pairs, true));
        for (const auto* values : {&cos, &sin})
            for (const double value : *values) narrowness.look_at(value);
    }
    samples.narrow = narrowness.found();
    samples.dump_row = std::move(rows);
    return samples;
}

std::vector<std::size_t> Arrangement::rest() const {
    std::vector<bool> turns(head_dim);
    for (const auto& column : columns)
        for (const DimensionTerm& term : column)
            turns[term.own] = turns[term.partner % head_dim] = turns[term.out] = true;
    std::vector<std::size_t> rest;
    for (std::size_t dimension = 0; dimension < turns.size(); ++dimension)
        if (!turns[dimension]) rest.push_back(dimension);
    return rest;
}

Samples sample_vectors(const RotatedDump& dump, const Arrangement& arrangement,
                       const std::vector<std::size_t>& rows, const RowGroups& groups) {
    const auto pairs = static_cast<std::uint32_t>(arrangement.columns.size());
    const TellingNorm norm = telling_norm(dump, arrangement.head_dim);
    Samples samples{
        {.storage =
             std::numbers::sqrt2 * norm.coarseness * rotation_rounding(dump.format, 1) + 0x1p-48,
         .format = dump.format,
         .least_norm = norm.least},
        pairs};
    // for a column that is no rotation, |determinant| may be half of its largest value
    if (!arrangement.is_rotation) samples.storage *= 3;
    std::vector<double> cos(pairs), sin(pairs);
    std::vector<double> xy(2 * std::size_t{arrangement.head_dim});
    double *const x = xy.data(), *const y = x + arrangement.head_dim;
    Narrowness narrowness(dump.format, 4 * samples.storage);
    for (const std::size_t row : rows) {
        dump.before.read(before_row(arrangement, groups, row), 0, arrangement.head_dim, x);
        dump.after.read(row, 0, arrangement.head_dim, y);
        std::vector<bool> determined(pairs);
        for (std::uint32_t i = 0; i < pairs; ++i) {
            cos[i] = sin[i] = std::numeric_limits<double>::quiet_NaN();
            determined[i] = recover(arrangement.columns[i], x, y, norm.least, cos[i], sin[i]);
        }
        if (std::none_of(determined.begin(), determined.end(), [](bool one) { return one; }))
            continue;
        samples.dump_row.push_back(row);
        add_row(samples, cos, sin, determined);
        for (std::uint32_t i = 0; i < pairs; ++i)
            if (determined[i]) {
                narrowness.look_at(cos[i]);
                narrowness.look_at(sin[i]);
            }
    }
    add_positions(samples, DumpedRows(dump), samples.dump_row);
    samples.narrow = narrowness.found();
    return samples;
}

Samples sample_frequencies(const FrequencyDump& dump, double amplitude) {
    Samples samples{{.storage = 0x1p-24, .format = dump.format, .inv_freq = dump.inv_freq},
                    static_cast<std::uint32_t>(dump.inv_freq.size())};
    samples.positions.emplace_back();
    for (double m : {1.0, 2.0, 3.0, 5.0, 10.0, 31.0, 100.0, 257.0, 1000.0, 2049.0}) {
        samples.positions[0].push_back(m);
        for (const double inv_freq : dump.inv_freq) {
            const bool turns = is_frequency(inv_freq);
            samples.angle.push_back(turns ? std::remainder(m * inv_freq, full_turn) : 0);
            samples.modulus.push_back(turns ? amplitude : std::numeric_limits<double>::quiet_NaN());
        }
    }
    return samples;
}

Samples some_rows(const Samples& all, const std::vector<std::size_t>& rows,
                  const std::vector<double>& places, const std::vector<std::uint32_t>& pairs) {
    Samples some{all, static_cast<std::uint32_t>(pairs.size()), {{}}};
    some.angle.reserve(rows.size() * pairs.size());
    some.modulus.reserve(rows.size() * pairs.size());
    for (const std::size_t row : rows) {
        some.positions[0].push_back(places[row]);
        if (!all.dump_row.empty()) some.dump_row.push_back(all.dump_row[row]);
        for (const std::uint32_t pair : pairs) {
            some.angle.push_back(all.angle[row * all.pairs + pair]);
            some.modulus.push_back(all.modulus[row * all.pairs + pair]);
        }
    }
    return some;
}

Samples at_places(const Samples& all, const std::vector<double>& places,
                  const std::vector<std::uint32_t>& pairs) {
    std::vector<std::size_t> order = numbers_below(places.size());
    std::erase_if(order, [&](std::size_t row) { return std::isnan(places[row]); });
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return is_nearer_zero(places[a], places[b]); });
    return some_rows(all, order, places, pairs);
}

Samples placed(const Samples& samples, const RowGroups& groups, const OtherSource& source) {
    if (samples.positions.size() > 1) {
        Samples other = samples;
        other.source = &source;
        return placed_on_axes(std::move(other), groups);
    }
    std::vector<double> places;
    for (const std::size_t row : samples.dump_row) places.push_back(groups.place(row, &source));
    Samples other = at_places(samples, places, samples.all_pairs());
    other.source = &source;
    for (const std::size_t row : other.dump_row) other.ids.push_back(groups.position(row));
    return other;
}

Samples placed(const Samples& samples, const RowGroups& groups, const FrameTimes& times) {
    Samples other = samples;
    other.frame_times = times;
    return placed_on_axes(std::move(other), groups);
}

double place_of(const Samples& samples, const RowGroups& groups, std::uint64_t row,
                std::uint32_t axis) {
    return samples.frame_times ? groups.place(row, *samples.frame_times, axis)
                               : groups.place(row, samples.source, axis);
}

void add_other_ids(Samples& samples, const RowGroups& groups, std::uint32_t axes) {
    const auto add = [&](const OtherSource* source, std::uint32_t axis) {
        OtherIds one{source, axis};
        for (const std::size_t row : samples.dump_row)
            one.positions.push_back(groups.place(row, source, axis));
        samples.other_ids.push_back(std::move(one));
    };
    for (std::uint32_t axis = 0; axis < axes; ++axis) add(nullptr, axis);
    for (const OtherSource* one : groups.sources())
        for (std::uint32_t axis = one->keeps_time && axes > 2; axis < (one->reads_ids ? axes : 1);
             ++axis)
            add(one, axis);
}

namespace {

// The amplitudes from which rounding to `format` gives the most of a table's values.
Amplitude amplitude_before_rounding(const Samples& samples, Format format) {
    std::vector<std::pair<double, int>> ends;  // of intervals: where how many more begin
    for (std::size_t k = 0; k < samples.modulus.size(); ++k) {
        const double modulus = samples.modulus[k];
        if (!std::isfinite(modulus) || Samples::is_left_out(modulus)) continue;
        // |sin α| = |e^{2iα} − 1|/2
        const double x = modulus * chord(2 * samples.angle[k] + full_turn / 2) / 2,
                     y = modulus * chord(2 * samples.angle[k]) / 2,
                     at_x = table_rounding(format, x), at_y = table_rounding(format, y);
        ends.emplace_back(portable::hypot(std::max(x - at_x, 0.0), std::max(y - at_y, 0.0)), -1);
        ends.emplace_back(portable::hypot(x + at_x, y + at_y), 1);
    }
    std::ranges::sort(ends);
    int values = 0, most = 0;
    Amplitude found;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
        values -= ends[k].second;
        if (values <= most) continue;
        most = values;
        const double low = ends[k].first, high = ends[k + 1].first;
        found = {(low + high) / 2, (high - low) / (high + low)};
    }
    return found;
}

}  // namespace

Amplitude fitted_amplitude(const Samples& samples) {
    const Format format = samples.narrow.value_or(samples.format);
    const bool is_table = samples.least_norm == 0 && samples.inv_freq.empty();
    if (is_table && (format == Format::bfloat16 || format == Format::float16))
        return amplitude_before_rounding(samples, format);
    std::vector<double> squares;
    for (const double modulus : samples.modulus)
        if (std::isfinite(modulus) && !Samples::is_left_out(modulus))
            squares.push_back(modulus * modulus);
    if (squares.empty()) return {};
    // the middle half, so that a few wrong values have no influence
    const auto first = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 4),
               last = first + static_cast<std::ptrdiff_t>((squares.size() + 1) / 2);
    std::ranges::nth_element(squares, first);
    std::ranges::nth_element(first, last, squares.end());
    std::ranges::sort(first, last);  // for one order of summation on all machines
    const std::span middle(first, last);
    return {std::sqrt(std::accumulate(middle.begin(), middle.end(), 0.0) /
                      static_cast<double>(middle.size())),
            1e-8 + samples.storage / 50};
}

}  // namespace rope
