// Which layers of a GGUF rotate, and which by another base or width; the scaling that it asks for,
// by its keys or by tensors of factors.
#include <cmath>
#include <functional>
#include <iterator>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/model/gguf_config.hpp"

namespace rope::io {
namespace {

constexpr std::string_view window_key = "attention.sliding_window",
                           pattern_key = "attention.sliding_window_pattern",
                           base_key = "rope.freq_base_swa",
                           interval_key = "full_attention_interval",
                           attn_factor_key = "rope.scaling.attn_factor";

using Flags = std::vector<bool>;  // one for each layer

std::optional<std::uint32_t> whole(GgufKeys& keys, std::string_view key) {
    const auto found = keys.own.whole({key}, 0, most_layers);
    return found ? std::optional(static_cast<std::uint32_t>(found->value)) : std::nullopt;
}

// Layers of multi-token prediction follow the others, and are not counted. 0: not known.
std::uint32_t layers_of(GgufKeys& keys) {
    const std::uint32_t all = whole(keys, "block_count").value_or(0),
                        predicting = whole(keys, "nextn_predict_layers").value_or(0);
    return predicting < all ? all - predicting : all;
}

// The architecture's rule, or none if all layers rotate alike.
std::optional<SlidingLayers> rule_for(GgufKeys& keys) {
    auto rule = keys.known->sliding;
    const auto window = whole(keys, window_key);
    if (!rule || !hold_of(keys.own, rule->conditions)) return std::nullopt;
    if (keys.does("zero_window_is_one_period") && window == 0U) rule->period = layers_of(keys);
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

// Returns which layers slide by the pattern; none if there is neither a pattern nor a period.
Flags sliding_layers(GgufKeys& keys, const SlidingLayers& rule) {
    const bool is_given = rule.pattern != "unread" && keys.has(pattern_key);
    const auto list = is_given ? keys.list(pattern_key) : std::nullopt;
    if (list && rule.pattern != "period") return flagged_layers(keys, *list);
    if (is_given && !list) {
        const std::uint32_t value = *whole(keys, pattern_key);
        return rule.pattern == "list" ? Flags(layers_of(keys), value != 0)
                                      : periodic_layers(keys, value);
    }
    return rule.period == 0 ? Flags{} : periodic_layers(keys, rule.period);
}

// Remarks on a list that the code ignores, and that differs from the layers that slide.
void remark_list(ConfigFile& file, GgufKeys& keys, const Flags& slides) {
    const auto list = keys.list(pattern_key);
    if (list && !slides.empty() && flagged_layers(keys, *list) != slides)
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
        throw InputError(keys.file + ": has " + keys.path(attn_factor_key) +
                         " and sliding layers without scaling, which no rope_type does together");
    sliding.plain = has_own_base || have == "no_scaling";
    sliding.head_dim = keys.own.whole({"attention.key_length_swa"}, 0, most_layers);
    sliding.rotary_dim = keys.own.whole({"rope.dimension_count_swa"}, 0, most_layers);
    if (!keys.does("freq_base_swa_unread")) sliding.base = keys.own.real({base_key});
    if (!sliding.base && has_own_base)
        sliding.base = Found<double>{Spec{}.rope_theta, keys.file + ": general.architecture " +
                                                            printable(keys.architecture)};
}

// Returns how many dimensions rotate in layers that do not slide, where a key gives it.
std::optional<Found<std::uint64_t>> full_dimensions(GgufKeys& keys) {
    auto dimensions =
        keys.own.whole({"rope.dimension_count", "attention.key_length"}, 0, most_layers);
    if (!keys.does("full_layers_rotate_half") || !dimensions) return dimensions;
    return Found<std::uint64_t>{dimensions->value / 2, dimensions->from + " / 2"};
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

// Gemma 4's proportional RoPE: the first factors are 1 and all others 1e30, by which llama.cpp's
// pairs do not rotate (conversion/gemma.py, src/models/gemma4.cpp). Returns the fraction of pairs
// that rotate, where the factors are of the whole head.
std::optional<double> turning_fraction(GgufKeys& keys, const std::vector<double>& factors) {
    const auto still = std::ranges::find_if(factors, [](double x) { return x != 1; });
    const bool stand = std::all_of(still, factors.end(), [](double x) { return x >= 1e29; });
    const auto width = static_cast<double>(2 * factors.size());
    if (still == factors.begin() || still == factors.end() || !stand ||
        keys.number("rope.dimension_count").value_or(width) != width ||
        keys.number("attention.key_length").value_or(width) != width)
        return std::nullopt;
    return 2 * static_cast<double>(still - factors.begin()) / width;
}

// Returns the tensor without the factors beyond the pairs that rotate: ones, with which converters
// fill up half a head, and factors for wider layers.
std::optional<std::vector<double>> factors_in(GgufKeys& keys, const char* name) {
    auto factors = keys.tensor(name);
    const auto dimensions = full_dimensions(keys);
    if (!factors || !dimensions || dimensions->value < 2) return factors;
    const std::size_t pairs = dimensions->value / 2;
    const auto is_one = [](double x) { return x == 1; };
    if (factors->size() > pairs &&
        (keys.does("full_layers_rotate_half") ||
         std::all_of(factors->begin() + static_cast<std::ptrdiff_t>(pairs), factors->end(),
                     is_one)))
        factors->resize(pairs);
    return factors;
}

}  // namespace

void name_unrotated_layers(GgufKeys& keys) {
    constexpr std::string_view recurrent_key = "attention.recurrent_layers";
    const auto is_zero = [](double x) { return x == 0; };
    Flags unrotated;
    if (const auto list = keys.list(recurrent_key)) {
        std::ranges::transform(*list, std::back_inserter(unrotated), std::not_fn(is_zero));
        put_kind(keys, unrotated, recurrent_key, "recurrent");
        return;
    }
    for (const char* heads : {"attention.head_count_kv", "attention.head_count"})
        if (const auto list = keys.list(heads)) {
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
    if (keys.does("full_layers_rotate_half")) full.rotary_dim = full_dimensions(keys);
    set_own(sliding, keys, rule->have);
    file.layers = {full, sliding};
    if (rule->have != "rotation") return;
    // named as in config_layers.cpp: by their attention, else by their numbers
    if (by_number) sliding.layers = "layers " + ranges(sliding.numbers);
    full.layers = "NoPE: " + (by_number ? ranges(full.numbers) : full.layers);
    full.rope = LayerSection{}.rope;
    full.rotates = false;
    file.layers = {std::move(sliding), std::move(full)};
}

void add_factors(GgufKeys& keys, ConfigFacts& facts) {
    if (keys.does("factors_unread") || keys.does("whole_head_unscaled")) return;
    constexpr const char *any = "rope_freqs.weight", *brief = "rope_factors_short.weight",
                         *wide = "rope_factors_long.weight";
    ConfigSection::Names names;
    std::map<std::string_view, std::vector<double>> all;
    for (const char* name : {any, brief, wide}) {
        names[keys.path(name)] = name;
        const auto factors = factors_in(keys, name);
        if (!factors) continue;
        all[name] = *factors;
        keys.metadata[name] = *factors;
        facts.numbers["factors"] = 1;
    }
    keys.own.call_by(std::make_shared<const ConfigSection::Names>(std::move(names)));
    const auto fraction = all.contains(any) ? turning_fraction(keys, all[any]) : std::nullopt;
    if (fraction) facts.numbers["turning_fraction"] = *fraction;
    const auto list = [&](const char* name) { return all.contains(name) ? all[name] : all[any]; };
    keys.has_one_list = !all.empty() && !fraction && list(brief) == list(wide);
}

}  // namespace rope::io
