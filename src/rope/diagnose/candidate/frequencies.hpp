// Frequencies that may have been used instead of the Spec's.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/phase_lines.hpp"
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
    bool takes_any_amplitude = false;  // one that is not its formula's is told, and no mistake
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

}  // namespace rope
