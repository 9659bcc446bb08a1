// The same config as each library reads it: transformers 5's reading is the Spec unchanged,
// another library's is that Spec changed, rule by rule, each rule with its source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
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
    std::uint32_t nope_lanes = 0;  // DeepSeek's, in each head before those that the Spec is of
    std::uint64_t heads = 0, key_heads = 0;  // of q and of k; 0: not known
    // Which layers these are as transformers 5 reads it, ascending, and how many the model has;
    // empty and 0: not known.
    std::vector<std::uint32_t> layers = {};
    std::uint64_t layer_count = 0;
    std::vector<std::uint64_t> hybrid_pattern = {};  // MiMo-V2's, of each layer: 1 slides
    // What the rules of data/readings.txt ask for: numbers of the config, a true being 1, and of
    // its class; traits of the class, and facts such as gguf or slides.
    std::map<std::string, double, std::less<>> numbers = {};
    std::vector<std::string> traits = {};

    bool has(std::string_view trait) const {
        return std::ranges::find(traits, trait) != traits.end();
    }
    std::optional<double> number(std::string_view name) const {
        const auto found = numbers.find(name);
        return found == numbers.end() ? std::nullopt : std::optional(found->second);
    }
};

// Of a Spec without a config.
ConfigFacts facts_of(const Spec& spec);

using LayerNumbers = std::vector<std::uint32_t>;

// Of a rule, a line: "conditions: actions".
struct ReadingStep {
    std::string_view conditions;
    std::vector<std::string_view> actions;
};

struct ReadingRule {
    std::string_view what;    // "the ramp's ends are rounded, whatever truncate says"
    std::string_view source;  // file and function
    std::vector<ReadingStep> steps;
};

struct Reading {
    std::string_view name;                     // "vllm-0.25"
    std::string_view library;                  // "vLLM 0.25.0"
    std::vector<std::string_view> types = {};  // every rope_type that it knows; empty: all
    std::string_view classes = {};             // whose rope section it reads: those with this trait
    std::vector<ReadingRule> rules = {};       // in the order in which they apply
};

// The table of data/readings.txt; the first is the default, transformers 5's, which changes
// nothing.
std::span<const Reading> readings();
// Throws InputError naming the readings.
const Reading& find_reading(std::string_view name);

// "top.KEY", "section.KEY" and "class.KEY" of the rules.
std::span<const std::string_view> keys_of_rules();

// "the config as vLLM 0.25.0 reads it (--reading vllm-0.25)", of a Spec with a reading.
std::string reading_sentence(const Spec& spec);

struct ReadSpec {
    Spec spec;                                // valid; `reading` is set unless it is the default
    std::vector<const ReadingRule*> changed;  // the rules that changed anything
    std::optional<LayerNumbers> layers = {};  // where they are others than facts.layers
};

// Keys of the top level that its rules read of such a config, and transformers 5 does not.
std::vector<std::string_view> keys_of(const Reading& reading, const ConfigFacts& facts);

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

}  // namespace rope
