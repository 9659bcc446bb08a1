#include "rope/claims/ledger.hpp"

#include <string>

#include "base/text.hpp"
#include "rope/claims/derivation.hpp"

namespace rope::ledger {

std::vector<const Entry*> Work::entries() const {
    std::vector<const Entry*> all;
    for (const std::span<const Entry> part : parts)
        for (const Entry& entry : part) all.push_back(&entry);
    return all;
}

const std::vector<Work>& works() {
    static const std::vector<Work> table{
        {"000",
         "a blog's derivation of RoPE with a torch module",
         {word_order(), rotation_formula(), torch_listing()}},
        {"001",
         "He & Xu, Easy Derivation of Rotary Position Embeddings",
         {index_ranges(), orthogonal_maps(), c3_readings(), c3_sums(), scaled_figures(),
          scaled_range(), scaled_cost(), scaled_precision()}},
        {"002",
         "GLM-4 (2): RoPE, a walk through labml, ChatGLM-6B and GLM-4-9B",
         {labml_module(), chatglm_cache(), glm4_module()}},
        {"003", "rotary position encoding in two dimensions", {two_dimensions(), image_listing()}},
        {"004",
         "LLMs, advanced: RoPE, with ALiBi and sinusoidal encodings",
         {encodings(), two_classes()}},
        {"1706.03762", "Vaswani et al., Attention Is All You Need", {sinusoidal_encoding()}},
        {"2104.09864", "Su et al., RoFormer", {roformer_bound()}},
        {"2108.12409", "Press et al., Train Short, Test Long (ALiBi)", {alibi_heads()}},
        {"2212.10554", "Sun et al., A Length-Extrapolatable Transformer (xPos)", {xpos_decay()}},
        {"2306.15595", "Chen et al., Position Interpolation", {position_interpolation()}},
        {"2309.00071",
         "Peng et al., YaRN, and the NTK-aware scaling before it",
         {ntk_aware(), yarn_ramps()}},
        {"2310.05209",
         "Liu et al., Scaling Laws of RoPE-based Extrapolation",
         {extrapolation_laws()}},
        {"2402.13753", "Ding et al., LongRoPE", {longrope_factor()}},
        {"2403.00071", "Wang et al., Resonance RoPE", {resonance_periods()}},
        {"2405.14591",
         "Men et al., Base of RoPE Bounds Context Length",
         {men_table(), base_bounds()}},
        {"2410.06205", "Barbero et al., Round and Round We Go!", {round_and_round(), aliasing()}},
        {"2411.13476", "Wang et al., When Precision Meets Position", {bfloat16_relativity()}},
    };
    return table;
}

const Work& find_work(std::string_view key) { return one_of(works(), &Work::key, "work", key); }

std::vector<Claim> all_claims() {
    std::vector<Claim> all;
    for (const Work& work : works())
        for (const Entry* entry : work.entries()) all.push_back({&work, entry});
    return all;
}

DerivedClaim derived(const Claim& claim) {
    DerivedClaim now{claim, Derivation()};
    claim.entry->derive(now.derivation);
    return now;
}

}  // namespace rope::ledger
