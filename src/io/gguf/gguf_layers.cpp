// Which layers of a GGUF rotate, and which by another base or width.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/config/config.hpp"
#include "io/gguf/gguf_config.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

constexpr std::string_view window_key = "attention.sliding_window",
                           pattern_key = "attention.sliding_window_pattern",
                           base_key = "rope.freq_base_swa",
                           interval_key = "full_attention_interval";

using Flags = std::vector<bool>;  // one for each layer

std::optional<std::uint32_t> whole(GgufKeys& keys, std::string_view key) {
    const auto number = keys.number(key);
    if (!number) return std::nullopt;
    if (!(*number >= 0 && *number <= most_layers))
        throw InputError(keys.file + ": " + keys.shown(key), decimal(*number),
                         "a whole number from 0 to " + decimal(most_layers));
    return static_cast<std::uint32_t>(*number);
}

std::optional<Found<std::uint64_t>> width(GgufKeys& keys, std::string_view key) {
    const auto number = whole(keys, key);
    if (!number) return std::nullopt;
    return Found<std::uint64_t>{*number, keys.file + ": " + keys.shown(key)};
}

// Layers of multi-token prediction follow the others, and are not counted. 0: not known.
std::uint32_t layers_of(GgufKeys& keys) {
    const std::uint32_t all = whole(keys, "block_count").value_or(0),
                        predicting = whole(keys, "nextn_predict_layers").value_or(0);
    return predicting < all ? all - predicting : all;
}

// The architecture's rule, or none where all layers rotate alike. exaone4.cpp counts layers before
// it reads how many are of multi-token prediction.
std::optional<SlidingLayers> rule_for(GgufKeys& keys) {
    const auto& rule = keys.known->sliding;
    if (!rule) return std::nullopt;
    const auto window = whole(keys, window_key);
    const bool slide = rule->window == "positive"   ? window.value_or(0) > 0
                       : rule->window == "not_zero" ? window != 0U
                                                    : true;
    if (!slide || (rule->layers != 0 && whole(keys, "block_count") != rule->layers))
        return std::nullopt;
    const bool by_base = rule->have == "another_base" || keys.does("slides_by_base_key");
    if (by_base && keys.find(base_key) == nullptr) return std::nullopt;
    return rule;
}

// llama_hparams::set_swa_pattern
Flags periodic_layers(GgufKeys& keys, std::uint32_t period) {
    Flags slides(layers_of(keys));
    const std::uint32_t full = keys.does("full_layer_first") ? 0 : period - 1;
    for (std::size_t i = 0; i < slides.size(); ++i) slides[i] = period == 0 || i % period != full;
    return slides;
}

Flags flagged_layers(GgufKeys& keys, const std::vector<double>& list) {
    Flags slides(layers_of(keys));
    for (std::size_t i = 0; i < std::min(slides.size(), list.size()); ++i) slides[i] = list[i] != 0;
    return slides;
}

// Returns which layers slide by the pattern; none where there is neither a pattern nor a period.
Flags sliding_layers(GgufKeys& keys, const SlidingLayers& rule) {
    const GgufValue* given = rule.pattern == "unread" ? nullptr : keys.find(pattern_key);
    const auto* list = given != nullptr ? keys.list(pattern_key) : nullptr;
    if (list != nullptr && rule.pattern != "period") return flagged_layers(keys, *list);
    if (given != nullptr && list == nullptr) {
        const std::uint32_t value = *whole(keys, pattern_key);
        return rule.pattern == "list" ? Flags(layers_of(keys), value != 0)
                                      : periodic_layers(keys, value);
    }
    return rule.period == 0 ? Flags{} : periodic_layers(keys, rule.period);
}

// Remarks on a list that the code passes over, and that differs from the layers that slide.
void remark_list(ConfigFile& file, GgufKeys& keys, const Flags& slides) {
    const auto* list = keys.list(pattern_key);
    if (list != nullptr && !slides.empty() && flagged_layers(keys, *list) != slides)
        file.remarks.push_back({keys.path(pattern_key), "is a list, and llama.cpp reads none of " +
                                                            keys.architecture +
                                                            ": its layers slide by their numbers"});
}

LayerSection layers_where(const LayerSection& section, const std::string& name, const Flags& slides,
                          bool value) {
    LayerSection one = section;
    one.layers = name;
    for (std::uint32_t i = 0; i < slides.size(); ++i)
        if (slides[i] == value) one.numbers.push_back(i);
    one.absent = !slides.empty() && one.numbers.empty();
    return one;
}

// Sets the base and the widths of sliding layers. llama_context multiplies cos and sin of all
// layers by the attention factor, also of those without scaling.
void set_own(LayerSection& sliding, GgufKeys& keys, const std::string& have) {
    const bool has_own_base = have == "own_base";
    if (has_own_base && !sliding.absent && keys.number(attn_factor_key).value_or(1) != 1)
        keys.refuse_together(keys.shown(attn_factor_key), "sliding layers without scaling");
    sliding.plain = has_own_base || have == "no_scaling";
    sliding.head_dim = width(keys, "attention.key_length_swa");
    sliding.rotary_dim = width(keys, "rope.dimension_count_swa");
    const bool is_unread = keys.does("freq_base_swa_unread");
    if (const auto base = is_unread ? std::nullopt : keys.number(base_key))
        sliding.base = Found<double>{*base, keys.file + ": " + keys.shown(base_key)};
    else if (has_own_base)
        sliding.base = Found<double>{Spec{}.rope_theta, keys.file + ": general.architecture " +
                                                            printable(keys.architecture)};
}

// Puts the kind of the layers without attention that rotates, if there are any. Layers of
// multi-token prediction have attention.
bool put_kind(GgufKeys& keys, const Flags& unrotated, std::string_view key, const char* kind) {
    if (std::ranges::count(unrotated, true) == 0) return false;
    const std::uint32_t layers = whole(keys, "block_count").value_or(0);
    nlohmann::json kinds = nlohmann::json::array();
    for (std::uint32_t i = 0; i < layers; ++i)
        kinds.push_back(i < unrotated.size() && unrotated[i] ? kind : "attention");
    keys.config.put("layer_types", std::move(kinds), keys.path(key));
    return true;
}

}  // namespace

std::optional<Found<std::uint64_t>> full_lanes(GgufKeys& keys) {
    auto lanes = width(keys, "rope.dimension_count");
    if (!lanes) lanes = width(keys, "attention.key_length");
    if (!keys.does("full_layers_rotate_half") || !lanes) return lanes;
    return Found<std::uint64_t>{lanes->value / 2, lanes->from + " / 2"};
}

void name_unrotated_layers(GgufKeys& keys) {
    constexpr std::string_view recurrent_key = "attention.recurrent_layers";
    const auto is_zero = [](double x) { return x == 0; };
    Flags unrotated;
    if (const auto* list = keys.list(recurrent_key)) {
        std::ranges::transform(*list, std::back_inserter(unrotated), std::not_fn(is_zero));
        put_kind(keys, unrotated, recurrent_key, "recurrent");
        return;
    }
    for (const char* heads : {"attention.head_count_kv", "attention.head_count"})
        if (const auto* list = keys.list(heads)) {
            unrotated.clear();
            std::ranges::transform(*list, std::back_inserter(unrotated), is_zero);
            if (put_kind(keys, unrotated, heads, "no_attention")) return;
        }
    const bool is_read = keys.known->interval != 0 || keys.known->pairs == "unknown";
    const std::uint32_t interval =
        is_read ? whole(keys, interval_key).value_or(keys.known->interval) : 0;
    if (interval != 0)
        put_kind(keys, periodic_layers(keys, interval), interval_key, "linear_attention");
}

void split_gguf_layers(ConfigFile& file, GgufKeys& keys) {
    const auto rule = rule_for(keys);
    if (!rule || file.layers.size() != 1) return;
    Flags slides = sliding_layers(keys, *rule);
    if (rule->pattern == "period") remark_list(file, keys, slides);
    const bool has_dense = keys.does("leading_dense_layers_rotate");
    const bool by_number = rule->pattern == "unread" || has_dense;
    if (by_number && slides.empty()) return;
    const std::size_t dense = has_dense ? whole(keys, "leading_dense_block_count").value_or(0) : 0;
    std::fill_n(slides.begin(), std::min(dense, slides.size()), true);
    const LayerSection all = file.layers.front();
    LayerSection full = layers_where(all, "full_attention", slides, false),
                 sliding = layers_where(all, "sliding_attention", slides, true);
    if (keys.does("full_layers_rotate_half")) full.rotary_dim = full_lanes(keys);
    set_own(sliding, keys, rule->have);
    file.layers = {full, sliding};
    if (rule->have != "rotation") return;
    // named as in config_layers.cpp: by their attention, else by their numbers
    if (by_number) sliding.layers = "layers " + ranges(sliding.numbers);
    full.layers = "NoPE: " + (by_number ? ranges(full.numbers) : full.layers);
    full.rope = ConfigSection(file.name, "", nullptr);
    full.rotates = false;
    file.layers = {std::move(sliding), std::move(full)};
}

}  // namespace rope::io
