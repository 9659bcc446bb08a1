#include <array>

#include "io/gguf/gguf_config.hpp"

namespace rope::io {
namespace {

constexpr std::array pairings{Word<GgmlPairs>{"unknown", GgmlPairs::unknown},
                              Word<GgmlPairs>{"none", GgmlPairs::none},
                              Word<GgmlPairs>{"norm", GgmlPairs::norm},
                              Word<GgmlPairs>{"neox", GgmlPairs::neox},
                              Word<GgmlPairs>{"mrope", GgmlPairs::mrope},
                              Word<GgmlPairs>{"imrope", GgmlPairs::imrope},
                              Word<GgmlPairs>{"norm_or_mrope", GgmlPairs::norm_or_mrope}};
constexpr std::array possessions{Word<SlidingHave>{"own_base", SlidingHave::own_base},
                                 Word<SlidingHave>{"another_base", SlidingHave::another_base},
                                 Word<SlidingHave>{"no_scaling", SlidingHave::unscaled},
                                 Word<SlidingHave>{"rotation", SlidingHave::rotation}};
constexpr std::array patterns{Word<SlidingPattern>{"period", SlidingPattern::period},
                              Word<SlidingPattern>{"list", SlidingPattern::list},
                              Word<SlidingPattern>{"either", SlidingPattern::either},
                              Word<SlidingPattern>{"unread", SlidingPattern::unread}};
constexpr std::array windows{Word<SlidingWindow>{"any", SlidingWindow::any},
                             Word<SlidingWindow>{"positive", SlidingWindow::positive},
                             Word<SlidingWindow>{"not_zero", SlidingWindow::not_zero}};

// Each is asked for by name where GGUFs are read.
constexpr std::array code_traits{
    Trait{"alpha_is_ntk", "rope.scaling.alpha: the base times alpha^(d/(d - 2))"},
    Trait{"base_is_10000", "rope.freq_base is not read"},
    Trait{"beta_fast_is_8", "where there is no rope.scaling.yarn_beta_fast"},
    Trait{"factors_unread", "rope_freqs.weight is loaded, and not passed to ggml_rope_ext"},
    Trait{"finetuned_is_switch", "rope.scaling.finetuned false: nothing rotates"},
    Trait{"freq_base_swa_unread", "sliding layers have rope.freq_base"},
    Trait{"full_layer_first", "of each period the first layer does not slide, not the last"},
    Trait{"full_layers_rotate_half",
          "of rope.dimension_count dimensions; sliding layers rotate all"},
    Trait{"latent_attention",
          "only q_pe and k_pe rotate, whose width is rope.dimension_count; attention.key_length is "
          "that of what the cache holds"},
    Trait{"latent_attention_by_keys",
          "the same, where there are attention.kv_lora_rank and rope.dimension_count"},
    Trait{"leading_dense_layers_rotate", "the first leading_dense_block_count, too"},
    Trait{"log_multiplier_unread", "rope.scaling.yarn_log_multiplier is not read"},
    Trait{"log_multiplier_is_mscale_all_dim", "rope.scaling.yarn_log_multiplier"},
    Trait{"mscale_is_mscale_all_dim", "cos and sin are multiplied by nothing; mscale is 1 else"},
    Trait{"mscale_of_scores",
          "rope.scaling.yarn_log_multiplier is a tenth of mscale_all_dim, and scores are scaled"},
    Trait{"permuted", "the converter moves rows of q_proj and k_proj from half_split to NORM"},
    Trait{"reads_betas", "rope.scaling.yarn_beta_fast and yarn_beta_slow"},
    Trait{"reads_ext_factor", "rope.scaling.yarn_ext_factor"},
    Trait{"reads_sections", "rope.dimension_sections, by which NEOX pairs are M-RoPE"},
    Trait{"reads_yarn_attn_factor", "rope.scaling.yarn_attn_factor"},
    Trait{"slides_by_base_key", "only where there is rope.freq_base_swa"},
    Trait{"whole_head_unscaled", "rope.dimension_count and rope.scaling are not read"},
};

constexpr std::array<std::string_view, 8> architecture_keys{
    "architecture", "pairs", "instead", "sliding", "interval", "traits", "source", "example"};
constexpr std::array<std::string_view, 5> sliding_keys{"have", "period", "layers", "pattern",
                                                       "window"};

SlidingLayers sliding_of(const Row& own) {
    own.has_only(sliding_keys);
    SlidingLayers one{own.word(possessions, "have"), own.number("period"), own.number("layers")};
    if (own.has("pattern")) one.pattern = own.word(patterns, "pattern");
    if (own.has("window")) one.window = own.word(windows, "window");
    return one;
}

GgufArchitecture architecture_of(const Row& row) {
    row.has_only(architecture_keys);
    GgufArchitecture one{.name = row.text("architecture"), .pairs = row.word(pairings, "pairs")};
    if (row.has("instead")) one.instead = row.text("instead");
    if (row.has("sliding")) one.sliding = sliding_of(Row(row.at("sliding"), row.where("sliding")));
    one.interval = row.number("interval");
    one.traits = row.traits(code_traits);
    return one;
}

Table<GgufArchitecture>& architectures() {
    static Table<GgufArchitecture> all(architecture_rows, "architecture", architecture_of);
    return all;
}

}  // namespace

std::span<const Trait> architecture_traits() { return code_traits; }

const GgufArchitecture& find_gguf_architecture(std::string_view name) {
    const GgufArchitecture* const known = architectures().find(name);
    return known != nullptr ? *known : *architectures().find("*");
}

void add_architecture(const Row& row) { architectures().add(architecture_of(row)); }

}  // namespace rope::io
