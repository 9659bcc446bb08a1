#include "rope/ledger/ledger.hpp"

#include <string>

#include "base/text.hpp"
#include "rope/ledger/articles/articles.hpp"

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
         {index_ranges(), orthogonal_maps(), scaled_figures(), c3_readings(), c3_sums(),
          scaled_range(), scaled_cost(), scaled_precision()}},
        {"002",
         "GLM-4 (2): RoPE, a walk through labml, ChatGLM-6B and GLM-4-9B",
         {labml_module(), chatglm_cache(), glm4_module()}},
        {"003", "rotary position encoding in two dimensions", {two_dimensions(), image_listing()}},
        {"004",
         "LLMs, advanced: RoPE, with ALiBi and sinusoidal encodings",
         {encodings(), two_classes()}},
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
