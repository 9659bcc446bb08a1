#include "rope/readings/rules.hpp"

#include "rope/variants/yarn_magnitude.hpp"

namespace rope {

bool is_type(const Spec& spec, std::string_view rope_type) {
    return spec.scaling.rope_type == rope_type;
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

}  // namespace rope
