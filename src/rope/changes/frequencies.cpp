#include "rope/changes/frequencies.hpp"

#include <cmath>
#include <numbers>

#include "rope/exact/elementary.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

constexpr Precision enough{96};

// A base beyond those of models may be the square of one: b^(−2i/(d/2)) = (b²)^(−2i/d).
NamedMistake base_mistake(const Spec& asked, double base) {
    constexpr double largest_of_models = 1e11;  // Falcon-H1
    Parameters context{{"asked", asked.rope_theta}};
    const double root = few_digits(std::sqrt(base), 1e-6);
    if (base > largest_of_models && is_written(root, 1e-9) && is_one_ladder(asked.axes)) {
        context.emplace_back("root", root);
        context.emplace_back("half", std::uint64_t{asked.rotary_dim / 2});
        context.emplace_back("whole", std::uint64_t{asked.rotary_dim});
    }
    return named("base", {{"rope_theta", base}}, std::move(context));
}

Frequencies planned(const Spec& spec) {
    const FrequencyPlan plan = plan_frequencies(spec, enough);
    Frequencies one;
    one.amplitude = plan.attention_factor;
    one.spec = spec;
    one.theta = plan.inv_freq();
    one.angle_k = angle_k(least_exact, spec, plan);
    return one;
}

// 0 if the rows show no rotation of the pair; NaN if they are not finite.
double number_of(const PhaseLine& line) {
    if (!line.is_known()) return NAN;
    return std::abs(line.theta) <= 4 * line.error ? 0 : line.theta;
}

// The pair after the last that rotates.
std::uint32_t first_of_still(const Samples& samples) {
    std::uint32_t first = 0;
    for (std::size_t k = 0; k < samples.angle.size(); ++k)
        if (!Samples::is_left_out(samples.modulus[k]) &&
            !(std::abs(samples.angle[k]) <= samples.storage))
            first = std::max(first, static_cast<std::uint32_t>(k % samples.pairs) + 1);
    return first;
}

// A second rotation: R(m)·R(m) = a²·R(2m).

constexpr std::string_view twice = "rotated-twice";

std::vector<double> doubled(std::vector<double> theta) {
    for (double& one : theta) one *= 2;
    return theta;
}

constexpr std::size_t least_lines = 8;  // lines that determine a base, a factor and a length
constexpr std::size_t few_pairs = 4;    // lines that determine a base and a factor, known to 1e-4
constexpr std::size_t least_rows = 4;
constexpr double loose = 0.01;  // largest error of ln base

// Whether θ falls from pair to pair, with 8 pairs known to 1 % or 4 to 1e-4. The slowest pair's
// angle at position 0 must be near 0, as with any offset of positions.
bool are_of_a_power(const PhaseLines& lines) {
    std::size_t exact = 0, very_exact = 0;
    const PhaseLine* before = nullptr;
    for (const PhaseLine& line : lines) {
        if (line.is_left_out()) continue;
        if (!line.is_known() || line.rows < least_rows) return false;
        if (before && !(line.theta < before->theta + 4 * line.error)) return false;
        exact += 8 * line.error <= 0.01 * line.theta ? 1 : 0;
        very_exact += 8 * line.error <= 1e-4 * line.theta ? 1 : 0;
        before = &line;
    }
    return (exact >= least_lines || very_exact >= few_pairs) &&
           std::abs(std::remainder(before->offset, 2 * std::numbers::pi)) < 0.5;
}

// The laws ln θ_i = ln scale − (2i/d)·ln base of all pairs, of the fastest, which scaling by parts
// leaves unchanged, and of the slowest, which it divides by one factor.
std::vector<PowerLaw> laws_of_parts(const PhaseLines& lines) {
    std::vector<PowerLaw> laws;
    if (!are_of_a_power(lines)) return laws;
    const auto follows = [&](const PowerLaw& law, std::size_t i) {
        const double theta = law.theta(i, lines.size());
        return std::abs(lines[i].theta - theta) <= 8 * lines[i].error + 0x1p-20 * theta;
    };
    const auto add = [&](std::size_t first, std::size_t end, bool scaled) {
        const PowerLaw law = fit_power_law(lines, end, scaled, first);
        if (!(law.base > 1 && law.base < 1e30)) return;
        while (first < end && (lines[first].is_left_out() || follows(law, first))) ++first;
        if (first == end) laws.push_back(law);
    };
    const std::size_t least = lines.size() < least_lines ? lines.size() : 3;
    for (std::size_t pairs = lines.size(); pairs >= least; pairs = pairs * 3 / 4) {
        add(0, pairs, false);
        add(0, pairs, true);
        if (pairs < lines.size()) add(lines.size() - pairs, lines.size(), true);
    }
    return laws;
}

// Whether a fitted base may be the asked one.
bool is_near_asked(const Spec& asked, double base) {
    constexpr double nearest = 1e-5;  // a recurrence changes the slowest pairs as much
    return std::abs(base / asked.rope_theta - 1) < nearest;
}

// Bases other than the asked one that a law has, or that ntk would raise to a law's.
std::vector<double> possible_bases(const Spec& asked, const std::vector<PowerLaw>& laws) {
    std::vector<double> bases;
    const auto add = [&](double base, double error) {
        for (const double least : {1e-6, 3e-7}) {
            const double simple = few_digits(base, std::max(least, error));
            const bool is_known = std::ranges::any_of(bases, [&](double one) {
                return simple == one || std::abs(simple - one) <= error * one;
            });
            if (std::abs(simple - asked.rope_theta) > error * asked.rope_theta &&
                !is_near_asked(asked, simple) && !is_known)
                bases.push_back(simple);
        }
    };
    const auto d = static_cast<double>(asked.rotary_dim);
    for (const PowerLaw& law : laws) {
        if (4 * law.base_error > loose) continue;
        add(law.base, 4 * law.base_error);
        if (asked.scaling.factor)
            add(law.base / portable::pow(*asked.scaling.factor, d / (d - 2)), 4 * law.base_error);
    }
    return bases;
}

constexpr double largest_written = 1e8;

bool follow(const PhaseLines& lines, const Frequencies& one) {
    if (one.theta.size() != lines.size()) return false;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!lines[i].is_left_out() && !one.is_on(lines[i], i)) return false;
    return true;
}

FrequencySet all_of(const Spec& asked, const PhaseLines& lines) {
    FrequencySet list = usual_frequencies(asked);
    for (const FrequencySet& more : {unusual_frequencies(asked), fitted_factors(asked, lines)})
        list.insert(list.end(), more.begin(), more.end());
    return list;
}

// Adds the candidates under the base that `is_likely` holds for.
template <class IsLikely>
void add_with_base(FrequencySet& all, double base, const Spec& asked, const FrequencySet& alone,
                   const PhaseLines& lines, const IsLikely& is_likely) {
    FrequencySet list = all_of(with_base(asked, base), lines);
    const std::vector<double> plan = list.front().theta;
    for (Frequencies& one : list) {
        if (one.mistake.empty() || one.mistake == "base" || !is_likely(one)) continue;
        const auto same = std::ranges::find_if(alone, [&](const Frequencies& under_asked) {
            return under_asked.mistake == one.mistake && under_asked.parameters == one.parameters;
        });
        ++one.cost;
        one.without = plan;
        one.also.push_back(
            {base_mistake(asked, base), (same == alone.end() ? alone.front() : *same).theta});
        all.push_back(std::move(one));
    }
}

// The base of rates that rise, θ_i = base^(2i/d), by the slope of ln θ up to each pair: rows 1
// apart determine a rate up to whole turns, and the slower pairs its number of turns.
std::optional<Estimate> rising_base(const PhaseLines& lines) {
    if (lines.size() < least_lines || !lines[1].is_known() || !(lines[1].theta > 1))
        return std::nullopt;
    double slope = portable::log(lines[1].theta), error = lines[1].error / lines[1].theta;
    for (std::size_t i = 2; i < lines.size() && lines[i].is_known(); ++i) {
        const auto k = static_cast<double>(i);
        const double turn = lines[i].modulo > 0 ? lines[i].modulo : 2 * std::numbers::pi;
        const double expected = portable::exp(slope * k);
        const double open = 4 * error * k * expected + 8 * lines[i].error + 0x1p-20 * expected;
        if (!(open < turn / 4)) break;
        const double theta = lines[i].theta + turn * std::round((expected - lines[i].theta) / turn);
        if (!(std::abs(theta - expected) <= open)) return std::nullopt;
        slope = portable::log(theta) / k;
        error = std::min(error, lines[i].error / (theta * k) + 0x1p-23 / k);
    }
    const auto pairs = static_cast<double>(lines.size());
    return Estimate{portable::exp(slope * pairs), 4 * error * pairs};
}

}  // namespace

Frequencies frequencies_of(const Spec& spec) {
    thread_local BySpec<Frequencies> planned_specs;
    return planned_specs.of(spec, [&] { return planned(spec); });
}

bool Frequencies::is_on(const PhaseLine& line, std::size_t pair) const {
    return std::abs(line.theta - theta[pair]) <=
           8 * line.error + 2 * angle_k[pair] * 0x1p-24 * std::abs(theta[pair]);
}

void Frequencies::change(std::size_t pair, double inv_freq) {
    if (inv_freq == theta[pair]) return;
    theta[pair] = inv_freq;
    angle_k[pair] = *std::max_element(angle_k.begin(), angle_k.end());
}

Spec unscaled(const Spec& spec) {
    Spec other = spec;
    other.scaling = {};
    return other;
}

void add_candidate(FrequencySet& list, NamedMistake named, const Spec& spec) {
    if (!is_sound(spec)) return;
    list.push_back(frequencies_of(spec));
    list.back().name(std::move(named));
}

void add_base_candidate(FrequencySet& list, const Spec& asked, double base) {
    if (is_near_asked(asked, base)) return;
    add_candidate(list, base_mistake(asked, base), with_base(asked, base));
}

NamedMistake factor_mistake(const Spec& asked, double factor) {
    return named("scaling-parameter", {parameter(&Scaling::factor, factor)},
                 {{"rope_type", asked.scaling.rope_type}, {"asked", *asked.scaling.factor}});
}

void add_factor_candidate(FrequencySet& list, const Spec& asked, double factor) {
    add_candidate(list, factor_mistake(asked, factor), with_factor(asked, factor));
}

double position_unit(const Spec& asked) {
    if (asked.scaling.rope_type == "he_xu")
        return static_cast<double>(asked.max_position_embeddings);
    return asked.scaling.rope_type == "linear" ? asked.scaling.factor.value_or(1) : 1;
}

NamedMistake entry_mistake(std::size_t pair, double own, double theta) {
    Parameters context{{"asked", few_digits(theta, 1e-6)}};
    if (std::isfinite(own)) context.emplace_back("is_finite", 1.0);
    return named("inv-freq-entry",
                 {{"pair", std::uint64_t{pair}}, {"inv_freq", few_digits(own, 1e-6)}}, context);
}

Frequencies with_entry(const Frequencies& one, std::size_t pair, double inv_freq,
                       std::optional<double> named) {
    Frequencies other = one;
    for (Frequencies::Further& further : other.also) further.without[pair] = inv_freq;
    other.also.push_back(
        {entry_mistake(pair, named.value_or(inv_freq), one.theta[pair]), one.theta});
    other.change(pair, inv_freq);
    ++other.cost;
    return other;
}

FrequencySet with_odd_entries(const FrequencySet& list, const PhaseLines& lines) {
    FrequencySet all;
    if (lines.size() < 4) return all;
    for (const Frequencies& one : list) {
        if (one.theta.size() != lines.size()) continue;
        std::vector<std::size_t> odd;
        for (std::size_t i = 0; i < lines.size() && odd.size() < 2; ++i)
            if (lines[i].is_known() ? !one.is_on(lines[i], i) : lines[i].rows == 0)
                odd.push_back(i);
        if (odd.size() != 1) continue;
        const PhaseLine& line = lines[odd[0]];
        // rows more than 1 apart permit several frequencies
        if (line.modulo > 0 && line.is_known()) continue;
        Frequencies other = with_entry(one, odd[0], number_of(line), line.number);
        // another entry in changed frequencies, or one of few, may as well be an unknown rule
        other.cost += (one.mistake.empty() || !line.is_known() ? 0 : 1) +
                      (lines.size() < least_lines ? 2 : 0);
        all.push_back(std::move(other));
    }
    return all;
}

std::optional<Frequencies> still_tail(const Frequencies& plan, const Samples& samples,
                                      const Hypothesis& asked, const OddPairs& odd) {
    // 16-bit storage hides small angles, so there the turn-rate check decides
    const bool are_at_other_rates =
        samples.storage < half_spacing(Format::float16, 1) || (!odd.pairs.empty() && odd.are_still);
    if (plan.theta.size() != samples.pairs || !are_at_other_rates) return std::nullopt;
    std::vector<std::uint32_t> wrong;
    for (std::uint32_t i = first_of_still(samples); i < samples.pairs; ++i)
        if (plan.theta[i] != 0 &&
            (std::ranges::count(odd.pairs, i) > 0 || !(pair_misfit(samples, asked, i, 1) <= 1)))
            wrong.push_back(i);
    // a single pair is a wrong entry, and all pairs are no rotation
    if (wrong.size() < 2 || wrong.front() == 0) return std::nullopt;
    const std::uint64_t rotating = wrong.front(), pairs = samples.pairs;
    const double part = static_cast<double>(rotating) / static_cast<double>(pairs);
    return with_theta(plan,
                      named("rotary-dim", {parameter(&Scaling::partial_rotary_factor, part)},
                            {{"rotating", rotating}, {"pairs", pairs}}),
                      [&](std::size_t i) { return i < rotating ? plan.theta[i] : 0; });
}

bool Frequencies::are_twice() const {
    return mistake == twice || std::ranges::any_of(also, [](const Further& one) {
               return one.mistake.mistake == twice;
           });
}

Frequencies rotated_twice(const Frequencies& once, const Frequencies& plan) {
    Frequencies both = once;
    both.theta = doubled(once.theta);
    both.amplitude *= both.amplitude;
    ++both.cost;
    if (once.mistake.empty()) {
        both.name(named(twice));
        return both;
    }
    both.without = doubled(once.without.empty() ? plan.theta : once.without);
    for (Frequencies::Further& one : both.also) one.without = doubled(std::move(one.without));
    both.also.push_back({named(twice), once.theta});
    return both;
}

PhaseLines halved(const PhaseLines& lines) {
    PhaseLines halves = lines;
    for (PhaseLine& line : halves) {
        line.theta /= 2;
        line.offset /= 2;
        line.error /= 2;
        line.modulo /= 2;
        line.angle_error /= 2;
    }
    return halves;
}

FrequencySet two_changes(const Spec& asked, const PhaseLines& lines) {
    FrequencySet all;
    if (!is_one_ladder(asked.axes)) return all;
    std::vector<double> bases = possible_bases(asked, laws_of_parts(lines));
    const auto rising = rising_base(lines);
    if (bases.empty() && !rising) return all;
    const FrequencySet alone = all_of(asked, lines);
    std::ranges::stable_partition(
        bases, [](double base) { return is_written(base, 0) && base <= largest_written; });
    for (const double base : bases)
        add_with_base(all, base, asked, alone, lines,
                      [&](const Frequencies& one) { return follow(lines, one); });
    if (rising)
        add_with_base(all, few_digits(rising->value, std::max(1e-6, rising->error)), asked, alone,
                      lines, [](const Frequencies& one) { return one.mistake == "exponent-sign"; });
    return all;
}

}  // namespace rope
