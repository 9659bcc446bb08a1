#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/config/config_layers.hpp"
#include "io/config/model_classes.hpp"

namespace rope::io {
namespace {

using Kinds = std::vector<std::string>;

// As they are spelled in layer_types, layers_block_type and block_types; none of these rotates.
constexpr std::array<std::string_view, 7> other_kinds{
    "linear", "conv", "mamba", "recurrent", "lightning", "ssm", "no_attention"};

bool is_other(std::string_view kind) {
    return std::ranges::any_of(other_kinds, [&](std::string_view other) {
        return kind.find(other) != std::string_view::npos;
    });
}

// EXAONE 4's "LLLG", as mlx_lm/models/exaone4.py reads it; empty where there are none.
std::string attention_letters(ConfigFile& file) {
    constexpr std::string_view key = "sliding_window_pattern";
    if (!file.model.holds_text(key)) return "";
    const auto letters = file.model.text({key});
    if (letters->value.empty() || letters->value.find_first_not_of("LG") != std::string::npos)
        throw InputError(letters->from, '"' + printable(letters->value) + '"',
                         "a whole number, or of the letters L (sliding) and G (full)");
    return letters->value;
}

// One kind a layer, or a pattern that repeats.
std::optional<Kinds> from_names(ConfigFile& file, ConfigSection& section) {
    for (const std::string_view key : keys_for("kinds")) {
        const auto names = section.texts(key);
        if (!names || names->value.empty()) continue;
        if (std::ranges::none_of(names->value, is_other)) continue;
        const std::size_t period = names->value.size();
        const std::uint64_t layers = layer_count(file);
        Kinds kinds(layers == 0 ? period : layers);
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (const std::string& name = names->value[i % period]; is_other(name))
                kinds[i] = printable(name);
        return kinds;
    }
    return std::nullopt;
}

// The pattern of a class whose file has no list.
std::optional<Kinds> from_class(ConfigFile& file) {
    const bool is_stated = std::ranges::any_of(
        keys_for("kinds"), [&](std::string_view key) { return file.model.has(key); });
    const auto kinds = is_stated ? std::nullopt : from_names(file, file.defaults);
    return kinds && layer_count(file) > 0 ? kinds : std::nullopt;
}

// Lists of layer numbers: of those that rotate, or of the others.
std::optional<Kinds> from_list(ConfigFile& file, const ConfigKey& key) {
    const auto listed = file.model.wholes(key.name);
    if (!listed || listed->value.empty()) return std::nullopt;
    const std::uint64_t count = layer_count(file);
    const std::uint64_t layers = count > 0 ? count : 1 + std::ranges::max(listed->value);
    if (layers > most_layers)
        throw InputError(listed->from + " has " + decimal(layers - 1) +
                         "; a layer's number is below " + decimal(most_layers));
    const bool lists_rotating = key.means == "rotating_layers";
    Kinds kinds(layers, lists_rotating ? key.value : "");
    for (const std::uint64_t layer : listed->value) {
        if (layer >= layers)
            throw InputError(listed->from + " has " + decimal(layer) +
                             "; each must be below num_hidden_layers (" + decimal(layers) + ")");
        kinds[layer] = lists_rotating ? "" : key.value;
    }
    return kinds;
}

// 1 where a layer rotates (Llama 4, SmolLM3), or has softmax attention (MiniMax).
std::optional<Kinds> from_flags(ConfigFile& file, const ConfigKey& key) {
    const auto listed = file.model.wholes(key.name);
    if (!listed || listed->value.empty()) return std::nullopt;
    file.model.mark_read({"no_rope_layer_interval"});  // which the list overrules
    Kinds kinds;
    for (const std::uint64_t flag : listed->value) {
        if (flag > 1)
            throw InputError(listed->from + " has " + decimal(flag) +
                             "; each must be 1 (the layer rotates) or 0");
        kinds.emplace_back(flag == 1 ? "" : key.value);
    }
    return kinds;
}

// Every n-th layer is the exception.
std::optional<Kinds> from_interval(ConfigFile& file, const ConfigKey& key) {
    const auto whole = [&](ConfigSection& s) { return s.whole({key.name}, 1, most_layers); };
    auto interval = whole(file.model);
    if (!interval) interval = whole(file.defaults);
    const std::uint64_t layers = interval ? layer_count(file) : 0;
    if (layers == 0) return std::nullopt;
    const bool nth_rotates = key.means == "rotated_interval";
    Kinds kinds;
    for (std::uint64_t i = 0; i < layers; ++i)
        kinds.emplace_back(((i + 1) % interval->value == 0) == nth_rotates ? "" : key.value);
    const bool has_rotating = std::ranges::count(kinds, "") > 0;
    if (!has_rotating && file.has_trait("last_layer_is_full")) kinds.back() = "";
    return kinds;
}

// Blocks of a search for architectures, some without attention: nvidia's DeciLM and Nemotron-NAS,
// modeling_decilm.py DeciLMDecoderLayer; llama.cpp conversion/deci.py.
std::optional<Kinds> from_blocks(ConfigFile& file, const ConfigKey& key) {
    const std::vector<ConfigSection> blocks = file.model.sections(key.name);
    if (blocks.empty()) return std::nullopt;
    const std::uint64_t count = layer_count(file), layers = count > 0 ? count : blocks.size();
    if (blocks.size() < layers)
        throw InputError(file.model.origin(key.name) + " has " + decimal(blocks.size()) +
                         " blocks; each of the " + decimal(layers) +
                         " layers, by num_hidden_layers, needs one");
    Kinds kinds;
    for (std::uint64_t i = 0; i < layers; ++i) {
        ConfigSection attention = blocks[i].section("attention");
        const auto holds = [&](std::string_view name) {
            const auto found = attention.boolean(name);
            return found && found->value;
        };
        kinds.emplace_back(holds("no_op") || holds("replace_with_linear") ? key.value : "");
    }
    return kinds;
}

struct LayerKeys {
    std::string_view means;
    std::optional<Kinds> (*read)(ConfigFile&, const ConfigKey&);
};

// By the first key that says it.
std::optional<Kinds> from_keys(ConfigFile& file) {
    static constexpr LayerKeys all[] = {{"blocks", from_blocks},
                                        {"rotates", from_flags},
                                        {"rotating_layers", from_list},
                                        {"unrotated_layers", from_list},
                                        {"unrotated_interval", from_interval},
                                        {"rotated_interval", from_interval}};
    for (const LayerKeys& one : all)
        for (const ConfigKey& key : config_keys())
            if (key.means == one.means)
                if (auto kinds = one.read(file, key)) return kinds;
    return std::nullopt;
}

// PLaMo 2 (pfnet/plamo-2-8b modeling_plamo.py is_mamba): one layer of each mamba_step has
// attention, the last one where there are too few.
std::optional<Kinds> from_mamba_step(ConfigFile& file) {
    const std::uint64_t layers = file.has_trait("has_mamba_step") ? layer_count(file) : 0;
    if (layers == 0) return std::nullopt;
    const auto has_mamba = file.model.boolean("mamba_enabled");
    if (has_mamba && !has_mamba->value) return std::nullopt;
    const auto given = file.model.whole({"mamba_step"}, 2, most_layers);
    const std::uint64_t step = given ? given->value : 2;
    Kinds kinds;
    for (std::uint64_t i = 0; i < layers; ++i)
        kinds.emplace_back(i % step == std::min(step / 2, layers - 1) ? "" : "mamba");
    return kinds;
}

// cohere2_moe/modular_cohere2_moe.py Cohere2MoeAttention: layers that slide rotate, and dense ones
// where prefix_dense_sliding_window_pattern is 1; configuration_cohere2_moe.py has the defaults.
std::optional<Kinds> from_dense_prefix(ConfigFile& file) {
    const std::uint64_t layers = file.has_trait("dense_layers_first") ? layer_count(file) : 0;
    if (layers == 0) return std::nullopt;
    const auto whole = [&](std::string_view key, std::uint64_t least, std::uint64_t otherwise) {
        const auto found = file.model.whole({key}, least, most_layers);
        return found ? found->value : otherwise;
    };
    const std::uint64_t dense = whole("first_k_dense_replace", 0, 0),
                        dense_every = whole("prefix_dense_sliding_window_pattern", 1, 1),
                        every = whole("sliding_window_pattern", 1, 4);
    const auto attention = file.model.texts("layer_types");
    const auto experts = file.model.texts("mlp_layer_types");
    Kinds kinds;
    for (std::uint64_t i = 0; i < layers; ++i) {
        const bool is_dense =
            experts && i < experts->value.size() ? experts->value[i] == "dense" : i < dense;
        const bool slides = attention && i < attention->value.size()
                                ? attention->value[i] == "sliding_attention"
                                : (i < dense ? (i + 1) % dense_every : (i - dense + 1) % every) > 0;
        kinds.emplace_back(slides || (is_dense && dense_every == 1) ? "" : "NoPE");
    }
    return kinds;
}

// Muse Glimmer's every fourth layer from the last is NoPE where layer_rope_theta does not say.
std::optional<Kinds> from_the_last(ConfigFile& file) {
    if (!file.has_trait("every_fourth_from_last_is_nope")) return std::nullopt;
    const std::uint64_t layers = layer_count(file);
    Kinds kinds;
    for (std::uint64_t i = 0; i < layers; ++i)
        kinds.emplace_back((layers - 1 - i) % 4 == 0 ? "NoPE" : "");
    return kinds;
}

}  // namespace

std::uint64_t layer_count(ConfigFile& file) {
    const auto count = file.model.whole({"num_hidden_layers"}, 1, most_layers);
    return count ? count->value : 0;
}

// mimo_v2_flash/configuration_mimo_v2_flash.py: "full_attention" if (i == 0 or not ((i + 1) % 6)),
// whatever hybrid_layer_pattern says
Attention::Attention(ConfigFile& file)
    : first_is_full_(file.has_trait("first_layer_is_full")),
      first_of_each_(file.has_trait("full_layer_first")) {
    if (auto types = file.model.texts("layer_types")) {
        types_ = std::move(types->value);
        return;
    }
    letters_ = attention_letters(file);
    if (!letters_.empty()) return;
    for (const std::string_view key : keys_for("full_layers"))
        if (const auto full = file.model.wholes(key)) {
            types_.assign(layer_count(file), "sliding_attention");
            for (const std::uint64_t i : full->value)
                if (i < types_.size()) types_[i] = "full_attention";
            return;
        }
    const auto every = own_or_assumed(file, [&](ConfigSection& s) {
        return s.whole(keys_for(file, "full_interval"), 1, most_layers);
    });
    if (every) full_every_ = every->value;
}

std::string Attention::of(std::uint64_t i) const {
    constexpr const char *full = "full_attention", *sliding = "sliding_attention";
    if (!letters_.empty()) return letters_[i % letters_.size()] == 'G' ? full : sliding;
    if (full_every_ != 0)
        return (i + (first_of_each_ ? 0 : 1)) % full_every_ == 0 || (i == 0 && first_is_full_)
                   ? full
                   : sliding;
    return i < types_.size() ? types_[i] : "";
}

void number_by_attention(ConfigFile& file) {
    std::vector<LayerSection>& sections = file.layers;
    const auto is_numbered = [](const LayerSection& one) { return !one.numbers.empty(); };
    if (sections.size() < 2 || std::ranges::any_of(sections, is_numbered)) return;
    ConfigFile unmarked = file;  // a copy, which notes what is read
    const Attention attention(unmarked);
    const Kinds others = unrotated_kinds(unmarked);
    const std::uint64_t count = layer_count(unmarked);
    const std::uint64_t layers = count > 0 ? count : attention.listed();
    std::map<std::string, std::vector<std::uint32_t>> numbers;
    for (std::uint32_t i = 0; i < std::min(layers, most_layers); ++i) {
        const bool is_unrotated = i < others.size() && !others[i].empty();
        const std::string kind = is_unrotated ? others[i] : printable(attention.of(i));
        const auto section = std::ranges::find_if(sections, [&](const LayerSection& one) {
            return one.layers == kind || one.layers == "NoPE: " + kind;
        });
        if (!is_unrotated && section == sections.end()) return;
        numbers[is_unrotated ? kind : section->layers].push_back(i);
    }
    if (layers == 0) return;
    for (LayerSection& one : sections) {
        one.numbers = numbers[one.layers];
        one.absent = one.numbers.empty();
        numbers.erase(one.layers);
    }
    for (const auto& [kind, of_kind] : numbers)
        sections.push_back({.layers = kind + ": " + ranges(of_kind),
                            .rope = ConfigSection(file.name, "", nullptr),
                            .rotates = false,
                            .numbers = of_kind});
}

std::vector<std::string> unrotated_kinds(ConfigFile& file) {
    std::optional<Kinds> kinds = from_dense_prefix(file);
    if (!kinds) kinds = from_the_last(file);
    if (!kinds) kinds = from_names(file, file.model);
    for (const auto& from : {from_keys, from_mamba_step, from_class})
        if (!kinds) kinds = from(file);
    if (!kinds || std::ranges::all_of(*kinds, &std::string::empty)) return {};
    return *std::move(kinds);
}

}  // namespace rope::io
