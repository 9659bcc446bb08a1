#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

void add_scaling_mistakes(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    if (!is_scaled(asked)) return;
    const std::string type = asked.scaling.rope_type;
    const Frequencies plain = frequencies_of(unscaled(asked));
    const std::vector<std::pair<std::string, FieldValue>> which{{"rope_type", type}};
    add_candidate(list, "scaling-missing", which,
                  "the config's " + type + " scaling was not applied", unscaled(asked));
    add_changed_candidate(
        list, plan, "scaling-doubled", which, "the " + type + " scaling was applied twice",
        [&](std::size_t i) {
            return plain.theta[i] == 0 ? 0 : plan.theta[i] * plan.theta[i] / plain.theta[i];
        });
    add_changed_candidate(
        list, plan, "scaling-inverted", which,
        "the " + type + " scaling was inverted: its factor multiplies where it must divide",
        [&](std::size_t i) {
            return plan.theta[i] == 0 ? 0 : plain.theta[i] * plain.theta[i] / plan.theta[i];
        });
}

// The factor that a scaling of another type would take from the same config.
std::optional<double> factor_of(const Spec& spec) {
    if (spec.scaling.factor) return spec.scaling.factor;
    if (spec.scaling.original_max_position_embeddings &&
        *spec.scaling.original_max_position_embeddings > 0)
        return static_cast<double>(spec.max_position_embeddings) /
               static_cast<double>(*spec.scaling.original_max_position_embeddings);
    return std::nullopt;
}

void add_type_mistakes(FrequencySet& list, const Spec& asked) {
    const auto factor = factor_of(asked);
    if (!is_scaled(asked) || !factor) return;
    const std::uint64_t original =
        asked.scaling.original_max_position_embeddings.value_or(asked.max_position_embeddings);
    for (const std::string_view type : {"linear", "ntk", "yarn", "llama3"}) {
        if (type == asked.scaling.rope_type) continue;
        add_candidate(list, "scaling-type",
                      {{"rope_type", std::string(type)}, parameter(&Scaling::factor, *factor)},
                      "the scaling is " + std::string(type) + " with factor " + decimal(*factor) +
                          ", not " + asked.scaling.rope_type,
                      with_type(asked, type, *factor, original));
    }
}

// A dynamic base for another length, and vLLM's: for factor·L at every position.
void add_dynamic_mistakes(FrequencySet& list, const Spec& asked) {
    if (asked.scaling.rope_type != "dynamic" || !asked.scaling.factor) return;
    Spec other = asked;
    other.seq_len = static_cast<std::uint64_t>(static_cast<double>(asked.max_position_embeddings) *
                                               *asked.scaling.factor);
    add_candidate(list, "scaling-parameter", {{"seq_len", *other.seq_len}},
                  "the base is the one for length factor·L = " + decimal(*other.seq_len) +
                      " at every position, as in vLLM's static version of dynamic",
                  other);
}

void add_truncations(FrequencySet& list, const Spec& asked) {
    const bool truncates = value_or_default(asked.scaling, yarn_variant.keys, &Scaling::truncate);
    Spec other = asked;
    other.scaling.truncate = !truncates;
    add_candidate(list, "scaling-parameter",
                  {parameter(&Scaling::truncate, std::string(truncates ? "false" : "true"))},
                  truncates ? "yarn's ramp bounds were not rounded, as with truncate: false"
                            : "yarn's ramp bounds were rounded although truncate is false",
                  other);
}

void add_betas(FrequencySet& list, const Spec& asked) {
    const auto beta = [](const Scaling& scaling, std::optional<double> Scaling::* member) {
        return value_or_default(scaling, yarn_variant.keys, member);
    };
    const double fast = beta(asked.scaling, &Scaling::beta_fast);
    const double slow = beta(asked.scaling, &Scaling::beta_slow);
    const double usual_fast = beta({}, &Scaling::beta_fast);
    const double usual_slow = beta({}, &Scaling::beta_slow);
    Spec other = asked;
    other.scaling.beta_fast = slow;
    other.scaling.beta_slow = fast;
    add_candidate(list, "scaling-parameter",
                  {parameter(&Scaling::beta_fast, slow), parameter(&Scaling::beta_slow, fast)},
                  "beta_fast and beta_slow were swapped", other);
    if (fast != usual_fast || slow != usual_slow) {
        other = asked;
        other.scaling.beta_fast = usual_fast;
        other.scaling.beta_slow = usual_slow;
        add_candidate(list, "scaling-parameter",
                      {parameter(&Scaling::beta_fast, usual_fast),
                       parameter(&Scaling::beta_slow, usual_slow)},
                      "beta_fast and beta_slow are the defaults " + decimal(usual_fast) + " and " +
                          decimal(usual_slow) + ", not the config's",
                      other);
    }
}

// The ramp as the weight of extrapolation where it must be that of interpolation.
void add_inverted_ramp(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    const Frequencies plain = frequencies_of(unscaled(asked));
    const double factor = asked.scaling.factor.value_or(1);
    add_changed_candidate(
        list, plan, "scaling-parameter", {{"ramp", std::string("inverted")}},
        "yarn's ramp is inverted: fast pairs are interpolated and slow ones kept",
        [&](std::size_t i) { return plain.theta[i] * (1 + 1 / factor) - plan.theta[i]; });
}

void add_yarn_mistakes(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    if (asked.scaling.rope_type != "yarn") return;
    add_truncations(list, asked);
    add_betas(list, asked);
    Spec other = asked;
    other.scaling.original_max_position_embeddings = asked.max_position_embeddings;
    add_candidate(
        list, "scaling-parameter",
        {parameter(&Scaling::original_max_position_embeddings, asked.max_position_embeddings)},
        "original_max_position_embeddings is max_position_embeddings, " +
            decimal(asked.max_position_embeddings),
        other);
    add_inverted_ramp(list, asked, plan);
}

void add_longrope_mistakes(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    if (asked.scaling.rope_type != "longrope") return;
    for (const bool is_long : {true, false}) {
        Spec other = asked;
        const auto& factors = is_long ? asked.scaling.long_factor : asked.scaling.short_factor;
        other.scaling.long_factor = other.scaling.short_factor = factors;
        const std::string name(name_of(is_long ? &Scaling::long_factor : &Scaling::short_factor));
        Frequencies one = frequencies_of(other);
        if (one.theta == plan.theta) continue;
        add_candidate(
            list, "scaling-parameter", {{"factors", name}},
            "the frequencies are divided by " + name + ", which is not the list for this length",
            other);
    }
}

}  // namespace

void add_scaling_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    add_scaling_mistakes(list, asked, plan);
}

void add_type_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    add_type_mistakes(list, asked);
    add_dynamic_mistakes(list, asked);
    add_yarn_mistakes(list, asked, plan);
    add_longrope_mistakes(list, asked, plan);
}

}  // namespace rope
