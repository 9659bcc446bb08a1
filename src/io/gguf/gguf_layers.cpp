#include "io/gguf/gguf_layers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/layer_kinds.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

// What sliding layers have that the others have not.
enum class Sliding {
    own_base,  // rope.freq_base_swa, else 10000 (llama-hparams.h), without scaling
    unscaled,  // the base alone
    rotation,  // the others have no RoPE
};

// The file in src/models is the architecture's, with - for _ or nothing.
struct SlidingLayers {
    std::string_view architecture;
    Sliding rule;
    std::uint32_t period;     // where no key says: of so many layers one does not slide; 0: unknown
    bool full_first = false;  // that one is the first of them, not the last
    bool has_window = false;  // only where attention.sliding_window is more than 0
    bool by_number = false;   // the layer's number alone decides
    std::uint32_t layers = 0;  // only models of so many
};

// load_arch_hparams and the graphs of llama.cpp's src/models/*.cpp; sorted by name
constexpr std::array<SlidingLayers, 19> rules{{
    {"afmoe", Sliding::rotation, 4, false, false, true},         // afmoe.cpp
    {"cohere2", Sliding::rotation, 4},                           // cohere2.cpp
    {"cohere2moe", Sliding::rotation, 4, true},                  // cohere2moe.cpp
    {"exaone-moe", Sliding::rotation, 4},                        // exaone-moe.cpp
    {"exaone4", Sliding::rotation, 4, false, false, false, 64},  // exaone4.cpp
    {"gemma-embedding", Sliding::own_base, 6},                   // gemma-embedding.cpp
    {"gemma3", Sliding::own_base, 6},                            // gemma3.cpp
    {"gemma3n", Sliding::own_base, 5},                           // gemma3n.cpp
    {"gemma4", Sliding::own_base, 0},                            // gemma4.cpp
    {"gemma4-assistant", Sliding::own_base, 0},                  // gemma4-assistant.cpp
    {"laguna", Sliding::unscaled, 4, true, true},                // laguna.cpp
    {"llama4", Sliding::rotation, 4, false, false, true},        // llama4.cpp
    {"mellum", Sliding::unscaled, 4, false, true},               // mellum.cpp
    {"mimo2", Sliding::own_base, 0},                             // mimo2.cpp
    {"modern-bert", Sliding::own_base, 3, true, true},           // modern-bert.cpp
    {"muse-glimmer", Sliding::rotation, 4},                      // muse-glimmer.cpp
    {"olmo2", Sliding::unscaled, 4, false, true},                // olmo2.cpp
    {"smallthinker", Sliding::rotation, 4, true, true, true},    // smallthinker.cpp
    {"smollm3", Sliding::rotation, 4, false, false, true},       // smollm3.cpp
}};

constexpr std::string_view window_key = "attention.sliding_window",
                           pattern_key = "attention.sliding_window_pattern",
                           base_key = "rope.freq_base_swa";

std::optional<std::uint32_t> whole(GgufKeys& keys, std::string_view key) {
    const auto number = keys.number(key);
    if (!number) return std::nullopt;
    if (!(*number >= 0 && *number <= most_layers))
        throw InputError(keys.file + ": " + printable(keys.path(key)), decimal(*number),
                         "a whole number from 0 to " + decimal(most_layers));
    return static_cast<std::uint32_t>(*number);
}

// Those of multi-token prediction follow the others. 0: not known.
std::uint32_t layers_of(GgufKeys& keys) {
    const std::uint32_t all = whole(keys, "block_count").value_or(0),
                        predicting = whole(keys, "nextn_predict_layers").value_or(0);
    return predicting < all ? all - predicting : all;
}

// A rule for these layers, or none where all rotate alike.
std::optional<SlidingLayers> rule_for(GgufKeys& keys) {
    const auto* known = std::ranges::find(rules, keys.architecture, &SlidingLayers::architecture);
    if (known == rules.end()) {
        if (keys.find(base_key) == nullptr) return std::nullopt;
        return SlidingLayers{"", Sliding::own_base, 0};
    }
    const auto window = whole(keys, window_key);
    if (window ? *window == 0 : known->has_window) return std::nullopt;
    if (known->layers != 0 && layers_of(keys) != known->layers) return std::nullopt;
    return *known;
}

// llama_hparams::set_swa_pattern; a list has an entry for each layer.
std::vector<bool> sliding_layers(GgufKeys& keys, const SlidingLayers& rule) {
    const GgufValue* given = rule.by_number ? nullptr : keys.find(pattern_key);
    std::vector<bool> slides(layers_of(keys));
    if (const auto* list = given ? std::get_if<std::vector<double>>(given) : nullptr) {
        for (std::size_t i = 0; i < std::min(slides.size(), list->size()); ++i)
            slides[i] = (*list)[i] != 0;
        return slides;
    }
    if (given == nullptr && rule.period == 0) return {};
    const std::uint32_t period = given ? *whole(keys, pattern_key) : rule.period;
    for (std::size_t i = 0; i < slides.size(); ++i)
        slides[i] = period == 0 || i % period != (rule.full_first ? 0 : period - 1);
    return slides;
}

void set_numbers(LayerSection& section, const std::vector<bool>& slides, bool value) {
    for (std::uint32_t i = 0; i < slides.size(); ++i)
        if (slides[i] == value) section.numbers.push_back(i);
    section.absent = !slides.empty() && section.numbers.empty();
}

std::optional<Found<std::uint64_t>> width(GgufKeys& keys, std::string_view key) {
    const auto number = whole(keys, key);
    if (!number) return std::nullopt;
    return Found<std::uint64_t>{*number, keys.file + ": " + printable(keys.path(key))};
}

// Sliding layers' own base and widths.
void set_own(LayerSection& sliding, GgufKeys& keys, Sliding rule) {
    sliding.plain = rule != Sliding::rotation;
    sliding.head_dim = width(keys, "attention.key_length_swa");
    sliding.rotary_dim = width(keys, "rope.dimension_count_swa");
    if (const auto base = keys.number(base_key))
        sliding.base = Found<double>{*base, keys.file + ": " + printable(keys.path(base_key))};
    else if (rule == Sliding::own_base)
        sliding.base = Found<double>{Spec{}.rope_theta, keys.file + ": general.architecture " +
                                                            printable(keys.architecture)};
}

// step35.cpp: layers that do not slide rotate half as many lanes.
std::optional<Found<std::uint64_t>> full_lanes(GgufKeys& keys) {
    auto lanes = width(keys, "rope.dimension_count");
    if (keys.architecture != "step35" || !lanes) return std::nullopt;
    return Found<std::uint64_t>{lanes->value / 2, lanes->from + " / 2"};
}

// cohere2moe.cpp: leading dense layers rotate, too.
void rotate_dense_layers(GgufKeys& keys, std::vector<bool>& slides) {
    const std::uint32_t dense = whole(keys, "leading_dense_block_count").value_or(0);
    for (std::size_t i = 0; i < std::min<std::size_t>(dense, slides.size()); ++i) slides[i] = true;
}

// As config_layers.cpp names them: by their attention, else by their numbers.
void name_unrotated(LayerSection& rotating, LayerSection& still, bool by_number) {
    rotating.layers = by_number ? "layers " + ranges(rotating.numbers) : "sliding_attention";
    still.layers = "NoPE: " + (by_number ? ranges(still.numbers) : "full_attention");
    still.rotates = false;
}

// Architectures whose layers have linear attention but for every n-th, where no key says which
// (qwen3next.cpp, qwen35.cpp, qwen35moe.cpp).
struct HybridLayers {
    std::string_view architecture;
    std::uint32_t interval;
};
constexpr std::array<HybridLayers, 3> hybrids{{{"qwen3next", 4}, {"qwen35", 4}, {"qwen35moe", 4}}};

constexpr std::string_view recurrent_key = "attention.recurrent_layers",
                           interval_key = "full_attention_interval";

// What the layers are called that do not rotate, and which they are.
struct UnrotatedLayers {
    std::string kind, key;
    std::vector<bool> layers;
};

std::optional<UnrotatedLayers> listed_layers(GgufKeys& keys, std::string_view key,
                                             const std::string& kind, bool is_unrotated) {
    const GgufValue* value = keys.find(key);
    const auto* list = value ? std::get_if<std::vector<double>>(value) : nullptr;
    if (list == nullptr) return std::nullopt;
    UnrotatedLayers all{kind, keys.path(key), {}};
    for (const double one : *list) all.layers.push_back((one != 0) == is_unrotated);
    if (std::ranges::count(all.layers, true) == 0) return std::nullopt;
    return all;
}

std::optional<UnrotatedLayers> layers_of_interval(GgufKeys& keys) {
    const auto* known = std::ranges::find(hybrids, keys.architecture, &HybridLayers::architecture);
    auto interval = whole(keys, interval_key);
    if (known == hybrids.end() && !interval) return std::nullopt;
    if (!interval) interval = known->interval;
    if (*interval == 0) return std::nullopt;
    UnrotatedLayers all{"linear_attention", keys.path(interval_key),
                        std::vector<bool>(layers_of(keys))};
    for (std::size_t i = 0; i < all.layers.size(); ++i) all.layers[i] = (i + 1) % *interval != 0;
    return all;
}

}  // namespace

void name_unrotated_layers(GgufKeys& keys) {
    auto found = listed_layers(keys, recurrent_key, "recurrent", true);
    for (const char* heads : {"attention.head_count_kv", "attention.head_count"})
        if (!found) found = listed_layers(keys, heads, "no_attention", false);
    if (!found) found = layers_of_interval(keys);
    if (!found || found->layers.empty()) return;
    // layers of multi-token prediction have attention
    found->layers.resize(whole(keys, "block_count").value_or(0));
    nlohmann::json kinds = nlohmann::json::array();
    for (const bool is_unrotated : found->layers)
        kinds.push_back(is_unrotated ? found->kind : "attention");
    keys.config.put("layer_types", std::move(kinds), found->key);
}

void split_gguf_layers(ConfigFile& file, GgufKeys& keys) {
    const auto rule = rule_for(keys);
    if (!rule || file.layers.size() != 1) return;
    std::vector<bool> slides = sliding_layers(keys, *rule);
    const bool by_number = rule->by_number || keys.architecture == "cohere2moe";
    if (by_number && slides.empty()) return;
    if (keys.architecture == "cohere2moe") rotate_dense_layers(keys, slides);
    LayerSection full = file.layers.front(), sliding = full;
    full.layers = "full_attention";
    sliding.layers = "sliding_attention";
    set_numbers(full, slides, false);
    set_numbers(sliding, slides, true);
    full.rotary_dim = full_lanes(keys);
    set_own(sliding, keys, rule->rule);
    if (rule->rule != Sliding::rotation) {
        file.layers = {std::move(full), std::move(sliding)};
        return;
    }
    full.rope = ConfigSection(file.name, "", nullptr);
    name_unrotated(sliding, full, by_number);
    file.layers = {std::move(sliding), std::move(full)};
}

}  // namespace rope::io
