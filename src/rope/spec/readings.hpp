// The same config as each library reads it: transformers 5's reading is the Spec unchanged,
// another library's is that Spec changed, rule by rule, each rule with its source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/spec/spec.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope {

// The facts of a config that libraries use and a Spec does not hold.
struct ConfigFacts {
    std::string model_type = {};                // empty: not known
    std::optional<Scaling> by_older_type = {};  // what type asks for, if rope_type differs
    // DeepSeek's: before the Spec's dimensions in each head, and in a row of the latent cache
    std::uint32_t nope_dimensions = 0, latent_dimensions = 0;
    std::uint64_t heads = 0, key_heads = 0;             // of q and of k; 0: not known
    std::uint64_t index_heads = 0, index_head_dim = 0;  // of an indexer; 0: there is none
    std::string tower = {};                             // flags_of_tower
    // The layers' numbers as transformers 5 reads the config, ascending, and how many layers the
    // model has; empty and 0: not known.
    std::vector<std::uint32_t> layers = {};
    std::uint64_t layer_count = 0;
    // Numbers of the config and of its class, where true is 1, and lists; printable texts, such as
    // own_type and older_type: rope_type and type as the section spells them, where it has both;
    // traits of the class, and facts such as gguf or slides.
    std::map<std::string, double, std::less<>> numbers = {};
    std::map<std::string, std::vector<double>, std::less<>> lists = {};
    std::map<std::string, std::vector<std::string>, std::less<>> text_lists = {};
    std::map<std::string, std::string, std::less<>> texts = {};
    std::vector<std::string> traits = {};

    bool has(std::string_view trait) const {
        return std::ranges::find(traits, trait) != traits.end();
    }
    void add(std::string_view trait, bool holds) {
        if (holds) traits.emplace_back(trait);
    }
    std::optional<double> number(std::string_view name) const {
        const auto found = numbers.find(name);
        return found == numbers.end() ? std::nullopt : std::optional(found->second);
    }
};

// Returns the facts of a Spec without a config.
ConfigFacts facts_of(const Spec& spec);

using LayerNumbers = std::vector<std::uint32_t>;

// A line of a rule: "conditions: actions".
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
    std::string_view classes = {};        // the trait of the classes whose rope section it reads
    std::vector<ReadingRule> rules = {};  // in the order in which they apply
};

// Returns the table of data/readings.txt; the first is the default, transformers 5's, which
// changes nothing.
std::span<const Reading> readings();
// Throws InputError naming the readings if none has the name.
const Reading& find_reading(std::string_view name);

// Returns the names "top.KEY", "section.KEY" and "class.KEY" in the rules.
std::span<const std::string_view> keys_of_rules();

// Returns "the config as vLLM 0.25.0 reads it (--reading vllm-0.25)" for a Spec with a reading.
std::string reading_sentence(const Spec& spec);

struct ReadSpec {
    Spec spec;                                // valid; `reading` is set unless it is the default
    std::vector<const ReadingRule*> changed;  // the rules that changed anything
    std::optional<LayerNumbers> layers = {};  // if they differ from facts.layers
};

// Returns keys, of the top level or the rope section, that the reading's rules use, and
// transformers 5 does not.
std::vector<std::string_view> keys_of(const Reading& reading, const ConfigFacts& facts);

// Returns the layers that rotate as the Spec of these facts; empty if they are facts.layers.
std::optional<LayerNumbers> layers_as_read(const Reading& reading, const ConfigFacts& facts);

// Throws InputError if the library does not read such a config. Requires validate(spec), as
// transformers 5 reads it.
ReadSpec read_as(const Reading& reading, const Spec& spec, const ConfigFacts& facts);

// The words of data/readings.txt and of the conditions in data/*.jsonl.

// Whether all of the conditions hold, which spaces separate.
bool hold(std::string_view conditions, const Spec& spec, const ConfigFacts& facts);

// Returns the number of a name, or of arithmetic on names without spaces, such as "ceil(factor*2)"
// or "top.factor?1", which is 1 where there is no factor; empty if it is not known.
std::optional<double> computed(std::string_view text, const Spec& spec, const ConfigFacts& facts);

// Returns the words with each {name} replaced by the text or the number of that name.
std::string sentence(std::string_view words, const Spec& spec, const ConfigFacts& facts);

// Returns the names in a text that begin with one of the kinds, such as "top.KEY", each once.
std::vector<std::string_view> names_in(std::string_view text,
                                       std::initializer_list<std::string_view> kinds);

// Changes the Spec by an action. Throws InputError for the action "refuse …".
void act(std::string_view action, Spec& spec, const ConfigFacts& facts);

// Returns the layers for whose number i the conditions hold; empty if their count is not known.
std::optional<LayerNumbers> layers_by(std::string_view conditions, ConfigFacts facts);

// The difference in rotating text, whose positions are equal on every axis but a fourth.
struct ReadingDifference {
    Difference difference;                    // a: transformers 5's, b: the other's
    std::vector<std::string> differing = {};  // difference.hpp
    std::vector<Contrast> turning = {};     // radians per position of text, of the pairs both have
    std::vector<std::uint32_t> pairs = {};  // that differ
    std::uint32_t worst_pair = 0;           // the pair with the largest relative difference
    // The first position below max_context at which a pair is a radian off, and that pair.
    std::optional<std::uint64_t> radian_position = {};
    std::uint32_t radian_pair = 0;
};

// Requires valid Specs.
ReadingDifference reading_difference(const Spec& spec, const Spec& other);

struct ReadBy {
    const Reading* reading;
    std::vector<const ReadingRule*> changed;
};
// Readings that differ from transformers 5's, but not from one another.
struct OtherReading {
    std::vector<ReadBy> by;
    ReadingDifference difference;
    std::optional<LayerNumbers> layers = {};  // that rotate so, where they differ
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
    // here: no rule covers them.
    std::vector<std::string> unread = {};
    std::string unknown_class = {};
};

// Compares the readings of a Spec as transformers 5 reads it. Requires validate(spec).
ComparedReadings compare_readings(const Spec& spec, const ConfigFacts& facts);

}  // namespace rope
