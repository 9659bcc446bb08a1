// What lists of candidate frequencies are put together from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/diagnose/candidate/frequencies.hpp"

namespace rope {

using FrequencySet = std::vector<Frequencies>;

// Of published models.
inline constexpr double usual_bases[] = {1e4, 5e5, 1e6, 1.5e5, 5e6, 8e6, 1e7};

bool is_scaled(const Spec& spec);
Spec unscaled(const Spec& spec);
// Of another type, by the factor and the original length where that type takes them.
Spec with_type(const Spec& asked, std::string_view type, double factor, std::uint64_t original);

// Those of a Spec that is sound; of any other nothing.
void add_candidate(FrequencySet& list, std::string mistake,
                   std::vector<std::pair<std::string, FieldValue>> parameters, std::string what,
                   const Spec& spec);

// Requires scaling with a factor: by another one.
void add_factor_candidate(FrequencySet& list, const Spec& asked, double factor);

// The asked frequencies, each changed.
template <class Change>
void add_changed_candidate(FrequencySet& list, const Frequencies& asked, std::string mistake,
                           std::vector<std::pair<std::string, FieldValue>> parameters,
                           std::string what, const Change& change) {
    Frequencies one = asked;
    one.mistake = std::move(mistake);
    one.cost = 1;
    one.parameters = std::move(parameters);
    one.what = std::move(what);
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
