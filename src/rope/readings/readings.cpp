#include "rope/readings/readings.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "rope/readings/rules.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

// As the config names it: HunYuan's dynamic with alpha is a static base here, GTE's ntk ntk_mixed.
std::string_view type_in_config(const Spec& spec, const ConfigFacts& facts) {
    if (spec.scaling.rope_type == "ntk_mixed" && !facts.model_type.empty()) return "ntk";
    return facts.has_alpha ? "dynamic" : std::string_view(spec.scaling.rope_type);
}

void require_known(const Reading& reading, const Spec& spec, const ConfigFacts& facts) {
    const std::string library(reading.library);
    const bool is_default = &reading == readings().data();
    if (facts.is_gguf && !is_default && reading.name != "ggml")
        throw InputError(
            library +
            ": a GGUF is written for llama.cpp; give the config.json that it was made from");
    const std::string_view type = type_in_config(spec, facts);
    if (!reading.types.empty() && std::ranges::count(reading.types, type) == 0)
        throw InputError(library + " has no rope_type " + std::string(type) + "; it reads " +
                         join(reading.types));
    if (!reading.classes.empty() && type != "default" && !facts.model_type.empty() &&
        std::ranges::count(reading.classes, facts.model_type) == 0)
        throw InputError(library + " reads no rope section of model_type " +
                         printable(facts.model_type));
}

void apply_rule(ReadSpec& read, const ReadingRule& rule, const ConfigFacts& facts) {
    const bool turns_otherwise = rule.apply != nullptr && rule.apply(read.spec, facts);
    const bool are_others = read.layers && rule.layers != nullptr && rule.layers(facts);
    if (turns_otherwise || are_others) read.changed.push_back(&rule);
}

}  // namespace

ConfigFacts facts_of(const Spec& spec) {
    const auto& original = spec.scaling.original_max_position_embeddings;
    return {.top_original = original, .section_original = original};
}

std::span<const Reading> readings() {
    static const std::array table{
        transformers_reading, transformers_457_reading, transformers_445_reading,
        vllm_reading,         vllm_025_reading,         ggml_reading,
        mlx_reading,          tensorrt_llm_reading,     paper_reading};
    return table;
}

const Reading& find_reading(std::string_view name) {
    return one_of(readings(), &Reading::name, "--reading", name);
}

std::string reading_sentence(const Spec& spec) {
    return "the config as " + std::string(find_reading(spec.reading).library) +
           " reads it (--reading " + spec.reading + ")";
}

std::vector<std::string_view> keys_of(const Reading& reading, std::string_view model_type) {
    std::vector<std::string_view> keys;
    for (const ReadingRule& rule : reading.rules)
        if (rule.own.model_type == model_type)
            keys.insert(keys.end(), rule.own.keys.begin(), rule.own.keys.end());
    return keys;
}

std::optional<LayerNumbers> layers_as_read(const Reading& reading, const ConfigFacts& facts) {
    for (const ReadingRule& rule : reading.rules)
        if (auto layers = rule.layers != nullptr ? rule.layers(facts) : std::nullopt)
            if (*layers != facts.layers) return layers;
    return std::nullopt;
}

ReadSpec read_as(const Reading& reading, const Spec& spec, const ConfigFacts& facts) {
    ReadSpec read{.spec = spec, .changed = {}, .layers = layers_as_read(reading, facts)};
    for (const ReadingRule& rule : reading.rules)
        if (rule.chooses_type) apply_rule(read, rule, facts);
    require_known(reading, read.spec, facts);
    for (const ReadingRule& rule : reading.rules)
        if (!rule.chooses_type) apply_rule(read, rule, facts);
    if (&reading != readings().data()) read.spec.reading = reading.name;
    validate(read.spec);
    return read;
}

}  // namespace rope
