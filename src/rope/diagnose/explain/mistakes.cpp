#include "rope/diagnose/explain/mistakes.hpp"

#include <array>
#include <string>

#include "base/error.hpp"

namespace rope {

std::span<const Mistake> mistakes() {
    // clang-format off
    static constexpr std::array table{
        Mistake{"pair-layout", "pairs are half_split where interleaved was asked for, or the other way, or both are mixed",
                "the weights are in the other library's order, or a kernel's neox/interleaved flag is wrong: permute q_proj and k_proj rows, or set the flag"},
        Mistake{"direction", "every pair turns the other way",
                "sin has the wrong sign, rotate_half returns (x2, -x1), or a transpose is missing: y1 = x1·cos − x2·sin, y2 = x2·cos + x1·sin"},
        Mistake{"cos-sin-swapped", "cos and sin are exchanged",
                "the cache is sin‖cos where cos‖sin is read (GPT-J, timm), or the arguments are in the other order: exchange them"},
        Mistake{"sign", "cos is negated, alone or with sin",
                "the table is made for another convention, such as e^{i(π + φ)} or a quadrant lost in a range reduction: cos of position 0 is 1"},
        Mistake{"rotate-half-sign", "rotate_half lacks its minus sign",
                "rotate_half must return cat(-x2, x1)"},
        Mistake{"base", "rope_theta is another",
                "getattr(config, \"rope_theta\", 10000) on a config that keeps it in rope_parameters, or a default of the port: read the config's value"},
        Mistake{"exponent-divisor", "the exponent −2i/d has another d",
                "with partial rotary d is rotary_dim, but head_dim for rope_type proportional; and the step of i is 2: arange(0, d, 2)/d"},
        Mistake{"exponent-start", "the exponents start at 2/d in place of 0",
                "pairs are counted from 0: θ_0 = 1"},
        Mistake{"exponent-sign", "the exponent's sign is lost, so frequencies grow",
                "inv_freq is 1/base^(2i/d)"},
        Mistake{"frequency-order", "the frequencies are right but stand at other pairs",
                "a duplicated table is indexed as if it were half as wide, or the other way: pair i takes column i of a half table, columns i and i + d/2 of cat(f, f), columns 2i and 2i + 1 of f0 f0 f1 f1"},
        Mistake{"scaling-missing", "the config's scaling was not applied",
                "the port reads type where the config has rope_type, reads rope_scaling where it has rope_parameters, or does not know the type"},
        Mistake{"scaling-doubled", "the config's scaling was applied twice",
                "both the positions and the frequencies are scaled, or a cache that is scaled already is scaled again"},
        Mistake{"scaling-inverted", "the config's scaling multiplies where it must divide",
                "factor divides inv_freq (or the position); longrope's factors divide it too"},
        Mistake{"scaling-type", "the frequencies are scaled by another rule",
                "the rope_type is mapped to another implementation, or a scaling is applied to layers that have none"},
        Mistake{"scaling-parameter", "the scaling's rule is right and a parameter of it is not",
                "a default was taken in place of the config's value; original_max_position_embeddings is the length of pre-training, not max_position_embeddings"},
        Mistake{"attention-factor", "cos and sin are multiplied by another factor",
                "attention_factor replaces every formula where it is given; else yarn takes 0.1·ln(factor) + 1, or the ratio of both mscales; the softmax scale is apart from it"},
        Mistake{"rotary-dim", "other lanes of the head turn",
                "partial_rotary_factor was dropped or applied twice, or the rotating lanes are taken from the other end of the head"},
        Mistake{"position-offset", "every row stands a constant number of positions off",
                "an offset into the KV cache is ignored, added twice or counted from 1"},
        Mistake{"position-scale", "positions are multiplied by a factor",
                "linear scaling that nobody asked for, or its factor lost, or degrees in place of radians"},
        Mistake{"position-collapse", "several positions share one row",
                "a cache that is too short is indexed with a clamp, position_ids are constant, or integer division"},
        Mistake{"position-wrap", "positions start over after a period",
                "position modulo the cache's length: a ring buffer's slot was taken for the position"},
        Mistake{"axis-map", "pairs follow other position axes",
                "sectioned and interleaved M-RoPE are taken for each other, axes are in another order, or only the first axis is read"},
        Mistake{"inv-freq-precision", "inv_freq was rounded to 16 bits",
                "the inv_freq buffer was cast with the model: keep it float32, and recompute it after .to(dtype)"},
        Mistake{"position-precision", "positions were rounded to 16 bits",
                "positions are made in the activations' dtype: keep position_ids integer or float32"},
        Mistake{"angle-precision", "the angle was rounded to 16 bits before cos",
                "position·inv_freq ran under autocast or as a TF32 matrix product: multiply elementwise in float32"},
        Mistake{"table-precision", "cos and sin were rounded to 16 bits",
                "the cache was cast to the model's dtype; if that is meant, judge it so: --pipeline bf16-table or fp16-table"},
        Mistake{"recurrence", "angles were accumulated, step by step",
                "θ is multiplied or added up in float32 from pair to pair or position to position: compute each angle as one product"},
        Mistake{"table-truncated", "the table ends before the positions do",
                "the cache has fewer rows than there are positions: enlarge it to max_position_embeddings (times the factor where the scaling stretches it)"},
        Mistake{"uninitialised", "values that no rotation makes: never written, or freed",
                "a non-persistent inv_freq buffer after meta-device initialisation: compute it again once the weights are loaded"},
        Mistake{"not-rotated", "nothing turns at all",
                "this layer is treated as one without position embeddings, or the rotation's result is not used"},
    };
    // clang-format on
    return table;
}

const Mistake& find_mistake(std::string_view id) {
    std::string known;
    for (const Mistake& mistake : mistakes()) {
        if (mistake.id == id) return mistake;
        known += (known.empty() ? "" : ", ") + std::string(mistake.id);
    }
    throw InputError("mistake", "'" + std::string(id) + "'", "one of " + known);
}

}  // namespace rope
