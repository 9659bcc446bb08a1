// The same config as each library reads it: transformers 5's reading is the Spec unchanged,
// another library's is that Spec changed, rule by rule, each rule with its source.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/spec/spec.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope {

// What libraries look at in a config beside what a Spec keeps of it.
struct ConfigFacts {
    std::string model_type = {};  // empty: not known
    // rope_type and type as the section spells them, where it has both; and what type asks for,
    // where that is something else.
    std::string rope_type = {}, older_type = {};
    std::optional<Scaling> by_older_type = {};
    // original_max_position_embeddings of the top level, and of the rope section; both have the
    // Spec's where no config is read
    std::optional<std::uint64_t> top_original = {}, section_original = {};
    bool is_telechat3_yarn = false;  // the section's own name of its type
    // Keys that transformers 5 does not read.
    std::optional<double> attn_factor = {}, extrapolation_factor = {}, mixed_b = {};
    // longrope's, which transformers reads of PhiMoE alone
    std::optional<double> short_mscale = {}, long_mscale = {};
    // The section is rope_parameters, which transformers 4 does not read, nor has the class one of
    // its own; and the base outside it, of the top level or of the class.
    bool in_rope_parameters = false;
    std::optional<double> outer_theta = {};
    bool theta_in_scaling = false;  // the base stands in rope_scaling
    // The base that transformers 4 assumes, where the config has none and its class another in 5.
    std::optional<double> older_theta = {};
    bool has_alpha = false;        // HunYuan's dynamic: of a static base, the Spec's ntk
    bool is_gguf = false;          // llama.cpp's converter has read the config already
    std::uint32_t nope_lanes = 0;  // DeepSeek's, in each head before those that the Spec is of
    std::uint64_t heads = 0, key_heads = 0;  // of q and of k; 0: not known
    // Which layers these are as transformers 5 reads it, ascending, and how many the model has;
    // empty and 0: not known.
    std::vector<std::uint32_t> layers = {};
    std::uint64_t layer_count = 0;
    bool slides = false;                             // these are the layers named sliding_attention
    bool only_full_attention = false;                // layer_types has no other
    std::vector<std::uint64_t> hybrid_pattern = {};  // MiMo-V2's, of each layer: 1 slides
    // Of the top level alone, whether or not transformers 5 reads them there.
    std::optional<double> top_theta = {}, swa_theta = {}, top_fraction = {};
    // partial_rotary_factor of the rope section, else of the top level
    std::optional<double> fraction = {};
    bool mrope_interleaved = false;  // the section says so, and not only the class
    bool has_sections = true;        // M-RoPE's stand in the file, and are not the class's
    std::optional<std::uint64_t> freq_allocation = {};  // ERNIE-4.5-VL's pairs that follow time
    // Of mlx-lm's class: rope_theta (0: none) and partial_rotary_factor of its ModelArgs where the
    // file has none.
    std::optional<double> mlx_theta = {}, mlx_fraction = {};
    std::vector<std::string> traits = {};  // of the class, as in data/classes.jsonl

    bool has(std::string_view trait) const {
        return std::ranges::find(traits, trait) != traits.end();
    }
};

// Of a Spec without a config.
ConfigFacts facts_of(const Spec& spec);

using LayerNumbers = std::vector<std::uint32_t>;

// What a library's own code of a class reads, and transformers 5 does not; of every class where
// model_type is empty.
struct OwnKeys {
    std::string_view model_type;
    std::span<const std::string_view> keys;
};

struct ReadingRule {
    std::string_view what;    // "the ramp's ends are rounded, whatever truncate says"
    std::string_view source;  // file and function
    bool (*apply)(Spec& spec, const ConfigFacts& facts);  // whether anything changed; may be null
    // Which layers turn so, ascending; empty where that is as transformers 5 reads it.
    std::optional<LayerNumbers> (*layers)(const ConfigFacts& facts) = nullptr;
    OwnKeys own = {};
    bool chooses_type = false;  // applied before a reading's types are looked at
};

struct Reading {
    std::string_view name;                    // "vllm-0.25"
    std::string_view library;                 // "vLLM 0.25.0"
    std::span<const std::string_view> types;  // every rope_type that it knows; empty: all
    std::span<const ReadingRule> rules;       // in the order in which they apply
    std::string_view classes = {};            // whose rope section it reads: those with this trait
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
    std::optional<LayerNumbers> layers = {};  // where they are others than facts.layers
};

// Those that its rules read of a class. Empty: none.
std::vector<std::string_view> keys_of(const Reading& reading, std::string_view model_type);

// The layers that turn as the Spec of these facts; empty where they are facts.layers.
std::optional<LayerNumbers> layers_as_read(const Reading& reading, const ConfigFacts& facts);

// Throws InputError where the library does not read such a config. Requires validate(spec), as
// transformers 5 reads it.
ReadSpec read_as(const Reading& reading, const Spec& spec, const ConfigFacts& facts);

// Which libraries read a config otherwise than transformers 5, and by how much.

// How text, whose positions are the same on every axis but a fourth, is turned otherwise.
struct ReadingDifference {
    Difference difference;                    // a: transformers 5's, b: the other's
    std::vector<std::string> differing = {};  // difference.hpp
    std::vector<Contrast> turning = {};     // radians per position of text, of the pairs both have
    std::vector<std::uint32_t> pairs = {};  // those that turn otherwise
    std::uint32_t worst_pair = 0;           // the largest relative difference
    // The first position at which a pair is a radian off, below max_context, and that pair.
    std::optional<std::uint64_t> radian_position = {};
    std::uint32_t radian_pair = 0;
};

// Requires both valid.
ReadingDifference reading_difference(const Spec& spec, const Spec& other);

struct ReadBy {
    const Reading* reading;
    std::vector<const ReadingRule*> changed;
};
// Readings that differ from transformers 5's and not from one another.
struct OtherReading {
    std::vector<ReadBy> by;
    ReadingDifference difference;
    std::optional<LayerNumbers> layers = {};  // that turn so, where they are others
};
struct RefusedReading {
    const Reading* reading;
    std::string why;  // "mlx-lm d78bf58e has no rope_type he_xu; …"
};
struct ComparedReadings {
    std::vector<OtherReading> others;
    std::vector<const Reading*> alike;
    std::vector<RefusedReading> refused;
    LayerNumbers layers = {};  // as transformers 5 reads it; empty: not known
    // Keys about rotary embeddings that transformers 5 does not read, and a class that is not known
    // here: what the rules say nothing about.
    std::vector<std::string> unread = {};
    std::string unknown_class = {};
};

// Of a Spec as transformers 5 reads it. Requires validate(spec).
ComparedReadings compare_readings(const Spec& spec, const ConfigFacts& facts);

// Changes of a Spec that several libraries' rules share, and every library's rules.

bool is_type(const Spec& spec, std::string_view rope_type);

// Assigns, and returns whether that changed anything.
template <typename T, typename U>
bool change(T& field, const U& value) {
    if (field == T(value)) return false;
    field = value;
    return true;
}

// Of rope_type and type, type counts.
bool by_older_type(Spec& spec, const ConfigFacts& facts);

// yarn: the ramp's ends are rounded, whatever truncate says.
bool always_truncate(Spec& spec, const ConfigFacts& facts);

// yarn: attention_factor, or the pair of mscale and mscale_all_dim, has no effect on cos and sin.
bool drop_attention_factor(Spec& spec, const ConfigFacts& facts);
bool drop_mscale_ratio(Spec& spec, const ConfigFacts& facts);

// yarn: getms(s, mscale)/getms(s, mscale_all_dim) with the defaults 1 and 0 for either, as
// DeepSeek's own code has it.
bool default_each_mscale(Spec& spec, const ConfigFacts& facts);

// longrope: s is max_position_embeddings/original, whatever factor and attention_factor say.
bool longrope_by_ratio(Spec& spec, const ConfigFacts& facts);

// longrope: one list at every length, long_factor where max_position_embeddings, the longest
// sequence that the engine is started for, is beyond original_max_position_embeddings.
bool longrope_by_engine(Spec& spec, const ConfigFacts& facts);

// longrope: short_mscale and long_mscale have no effect.
bool drop_list_mscales(Spec& spec, const ConfigFacts& facts);

// dynamic: unscaled at every length.
bool dynamic_unscaled(Spec& spec, const ConfigFacts& facts);

bool drop_factor_of_proportional(Spec& spec, const ConfigFacts& facts);

// yarn: extrapolation_factor is ext_factor.
bool read_extrapolation_factor(Spec& spec, const ConfigFacts& facts);

bool change_original(Spec& spec, const std::optional<std::uint64_t>& length,
                     std::uint64_t otherwise);

// Llama 4 and SmolLM3: all but every fourth, as those that are released have it.
std::optional<LayerNumbers> but_every_fourth(const ConfigFacts& facts);

inline constexpr std::string_view mimo_v2 = "mimo_v2_flash";
inline const std::array<std::string_view, 4> mimo_keys{"rope_theta", "swa_rope_theta",
                                                       name_of(&Scaling::partial_rotary_factor),
                                                       "hybrid_layer_pattern"};

// MiMo-V2: the top level's base, swa_rope_theta in layers that slide, and its
// partial_rotary_factor; `theta` and 1 where they are absent.
bool mimo_of_the_top(Spec& spec, const ConfigFacts& facts, double theta);
// MiMo-V2: layers slide where hybrid_layer_pattern is 1.
std::optional<LayerNumbers> by_hybrid_pattern(const ConfigFacts& facts);
bool is_mimo_v2(const ConfigFacts& facts);
// Throws InputError.
void refuse_mimo_v2(const ConfigFacts& facts, std::string_view library);

extern const Reading transformers_reading;
extern const Reading transformers_457_reading;
extern const Reading transformers_445_reading;
extern const Reading vllm_reading;
extern const Reading vllm_025_reading;
extern const Reading ggml_reading;
extern const Reading mlx_reading;
extern const Reading tensorrt_llm_reading;
extern const Reading paper_reading;

}  // namespace rope
