// Lists of a value for each layer, and heads that do not divide what they share.
#include <algorithm>
#include <array>

#include "base/decimal.hpp"
#include "io/lint/lint_rules.hpp"

namespace rope::io {
namespace {

// Of names, or of numbers that are only 0 and 1; other lists are of layers' numbers. Nobody's keys
// may be of any kind.
std::size_t entries_of(ConfigSection model, std::string_view key) {
    if (const auto names = read_value([&] { return model.texts(key); })) return names->size();
    const auto flags = read_value([&] { return model.wholes(key); });
    const bool is_each = flags && std::ranges::all_of(*flags, [](auto flag) { return flag <= 1; });
    return is_each ? flags->size() : 0;
}

std::optional<std::uint64_t> whole_of(ConfigSection model, std::string_view key) {
    return read_value([&] { return model.whole({key}, 1, UINT32_MAX); });
}

}  // namespace

// transformers looks a layer up by its number: a shorter list is an IndexError, and a longer one
// may have those that predict further tokens, too.
std::optional<Lint> layer_list_length(const ConfigFile& file, const LayerSection&) {
    const auto layers = whole_of(file.model, "num_hidden_layers");
    if (!layers || file.is_gguf) return std::nullopt;
    for (const std::string_view key : {"layer_types", "no_rope_layers", "hybrid_layer_pattern"}) {
        const std::size_t entries = entries_of(file.model, key);
        if (entries == 0 || entries == *layers) continue;
        return Lint{"layer-list-length", entries < *layers ? Severity::error : Severity::note,
                    file.model.origin(key),
                    "has " + decimal(entries) + " entries; there are " + decimal(*layers) +
                        " layers, by num_hidden_layers"};
    }
    return std::nullopt;
}

std::optional<Lint> uneven_heads(const ConfigFile& file, const LayerSection&) {
    const auto width = whole_of(file.model, "hidden_size"),
               heads = whole_of(file.model, "num_attention_heads");
    const bool is_stated = std::ranges::any_of(
        std::array{"head_dim", "qk_rope_head_dim", "kv_channels", "attention_head_dim",
                   "hidden_size_per_head"},
        [&](const char* key) { return file.model.has(key) || file.defaults.has(key); });
    if (!width || !heads || is_stated || *width % *heads == 0) return std::nullopt;
    return Lint{"uneven-heads", Severity::error, file.model.origin("hidden_size"),
                "is " + decimal(*width) + ", which " + decimal(*heads) +
                    " heads do not share evenly; without a head_dim they have " +
                    decimal(*width / *heads) + " dimensions; give the head_dim that is meant"};
}

}  // namespace rope::io
