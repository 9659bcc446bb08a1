#include "rope/checks/turn_rate.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
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

void add_rotation(RateFit& fit, const SlowPairs& slow, const SlowPairs::Rotation& one,
                  double rate = 1) {
    const SmallRotation small(rate * one.angle, slow.formats());
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

bool is_wrong(const RateFit& fit, const SlowPair& pair) { return share_off(fit, pair) > 1; }

std::vector<std::uint32_t> undetermined_pairs(const SlowPairs& slow, const RateFits& fits) {
    std::vector<std::uint32_t> pairs;
    for (std::size_t k = 0; k < slow.pairs().size(); ++k)
        if (const RateFit& fit = fits.of_pair[k];
            fit.values() == 0 || rounding_of(fit, slow.formats().roundings) >= 1)
            pairs.push_back(slow.pairs()[k].pair);
    return pairs;
}

// Returns the keys whose fits are wrong, if another fit shows that its key is right, and every key
// is known to be the one or the other.
template <class Key>
std::vector<Key> wrong_ones(const std::map<Key, RateFit>& fits, const SlowPair& pair) {
    std::vector<Key> wrong;
    RateFit all;
    for (const auto& [key, fit] : fits)
        if (is_wrong(fit, pair)) {
            wrong.push_back(key);
            all.add(fit);
        }
    const auto is_open = [&](const auto& one) {
        return !is_wrong(one.second, pair) && !one.second.has_only_right();
    };
    if (wrong.empty() || std::ranges::any_of(fits, is_open)) return {};
    const double half = std::abs(all.deviation()) / 2;
    const bool has_right = std::ranges::any_of(fits, [&](const auto& one) {
        const RateFit& fit = one.second;
        return fit.values() > 0 && !is_wrong(fit, pair) && fit.allowed() + pair.tolerance < half;
    });
    return has_right ? wrong : std::vector<Key>{};
}

class WrongRateSearch {
  public:
    WrongRateSearch(const SlowPairs& slow, const RateFits& fits)
        : slow_(slow), is_wrong_(slow.pairs().size()), laxest_(slow.pairs().front()) {
        laxest_.tolerance = 0;
        for (std::size_t k = 0; k < is_wrong_.size(); ++k) {
            const SlowPair& pair = slow.pairs()[k];
            const auto is_wrong_here = [&](const RateFit& fit) { return is_wrong(fit, pair); };
            is_wrong_[k] =
                is_wrong_here(fits.of_pair[k]) || std::ranges::any_of(fits.of[k], is_wrong_here);
            if (is_wrong_[k]) laxest_.tolerance = std::max(laxest_.tolerance, pair.tolerance);
        }
        find_groups(fits);
        find_positions();
    }

    // Rates far from 1 need a second step of least squares at the first result.
    WrongRates found() && {
        std::vector<double> rate(is_wrong_.size(), 1), error(rate);
        for (int step = 0; step < 3; ++step) {
            const auto counting = [&](const SlowPairs::Rotation& one) { return counts(one); };
            const RateFits fits = fit_rates(slow_, counting, rate);
            for (std::size_t k = 0; k < rate.size(); ++k)
                if (const RateFit& fit = fits.of_pair[k]; fit.values() > 0) {
                    error[k] = std::abs(rate[k]) * fit.allowed() + slow_.pairs()[k].tolerance;
                    rate[k] *= 1 + fit.deviation();
                }
        }
        const std::size_t best = best_fit(error);
        const std::vector<Candidates> contradicted = contradictions(rate, error);
        for (std::size_t k = 0; k < rate.size(); ++k) {
            if (!is_wrong_[k]) continue;
            const bool is_as_best = std::abs(rate[k] - rate[best]) <= error[k] + error[best];
            add(k, is_as_best ? rate[best] : rate[k], error[k], contradicted[k]);
        }
        merge_unknown();
        return std::move(found_);
    }

  private:
    // What holds for some of the wrong pairs only is no rule.
    void merge_unknown() {
        if (std::ranges::count(found_.rates, Rotating::unknown, &WrongRate::rotating) == 0) return;
        WrongRate all{{}, Rotating::unknown};
        for (const WrongRate& one : found_.rates)
            all.pairs.insert(all.pairs.end(), one.pairs.begin(), one.pairs.end());
        std::ranges::sort(all.pairs);
        found_.rates = {all};
    }

    bool counts(const SlowPairs::Rotation& one) const {
        const auto has = [](const auto& all, auto key) {
            return all.empty() || std::ranges::binary_search(all, key);
        };
        return is_wrong_[one.k] && has(found_.groups, std::size_t{one.group}) &&
               has(found_.positions, one.position);
    }

    void find_groups(const RateFits& fits) {
        std::map<std::size_t, RateFit> groups;
        for (std::size_t k = 0; k < is_wrong_.size(); ++k)
            for (std::size_t g = 0; is_wrong_[k] && g < fits.of[k].size(); ++g)
                groups[g].add(fits.of[k][g]);
        found_.groups = wrong_ones(groups, laxest_);
    }

    std::size_t best_fit(const std::vector<double>& error) const {
        std::size_t best = 0;
        for (std::size_t k = 0; k < error.size(); ++k)
            if (is_wrong_[k] && (!is_wrong_[best] || error[k] < error[best])) best = k;
        return best;
    }

    // With several axes a position does not identify rows.
    void find_positions() {
        const auto is_on_other = [](const SlowPair& pair) { return pair.axis != 0; };
        if (std::ranges::any_of(slow_.pairs(), is_on_other)) return;
        std::map<double, RateFit> positions;
        slow_.for_each([&](const SlowPairs::Rotation& one) {
            if (counts(one)) add_rotation(positions[one.position], slow_, one);
        });
        found_.positions = wrong_ones(positions, laxest_);
    }

    struct Candidates {
        bool still = false, backwards = false, rate = false;
    };

    // Which rates a value contradicts, also one that is too small to determine the rate.
    std::vector<Candidates> contradictions(const std::vector<double>& rate,
                                           const std::vector<double>& error) const {
        std::vector<Candidates> found(rate.size());
        slow_.for_each([&](const SlowPairs::Rotation& one) {
            if (!counts(one)) return;
            const auto contradicts = [&](double r, double about) {
                const SmallRotation small(r * one.angle, slow_.formats());
                SmallRotation::Rotated want = small.of(one.x1, one.x2);
                small.add_errors(want, one.x1, one.x2, slow_.moved(one.x1, one),
                                 slow_.moved(one.x2, one));
                const auto is_off = [&](double y, double other, const RotatedValue& value) {
                    return !(std::abs(y - value.value) <=
                             value.error + about * std::abs(one.angle * other));
                };
                return is_off(one.y1, want.second.value, want.first) ||
                       is_off(one.y2, want.first.value, want.second);
            };
            Candidates& own = found[one.k];
            own.still = own.still || contradicts(0, 0);
            own.backwards = own.backwards || contradicts(-1, error[one.k]);
            own.rate = own.rate || contradicts(rate[one.k], error[one.k]);
        });
        return found;
    }

    void add(std::size_t k, double rate, double error, const Candidates& contradicted) {
        const Rotating rotating =
            std::abs(rate) <= error && !contradicted.still           ? Rotating::not_at_all
            : std::abs(rate + 1) <= error && !contradicted.backwards ? Rotating::backwards
            : std::abs(rate) > error && !contradicted.rate           ? Rotating::at_another_rate
                                                                     : Rotating::unknown;
        auto same = std::ranges::find(found_.rates, rotating, &WrongRate::rotating);
        if (same == found_.rates.end())
            same = found_.rates.insert(same, {{}, rotating, rate, rate});
        same->pairs.push_back(slow_.pairs()[k].pair);
        same->least = std::min(same->least, rate);
        same->most = std::max(same->most, rate);
    }

    const SlowPairs& slow_;
    std::vector<bool> is_wrong_;
    SlowPair laxest_;  // with the largest tolerance of the wrong pairs
    WrongRates found_;
};

// Two decimals, or as many as it takes to differ from 1.
std::string rounded(double rate) {
    double unit = 100;
    while (std::round(unit * rate) == unit && rate != 1 && unit < 1e9) unit *= 10;
    return decimal(std::round(unit * rate) / unit);
}

std::string rate_in_words(const WrongRate& wrong) {
    const std::string least = rounded(wrong.least), most = rounded(wrong.most);
    const bool is_one = wrong.most - wrong.least <= 0.05 * std::abs(wrong.most);
    return (is_one ? rounded((wrong.least + wrong.most) / 2) : least + " to " + most) + " times";
}

std::string numbered_pairs(const std::vector<std::uint32_t>& pairs, const Spec& spec) {
    return (pairs.size() == 1 ? "pair " : "pairs ") + ranges(pairs, 4) + " of " +
           decimal(spec.pairs());
}

std::string pairs_in_words(const WrongRate& wrong, const Spec& spec) {
    const bool is_one = wrong.pairs.size() == 1;
    const std::string text = numbered_pairs(wrong.pairs, spec) + " ";
    if (wrong.rotating == Rotating::not_at_all)
        return text + (is_one ? "does" : "do") + " not rotate";
    const std::string rotate = is_one ? "rotates" : "rotate";
    if (wrong.rotating == Rotating::unknown)
        return text + (is_one ? "does" : "do") + " not match the config";
    if (wrong.rotating == Rotating::backwards) return text + rotate + " backwards";
    return text + rotate + " at " + rate_in_words(wrong) +
           (is_one ? " its frequency" : " their frequencies");
}

std::string undetermined_in_words(const std::vector<std::uint32_t>& pairs, const Spec& spec) {
    return "no value determines whether " + numbered_pairs(pairs, spec) +
           (pairs.size() == 1 ? " rotates" : " rotate");
}

std::string numbered(const char* one, const char* several, const std::set<std::uint64_t>& numbers) {
    return (numbers.size() == 1 ? one : several) +
           ranges(std::vector<std::uint64_t>(numbers.begin(), numbers.end()), 4);
}

// Returns "batch entry 1, heads 0, 2" if the groups are all combinations of these.
std::string groups_in_words(const std::vector<std::size_t>& groups, const RowGrid& grid) {
    std::set<std::uint64_t> entries, heads;
    for (const std::size_t group : groups) {
        entries.insert(group / grid.head.length);
        heads.insert(group % grid.head.length);
    }
    if (entries.size() * heads.size() != groups.size())
        return decimal(groups.size()) + " of " + decimal(grid.batch.length * grid.head.length) +
               " heads of all batch entries";
    std::string text;
    if (entries.size() < grid.batch.length)
        text = numbered("batch entry ", "batch entries ", entries);
    if (heads.size() < grid.head.length)
        text += (text.empty() ? "" : ", ") + numbered("head ", "heads ", heads);
    return text;
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

RateFits fit_rates(const SlowPairs& slow,
                   const std::function<bool(const SlowPairs::Rotation&)>& counts,
                   const std::vector<double>& rate) {
    const std::size_t pairs = slow.pairs().size();
    RateFits fits{std::vector(pairs, std::vector<RateFit>(slow.groups())),
                  std::vector<RateFit>(pairs), std::vector<double>(pairs)};
    slow.for_each([&](const SlowPairs::Rotation& one) {
        if (counts && !counts(one)) return;
        RateFit& fit = fits.of[one.k][one.group];
        const std::uint64_t before = fit.values();
        add_rotation(fit, slow, one, rate.empty() ? 1 : rate[one.k]);
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

WrongRates find_wrong_rates(const SlowPairs& slow, const RateFits& fits) {
    WrongRates wrong = WrongRateSearch(slow, fits).found();
    wrong.undetermined = undetermined_pairs(slow, fits);
    return wrong;
}

std::string in_words(const WrongRates& wrong, const Spec& spec, const RowGrid& grid) {
    std::string text = wrong.groups.empty() ? "" : groups_in_words(wrong.groups, grid) + ": ";
    text += join(wrong.rates, [&](const WrongRate& one) { return pairs_in_words(one, spec); });
    if (!wrong.positions.empty()) text += ", at positions " + ranges(wrong.positions, 4);
    if (!wrong.undetermined.empty()) text += "; " + undetermined_in_words(wrong.undetermined, spec);
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
