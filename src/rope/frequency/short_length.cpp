#include "rope/frequency/short_length.hpp"

namespace rope {

std::optional<std::uint64_t> short_length(const Spec& spec) {
    if (spec.seq_len) return std::nullopt;
    const Scaling& scaling = spec.scaling;
    if (scaling.rope_type == "longrope" && (scaling.short_factor != scaling.long_factor ||
                                            scaling.short_mscale != scaling.long_mscale))
        return scaling.original_max_position_embeddings;
    if ((scaling.rope_type == "qwen_ntk" || scaling.rope_type == "dynamic") &&
        spec.max_position_embeddings < max_context)
        return spec.max_position_embeddings;
    return std::nullopt;
}

}  // namespace rope
