#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/config_layers.hpp"
#include "io/gguf/gguf_keys.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

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

bool slide(GgufKeys& keys, const SlidingLayers& rule) {
    const auto window = whole(keys, window_key);
    switch (rule.window) {
        case SlidingWindow::positive:
            return window.value_or(0) > 0;
        case SlidingWindow::not_zero:
            return window != 0U;
        case SlidingWindow::any:
            break;
    }
    return true;
}

// A rule for these layers, or none where all rotate alike. exaone4.cpp counts layers before it
// reads how many are of multi-token prediction.
std::optional<SlidingLayers> rule_for(GgufKeys& keys) {
    const auto& rule = keys.known->sliding;
    if (!rule || !slide(keys, *rule)) return std::nullopt;
    if (rule->layers != 0 && whole(keys, "block_count") != rule->layers) return std::nullopt;
    const bool by_base =
        rule->have == SlidingHave::another_base || keys.known->does("slides_by_base_key");
    if (by_base && keys.find(base_key) == nullptr) return std::nullopt;
    return rule;
}

// llama_hparams::set_swa_pattern
std::vector<bool> periodic_layers(GgufKeys& keys, std::uint32_t period) {
    std::vector<bool> slides(layers_of(keys));
    const std::uint32_t full = keys.known->does("full_layer_first") ? 0 : period - 1;
    for (std::size_t i = 0; i < slides.size(); ++i) slides[i] = period == 0 || i % period != full;
    return slides;
}

std::vector<bool> flagged_layers(GgufKeys& keys, const std::vector<double>& list) {
    std::vector<bool> slides(layers_of(keys));
    for (std::size_t i = 0; i < std::min(slides.size(), list.size()); ++i) slides[i] = list[i] != 0;
    return slides;
}

// What the rule makes of the pattern; none where there is neither a pattern nor a period.
std::vector<bool> sliding_layers(GgufKeys& keys, const SlidingLayers& rule) {
    const bool is_unread = rule.pattern == SlidingPattern::unread;
    const GgufValue* given = is_unread ? nullptr : keys.find(pattern_key);
    const auto* list = given ? std::get_if<std::vector<double>>(given) : nullptr;
    if (list != nullptr && rule.pattern != SlidingPattern::period)
        return flagged_layers(keys, *list);
    if (given != nullptr && list == nullptr) {
        const std::uint32_t value = *whole(keys, pattern_key);
        return rule.pattern == SlidingPattern::list ? std::vector<bool>(layers_of(keys), value != 0)
                                                    : periodic_layers(keys, value);
    }
    return rule.period == 0 ? std::vector<bool>{} : periodic_layers(keys, rule.period);
}

// A list that the code passes over, and that says otherwise.
void remark_list(ConfigFile& file, GgufKeys& keys, const std::vector<bool>& slides) {
    const GgufValue* given = keys.find(pattern_key);
    const auto* list = given ? std::get_if<std::vector<double>>(given) : nullptr;
    if (list != nullptr && !slides.empty() && flagged_layers(keys, *list) != slides)
        file.remarks.push_back({keys.path(pattern_key), "is a list, and llama.cpp reads none of " +
                                                            keys.architecture +
                                                            ": its layers slide by their numbers"});
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

bool is_plain(SlidingHave have) {
    return have == SlidingHave::own_base || have == SlidingHave::unscaled;
}

// Sliding layers' own base and widths.
void set_own(LayerSection& sliding, GgufKeys& keys, SlidingHave have) {
    sliding.plain = is_plain(have);
    sliding.head_dim = width(keys, "attention.key_length_swa");
    sliding.rotary_dim = width(keys, "rope.dimension_count_swa");
    const bool is_unread = keys.known->does("freq_base_swa_unread");
    if (const auto base = is_unread ? std::nullopt : keys.number(base_key))
        sliding.base = Found<double>{*base, keys.file + ": " + printable(keys.path(base_key))};
    else if (have == SlidingHave::own_base)
        sliding.base = Found<double>{Spec{}.rope_theta, keys.file + ": general.architecture " +
                                                            printable(keys.architecture)};
}

// llama_context multiplies cos and sin of all layers by it, unscaled ones, too.
void refuse_attention_factor(GgufKeys& keys) {
    constexpr std::string_view key = "rope.scaling.attn_factor";
    if (keys.number(key).value_or(1) == 1) return;
    throw InputError(keys.file + ": has " + printable(keys.path(key)) +
                     " and sliding layers without scaling, which no rope_type does together");
}

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
    return all;
}

std::optional<UnrotatedLayers> layers_of_interval(GgufKeys& keys) {
    const bool is_read = keys.known->interval != 0 || keys.known->pairs == GgmlPairs::unknown;
    const std::uint32_t interval =
        is_read ? whole(keys, interval_key).value_or(keys.known->interval) : 0;
    if (interval == 0) return std::nullopt;
    UnrotatedLayers all{"linear_attention", keys.path(interval_key),
                        std::vector<bool>(layers_of(keys))};
    for (std::size_t i = 0; i < all.layers.size(); ++i) all.layers[i] = (i + 1) % interval != 0;
    return all;
}

}  // namespace

std::optional<Found<std::uint64_t>> full_lanes(GgufKeys& keys) {
    auto lanes = width(keys, "rope.dimension_count");
    if (!lanes) lanes = width(keys, "attention.key_length");
    if (!keys.known->does("full_layers_rotate_half") || !lanes) return lanes;
    return Found<std::uint64_t>{lanes->value / 2, lanes->from + " / 2"};
}

void name_unrotated_layers(GgufKeys& keys) {
    auto found = listed_layers(keys, recurrent_key, "recurrent", true);
    for (const char* heads : {"attention.head_count_kv", "attention.head_count"}) {
        if (found) break;
        found = listed_layers(keys, heads, "no_attention", false);
        if (found && std::ranges::count(found->layers, true) == 0) found.reset();
    }
    if (!found) found = layers_of_interval(keys);
    if (!found || std::ranges::count(found->layers, true) == 0) return;
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
    if (rule->pattern == SlidingPattern::period) remark_list(file, keys, slides);
    const bool has_dense = keys.known->does("leading_dense_layers_rotate");
    const bool by_number = rule->pattern == SlidingPattern::unread || has_dense;
    if (by_number && slides.empty()) return;
    if (has_dense) rotate_dense_layers(keys, slides);
    LayerSection full = file.layers.front(), sliding = full;
    full.layers = "full_attention";
    sliding.layers = "sliding_attention";
    set_numbers(full, slides, false);
    set_numbers(sliding, slides, true);
    if (keys.known->does("full_layers_rotate_half")) full.rotary_dim = full_lanes(keys);
    if (rule->have == SlidingHave::own_base && !sliding.absent) refuse_attention_factor(keys);
    set_own(sliding, keys, rule->have);
    if (rule->have != SlidingHave::rotation) {
        file.layers = {std::move(full), std::move(sliding)};
        return;
    }
    full.rope = ConfigSection(file.name, "", nullptr);
    name_unrotated(sliding, full, by_number);
    file.layers = {std::move(sliding), std::move(full)};
}

}  // namespace rope::io
