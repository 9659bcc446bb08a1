#include "rope/frequency.hpp"

#include <algorithm>
#include <array>

#include "rope/variants/variants.hpp"

namespace rope {

std::span<const Variant> variants() {
    static constexpr std::array table{default_variant, linear_variant, llama3_variant,
                                      he_xu_variant};
    return table;
}

const Variant& find_variant(std::string_view rope_type) {
    std::string known;
    for (const Variant& variant : variants()) {
        if (variant.name == rope_type) return variant;
        known += (known.empty() ? "" : ", ") + std::string(variant.name);
    }
    throw InputError("rope_type is '" + std::string(rope_type) + "'; it must be one of " + known);
}

std::vector<PlannedFrequency> base_frequencies(const Spec& spec, Precision precision) {
    const BigReal base(spec.rope_theta, precision);
    const double d = spec.rotary_dim;
    std::vector<PlannedFrequency> pairs;
    pairs.reserve(spec.pairs());
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const BigReal exponent = BigReal(2.0 * i, precision) / d;
        pairs.push_back({1.0 / pow(base, exponent), std::nullopt});
    }
    return pairs;
}

FrequencyPlan plan_frequencies(const Spec& spec, Precision precision) {
    return find_variant(spec.scaling.rope_type).plan(spec, precision);
}

}  // namespace rope
