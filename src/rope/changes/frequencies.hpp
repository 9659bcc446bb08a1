// Frequencies that may have been used instead of the Spec's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/changes/mistakes.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/report/report.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

struct Frequencies {
    std::string mistake;  // empty: the Spec's own
    std::vector<std::pair<std::string, FieldValue>> parameters = {};
    std::string what = {};
    std::vector<double> theta = {};
    std::vector<double> angle_k = {};
    double amplitude = 1;
    int cost = 0;                      // mistakes that this counts for
    bool takes_any_amplitude = false;  // another amplitude is reported, not a mistake
    std::optional<Spec> spec = {};     // that plans them
    std::vector<double> without = {};  // θ without `mistake`; empty: as asked
    // Mistakes besides `mistake`, and θ without each.
    struct Further {
        NamedMistake mistake;
        std::vector<double> without;
    };
    std::vector<Further> also = {};

    // Whether the pair's line may be this one.
    bool is_on(const PhaseLine& line, std::size_t pair) const;
    // Whether one of the mistakes is that vectors are rotated twice.
    bool are_twice() const;
    void name(NamedMistake&& named);  // a mistake that counts as one
    // Another for one pair, computed in no known way: K is the largest of all pairs.
    void change(std::size_t pair, double inv_freq);
};

// A parameter that is a key of the config.
inline std::pair<std::string, FieldValue> parameter(ScalingMember key, FieldValue value) {
    return {std::string(name_of(key)), std::move(value)};
}

// inv_freq and attention factor of a Spec. Does not validate.
Frequencies frequencies_of(const Spec& spec);

// What configs, ports and papers are known to confuse with this Spec, after the Spec's
// own, likeliest first. All have the Spec's number of pairs.
std::vector<Frequencies> usual_frequencies(const Spec& asked);

// Further ones, costlier: unexpected scaling, or other parameters.
std::vector<Frequencies> unusual_frequencies(const Spec& asked);

// With parameters fitted to the dump's phase lines: another base, another factor.
std::vector<Frequencies> fitted_frequencies(const Spec& asked, const std::vector<PhaseLine>& lines);

// Scaling by another factor: of types that divide the slowest pairs by it by the slowest line, of
// those that change the base by the lines' power; costlier where nobody would write that number.
std::vector<Frequencies> fitted_factors(const Spec& asked, const std::vector<PhaseLine>& lines);

// The asked ones by a common factor, where every line says so.
std::vector<Frequencies> fitted_scale(const Spec& asked, const std::vector<PhaseLine>& lines);

// Another base, or other exponents, and one more mistake at once, which the lines follow.
std::vector<Frequencies> two_changes(const Spec& asked, const std::vector<PhaseLine>& lines);

// ln θ_i = ln scale − (2i/d)·ln base by weighted least squares over the pairs from `first` on, or
// the first `pairs`.
struct PowerLaw {
    double base = 1, scale = 1;
    double base_error = 0;  // standard error of ln base
};
PowerLaw fit_power_law(const std::vector<PhaseLine>& lines, std::size_t first, std::size_t end,
                       bool scaled);
inline PowerLaw fit_power_law(const std::vector<PhaseLine>& lines, std::size_t pairs, bool scaled) {
    return fit_power_law(lines, 0, pairs, scaled);
}

// low_freq_factor and high_freq_factor of a llama3 Spec of this base, factor and original length,
// by the lines of the pairs that it blends; Llama 3.1's where those leave them open.
struct FrequencyFactors {
    double low = 1, high = 4;
};
FrequencyFactors fit_llama3(const Spec& spec, const std::vector<PhaseLine>& lines);

// Whether x is within `tolerance`, relative, of a number of at most four digits: people write such
// parameters, and a fit to something else rarely meets one.
bool is_written(double x, double tolerance);

// "the exponent is −2i/divisor" of each ladder of the Spec's map, "not" by its lanes.
NamedMistake divisor_mistake(const Spec& asked, const std::vector<double>& divisors);

// A wrong linear factor f′ multiplies positions by f/f′, a wrong n of He & Xu by n/n′: f or n;
// else 1.
double position_unit(const Spec& asked);

// A scale as people write it: a few digits of the scale, of its reciprocal, or of the config's own
// `unit` divided by it; or a scale that is off by little. A fit to something else rarely meets one.
struct WrittenScale {
    double scale = 0;
    int digits = 0;
    // Of more than two digits it is nearly free, and together with another mistake explains much.
    int cost() const { return digits <= 2 ? 1 : 2; }
};
std::optional<WrittenScale> written_scale(double x, double tolerance, double unit);

// The number nearest to x of as few digits as `tolerance`, relative, allows.
double few_digits(double x, double tolerance);

// What may be wrong beside any frequencies: single entries, a tail of zeros, and a second rotation.

// inv_freq of the pair is `own`, not theta.
NamedMistake entry_mistake(std::size_t pair, double own, double theta);
// With another number in one entry, a mistake more. `named` is that number as the dump has it,
// where it turns by some that is not known to whole turns.
Frequencies with_entry(const Frequencies& one, std::size_t pair, double inv_freq,
                       std::optional<double> named = {});

// The lines of a power, without those of one pair, or two of many, that are between no neighbours:
// nothing is known of these. As they are where more are out of order.
std::vector<PhaseLine> in_order(const std::vector<PhaseLine>& lines);

// Those that the lines follow but for one pair, or two of many: with these pairs' own.
std::vector<Frequencies> with_odd_entries(const std::vector<Frequencies>& list,
                                          const std::vector<PhaseLine>& lines);

// Those of the plan up to the first of the last pairs that stand still and do not fit as `asked`;
// none where fewer than two are wrong, or 16 bits do not tell.
std::optional<Frequencies> still_tail(const Frequencies& plan, const Samples& samples,
                                      const Hypothesis& asked, const OddPairs& odd);

// Those of vectors that are rotated by them twice, where `plan` was asked; and what lines would be
// by one of both rotations.
Frequencies rotated_twice(const Frequencies& once, const Frequencies& plan);
std::vector<PhaseLine> halved(const std::vector<PhaseLine>& lines);

// What lists of candidate frequencies are put together from.

using FrequencySet = std::vector<Frequencies>;

// Of published models.
inline constexpr double usual_bases[] = {1e4, 5e5, 1e6, 1.5e5, 5e6, 8e6, 1e7};

bool is_scaled(const Spec& spec);
Spec unscaled(const Spec& spec);
// Of another type, by the factor and the original length where that type takes them.
Spec with_type(const Spec& asked, std::string_view type, double factor, std::uint64_t original);

// The frequencies of a Spec; none where it is not sound.
void add_candidate(FrequencySet& list, NamedMistake named, const Spec& spec);

// By another base.
NamedMistake base_mistake(const Spec& asked, double base);
void add_base_candidate(FrequencySet& list, const Spec& asked, double base);

// By another factor. Requires scaling with a factor.
NamedMistake factor_mistake(const Spec& asked, double factor);
void add_factor_candidate(FrequencySet& list, const Spec& asked, double factor);

// The asked frequencies, each changed.
template <class Change>
void add_changed_candidate(FrequencySet& list, const Frequencies& asked, NamedMistake named,
                           const Change& change) {
    Frequencies one = asked;
    one.name(std::move(named));
    for (std::size_t i = 0; i < one.theta.size(); ++i) one.change(i, change(i));
    list.push_back(std::move(one));
}

// Scaling that was left out, applied twice or inverted.
void add_scaling_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan);
// Another base or another exponent.
void add_exponent_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan);
// Scaling of another type, or by another parameter.
void add_type_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan);
// Another part of the pairs, another unit of the angle.
void add_width_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan);

struct Estimate {
    double value, error;  // relative
};

// The base of frequencies that were rounded to 16 bits, multiplied by `scale`: nothing where they
// are of no power.
std::optional<Estimate> base_of_rounded(Format format, double scale,
                                        const std::vector<PhaseLine>& lines);

// (base/rope_theta)^((d − 2)/d): what ntk and dynamic stretch positions by, for the base to become
// this. Requires d > 2.
double stretch_of(const Spec& asked, double base);

void set_base(Spec& spec, double base);
void set_factor(Spec& spec, double factor);  // of its scaling

// The parameter by which the Spec's frequencies are nearest to the lines, by Gauss's method from x.
std::optional<Estimate> refined(const Spec& asked, void (*set)(Spec&, double),
                                const std::vector<PhaseLine>& lines, double x);

// The base of lines that follow a power of it on each axis, every axis by a scale of its own.
// Nothing where they do not, or all of these are 1.
std::optional<Estimate> base_of_axes(const Spec& asked, const std::vector<PhaseLine>& lines);

// The asked Spec by the factor that the slowest pair is from the laws of the fastest.
FrequencySet factors_beside(const Spec& asked, const std::vector<PhaseLine>& lines,
                            const std::vector<PowerLaw>& laws);

}  // namespace rope
