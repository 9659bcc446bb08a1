// Two changes of the frequencies at once: another base or other exponents, and one more mistake.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr std::size_t least_pairs = 8;  // for a base, a factor and a length
constexpr std::size_t least_rows = 4;

// Frequencies that fall from one pair to the next, enough of them known to a percent; the slowest
// angle begins near 0, as it does at any offset of positions.
bool are_of_a_power(const std::vector<PhaseLine>& lines) {
    std::size_t exact = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const PhaseLine& line = lines[i];
        if (!line.is_known() || line.rows < least_rows) return false;
        if (i > 0 && !(line.theta < lines[i - 1].theta + 4 * line.error)) return false;
        exact += 8 * line.error <= 0.01 * line.theta ? 1 : 0;
    }
    return exact >= least_pairs && lines[0].theta > 0 &&
           std::abs(std::remainder(lines.back().offset, 2 * std::numbers::pi)) < 0.5;
}

// What the fastest pairs follow, which no scaling by parts changes, with and without a common
// factor: ln θ_i = ln scale − (2i/d)·ln base.
std::vector<PowerLaw> leading_laws(const std::vector<PhaseLine>& lines) {
    std::vector<PowerLaw> laws;
    const auto follows = [&](const PowerLaw& law, std::size_t i) {
        const double theta =
            law.scale *
            portable::pow(law.base, -static_cast<double>(i) / static_cast<double>(lines.size()));
        return std::abs(lines[i].theta - theta) <= 8 * lines[i].error + 0x1p-20 * theta;
    };
    for (std::size_t pairs = lines.size(); pairs >= 3; pairs = pairs * 3 / 4)
        for (const bool scaled : {false, true}) {
            const PowerLaw law = fit_power_law(lines, pairs, scaled);
            if (!(law.base > 1 && law.base < 1e30) || 4 * law.base_error > 0.01) continue;
            std::size_t leading = 0;
            while (leading < pairs && follows(law, leading)) ++leading;
            if (leading == pairs) laws.push_back(law);
        }
    return laws;
}

// That such laws allow, or that ntk would multiply to theirs.
std::vector<double> possible_bases(const Spec& asked, const std::vector<PowerLaw>& laws) {
    std::vector<double> bases;
    const auto add = [&](double base, double base_error) {
        for (const double least_error : {1e-6, 3e-7}) {
            const double error = std::max(least_error, base_error);
            const double simple = few_digits(base, error);
            const auto is_near = [&](double other) {
                return std::abs(simple - other) <= base_error * other || simple == other;
            };
            if (!is_near(asked.rope_theta) && std::ranges::none_of(bases, is_near))
                bases.push_back(simple);
        }
    };
    const auto d = static_cast<double>(asked.rotary_dim);
    for (const PowerLaw& law : laws) {
        add(law.base, 4 * law.base_error);
        if (asked.scaling.factor)
            add(law.base / portable::pow(*asked.scaling.factor, d / (d - 2)), 4 * law.base_error);
    }
    return bases;
}

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
        if (!one.is_on(lines[i], i)) return false;
    return true;
}

FrequencySet all_of(const Spec& asked, const std::vector<PhaseLine>& lines) {
    FrequencySet list = usual_frequencies(asked);
    for (const FrequencySet& more : {unusual_frequencies(asked), fitted_factors(asked, lines)})
        list.insert(list.end(), more.begin(), more.end());
    return list;
}

void add_with_base(FrequencySet& all, double base, const Spec& asked, const FrequencySet& alone,
                   const std::vector<PhaseLine>& lines) {
    Spec other = asked;
    other.rope_theta = base;
    FrequencySet list = all_of(other, lines);
    const std::vector<double> plan = list.front().theta;
    for (Frequencies& one : list) {
        if (one.mistake.empty() || one.mistake == "base" || !follow(lines, one)) continue;
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
    if (!are_of_a_power(lines)) return all;
    const std::vector<PowerLaw> laws = leading_laws(lines);
    std::vector<double> bases = possible_bases(asked, laws);
    const bool other_exponents = may_be_other_exponents(asked, laws);
    if (bases.empty() && !other_exponents) return all;
    FrequencySet alone = all_of(asked, lines);
    for (Frequencies& one : factors_beside(asked, lines, laws)) alone.push_back(std::move(one));
    // a base that nobody would write may be other exponents'
    const auto written =
        std::ranges::stable_partition(bases, [](double base) { return is_written(base, 0); });
    const auto add_bases = [&](auto begin, auto end) {
        for (; begin != end; ++begin) add_with_base(all, *begin, asked, alone, lines);
    };
    add_bases(bases.begin(), written.begin());
    if (other_exponents) add_with_exponents(all, asked, alone, lines);
    add_bases(written.begin(), written.end());
    return all;
}

}  // namespace rope
