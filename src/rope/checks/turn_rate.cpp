#include "rope/checks/turn_rate.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/checks/check.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

constexpr double largest_angle = 0.25;
constexpr double least_over_error = 4;
constexpr std::uint64_t most_groups = 4096;

RotationFormats formats_of(const Dump& dump, const FrequencyPlan& plan, Format table) {
    const Format values = rows_of(dump)->format;
    const bool is_coarser = unit_roundoff(values) > unit_roundoff(table);
    RotationFormats formats(values, is_coarser ? values : table, plan.attention_factor);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) {
        formats.scale_rounding = vectors->scale_rounding;
        formats.roundings = vectors->roundings;
    }
    return formats;
}

struct CosSin1 {
    double c, s;
};

// The series of small angles have an error of at most 2^-26 of the sine.
CosSin1 cos_sin(double angle) {
    CosSin1 z{};
    const double q = angle * angle;
    if (q <= 0x1p-4)
        return {1 - q / 2 * (1 - q / 12 * (1 - q / 30)), angle * (1 - q / 6 * (1 - q / 20))};
    if (!std::isfinite(angle)) return {NAN, NAN};
    const std::uint64_t turn = turn_of(angle);
    kernels().cos_sin_of_turns(1, &turn, &z.c, &z.s);
    return z;
}

// Whether |D| ≥ 4ε is possible: the rounding of a sum contributes at least u/2.
bool may_count(const RotatedValue& value, const RotationFormats& formats) {
    return std::abs(value.slope) >=
           least_over_error / 2 * formats.roundoff_of_values() * std::abs(value.value);
}

// With two roundings, many values together determine what no single value does: all count.
void add_value(RateFit& fit, double y, const RotatedValue& value, Roundings roundings,
               double tolerance) {
    const double least = roundings == Roundings::once ? least_over_error : 0;
    if (!(std::abs(value.slope) >= least * value.error) || !std::isfinite(y) || value.error == 0)
        return;
    fit.add(y - value.value, value, tolerance);
}

void add_rotation(RateFit& fit, const SlowPairs& slow, const SlowPairs::Rotation& one) {
    const SmallRotation small(one.angle, slow.formats());
    SmallRotation::Rotated want = small.of(one.x1, one.x2);
    const Roundings roundings = slow.formats().roundings;
    if (roundings == Roundings::once && !may_count(want.first, slow.formats()) &&
        !may_count(want.second, slow.formats()))
        return;
    small.add_errors(want, one.x1, one.x2, slow.moved(one.x1, one), slow.moved(one.x2, one));
    const double tolerance = slow.pairs()[one.k].tolerance;
    add_value(fit, one.y1, want.first, roundings, tolerance);
    add_value(fit, one.y2, want.second, roundings, tolerance);
}

// |r − 1| that rounding explains: at most, or with several roundings as likely.
double rounding_of(const RateFit& fit, Roundings roundings) {
    return roundings == Roundings::once ? fit.allowed() : std::min(fit.allowed(), fit.likely());
}

std::vector<std::uint32_t> undetermined_pairs(const SlowPairs& slow, const RateFits& fits) {
    std::vector<std::uint32_t> pairs;
    for (std::size_t k = 0; k < slow.pairs().size(); ++k)
        if (const RateFit& fit = fits.of_pair[k];
            fit.values() == 0 || rounding_of(fit, slow.formats().roundings) >= 1)
            pairs.push_back(slow.pairs()[k].pair);
    return pairs;
}

std::string numbered_pairs(const std::vector<std::uint32_t>& pairs, const Spec& spec) {
    return (pairs.size() == 1 ? "pair " : "pairs ") + ranges(pairs, 4) + " of " +
           decimal(spec.pairs());
}

std::string undetermined_in_words(const std::vector<std::uint32_t>& pairs, const Spec& spec) {
    return "no value determines whether " + numbered_pairs(pairs, spec) +
           (pairs.size() == 1 ? " rotates" : " rotate");
}

void judge_rate(WorstCase& worst, const RateFit& fit, const SlowPair& pair, double position,
                Roundings roundings) {
    if (fit.values() == 0) return;
    const double deviation = fit.deviation();
    worst.judge(std::abs(deviation), rounding_of(fit, roundings) + pair.tolerance, position,
                pair.pair, [&] { return Witness{{position}, pair.pair, 1 + deviation, 1}; });
}

// Each pair is checked in all heads together and in each head.
WorstCase judge_rates(const SlowPairs& slow, const RateFits& fits) {
    WorstCase worst;
    const Roundings roundings = slow.formats().roundings;
    for (std::size_t k = 0; k < slow.pairs().size(); ++k) {
        const SlowPair& pair = slow.pairs()[k];
        worst.add_samples(fits.of_pair[k].values());
        judge_rate(worst, fits.of_pair[k], pair, fits.farthest[k], roundings);
        for (const RateFit& of_group : fits.of[k])
            judge_rate(worst, of_group, pair, fits.farthest[k], roundings);
    }
    return worst;
}

}  // namespace

SmallRotation::SmallRotation(double angle, const RotationFormats& formats)
    : formats_(formats), angle_(angle) {
    const auto [c, s] = cos_sin(angle);
    c_ = formats.amplitude() * c;
    s_ = formats.amplitude() * s;
}

// C and S are rounded once if a = 1, else three times: a, cos or sin, and their product.
// A cos within half a spacing of 1 is rounded to 1, and products with 1 are exact. The rounding of
// the angle changes 1 − cos by at most 8u of it.
SmallRotation::Errors SmallRotation::errors() const {
    const double u = formats_.roundoff_of_table(), a = formats_.amplitude();
    const double once = (a == 1 ? 1 : 3) * u + formats_.roundoff_of_values();
    const double less = angle_ * angle_ / 2;
    const bool is_one = a == 1 && less * (1 + 8 * formats_.roundoff()) <= u / 2;
    return {is_one ? less : once * std::abs(c_),
            formats_.lost_of_table(s_) > 0 ? std::abs(s_) : once * std::abs(s_)};
}

SmallRotation::Rotated SmallRotation::of(double x1, double x2) const {
    const double y1 = c_ * x1 - s_ * x2, y2 = c_ * x2 + s_ * x1;
    return {{y1, -angle_ * y2, 0}, {y2, angle_ * y1, 0}};
}

void SmallRotation::add_errors(Rotated& rotated, double x1, double x2, double moved1,
                               double moved2) const {
    const Errors own = errors();
    rotated.first.error = error_of(own, rotated.first.value, x1, x2, moved1, moved2);
    rotated.second.error = error_of(own, rotated.second.value, x2, x1, moved2, moved1);
}

// The errors of both products, and of their sum, which is rounded once.
double SmallRotation::error_of(const Errors& errors, double value, double same, double other,
                               double moved_same, double moved_other) const {
    const double products = std::abs(same) * errors.c + std::abs(other) * errors.s +
                            std::abs(c_) * moved_same + std::abs(s_) * moved_other +
                            formats_.lost(c_ * same) + formats_.lost(s_ * other);
    const double size = std::abs(value) + products;
    const double sum = half_spacing(formats_.values(), size) + formats_.lost(value);
    return (products + sum + formats_.scale_rounding * size) * (1 + 8 * formats_.roundoff());
}

SlowPairs::SlowPairs(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table,
                     std::vector<std::uint32_t> axis)
    : rows_(*rows_of(dump)),
      values_(pair_reader(spec, dump)),
      formats_(formats_of(dump, plan, table)) {
    if (axis.empty()) axis = axis_of_pairs(spec.axes, spec.pairs());
    const auto k = angle_k(least_exact, spec, plan);
    std::vector<double> most(axis_count(spec.axes));
    for (std::uint32_t a = 0; a < most.size(); ++a)
        for (const double m : rows_.on(a)) most[a] = std::max(most[a], std::abs(m));
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const double theta = plan.pairs[i].inv_freq.to_double();
        if (theta == 0 || !(most[axis[i]] * theta <= largest_angle)) continue;
        pairs_.push_back(
            {i, axis[i], theta, 3 * formats_.roundoff() + 0x1p-25 / theta + k[i] * 0x1p-24});
    }
}

std::uint64_t SlowPairs::groups() const {
    const std::uint64_t groups = rows_.grid.batch.length * rows_.grid.head.length;
    return groups > most_groups ? 1 : groups;
}

// One rounding to the format of y; or none, if the file has the rounded x; or the rounding of an
// earlier rotation.
double SlowPairs::moved(double x, const Rotation& rotation) const {
    switch (formats_.roundings) {
        case Roundings::of_inputs:
            return half_spacing(formats_.values(), std::abs(x) * (1 + 0x1p-20));
        case Roundings::twice:
            return rotation_rounding(formats_.values(), 1) *
                   portable::hypot(rotation.x1, rotation.x2);
        case Roundings::once:
            break;
    }
    return std::abs(round_to(formats_.values(), x) - x);
}

void SlowPairs::for_each(const std::function<void(const Rotation&)>& visit) const {
    if (pairs_.empty()) return;
    const RowGrid& grid = rows_.grid;
    const bool is_grouped = groups() > 1;
    PairReader values = values_;
    for (std::uint64_t row = 0; row < rows_.positions.size(); ++row) {
        values.read(row);
        const std::uint64_t group =
            is_grouped ? grid.batch.of(row) * grid.head.length + grid.head.of(row) : 0;
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            const double m = rows_.on(pairs_[k].axis)[row];
            const auto [x1, x2, y1, y2] = values[pairs_[k].pair];
            if (m != 0 && (x1 != 0 || x2 != 0))
                visit({k, group, m, m * pairs_[k].theta, x1, x2, y1, y2});
        }
    }
}

RateFits fit_rates(const SlowPairs& slow) {
    const std::size_t pairs = slow.pairs().size();
    RateFits fits{std::vector(pairs, std::vector<RateFit>(slow.groups())),
                  std::vector<RateFit>(pairs), std::vector<double>(pairs)};
    slow.for_each([&](const SlowPairs::Rotation& one) {
        RateFit& fit = fits.of[one.k][one.group];
        const std::uint64_t before = fit.values();
        add_rotation(fit, slow, one);
        double& farthest = fits.farthest[one.k];
        if (fit.values() > before && std::abs(one.position) > std::abs(farthest))
            farthest = one.position;
    });
    for (std::size_t k = 0; k < pairs; ++k)
        for (const RateFit& fit : fits.of[k]) fits.of_pair[k].add(fit);
    return fits;
}

bool is_in_16_bits(const Dump& dump, Format table) {
    const auto rows = rows_of(dump);
    return rows && std::max(unit_roundoff(rows->format), unit_roundoff(table)) >=
                       unit_roundoff(Format::float16);
}

double share_off(const RateFit& fit, const SlowPair& pair, Roundings roundings) {
    if (fit.values() == 0) return 0;
    return std::abs(fit.deviation()) / (rounding_of(fit, roundings) + pair.tolerance);
}

RateFit RateFits::in(std::size_t k, std::span<const std::size_t> groups) const {
    if (groups.empty() || of[k].size() == 1) return of_pair[k];
    RateFit all;
    for (const std::size_t group : groups) all.add(of[k][group]);
    return all;
}

OddPairs odd_pairs(const SlowPairs& slow, const RateFits& fits) {
    OddPairs odd;
    std::vector<bool> is_wrong(slow.groups()), is_open(slow.groups());
    std::vector<std::size_t> odd_ones;
    for (std::size_t k = 0; k < slow.pairs().size(); ++k) {
        const auto is_off = [&](const RateFit& fit) { return share_off(fit, slow.pairs()[k]) > 1; };
        if (!is_off(fits.of_pair[k]) && std::ranges::none_of(fits.of[k], is_off)) continue;
        odd_ones.push_back(k);
        odd.pairs.push_back(slow.pairs()[k].pair);
        for (std::size_t g = 0; g < is_wrong.size(); ++g) {
            is_wrong[g] = is_wrong[g] || is_off(fits.of[k][g]);
            is_open[g] = is_open[g] || !fits.of[k][g].has_only_right();
        }
    }
    bool are_others_right = true;
    for (std::size_t g = 0; g < is_wrong.size(); ++g) {
        are_others_right = are_others_right && (is_wrong[g] || !is_open[g]);
        if (is_wrong[g]) odd.groups.push_back(g);
    }
    if (!are_others_right || odd.groups.size() == is_wrong.size()) odd.groups.clear();
    odd.are_still = !odd_ones.empty() && std::ranges::all_of(odd_ones, [&](std::size_t k) {
        const RateFit fit = fits.in(k, odd.groups);
        return std::abs(1 + fit.deviation()) <= fit.allowed() + slow.pairs()[k].tolerance;
    });
    return odd;
}

std::string in_words(const OddPairs& odd, const SlowPairs& slow, const RateFits& fits,
                     const Spec& spec) {
    const bool is_one = odd.pairs.size() == 1;
    std::string text = numbered_pairs(odd.pairs, spec) + (is_one ? " does" : " do") +
                       (odd.are_still ? " not rotate" : " not match the config");
    if (const auto pairs = undetermined_pairs(slow, fits); !pairs.empty())
        text += "; " + undetermined_in_words(pairs, spec);
    return text;
}

void judge_turn_rate(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table,
                     Finding& finding) {
    const SlowPairs slow(spec, plan, dump, table);
    const RateFits fits = fit_rates(slow);
    judge_rates(slow, fits).report_to(finding);
    finding.violations.reset();  // the samples are pairs, not values
    const auto undetermined = undetermined_pairs(slow, fits);
    if (finding.samples == 0) finding.note = "every pair rotates fast enough for table-accuracy";
    if (!undetermined.empty()) finding.note = undetermined_in_words(undetermined, spec);
}

void check_turn_rate(const Comparison& comparison, const Sample&, Finding& finding) {
    const RowSource& subject = comparison.subject;
    if (subject.dumped() != nullptr && is_in_16_bits(*subject.dumped(), subject.exactness().table))
        judge_turn_rate(comparison.spec, comparison.plan, *subject.dumped(),
                        subject.exactness().table, finding);
    else
        finding.note = "applies only to dumps and audits in 16 bits";
}

}  // namespace rope
