#include "rope/suite/suite_types.hpp"

#include <utility>

namespace rope {
namespace {

Scaling scaled(std::string_view rope_type, double factor) {
    Scaling scaling;
    scaling.rope_type = rope_type;
    scaling.factor = factor;
    return scaling;
}

void extend(Spec& spec, Scaling scaling, std::uint64_t original, std::uint64_t longest) {
    spec.scaling = std::move(scaling);
    spec.scaling.original_max_position_embeddings = original;
    spec.max_position_embeddings = longest;
}

void set_longrope(Spec& spec, std::uint64_t length) {
    Scaling scaling;
    scaling.rope_type = "longrope";
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        scaling.short_factor.push_back(1 + i * 0.0625);
        scaling.long_factor.push_back(1 + i * 4.5);
    }
    extend(spec, std::move(scaling), 4096, 131072);
    spec.seq_len = length;
}

constexpr SuiteType types[] = {
    {"default", [](Spec&) {}},
    {"linear", [](Spec& spec) { spec.scaling = scaled("linear", 4); }},
    {"dynamic-short",
     [](Spec& spec) {
         spec.scaling = scaled("dynamic", 2);
         spec.seq_len = 2048;
     }},
    {"dynamic-long",
     [](Spec& spec) {
         spec.scaling = scaled("dynamic", 2);
         spec.seq_len = 8192;
     }},
    {"ntk", [](Spec& spec) { spec.scaling = scaled("ntk", 4); }},
    {"qwen_ntk",
     [](Spec& spec) {
         spec.scaling.rope_type = "qwen_ntk";
         spec.seq_len = 8192;
     }},
    {"ntk_mixed",
     [](Spec& spec) {
         spec.scaling = scaled("ntk_mixed", 4);
         spec.scaling.mixed_b = 0.625;
     }},
    {"yarn", [](Spec& spec) { extend(spec, scaled("yarn", 16), 4096, 65536); }},
    {"yarn-mscale",
     [](Spec& spec) {
         extend(spec, scaled("yarn", 40), 4096, 163840);
         spec.scaling.mscale = 0.707;
         spec.scaling.mscale_all_dim = 1;
         spec.scaling.truncate = false;
     }},
    {"yarn_paper", [](Spec& spec) { extend(spec, scaled("yarn_paper", 16), 4096, 65536); }},
    {"longrope-short", [](Spec& spec) { set_longrope(spec, 4096); }},
    {"longrope-long", [](Spec& spec) { set_longrope(spec, 131072); }},
    {"llama3",
     [](Spec& spec) {
         extend(spec, scaled("llama3", 8), 8192, 131072);
         spec.scaling.low_freq_factor = 1;
         spec.scaling.high_freq_factor = 4;
         spec.rope_theta = 500000;
     }},
    {"proportional",
     [](Spec& spec) {
         spec.scaling.rope_type = "proportional";
         spec.scaling.partial_rotary_factor = 0.5;
     }},
    {"he_xu", [](Spec& spec) { spec.scaling.rope_type = "he_xu"; }},
    {"resonance", [](Spec& spec) { spec.scaling.rope_type = "resonance"; }},
    {"given",
     [](Spec& spec) {
         spec.scaling.rope_type = "given";
         for (std::uint32_t i = 0; i < spec.pairs(); ++i)
             spec.scaling.given_inv_freq.push_back(1 - i * 0.09375);
     }},
};

}  // namespace

std::span<const SuiteType> suite_types() { return types; }

}  // namespace rope
