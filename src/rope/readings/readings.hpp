// The same config as each library reads it: transformers 5's reading is the Spec unchanged,
// another library's is that Spec changed, rule by rule, each rule with its source.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

// What libraries look at in a config beside what a Spec keeps of it.
struct ConfigFacts {
    std::string model_type = {};  // empty: not known
    // original_max_position_embeddings of the top level, and of the rope section; both have the
    // Spec's where no config is read
    std::optional<std::uint64_t> top_original = {}, section_original = {};
    // Keys that transformers 5 does not read.
    std::optional<double> attn_factor = {}, extrapolation_factor = {}, mixed_b = {};
    // longrope's, which transformers reads of PhiMoE alone
    std::optional<double> short_mscale = {}, long_mscale = {};
    // The section is rope_parameters, which transformers 4 does not read, nor has the class one of
    // its own; and the base outside it, of the top level or of the class.
    bool in_rope_parameters = false;
    std::optional<double> outer_theta = {};
    // The base that transformers 4 assumes, where the config has none and its class another in 5.
    std::optional<double> older_theta = {};
    bool has_alpha = false;        // HunYuan's dynamic: of a static base, the Spec's ntk
    bool is_gguf = false;          // llama.cpp's converter has read the config already
    std::uint32_t nope_lanes = 0;  // DeepSeek's, in each head before those that the Spec is of
    std::uint64_t heads = 0, key_heads = 0;  // of q and of k; 0: not known
};

// Of a Spec without a config.
ConfigFacts facts_of(const Spec& spec);

struct ReadingRule {
    std::string_view what;    // "the ramp's ends are rounded, whatever truncate says"
    std::string_view source;  // file and function
    bool (*apply)(Spec& spec, const ConfigFacts& facts);  // whether anything changed
};

struct Reading {
    std::string_view name;                    // "vllm-0.25"
    std::string_view library;                 // "vLLM 0.25.0"
    std::span<const std::string_view> types;  // every rope_type that it knows; empty: all
    std::span<const ReadingRule> rules;       // in the order in which they apply
    // Every model_type whose rope section it reads; empty: all.
    std::span<const std::string_view> classes = {};
};

// The explicit table; the first is the default, transformers 5's, which changes nothing.
std::span<const Reading> readings();
// Throws InputError naming the readings.
const Reading& find_reading(std::string_view name);

// "the config as vLLM 0.25.0 reads it (--reading vllm-0.25)", of a Spec with a reading.
std::string reading_sentence(const Spec& spec);

struct ReadSpec {
    Spec spec;                                // valid; `reading` is set unless it is the default
    std::vector<const ReadingRule*> changed;  // the rules that changed anything
};

// Throws InputError where the library does not read such a config. Requires validate(spec), as
// transformers 5 reads it.
ReadSpec read_as(const Reading& reading, const Spec& spec, const ConfigFacts& facts);

}  // namespace rope
