#include "rope/diagnose/candidate/frequencies.hpp"

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope {
namespace {

constexpr Precision enough{96};

}  // namespace

Frequencies frequencies_of(const Spec& spec) {
    const FrequencyPlan plan = plan_frequencies(spec, enough);
    Frequencies one{.mistake = "", .amplitude = plan.attention_factor, .spec = spec};
    for (const PlannedFrequency& pair : plan.pairs) one.theta.push_back(pair.inv_freq.to_double());
    one.angle_k = angle_k(least_exact, spec, plan);
    return one;
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

bool is_scaled(const Spec& spec) { return spec.scaling.rope_type != "default"; }

Spec unscaled(const Spec& spec) {
    Spec other = spec;
    other.scaling = {};
    return other;
}

Spec with_type(const Spec& asked, std::string_view type, double factor, std::uint64_t original) {
    Spec other = unscaled(asked);
    Scaling& scaling = other.scaling;
    scaling.rope_type = type;
    scaling.factor = factor;
    if (type == "yarn" || type == "llama3") scaling.original_max_position_embeddings = original;
    if (type == "llama3") {
        constexpr FrequencyFactors usual;
        scaling.low_freq_factor = usual.low;
        scaling.high_freq_factor = usual.high;
    }
    if (type == "he_xu") scaling = {.rope_type = "he_xu"};
    return other;
}

void add_candidate(FrequencySet& list, std::string mistake,
                   std::vector<std::pair<std::string, FieldValue>> parameters, std::string what,
                   const Spec& spec) {
    if (!is_sound(spec)) return;
    Frequencies one = frequencies_of(spec);
    one.mistake = std::move(mistake);
    one.cost = 1;
    one.parameters = std::move(parameters);
    one.what = std::move(what);
    list.push_back(std::move(one));
}

void add_factor_candidate(FrequencySet& list, const Spec& asked, double factor) {
    Spec other = asked;
    other.scaling.factor = factor;
    add_candidate(list, "scaling-parameter", {parameter(&Scaling::factor, factor)},
                  asked.scaling.rope_type + "'s factor is " + decimal(factor) + ", not " +
                      decimal(*asked.scaling.factor),
                  other);
}

double position_unit(const Spec& asked) {
    if (asked.scaling.rope_type == "he_xu")
        return static_cast<double>(asked.max_position_embeddings);
    return asked.scaling.rope_type == "linear" ? asked.scaling.factor.value_or(1) : 1;
}

FrequencySet usual_frequencies(const Spec& asked) {
    FrequencySet list;
    const Frequencies plan = frequencies_of(asked);
    list.push_back(plan);
    add_scaling_candidates(list, asked, plan);
    add_exponent_candidates(list, asked, plan);
    add_type_candidates(list, asked, plan);
    add_width_candidates(list, asked, plan);
    return list;
}

}  // namespace rope
