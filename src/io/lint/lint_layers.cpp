// Lists of a value for each layer, and heads that do not divide what they share.
#include <algorithm>
#include <array>

#include "base/decimal.hpp"
#include "io/config/layer_kinds.hpp"
#include "io/lint/lint_rules.hpp"

namespace rope::io {
namespace {

// A number for each layer that has only 0 and 1; other lists are layers' numbers.
bool is_a_flag_each(ConfigSection model, std::string_view key) {
    const auto flags = model.wholes(key);
    return flags && std::ranges::all_of(flags->value, [](auto flag) { return flag <= 1; });
}

std::size_t entries_of(ConfigSection model, std::string_view key) {
    if (!model.holds_list(key)) return 0;
    if (key == "layer_types") return model.texts(key)->value.size();
    return is_a_flag_each(model, key) ? model.wholes(key)->value.size() : 0;
}

}  // namespace

// transformers looks a layer up by its number: a shorter list is an IndexError, and a longer one
// may have those that predict further tokens, too.
std::optional<Lint> layer_list_length(const ConfigFile& file, const LayerSection&) {
    ConfigSection model = file.model;
    const auto layers = model.whole({"num_hidden_layers"}, 1, most_layers);
    if (!layers || file.is_gguf) return std::nullopt;
    for (const std::string_view key : {"layer_types", "no_rope_layers", "hybrid_layer_pattern"}) {
        const std::size_t entries = entries_of(file.model, key);
        if (entries == 0 || entries == layers->value) continue;
        return Lint{"layer-list-length", entries < layers->value ? Severity::error : Severity::note,
                    model.origin(key),
                    "has " + decimal(entries) + " entries; there are " + decimal(layers->value) +
                        " layers, by num_hidden_layers"};
    }
    return std::nullopt;
}

std::optional<Lint> uneven_heads(const ConfigFile& file, const LayerSection&) {
    ConfigSection model = file.model;
    const auto width = model.whole({"hidden_size"}, 1, UINT32_MAX);
    const auto heads = model.whole({"num_attention_heads"}, 1, UINT32_MAX);
    const bool is_told = std::ranges::any_of(
        std::array{"head_dim", "qk_rope_head_dim", "kv_channels", "attention_head_dim",
                   "hidden_size_per_head"},
        [&](const char* key) { return model.has(key) || file.defaults.has(key); });
    if (!width || !heads || is_told || width->value % heads->value == 0) return std::nullopt;
    return Lint{"uneven-heads", Severity::error, width->from,
                "is " + decimal(width->value) + ", which " + decimal(heads->value) +
                    " heads do not share evenly; without a head_dim they have " +
                    decimal(width->value / heads->value) +
                    " lanes; give the head_dim that is meant"};
}

}  // namespace rope::io
