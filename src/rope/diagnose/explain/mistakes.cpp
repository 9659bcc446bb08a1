#include "rope/diagnose/explain/mistakes.hpp"

#include <array>
#include <string>

#include "base/text.hpp"

namespace rope {

std::span<const Mistake> mistakes() {
    // clang-format off
    static constexpr std::array table{
        Mistake{"pair-layout", "pairs are half_split instead of interleaved, or the reverse, a mix of both, or written in another order",
                "the weights are in another library's order, or a kernel's neox/interleaved flag is wrong: permute the rows of q_proj and k_proj, or set the flag"},
        Mistake{"direction", "every pair rotates in the opposite direction",
                "sin has the wrong sign, rotate_half returns (x2, -x1), or a transpose is missing: y1 = x1·cos − x2·sin, y2 = x2·cos + x1·sin"},
        Mistake{"cos-sin-swapped", "cos and sin are swapped",
                "the cache is sin‖cos where cos‖sin is read (GPT-J, timm), or the arguments are in the wrong order: swap them"},
        Mistake{"sign", "cos is negated, or both cos and sin are",
                "the table uses another convention, such as e^{i(π + φ)}, or range reduction lost a quadrant: cos must be 1 at position 0"},
        Mistake{"rotate-half-sign", "rotate_half lacks its minus sign",
                "rotate_half must return cat(-x2, x1)"},
        Mistake{"rotated-in-place", "one lane of a pair is written before the other is computed from it",
                "x1 = x1·c − x2·s is stored before x2 = x2·c + x1·s reads x1: read both lanes first"},
        Mistake{"base", "wrong rope_theta",
                "getattr(config, \"rope_theta\", 10000) on a config that has it in rope_parameters, or a port's hard-coded default: read the config's value"},
        Mistake{"exponent-divisor", "wrong d in the exponent −2i/d",
                "with partial rotary, d is rotary_dim, except for rope_type proportional, where it is head_dim; where each axis has frequencies of its own, d is the lanes of that axis; the exponents are arange(0, d, 2)/d"},
        Mistake{"exponent-start", "the exponents start at 2/d or −2/d instead of 0",
                "the formula's i counts from 1: with i from 0 the exponent is −2i/d, without the 1, so that θ_0 = 1"},
        Mistake{"exponent-sign", "the exponent's sign is lost, so frequencies increase",
                "inv_freq is 1/base^(2i/d)"},
        Mistake{"frequency-order", "the frequencies are right but belong to other pairs",
                "a duplicated table is indexed as if it were half as wide, or the reverse: pair i takes column i of a half table, columns i and i + d/2 of cat(f, f), columns 2i and 2i + 1 of f0 f0 f1 f1"},
        Mistake{"scaling-missing", "the config's scaling was not applied",
                "the port reads type but the config has rope_type, reads rope_scaling but the config has rope_parameters, or does not support the type"},
        Mistake{"scaling-doubled", "the config's scaling was applied twice",
                "both positions and frequencies are scaled, or an already scaled cache is scaled again"},
        Mistake{"scaling-inverted", "the config's scaling multiplies instead of dividing",
                "factor divides inv_freq (or the position), and so do longrope's factors"},
        Mistake{"scaling-type", "the frequencies are scaled by the wrong rule",
                "the rope_type is mapped to the wrong implementation, or scaling is applied to layers that have none"},
        Mistake{"scaling-parameter", "the scaling rule is right but one of its parameters is wrong",
                "a default was used instead of the config's value; original_max_position_embeddings is the pre-training length, not max_position_embeddings"},
        Mistake{"config-reading", "the config was read as another library reads it",
                "libraries read the same config differently (rope-check explain --readings): judge by that library's reading with --reading, or follow transformers' rule"},
        Mistake{"attention-factor", "cos and sin are multiplied by the wrong factor",
                "attention_factor, if given, replaces every formula; otherwise yarn uses 0.1·ln(factor) + 1 or the ratio of both mscales. The softmax scale is separate"},
        Mistake{"vector-scale", "vectors are multiplied by a factor that depends on their position or length",
                "they were dumped after attention's length scaling (use_logn_attn, llama_4_scaling_beta) or after a norm that follows the rotation (Llama 4's qk_norm): dump them right after the rotation, or judge k where only q is scaled"},
        Mistake{"lane-scale", "every lane of the vectors is multiplied by a number of its own",
                "they were dumped before q_norm or k_norm (Qwen3, Gemma 3: before the rotation), after a norm that follows the rotation, or with a cache's scales of channels: dump them right before and right after the rotation"},
        Mistake{"lane-shift", "a bias is added to the vectors beside the rotation",
                "they were dumped before the bias of q_proj or k_proj is added (Qwen2; llama.cpp's first Qcur), or after one that follows the rotation: dump them right before and right after the rotation"},
        Mistake{"lane-transform", "a Hadamard transform mixes the lanes of the vectors",
                "they were dumped beside a transform that prepares them for few bits (DeepSeek-V3.2's indexer, QuaRot): dump them right before and right after the rotation. A transform before the rotation breaks relative position"},
        Mistake{"rotary-dim", "the wrong lanes of the head rotate",
                "partial_rotary_factor was dropped or applied twice, or the rotating lanes are at the wrong end of the head"},
        Mistake{"position-offset", "every row is off by a constant number of positions",
                "an offset into the KV cache is ignored, added twice or counted from 1"},
        Mistake{"position-scale", "positions are multiplied by a factor",
                "unexpected linear scaling, or its factor lost, or degrees instead of radians; if the factor is near 1, a rounded constant such as 2π or the length of a tick"},
        Mistake{"position-collapse", "several positions share one row",
                "indices are clamped to a cache that is too short, position_ids are constant, positions pass through an integer division, or fractional ones were converted to integers"},
        Mistake{"position-source", "positions come from elsewhere than position_ids",
                "row numbers (arange) were used with padding, packing or a start, position_ids[0] for the whole batch, or the cache was indexed along the wrong axis: pass each row its own position_ids"},
        Mistake{"position-sign", "negative positions lose their sign",
                "a distance was used as a position, or positions were converted to an unsigned type"},
        Mistake{"position-wrap", "positions wrap around",
                "position modulo the cache length: a ring buffer's slot was used as the position"},
        Mistake{"axis-map", "pairs follow the wrong position axes",
                "sectioned and interleaved M-RoPE are confused, axes are in the wrong order, or only the first axis is read"},
        Mistake{"inv-freq-precision", "inv_freq was rounded to 16 bits",
                "the inv_freq buffer was cast with the model: keep it float32, and recompute it after .to(dtype)"},
        Mistake{"position-precision", "positions were rounded to 16 bits",
                "positions are created in the activations' dtype: keep position_ids integer or float32"},
        Mistake{"angle-precision", "the angle was rounded to 16 bits before cos",
                "position·inv_freq ran under autocast or as a TF32 matrix product: multiply elementwise in float32"},
        Mistake{"table-precision", "cos and sin were rounded to 16 bits",
                "the cache was cast to the model's dtype; if that is intended, pass --pipeline bf16-table or fp16-table"},
        Mistake{"recurrence", "angles were accumulated step by step",
                "θ is multiplied or added up in float32 from pair to pair or position to position: compute each angle as a single product"},
        Mistake{"table-indexing", "cos or sin is read at another place than the table has it at",
                "the kernel and the table disagree on the order of a row (cos_sin_cache is cos‖sin, a complex cache c0 s0 c1 s1 …), its width or where sin begins (half of a padded block, head_dim for rotary_dim): index it by the table's own strides"},
        Mistake{"table-truncated", "the table ends before the positions do",
                "the cache has fewer rows than there are positions: enlarge it to max_position_embeddings (times the factor, if the scaling extends it)"},
        Mistake{"uninitialised", "values that no rotation produces: uninitialised or freed memory",
                "a non-persistent inv_freq buffer after meta-device initialisation: recompute it after loading the weights"},
        Mistake{"rotated-twice", "vectors are rotated twice",
                "both the attention layer and the kernel (or the cache) apply the rotation: leave one out"},
        Mistake{"inv-freq-entry", "one frequency is wrong, all others are right",
                "memory was overwritten, a buffer is shared or a kernel misses the last element: compare inv_freq with a fresh one"},
        Mistake{"rows-swapped", "two rows are swapped",
                "rows were sorted or gathered by another index than their positions"},
        Mistake{"head-order", "heads are in another order than before the rotation",
                "a reshape mixes heads and groups, such as [heads/groups, groups] for [groups, heads/groups], or the heads were interleaved across ranks, or q and k were exchanged"},
        Mistake{"not-rotated", "nothing is rotated, or the last rows are not",
                "the layer is treated as one without position embeddings, the rotation's result is discarded, or a kernel misses its last rows"},
    };
    // clang-format on
    return table;
}

const Mistake& find_mistake(std::string_view id) {
    return one_of(mistakes(), &Mistake::id, "mistake", id);
}

}  // namespace rope
