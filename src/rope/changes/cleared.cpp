#include "rope/changes/cleared.hpp"

#include <iterator>
#include <string>

#include "base/decimal.hpp"
#include "rope/changes/dump_view.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/exact/format.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

// A row as it is and with a change undone. Rounding errors are relative to its values as they are.
class UndoneRow {
  public:
    UndoneRow(const SampledVector& as_is, SampledVector now,
              const std::vector<PairOfDimensions>& pairs, Format format)
        : as_is_(as_is), now_(std::move(now)), pairs_(pairs) {
        double before = 0, after = 0;
        for (const PairOfDimensions& pair : pairs) {
            if (pair.is_passed()) continue;
            before += norm_at(now_.before, pair.read) * norm_at(now_.before, pair.read);
            after += norm_at(now_.after, pair.written) * norm_at(now_.after, pair.written);
        }
        factor_ = std::sqrt(after / before);
        std::vector<double> sizes;
        for (const PairOfDimensions& pair : pairs) sizes.push_back(size_of(pair));
        const auto middle = sizes.begin() + std::ssize(sizes) / 2;
        std::ranges::nth_element(sizes, middle);
        usual_ = *middle;
        tolerance_ = 16 * half_spacing(format, 1);
    }

    // Whether all pairs keep their norms up to one factor, and other dimensions their values.
    bool keeps_pairs() const {
        return std::ranges::all_of(pairs_,
                                   [&](const PairOfDimensions& pair) { return is_kept(pair); });
    }

    // Pairs that nearly cancel are zero and so left out, and unrotated dimensions within rounding
    // of their original values have these. `is_rounded`: undoing the change adds rounding errors.
    SampledVector usable(bool is_rounded) && {
        constexpr double small = 0.25;
        for (const PairOfDimensions& pair : pairs_) {
            const auto& [read, written] = pair;
            if (pair.is_passed()) {
                if (is_kept(pair)) now_.after[read.first] = now_.before[read.first];
            } else if (is_rounded &&
                       norm_at(now_.before, read) < small * std::max(size_of(pair), usual_)) {
                now_.before[read.first] = now_.before[read.second] = 0;
                now_.after[written.first] = now_.after[written.second] = 0;
            }
        }
        return std::move(now_);
    }

  private:
    double size_of(const PairOfDimensions& pair) const {
        return std::max(norm_at(as_is_.before, pair.read),
                        norm_at(as_is_.after, pair.written) / factor_);
    }
    bool is_kept(const PairOfDimensions& pair) const {
        const double off =
            pair.is_passed()
                ? now_.after[pair.read.first] - now_.before[pair.read.first]
                : norm_at(now_.after, pair.written) / factor_ - norm_at(now_.before, pair.read);
        return std::abs(off) <= tolerance_ * std::max(size_of(pair), usual_);
    }

    const SampledVector& as_is_;
    SampledVector now_;
    const std::vector<PairOfDimensions>& pairs_;
    // factor_: |y|/|x| of the dimensions that rotate; usual_: the median of the sizes
    double factor_, usual_, tolerance_;
};

// The rotation of a Spec with float32 angles, or its inverse, applied to single vectors.
class Rotation {
  public:
    explicit Rotation(const Spec& spec) : spec_(spec), frequencies_(frequencies_of(spec)) {}

    const Spec& spec() const { return spec_; }
    const Vector& theta() const { return frequencies_.theta; }
    void apply(double position, Vector& x) const {
        x = turned(position, x, frequencies_.amplitude, 1);
    }
    void undo(double position, Vector& x) const {
        x = turned(position, x, 1 / frequencies_.amplitude, -1);
    }

  private:
    Vector turned(double position, const Vector& x, double factor, double direction) const {
        std::vector<float> angles;
        for (const double theta : frequencies_.theta)
            angles.push_back(static_cast<float>(position) * static_cast<float>(theta));
        Vector c(angles.size()), s(angles.size());
        kernels().cos_sin_of_angles(angles.size(), angles.data(), c.data(), s.data());
        for (double& each : c) each *= factor;
        for (double& each : s) each *= direction * factor;
        return rotate(spec_, x, c, s);
    }

    Spec spec_;
    Frequencies frequencies_;
};

NamedMistake rotated_in_both(const Spec& first, const Spec& then) {
    Parameters parameters{{"first", std::string(to_string(first.layout))},
                          {"then", std::string(to_string(then.layout))}};
    const bool is_order_known =  // rotations of the same pairs commute
        first.layout != then.layout || first.layout != PairLayout::interleaved;
    if (first.rotary_dim != then.rotary_dim) {
        if (!is_order_known) parameters.clear();
        parameters.emplace_back("first_dim", first.rotary_dim);
        parameters.emplace_back("then_dim", then.rotary_dim);
    }
    return named("rotated-twice", std::move(parameters));
}

// The Specs of the other layout, and of all dimensions in both layouts.
std::vector<Spec> other_rotations(const Spec& asked) {
    std::vector<Spec> all{in_other_layout(asked)};
    if (asked.rotary_dim < asked.head_dim) {
        Spec whole = asked;
        whole.rotary_dim = asked.head_dim;
        whole.rotary_offset = 0;
        all.insert(all.end(), {whole, in_other_layout(whole)});
    }
    std::erase_if(all, [](const Spec& one) { return !is_sound(one); });
    return all;
}

// The mean turn of pairs from one vector to the other over several rows, as Σ y·x̄ of complex
// numbers.
struct MeanTurn {
    double cos = 0, sin = 0, moduli = 0;

    void add(const Vector& x, const Dimensions& of_x, const Vector& y, const Dimensions& of_y) {
        const double x1 = x[of_x.first], x2 = x[of_x.second], y1 = y[of_y.first],
                     y2 = y[of_y.second];
        cos += x1 * y1 + x2 * y2;
        sin += x1 * y2 - x2 * y1;
        moduli += portable::hypot(x1, x2) * portable::hypot(y1, y2);
    }
    // Whether every row has it, up to rounding.
    bool is_constant() const {
        constexpr double least = 0.999;
        return portable::hypot(cos, sin) >= least * moduli;
    }
    double angle() const { return portable::atan2(sin, cos); }
    void undo(Vector& y, const Dimensions& of_y) const {
        const double most = portable::hypot(cos, sin);
        if (most == 0) return;
        const double c = cos / most, s = sin / most, y1 = y[of_y.first], y2 = y[of_y.second];
        y[of_y.first] = c * y1 + s * y2;
        y[of_y.second] = c * y2 - s * y1;
    }
};

// A smaller angle, the same in every row, may be that of a frequency whose error no row shows: it
// grows with the distance of the rows from position 0.
double least_constant_angle(const std::vector<double>& positions) {
    constexpr double least_range = 32, least = 0.0625;  // smaller ones are inaccurate angles
    const auto [low, high] = std::ranges::minmax(positions);
    if (low < 0 || high - low < least_range) return HUGE_VAL;
    return least * std::max(1.0, 4 * low / (high - low));
}

// The whole number of positions by which pairs that `first` leaves unrotated are rotated in every
// row, of the slowest first.
std::optional<double> constant_position(const Spec& first, const Rotation& whole,
                                        const std::vector<SampledVector>& rows) {
    const Vector& theta = whole.theta();
    const std::vector<std::size_t> passed = passed_dimensions(first);
    const auto is_passed = [&](std::size_t dimension) {
        return std::ranges::binary_search(passed, dimension);
    };
    std::optional<double> position;
    for (std::size_t i = theta.size(); i-- > 0;) {
        const Dimensions read = dimensions_of_pair(whole.spec(), i),
                         written = written_dimensions_of_pair(whole.spec(), i);
        if (!(theta[i] > 0) || !is_passed(read.first) || !is_passed(read.second)) continue;
        MeanTurn mean;
        for (const SampledVector& one : rows) mean.add(one.before, read, one.after, written);
        if (!mean.is_constant()) return std::nullopt;
        const double from = position.value_or(0);
        position = from + within_half_a_turn(mean.angle() - from * theta[i]) / theta[i];
    }
    if (!position || std::round(*position) == 0) return std::nullopt;
    return std::round(*position);
}

// Undoes a further angle of each pair, the same in every row.
bool is_explained_without_angles(const Undoing& of) {
    const auto written = [&](std::size_t i) { return written_dimensions_of_pair(of.asked, i); };
    const double least_angle = least_constant_angle(of.vectors().positions);
    const Rotation rotation(of.asked);
    std::vector<MeanTurn> further(of.asked.pairs());
    for (const SampledVector& one : of.sampled) {
        Vector expected = one.before;
        rotation.apply(of.vectors().positions[one.row], expected);
        for (std::size_t i = 0; i < further.size(); ++i)
            further[i].add(expected, written(i), one.after, written(i));
    }
    if (!std::ranges::all_of(further, &MeanTurn::is_constant) ||
        std::ranges::all_of(
            further, [&](const MeanTurn& one) { return std::abs(one.angle()) < least_angle; }))
        return false;
    const auto undo = [&](SampledVector& one) {
        for (std::size_t i = 0; i < further.size(); ++i) further[i].undo(one.after, written(i));
    };
    return of.is_explained(
        {named("rotated-twice", {{"angle", "one per pair"}}), of.rows.changed(undo), 4});
}

// The largest |factor·|x| − |y||/|y| in the sample, with the factor of the first row.
double unlikeness(const RotatedDump& dump, const StridedRows& before,
                  const std::vector<SampledVector>& sampled) {
    const std::uint64_t dimensions = head_dim_of(dump);
    double factor = 0, most = 0;
    for (const SampledVector& one : sampled) {
        const double x = norm_of(before, one.row, 0, dimensions);
        const double y = norm_of(dump.after, one.row, 0, dimensions);
        if (factor == 0) factor = y / x;
        most = std::max(most, std::abs(factor * x - y) / y);
    }
    return most;
}

// The finite (cos, sin) of rows spread over the table.
std::vector<TwoTerms> sampled_entries(const TableDump& table) {
    const std::size_t rows = table.positions.size();
    const std::size_t step = std::max<std::size_t>(1, rows / most_samples);
    std::vector<TwoTerms> all;
    for (std::size_t row = 0; row < rows; row += step)
        for (std::uint32_t pair = 0; pair < table.pairs; ++pair) {
            const TwoTerms one{table.cos.at(row, pair), table.sin.at(row, pair)};
            if (std::isfinite(one.first) && std::isfinite(one.second)) all.push_back(one);
        }
    return all;
}

}  // namespace

bool Undoing::is_explained_without(const VectorChange& change) const {
    constexpr std::size_t least = 4;
    const std::vector<PairOfDimensions> pairs = pairs_of(change.spec, rows.heads());
    const auto undone = [&](const SampledVector& one) {
        SampledVector now = one;
        change.undo(now);
        return UndoneRow(one, std::move(now), pairs, vectors().format);
    };
    // at position 0 a rotation keeps all norms
    const auto kept = std::ranges::count_if(sampled, [&](const SampledVector& one) {
        return UndoneRow(one, one, pairs, vectors().format).keeps_pairs();
    });
    if (sampled.size() < least || 2 * kept > std::ssize(sampled) ||
        !std::ranges::all_of(sampled,
                             [&](const SampledVector& one) { return undone(one).keeps_pairs(); }))
        return false;
    const bool is_rounded = change.times > 1;
    return is_explained({change.mistake, rows.changed([&](SampledVector& one) {
                             one = undone(one).usable(is_rounded);
                         }),
                         change.times});
}

bool clear_of_moved_dimensions(const Undoing& of) {
    const Spec& asked = of.asked;
    const bool is_at_end = asked.rotary_offset != 0;
    if (asked.rotary_dim == asked.head_dim ||
        (is_at_end && asked.rotary_offset + asked.rotary_dim != asked.head_dim))
        return false;
    const std::size_t by = is_at_end ? asked.rotary_dim : asked.head_dim - asked.rotary_dim;
    return of.is_explained_without(
        {named("pair-layout",
               {{"after", is_at_end ? "rotated dimensions first" : "rotated dimensions last"}}),
         asked,
         [by](SampledVector& one) {
             std::ranges::rotate(one.after, one.after.begin() + static_cast<std::ptrdiff_t>(by));
         },
         1});
}

bool clear_of_second_rotation(const Undoing& of) {
    const Spec& asked = of.asked;
    const RotatedDump& dump = of.vectors();
    if (!dump.more_positions.empty() || !DumpedRows(dump).are_all(is_whole)) return false;
    const auto is_cleared = [&](NamedMistake mistake, const auto& undo) {
        return of.is_explained_without({std::move(mistake), asked, undo});
    };
    for (const Spec& other : other_rotations(asked)) {
        const Rotation rotation(other);
        if (is_cleared(rotated_in_both(other, asked), [&](SampledVector& one) {
                rotation.apply(dump.positions[one.row], one.before);
            }))
            return true;
        if (is_cleared(rotated_in_both(asked, other), [&](SampledVector& one) {
                rotation.undo(dump.positions[one.row], one.after);
            }))
            return true;
        const auto by = constant_position(asked, rotation, of.sampled);
        if (by && is_cleared(named("rotated-twice",
                                   {{"by", *by}, {"then_dim", std::uint64_t{other.rotary_dim}}}),
                             [&](SampledVector& one) { rotation.undo(*by, one.after); }))
            return true;
    }
    return is_explained_without_angles(of);
}

std::optional<Cleared> cleared_of_other_vectors(const Undoing& of) {
    constexpr std::size_t least = 4;
    const RotatedDump& dump = of.vectors();
    const double tolerance = 8 * half_spacing(dump.format, 1);
    if (!dump.other || of.sampled.size() < least ||
        !(unlikeness(dump, dump.other->before, of.sampled) <= tolerance) ||
        unlikeness(dump, dump.before, of.sampled) <= 4 * tolerance)
        return std::nullopt;
    RotatedDump other = dump;
    other.before = dump.other->before;
    other.other.reset();
    return Cleared{named("head-order", {{"from", dump.other->name}}), std::move(other)};
}

std::optional<TwoTerms> fit_to_one(const std::vector<TwoTerms>& all, double tolerance,
                                   bool one_term) {
    LeastSquares<2> fit;
    for (const auto& [p, q] : all) fit.add({p, q}, 1);
    if (one_term) fit.add({1, -1}, 0);
    const auto [a, b] = fit.solution();
    if (!(a > 0 && b > 0)) return std::nullopt;
    const auto is_met = [&](const TwoTerms& one) {
        return std::abs(a * one.first + b * one.second - 1) <= tolerance;
    };
    if (!std::ranges::all_of(all, is_met)) return std::nullopt;
    return TwoTerms{a, b};
}

std::optional<Cleared> cleared_of_unequal_scale(const Spec& asked, const TableDump& table) {
    constexpr std::size_t least = 64;
    const double tolerance = 8 * std::max(half_spacing(table.format, 1), 0x1p-48);  // of the fit
    std::vector<TwoTerms> squares = sampled_entries(table);
    if (squares.size() < least) return std::nullopt;
    for (auto& [cos, sin] : squares) cos *= cos, sin *= sin;
    const auto inverse = fit_to_one(squares, tolerance);
    if (!inverse) return std::nullopt;
    const double of_cos = few_digits(1 / std::sqrt(inverse->first), tolerance),
                 of_sin = few_digits(1 / std::sqrt(inverse->second), tolerance);
    if (std::abs(of_cos / of_sin - 1) <= 8 * tolerance) return std::nullopt;
    const double right = plan_frequencies(asked, exact_precision).attention_factor;
    const auto by = [&](double factor) {
        return std::make_shared<const std::vector<double>>(table.positions.size(), factor / right);
    };
    TableDump equal = table;
    equal.cos = equal.cos.divided_by(by(of_cos));
    equal.sin = equal.sin.divided_by(by(of_sin));
    return Cleared{named("attention-factor", {{"cos", of_cos}, {"sin", of_sin}},
                         {{"asked", few_digits(right, 1e-9)}}),
                   std::move(equal), 4};
}

std::optional<Cleared> cleared_of_fixed_point(const TableDump& table) {
    constexpr std::size_t least = 64;
    constexpr std::array steps{1.0, 127.0, 128.0, 255.0, 16384.0, 32767.0, 32768.0, 65535.0};
    const std::vector<TwoTerms> entries = sampled_entries(table);
    // a format as coarse as a fixed-point table shows nothing
    if (entries.size() < least || half_spacing(table.format, 1) > 0x1p-20) return std::nullopt;
    const auto all_are = [&](const auto& is_so) {
        return std::ranges::all_of(
            entries, [&](const TwoTerms& one) { return is_so(one.first) && is_so(one.second); });
    };
    const bool is_narrow = std::ranges::any_of(
        std::array{Format::bfloat16, Format::float16},
        [&](Format narrow) { return all_are([&](double x) { return round_to(narrow, x) == x; }); });
    for (const double n : steps) {
        if (is_narrow && n > 128) break;  // 16-bit formats have no finer multiples
        if (all_are([&](double x) {
                return std::abs(x * n - std::nearbyint(x * n)) <=
                       4 * half_spacing(table.format, std::abs(x)) * n;
            }))
            return Cleared{named("table-precision",
                                 {{"format", n == 1 ? "whole numbers"
                                                    : "whole multiples of 1/" + decimal(n)}}),
                           table, 1, 1 / n};  // 1 becomes 32767/32768
    }
    return std::nullopt;
}

}  // namespace rope
