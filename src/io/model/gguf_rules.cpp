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

constexpr std::string_view pattern_key = "attention.sliding_window_pattern",
                           base_key = "rope.freq_base_swa",
                           attn_factor_key = "rope.scaling.attn_factor";

// Remarks on a list that the code ignores, and that differs from the layers that slide.
void remark_list(ConfigFile& file, GgufKeys& keys, const std::optional<LayerNumbers>& slides) {
    const std::string name(pattern_key);
    if (slides && keys.list(pattern_key) &&
        layers_by("top." + name + "[i]!=0", keys.facts) != slides)
        file.remarks.push_back({keys.path(pattern_key), "is a list, and llama.cpp reads none of " +
                                                            keys.architecture +
                                                            ": its layers slide by their numbers"});
}

// Returns the section for the layers that slide, or for the others, of so many.
LayerSection layers_where(const LayerSection& section, const std::string& name,
                          const std::optional<LayerNumbers>& slides, bool value,
                          std::uint64_t layers) {
    LayerSection one = section;
    one.layers = name;
    for (std::uint32_t i = 0; slides && i < layers; ++i)
        if (std::ranges::binary_search(*slides, i) == value) one.numbers.push_back(i);
    one.absent = slides && one.numbers.empty();
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

void split_gguf_layers(ConfigFile& file, GgufKeys& keys) {
    const auto& rule = keys.known->sliding;
    if (!rule || !hold_of(keys.own, rule->conditions) || file.layers.size() != 1) return;
    ConfigFacts& facts = keys.facts;
    facts.layer_count = static_cast<std::uint64_t>(facts.number("layers").value_or(0));
    const auto slide = facts.texts.find("slides");
    const auto slides = slide == facts.texts.end() ? std::nullopt : layers_by(slide->second, facts);
    if (rule->pattern == "period") remark_list(file, keys, slides);
    const bool by_number = rule->pattern == "unread" || keys.does("leading_dense_layers_rotate");
    if (by_number && !slides) return;
    const LayerSection all = file.layers.front();
    LayerSection full = layers_where(all, "full_attention", slides, false, facts.layer_count),
                 sliding = layers_where(all, "sliding_attention", slides, true, facts.layer_count);
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

void add_factors(GgufKeys& keys) {
    ConfigFacts& facts = keys.facts;
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
