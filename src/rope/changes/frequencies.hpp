// Candidate frequencies that an implementation may have used instead of the Spec's.
#pragma once

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rope/changes/mistakes.hpp"
#include "rope/checks/report.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// Frequencies, and the mistake by which they differ from the Spec's, with an empty id if they do
// not.
struct Frequencies : NamedMistake {
    std::vector<double> theta = {};
    std::vector<double> angle_k = {};
    double amplitude = 1;
    int cost = 0;                      // number of mistakes that this counts for
    bool takes_any_amplitude = false;  // another amplitude is reported, not a mistake
    std::optional<Spec> spec = {};     // a Spec with these frequencies
    std::vector<double> without = {};  // θ without `mistake`; empty: as asked
    // Mistakes in addition to `mistake`, and θ without each.
    struct Further {
        NamedMistake mistake;
        std::vector<double> without;
    };
    std::vector<Further> also = {};

    // Returns whether the line's θ is this pair's, within the errors of both.
    bool is_on(const PhaseLine& line, std::size_t pair) const;
    // Returns whether one of the mistakes is a second rotation.
    bool are_twice() const;
    void name(NamedMistake&& named) {  // sets the mistake, with cost 1
        NamedMistake::operator=(std::move(named));
        cost = 1;
    }
    // Replaces the frequency of one pair. Its K becomes the largest of all pairs.
    void change(std::size_t pair, double inv_freq);
};
using FrequencySet = std::vector<Frequencies>;

// A mistake's parameter that is a key of the config.
inline std::pair<std::string, FieldValue> parameter(ScalingMember key, FieldValue value) {
    return {std::string(name_of(key)), std::move(value)};
}

// A cache by Spec, first by its base: each view and orientation of a dump tries the same Specs.
template <class Value>
class BySpec {
  public:
    explicit BySpec(std::size_t most = 4096) : most_(most) {}
    // Returns make(), which is called once per Spec.
    template <class Make>
    const Value& of(const Spec& spec, const Make& make) {
        if (count_ == most_) {
            by_base_.clear();
            count_ = 0;
        }
        auto& some = by_base_[spec.rope_theta];
        for (const auto& [own, value] : some)
            if (own == spec) return value;
        ++count_;
        return some.emplace_back(spec, make()).second;
    }

  private:
    std::unordered_map<double, std::deque<std::pair<Spec, Value>>> by_base_;
    std::size_t most_, count_ = 0;
};

// Returns inv_freq and attention factor of a Spec, which is not validated. Cached per thread.
Frequencies frequencies_of(const Spec& spec);

// Returns the Spec's frequencies, then those that configs, ports and papers often confuse with
// them, likeliest first. All have the Spec's number of pairs. Cached per thread.
FrequencySet usual_frequencies(const Spec& asked);

// Returns rarer candidates: scaling that the Spec does not ask for, or other parameters. Cached per
// thread.
FrequencySet unusual_frequencies(const Spec& asked);

// Returns candidates with a parameter fitted to the lines: the base, a factor, a length.
FrequencySet fitted_frequencies(const Spec& asked, const PhaseLines& lines);

// Returns candidates with another scaling factor. For yarn and llama3, which divide the slowest
// pairs, it is fitted to the slowest line; for ntk and dynamic, which change the base, to the power
// law of the lines. An unusual factor costs more.
FrequencySet fitted_factors(const Spec& asked, const PhaseLines& lines);

// Returns the asked frequencies times a common factor, if every line has it.
FrequencySet fitted_scale(const Spec& asked, const PhaseLines& lines);

// Returns the candidates with another base and one more mistake that the lines follow.
FrequencySet two_changes(const Spec& asked, const PhaseLines& lines);

// Fits ln θ_i = ln scale − (2i/d)·ln base by weighted least squares to the pairs first … end − 1.
// Without `scaled`, scale = 1.
struct PowerLaw {
    double base = 1, scale = 1;
    double base_error = 0;  // standard error of ln base

    double theta(std::size_t i, std::size_t pairs) const {
        return scale * portable::pow(base, -static_cast<double>(i) / static_cast<double>(pairs));
    }
};
PowerLaw fit_power_law(const PhaseLines& lines, std::size_t end, bool scaled,
                       std::size_t first = 0);

// The low_freq_factor and high_freq_factor of a llama3 Spec, given its base, factor and original
// length, fitted to the pairs between them; Llama 3.1's if no pair is; low = 1 if only one is.
struct FrequencyFactors {
    double low = 1, high = 4;
};
FrequencyFactors fit_llama3(const Spec& spec, const PhaseLines& lines);

// Returns whether x is within the relative `tolerance` of a number with at most four digits. People
// write such parameters; a fit to something else rarely gives one.
bool is_written(double x, double tolerance);

// Returns the mistake "the exponent is −2i/divisor, not −2i/width", for each ladder of the axis
// map.
NamedMistake divisor_mistake(const Spec& asked, const std::vector<double>& divisors);

// Returns the mistake "the exponents start at first·2/d, not at 0".
NamedMistake start_mistake(const Spec& asked, double first);
inline constexpr double exponent_starts[] = {1, -1, 0.5, -0.5};

// Returns the number by which the config divides positions: linear's factor or He & Xu's n; else 1.
// A wrong one, f′ instead of f, multiplies positions by f/f′.
double position_unit(const Spec& asked);

// A scale as people write it: the scale, its reciprocal or `unit` divided by it has few digits; or
// it differs from 1 by less than 1e-3. A fit to something else rarely gives one.
struct WrittenScale {
    double scale = 0;
    int digits = 0;
    // More than two digits fit almost anything together with another mistake.
    int cost() const { return digits <= 2 ? 1 : 2; }
};
std::optional<WrittenScale> written_scale(double x, double tolerance, double unit);

// Returns the number with the fewest digits within the relative `tolerance` of x.
double few_digits(double x, double tolerance);

// The mistake that inv_freq of the pair is `own` instead of theta.
NamedMistake entry_mistake(std::size_t pair, double own, double theta);
// Returns the frequencies with one entry replaced and one more mistake. `named`: the entry as the
// dump has it, if its rotation determines it only up to whole turns.
Frequencies with_entry(const Frequencies& one, std::size_t pair, double inv_freq,
                       std::optional<double> named = {});

// Returns the candidates that the lines follow in all pairs except one, with the θ of its line.
FrequencySet with_odd_entries(const FrequencySet& list, const PhaseLines& lines);

// Returns the plan with θ = 0 from the first of the non-rotating last pairs that is wrong under
// `asked`; none if fewer than two are wrong, or 16-bit storage hides it.
std::optional<Frequencies> still_tail(const Frequencies& plan, const Samples& samples,
                                      const Hypothesis& asked, const OddPairs& odd);

// Returns the candidate by which vectors are rotated twice, where `plan` was asked; and the lines
// of one of both rotations.
Frequencies rotated_twice(const Frequencies& once, const Frequencies& plan);
PhaseLines halved(const PhaseLines& lines);

// The bases of published models.
inline constexpr double usual_bases[] = {1e4, 5e5, 1e6, 1.5e5, 5e6, 8e6, 1e7, 256};

inline bool has_type(const Spec& spec, std::initializer_list<std::string_view> types) {
    return std::ranges::find(types, spec.scaling.rope_type) != types.end();
}
inline bool is_scaled(const Spec& spec) { return !has_type(spec, {"default"}); }
Spec unscaled(const Spec& spec);
// Adds the frequencies of a Spec, if it is valid.
void add_candidate(FrequencySet& list, NamedMistake named, const Spec& spec);

// Adds nothing for a base that may be the asked one.
void add_base_candidate(FrequencySet& list, const Spec& asked, double base);

NamedMistake factor_mistake(const Spec& asked, double factor);
// Factors of models, and the ratio of the config's lengths, which a port may take for the factor.
std::set<double> usual_factors(const Spec& asked);

void add_factor_candidate(FrequencySet& list, const Spec& asked, double factor);

// Returns the frequencies with θ_i = theta(i), which is a mistake.
template <class Theta>
Frequencies with_theta(Frequencies one, NamedMistake named, const Theta& theta) {
    one.name(std::move(named));
    for (std::size_t i = 0; i < one.theta.size(); ++i) one.change(i, theta(i));
    return one;
}
template <class Theta>
void add_changed_candidate(FrequencySet& list, const Frequencies& asked, NamedMistake named,
                           const Theta& theta) {
    list.push_back(with_theta(asked, std::move(named), theta));
}

// Other scaling by parts (yarn's and llama3's), if the Spec has it: the usual mistakes, and rarer
// ones.
void add_parts_mistakes(FrequencySet& list, const Spec& asked);
void add_unusual_parts(FrequencySet& list, const Spec& asked);
struct Estimate {
    double value, error;  // the error is relative
};

inline Spec with_base(Spec spec, double base) {
    spec.rope_theta = base;
    return spec;
}
inline Spec with_factor(Spec spec, double factor) {
    spec.scaling.factor = factor;
    return spec;
}

}  // namespace rope
