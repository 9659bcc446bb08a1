#include "rope/changes/cleared.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "base/decimal.hpp"
#include "rope/changes/dump_view.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/evidence/rows.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/format.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

using Vector = std::vector<double>;

// Whether every unrotated dimension is found `by` dimensions further on, cyclically, and not at its
// place.
bool are_moved(const std::vector<SampledVector>& rows, const std::vector<std::size_t>& passed,
               std::size_t head_dim, std::size_t by) {
    const auto are = [&](std::size_t further) {
        return std::ranges::all_of(rows, [&](const SampledVector& one) {
            return std::ranges::all_of(passed, [&](std::size_t dimension) {
                return one.after[(dimension + further) % head_dim] == one.before[dimension];
            });
        });
    };
    return are(by) && !are(0);
}

double root_mean_square(const Vector& x) {
    return std::sqrt(sum_of_squares(x) / static_cast<double>(x.size()));
}

double tolerance(const RotatedDump& dump, const Vector& x) {
    return 32 * half_spacing(dump.format, 1) * root_mean_square(x);
}

bool keeps_pairs(const Spec& spec, const RotatedDump& dump, const SampledVector& one) {
    const double factor = root_mean_square(one.after) / root_mean_square(one.before);
    const double allowed = tolerance(dump, one.before);
    for (std::size_t i = 0; i < spec.rotary_dim / 2; ++i) {
        const Dimensions read = dimensions_of_pair(spec, i),
                         written = written_dimensions_of_pair(spec, i);
        const double x = std::hypot(one.before[read.first], one.before[read.second]);
        const double y = std::hypot(one.after[written.first], one.after[written.second]);
        if (!(std::abs(y / factor - x) <= allowed)) return false;
    }
    return std::ranges::all_of(passed_dimensions(spec), [&](std::size_t dimension) {
        return std::abs(one.after[dimension] - one.before[dimension]) <= allowed;
    });
}

void leave_out_small_pairs(const Spec& spec, SampledVector& one) {
    constexpr double small = 0.25;
    const double least = small * root_mean_square(one.before);
    for (std::size_t i = 0; i < spec.rotary_dim / 2; ++i) {
        const Dimensions read = dimensions_of_pair(spec, i),
                         written = written_dimensions_of_pair(spec, i);
        if (!(std::hypot(one.before[read.first], one.before[read.second]) < least)) continue;
        one.before[read.first] = one.before[read.second] = 0;
        one.after[written.first] = one.after[written.second] = 0;
    }
}

// Returns whether `undo` makes all pairs keep their norms up to one factor per row, which they do
// not in at least half of the sampled rows without it.
bool keeps_pairs_undone(const Spec& spec, const RotatedDump& dump, const Undo& undo) {
    constexpr std::size_t least = 4;
    std::vector<SampledVector> sampled = sampled_vectors(JoinedHeads(dump));
    const auto keeps = [&](const SampledVector& each) { return keeps_pairs(spec, dump, each); };
    // at position 0 a rotation keeps all norms
    const auto kept = std::ranges::count_if(sampled, keeps);
    if (sampled.size() < least || 2 * kept > std::ssize(sampled)) return false;
    return std::ranges::all_of(sampled, [&](SampledVector& each) {
        undo(each);
        return keeps(each);
    });
}

// Returns the dump with the change undone. Rounding errors are relative to the norm of the row, so
// pairs near zero become zero and are left out, and an unrotated dimension within rounding of its
// original value is set to it.
Cleared undone(const Spec& spec, const RotatedDump& dump, const Undo& undo, NamedMistake mistake) {
    const std::vector<std::size_t> passed = passed_dimensions(spec);
    const auto change = [&](SampledVector& one) {
        undo(one);
        const double allowed = tolerance(dump, one.before);
        leave_out_small_pairs(spec, one);
        for (const std::size_t dimension : passed)
            if (std::abs(one.after[dimension] - one.before[dimension]) <= allowed)
                one.after[dimension] = one.before[dimension];
    };
    return {std::move(mistake), JoinedHeads(dump).changed(change), 16};
}

constexpr double largest_position = 0x1p32;

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

bool are_whole(const std::vector<double>& positions) {
    return std::ranges::all_of(positions,
                               [](double m) { return is_whole(m) && m < largest_position; });
}

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

// Whether a wrong frequency cannot be a constant angle: the rows begin near position 0.
bool begins_near_zero(const std::vector<double>& positions) {
    constexpr double least = 32;
    const auto [low, high] = std::ranges::minmax(positions);
    return low >= 0 && high - low >= least && 4 * low <= high - low;
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
bool is_explained_without_angles(const Spec& asked, const RotatedDump& dump,
                                 const std::vector<SampledVector>& rows,
                                 const IsExplained& is_explained) {
    constexpr double least_angle = 0.0625;  // smaller ones are inaccurate angles
    const auto written = [&](std::size_t i) { return written_dimensions_of_pair(asked, i); };
    const Rotation rotation(asked);
    std::vector<MeanTurn> further(asked.pairs());
    for (const SampledVector& one : rows) {
        Vector expected = one.before;
        rotation.apply(dump.positions[one.row], expected);
        for (std::size_t i = 0; i < further.size(); ++i)
            further[i].add(expected, written(i), one.after, written(i));
    }
    if (!std::ranges::all_of(further, &MeanTurn::is_constant) ||
        std::ranges::all_of(
            further, [](const MeanTurn& one) { return std::abs(one.angle()) < least_angle; }))
        return false;
    const auto undo = [&](SampledVector& one) {
        for (std::size_t i = 0; i < further.size(); ++i) further[i].undo(one.after, written(i));
    };
    Cleared cleared =
        undone(asked, dump, undo, named("rotated-twice", {{"angle", "one per pair"}}));
    cleared.times = 4;
    return is_explained(std::move(cleared));
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

bool is_multiple(double x, double n, Format format) {
    return std::abs(x * n - std::nearbyint(x * n)) <= 4 * half_spacing(format, std::abs(x)) * n;
}

}  // namespace

std::optional<Cleared> cleared_of_moved_dimensions(const Spec& asked, const RotatedDump& dump) {
    constexpr std::size_t least = 4;
    const std::vector<std::size_t> passed = passed_dimensions(asked);
    const bool is_at_end = asked.rotary_offset != 0;
    if (passed.empty() || (is_at_end && asked.rotary_offset + asked.rotary_dim != asked.head_dim))
        return std::nullopt;
    const JoinedHeads vectors(dump);
    const std::vector<SampledVector> rows = sampled_vectors(vectors);
    const std::size_t by = is_at_end ? asked.rotary_dim : asked.head_dim - asked.rotary_dim;
    if (rows.size() < least || !are_moved(rows, passed, asked.head_dim, by)) return std::nullopt;
    return Cleared{
        named("pair-layout",
              {{"after", is_at_end ? "rotated dimensions first" : "rotated dimensions last"}}),
        vectors.changed([&](SampledVector& one) {
            std::ranges::rotate(one.after, one.after.begin() + static_cast<std::ptrdiff_t>(by));
        })};
}

bool is_explained_undone(const Spec& spec, const RotatedDump& dump, const Undo& undo,
                         const NamedMistake& mistake, const IsExplained& is_explained) {
    return keeps_pairs_undone(spec, dump, undo) && is_explained(undone(spec, dump, undo, mistake));
}

bool clear_of_second_rotation(const Spec& asked, const RotatedDump& dump,
                              const IsExplained& is_explained) {
    if (!dump.more_positions.empty() || !are_whole(dump.positions)) return false;
    const std::vector<SampledVector> rows = sampled_vectors(JoinedHeads(dump));
    for (const Spec& other : other_rotations(asked)) {
        const Rotation rotation(other);
        const auto is_cleared = [&](NamedMistake mistake, const Undo& undo) {
            return is_explained_undone(asked, dump, undo, mistake, is_explained);
        };
        if (is_cleared(rotated_in_both(other, asked), [&](SampledVector& one) {
                rotation.apply(dump.positions[one.row], one.before);
            }))
            return true;
        if (is_cleared(rotated_in_both(asked, other), [&](SampledVector& one) {
                rotation.undo(dump.positions[one.row], one.after);
            }))
            return true;
        const auto by = constant_position(asked, rotation, rows);
        if (by && is_cleared(named("rotated-twice",
                                   {{"by", *by}, {"then_dim", std::uint64_t{other.rotary_dim}}}),
                             [&](SampledVector& one) { rotation.undo(*by, one.after); }))
            return true;
    }
    return begins_near_zero(dump.positions) &&
           is_explained_without_angles(asked, dump, rows, is_explained);
}

std::optional<Cleared> cleared_of_other_vectors(const RotatedDump& dump) {
    constexpr std::size_t least = 4;
    if (!dump.other) return std::nullopt;
    const std::vector<SampledVector> sampled = sampled_vectors(JoinedHeads(dump));
    const double tolerance = 8 * half_spacing(dump.format, 1);
    if (sampled.size() < least || !(unlikeness(dump, dump.other->before, sampled) <= tolerance) ||
        unlikeness(dump, dump.before, sampled) <= 4 * tolerance)
        return std::nullopt;
    Cleared cleared{named("head-order", {{"from", dump.other->name}}), dump};
    auto& vectors = std::get<RotatedDump>(cleared.dump);
    vectors.before = dump.other->before;
    vectors.other.reset();
    return cleared;
}

std::optional<TwoTerms> fit_to_one(const std::vector<TwoTerms>& all, double tolerance,
                                   bool one_term) {
    double s11 = 0, s12 = 0, s22 = 0, t1 = 0, t2 = 0;
    for (const auto& [p, q] : all) {
        s11 += p * p, s12 += p * q, s22 += q * q;
        t1 += p, t2 += q;
    }
    const double determinant = one_term ? s11 : s11 * s22 - s12 * s12;
    const double a = (one_term ? t1 : t1 * s22 - t2 * s12) / determinant;
    const double b = one_term ? a : (t2 * s11 - t1 * s12) / determinant;
    if (!(a > 0 && b > 0)) return std::nullopt;
    const auto is_met = [&](const TwoTerms& one) {
        return std::abs(a * one.first + b * one.second - 1) <= tolerance;
    };
    if (!std::ranges::all_of(all, is_met)) return std::nullopt;
    return TwoTerms{a, b};
}

std::optional<Cleared> cleared_of_unequal_scale(const Spec& asked, const TableDump& table) {
    constexpr std::size_t least = 64;
    const double tolerance = 8 * half_spacing(table.format, 1);
    std::vector<TwoTerms> squares = sampled_entries(table);
    if (squares.size() < least) return std::nullopt;
    for (auto& [cos, sin] : squares) cos *= cos, sin *= sin;
    const auto inverse = fit_to_one(squares, tolerance);
    if (!inverse) return std::nullopt;
    const double of_cos = 1 / std::sqrt(inverse->first), of_sin = 1 / std::sqrt(inverse->second);
    if (std::abs(of_cos / of_sin - 1) <= 8 * tolerance) return std::nullopt;
    const double right = plan_frequencies(asked, exact_precision).attention_factor;
    const auto by = [&](double factor) {
        return std::make_shared<const std::vector<double>>(table.positions.size(), factor / right);
    };
    TableDump equal = table;
    equal.cos = equal.cos.divided_by(by(of_cos));
    equal.sin = equal.sin.divided_by(by(of_sin));
    return Cleared{
        named("attention-factor",
              {{"cos", few_digits(of_cos, tolerance)}, {"sin", few_digits(of_sin, tolerance)}},
              {{"asked", few_digits(right, 1e-9)}}),
        std::move(equal), 4};
}

std::optional<Cleared> cleared_of_fixed_point(const TableDump& table) {
    constexpr std::size_t least = 64;
    constexpr std::array steps{127.0, 16384.0, 32767.0, 32768.0};
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
        if (is_narrow && n > 127) break;  // 16-bit formats have no finer multiples
        if (all_are([&](double x) { return is_multiple(x, n, table.format); }))
            return Cleared{
                named("table-precision", {{"format", "whole multiples of 1/" + decimal(n)}}), table,
                1, 1 / n};  // 1 becomes 32767/32768
    }
    return std::nullopt;
}

}  // namespace rope
