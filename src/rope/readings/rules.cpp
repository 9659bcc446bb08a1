#include "rope/readings/rules.hpp"

#include "rope/spec/frequency.hpp"
#include "rope/spec/yarn.hpp"

namespace rope {

bool is_type(const Spec& spec, std::string_view rope_type) {
    return spec.scaling.rope_type == rope_type;
}

bool by_older_type(Spec& spec, const ConfigFacts& facts) {
    if (!facts.by_older_type) return false;
    spec.scaling = *facts.by_older_type;
    constexpr auto original = &Scaling::original_max_position_embeddings;
    if (uses(spec.scaling.rope_type, original) && !(spec.scaling.*original))
        spec.scaling.*original = spec.max_position_embeddings;
    if (!is_type(spec, "dynamic") && !is_type(spec, "longrope")) spec.seq_len.reset();
    return true;
}

bool always_truncate(Spec& spec, const ConfigFacts&) {
    if (spec.scaling.truncate.value_or(true)) return false;
    spec.scaling.truncate.reset();
    return true;
}

bool drop_attention_factor(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "yarn") || !spec.scaling.attention_factor) return false;
    spec.scaling.attention_factor.reset();
    return true;
}

// mscale_all_dim stays for the softmax scale; alone, it has no effect on cos and sin
bool drop_mscale_ratio(Spec& spec, const ConfigFacts&) {
    Scaling& scaling = spec.scaling;
    if (!is_type(spec, "yarn") || scaling.mscale.value_or(0) == 0 ||
        scaling.mscale_all_dim.value_or(0) == 0)
        return false;
    scaling.mscale.reset();
    return true;
}

bool default_each_mscale(Spec& spec, const ConfigFacts&) {
    Scaling& scaling = spec.scaling;
    const double mscale = scaling.mscale.value_or(1), all = scaling.mscale_all_dim.value_or(0);
    // transformers 5 takes a pair that is not complete, or zero, for none: getms(s, 1)
    const bool is_pair = scaling.mscale.value_or(0) != 0 && all != 0;
    if (!is_type(spec, "yarn") || is_pair || (mscale == 1 && all == 0)) return false;
    const BigReal factor =
        yarn_magnitude(*scaling.factor, mscale) / yarn_magnitude(*scaling.factor, all);
    return change(scaling.attention_factor, factor.to_double());
}

bool longrope_by_ratio(Spec& spec, const ConfigFacts&) {
    Scaling& scaling = spec.scaling;
    if (!is_type(spec, "longrope") || !(scaling.factor || scaling.attention_factor)) return false;
    scaling.factor.reset();
    scaling.attention_factor.reset();
    return true;
}

bool longrope_by_engine(Spec& spec, const ConfigFacts&) {
    const Scaling& scaling = spec.scaling;
    if (!is_type(spec, "longrope") || (scaling.short_factor == scaling.long_factor &&
                                       scaling.short_mscale == scaling.long_mscale))
        return false;
    return change(spec.seq_len, spec.max_position_embeddings);
}

bool drop_list_mscales(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "longrope")) return false;
    const bool had_short = change(spec.scaling.short_mscale, std::nullopt);
    return change(spec.scaling.long_mscale, std::nullopt) || had_short;
}

bool dynamic_unscaled(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "dynamic")) return false;
    spec.scaling = {};
    spec.seq_len.reset();
    return true;
}

bool drop_factor_of_proportional(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "proportional") || spec.scaling.factor.value_or(1) == 1) return false;
    spec.scaling.factor.reset();
    return true;
}

bool read_extrapolation_factor(Spec& spec, const ConfigFacts& facts) {
    return is_type(spec, "yarn") && facts.extrapolation_factor &&
           change(spec.scaling.ext_factor, facts.extrapolation_factor);
}

bool change_original(Spec& spec, const std::optional<std::uint64_t>& length,
                     std::uint64_t otherwise) {
    return change(spec.scaling.original_max_position_embeddings, length.value_or(otherwise));
}

bool is_deepseek(const ConfigFacts& facts) {
    return facts.model_type.starts_with("deepseek_v") || facts.model_type.starts_with("kimi_k2");
}

std::optional<LayerNumbers> but_every_fourth(const ConfigFacts& facts) {
    if (facts.layer_count == 0) return std::nullopt;
    LayerNumbers layers;
    for (std::uint32_t i = 0; i < facts.layer_count; ++i)
        if ((i + 1) % 4 != 0) layers.push_back(i);
    return layers;
}

bool is_mimo_v2(const ConfigFacts& facts) { return facts.model_type == mimo_v2; }

bool mimo_of_the_top(Spec& spec, const ConfigFacts& facts, double theta) {
    if (!is_mimo_v2(facts)) return false;
    const double base = facts.top_theta.value_or(theta);
    const double fraction = facts.top_fraction.value_or(1);
    const bool changed =
        change(spec.rope_theta, facts.slides ? facts.swa_theta.value_or(base) : base);
    return change(spec.rotary_dim, static_cast<std::uint32_t>(spec.head_dim * fraction)) || changed;
}

std::optional<LayerNumbers> by_hybrid_pattern(const ConfigFacts& facts) {
    if (!is_mimo_v2(facts) || facts.layer_count == 0 ||
        facts.hybrid_pattern.size() != facts.layer_count)
        return std::nullopt;
    LayerNumbers layers;
    for (std::uint32_t i = 0; i < facts.hybrid_pattern.size(); ++i)
        if ((facts.hybrid_pattern[i] == 1) == facts.slides) layers.push_back(i);
    return layers;
}

void refuse_mimo_v2(const ConfigFacts& facts, std::string_view library) {
    if (is_mimo_v2(facts))
        throw InputError("model_type", "is mimo_v2_flash, a class that " + std::string(library) +
                                           " does not have");
}

}  // namespace rope
