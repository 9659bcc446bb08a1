#include "rope/spec.hpp"

#include <cmath>

#include "rope/decimal.hpp"
#include "rope/frequency.hpp"

namespace rope {

std::string_view to_string(PairLayout layout) {
    return layout == PairLayout::half_split ? "half_split" : "interleaved";
}

PairLayout parse_pair_layout(std::string_view text) {
    if (text == "half" || text == "half_split") return PairLayout::half_split;
    if (text == "interleaved") return PairLayout::interleaved;
    throw InputError("layout is '" + std::string(text) + "'; it must be half or interleaved");
}

namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& value,
                         const std::string& accepted) {
    throw InputError(field + " is " + value + "; it must be " + accepted);
}

void require_dim(const std::string& field, std::uint32_t value, std::uint32_t largest,
                 const std::string& largest_name) {
    if (value >= 2 && value % 2 == 0 && value <= largest) return;
    refuse(field, decimal(std::uint64_t{value}), "an even number from 2 to " + largest_name);
}

}  // namespace

void validate(const Spec& spec) {
    require_dim("head_dim", spec.head_dim, max_head_dim, decimal(std::uint64_t{max_head_dim}));
    require_dim("rotary_dim", spec.rotary_dim, spec.head_dim,
                "head_dim (" + decimal(std::uint64_t{spec.head_dim}) + ")");
    if (spec.max_position_embeddings < 1 || spec.max_position_embeddings > max_context)
        refuse("max_position_embeddings", decimal(spec.max_position_embeddings),
               "a whole number from 1 to " + decimal(max_context));
    if (!(spec.rope_theta >= 1 && spec.rope_theta <= 1e30))
        refuse("rope_theta", decimal(spec.rope_theta), "a number from 1 to 1e30");
    axis_of_pairs(spec.axes, spec.pairs());
    find_variant(spec.scaling.rope_type).validate(spec);
}

}  // namespace rope
