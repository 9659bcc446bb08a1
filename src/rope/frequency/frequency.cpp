#include "rope/frequency/frequency.hpp"

#include <array>
#include <string>

#include "base/decimal.hpp"
#include "base/text.hpp"

namespace rope {

std::span<const Variant> variants() {
    static const std::array table{
        default_variant, linear_variant,     dynamic_variant,  ntk_variant,    ntk_mixed_variant,
        yarn_variant,    yarn_paper_variant, longrope_variant, llama3_variant, proportional_variant,
        he_xu_variant,   resonance_variant,  qwen_ntk_variant, given_variant};
    return table;
}

const Variant& find_variant(std::string_view rope_type) {
    return one_of(variants(), &Variant::name, "rope_type", rope_type);
}

bool uses(std::string_view rope_type, ScalingMember key) {
    for (const Variant& variant : variants())
        if (variant.name == rope_type) return find_key(variant.keys, key) != nullptr;
    return false;
}

namespace {

void require_dim(const std::string& field, std::uint32_t value, std::uint32_t largest,
                 const std::string& largest_name) {
    if (value >= 2 && value % 2 == 0 && value <= largest) return;
    throw InputError(field, decimal(value), "an even number from 2 to " + largest_name);
}

}  // namespace

void validate(const Spec& spec) {
    require_dim("head_dim", spec.head_dim, max_head_dim, decimal(max_head_dim));
    require_dim("rotary_dim", spec.rotary_dim, spec.head_dim,
                "head_dim (" + decimal(spec.head_dim) + ")");
    if (spec.rotary_offset > spec.head_dim - spec.rotary_dim)
        throw InputError(
            "rotary_offset", decimal(spec.rotary_offset),
            "at most head_dim - rotary_dim (" + decimal(spec.head_dim - spec.rotary_dim) + ")");
    if (spec.max_position_embeddings < 1 || spec.max_position_embeddings > max_context)
        throw InputError("max_position_embeddings", decimal(spec.max_position_embeddings),
                         "a whole number from 1 to " + decimal(max_context));
    if (!(spec.rope_theta >= 1 && spec.rope_theta <= 1e30))
        throw InputError("rope_theta", decimal(spec.rope_theta), "a number from 1 to 1e30");
    axis_of_pairs(spec.axes, spec.pairs());
    const Variant& variant = find_variant(spec.scaling.rope_type);
    check_keys(spec, variant.keys);
    if (variant.validate != nullptr) variant.validate(spec);
}

bool is_sound(const Spec& spec) {
    try {
        validate(spec);
        return true;
    } catch (const InputError&) {
        return false;
    }
}

FrequencyPlan plan_frequencies(const Spec& spec, Precision precision) {
    return find_variant(spec.scaling.rope_type).plan(spec, precision);
}

}  // namespace rope
