// Two changes of the frequencies at once: another base or other exponents, and one more mistake.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/possible_bases.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

constexpr double largest_written = 1e8;

// Whether the laws allow exponents that start at 2/d under the asked base, or a divisor that is a
// whole number other than d.
bool may_be_other_exponents(const Spec& asked, const std::vector<PowerLaw>& laws) {
    const double d = asked.rotary_dim;
    return std::ranges::any_of(laws, [&](const PowerLaw& law) {
        const double divisor = d * portable::log(asked.rope_theta) / portable::log(law.base);
        const double error = divisor * std::max(1e-6, 4 * law.base_error);
        const bool is_asked = std::abs(divisor - d) < 1 && std::abs(law.scale - 1) < 1e-4;
        return !is_asked && std::abs(divisor - std::round(divisor)) <= error;
    });
}

bool follow(const std::vector<PhaseLine>& lines, const Frequencies& one) {
    if (one.theta.size() != lines.size()) return false;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!lines[i].is_left_out() && !one.is_on(lines[i], i)) return false;
    return true;
}

// The base that the lines give under the same mistake, where `base` was a part's own.
std::optional<double> base_of_all(const Frequencies& one, const Estimate& base,
                                  const std::vector<PhaseLine>& lines) {
    if (base.error == 0 || !one.spec || one.theta.size() != lines.size()) return std::nullopt;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double allowed = 8 * lines[i].error + base.error * one.theta[i];
        if (!lines[i].is_left_out() && !(std::abs(one.theta[i] - lines[i].theta) <= allowed))
            return std::nullopt;
    }
    if (frequencies_of(*one.spec).theta != one.theta) return std::nullopt;
    const auto own = refined(*one.spec, set_base, lines, base.value);
    if (!own) return std::nullopt;
    return few_digits(own->value, std::max(3e-7, 4 * own->error));
}

FrequencySet all_of(const Spec& asked, const std::vector<PhaseLine>& lines) {
    FrequencySet list = usual_frequencies(asked);
    for (const FrequencySet& more : {unusual_frequencies(asked), fitted_factors(asked, lines)})
        list.insert(list.end(), more.begin(), more.end());
    return list;
}

// Adds those that follow under the base; of the others that nearly do, the bases by which they may.
std::vector<Estimate> add_with_base(FrequencySet& all, const Estimate& possible, const Spec& asked,
                                    const FrequencySet& alone,
                                    const std::vector<PhaseLine>& lines) {
    const double base = possible.value;
    Spec other = asked;
    other.rope_theta = base;
    FrequencySet list = all_of(other, lines);
    const std::vector<double> plan = list.front().theta;
    std::vector<Estimate> better;
    for (Frequencies& one : list) {
        if (one.mistake.empty() || one.mistake == "base") continue;
        if (!follow(lines, one)) {
            if (const auto own = base_of_all(one, possible, lines)) better.push_back({*own, 0});
            continue;
        }
        const auto same = std::ranges::find_if(alone, [&](const Frequencies& under_asked) {
            return under_asked.mistake == one.mistake && under_asked.parameters == one.parameters;
        });
        ++one.cost;
        one.without = plan;
        one.also.push_back(
            {{"base",
              {{"rope_theta", base}},
              "rope_theta is " + decimal(base) + ", not " + decimal(asked.rope_theta)},
             (same == alone.end() ? alone.front() : *same).theta});
        all.push_back(std::move(one));
    }
    return better;
}

// Other exponents under other scaling.
void add_with_exponents(FrequencySet& all, const Spec& asked, const FrequencySet& alone,
                        const std::vector<PhaseLine>& lines) {
    FrequencySet as_asked;
    add_exponent_candidates(as_asked, asked, alone.front());
    for (const Frequencies& scaled : alone) {
        if (!scaled.spec || scaled.spec->scaling == asked.scaling) continue;
        FrequencySet list;
        add_exponent_candidates(list, *scaled.spec, scaled);
        for (Frequencies& one : list) {
            if (!one.mistake.starts_with("exponent") || !follow(lines, one)) continue;
            const auto same = std::ranges::find(as_asked, one.what, &Frequencies::what);
            ++one.cost;
            one.without = scaled.theta;
            one.also.push_back({{scaled.mistake, scaled.parameters, scaled.what},
                                (same == as_asked.end() ? alone.front() : *same).theta});
            all.push_back(std::move(one));
        }
    }
}

}  // namespace

FrequencySet two_changes(const Spec& asked, const std::vector<PhaseLine>& lines) {
    FrequencySet all;
    if (!is_one_ladder(asked.axes)) return all;
    const std::vector<PowerLaw> laws = laws_of_parts(asked, lines);
    std::vector<Estimate> bases = possible_bases(asked, laws);
    const bool other_exponents = may_be_other_exponents(asked, laws);
    if (bases.empty() && !other_exponents) return all;
    FrequencySet alone = all_of(asked, lines);
    for (Frequencies& one : factors_beside(asked, lines, laws)) alone.push_back(std::move(one));
    // a base that nobody would write, or has, may be other exponents'
    const auto written = std::ranges::stable_partition(bases, [](const Estimate& one) {
        return is_written(one.value, 0) && one.value <= largest_written;
    });
    const auto add_bases = [&](auto begin, auto end) {
        for (; begin != end; ++begin)
            for (const Estimate& better : add_with_base(all, *begin, asked, alone, lines))
                add_with_base(all, better, asked, alone, lines);
    };
    add_bases(bases.begin(), written.begin());
    if (other_exponents) add_with_exponents(all, asked, alone, lines);
    add_bases(written.begin(), written.end());
    return all;
}

}  // namespace rope
