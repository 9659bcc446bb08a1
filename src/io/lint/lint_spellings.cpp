// Keys under a name that the model's class does not read, and keys that libraries read differently.
#include <algorithm>
#include <array>
#include <string>

#include "io/lint/lint_rules.hpp"

namespace rope::io {
namespace {

// What other classes and libraries call the length and the base: DBRX, Megatron, GPT-2, LFM2, … An
// unread key that begins with rope or rotary is named in any case.
constexpr std::array<std::string_view, 10> lengths{
    "max_seq_len",      "max_seq_length", "max_position_embedding", "max_positions",
    "seq_len",          "n_ctx",          "max_context_length",     "context_length",
    "model_max_length", "block_size"};
constexpr std::array<std::string_view, 3> bases{"theta", "freq_base", "base_freq"};

// The first of the names that the file has and nothing read.
template <std::size_t n>
std::optional<std::string_view> unread_of(const ConfigFile& file,
                                          const std::array<std::string_view, n>& names) {
    const std::vector<std::string> unread = file.model.unread();
    for (const std::string_view name : names)
        if (std::ranges::find(unread, file.model.path_to(name)) != unread.end()) return name;
    return std::nullopt;
}

bool has_any(const ConfigFile& file, std::initializer_list<std::string_view> keys) {
    return std::ranges::any_of(keys, [&](std::string_view key) { return file.model.has(key); });
}

}  // namespace

std::optional<Lint> unread_length(const ConfigFile& file, const LayerSection& layer) {
    if (file.is_gguf || !layer.rotates) return std::nullopt;
    ConfigSection defaults = file.defaults;
    const auto own = defaults.text({"length_key"});
    if (has_any(file, {"max_position_embeddings", "n_positions", "seq_length",
                       "max_sequence_length", own ? std::string_view(own->value) : ""}))
        return std::nullopt;
    const auto name = unread_of(file, lengths);
    if (!name) return std::nullopt;
    return Lint{"unread-length", Severity::warning, file.model.origin(*name),
                "is not read as the length, and max_position_embeddings is missing; rename it, or "
                "give --max-position"};
}

std::optional<Lint> unread_base(const ConfigFile& file, const LayerSection& layer) {
    if (file.is_gguf || !layer.rotates || layer.rope.has("rope_theta") ||
        file.attention.has("rope_theta") ||
        has_any(file, {"rope_theta", "rotary_emb_base", "rotary_embedding_base", "rope_ratio",
                       "global_rope_theta", "rope_embedding_base"}))
        return std::nullopt;
    const auto name = unread_of(file, bases);
    if (!name) return std::nullopt;
    return Lint{"unread-base", Severity::warning, file.model.origin(*name),
                "is not read as the base, and rope_theta is missing; rename it, or give --base"};
}

// zamba2/configuration_zamba2.py: rope_theta · 8^(d/(d − 2)) until 4.57, the length alone in 5.
std::optional<Lint> long_context_base(const ConfigFile& file, const LayerSection& layer) {
    ConfigSection model = file.model;
    const auto is_long = model.boolean("use_long_context");
    if (!file.defaults.has("long_context") || !is_long || !is_long->value || !layer.rotates)
        return std::nullopt;
    return Lint{"long-context-base", Severity::warning, is_long->from,
                "multiplies the base by 8^(d/(d − 2)) in transformers 4.57, as here, and sets "
                "only the length in transformers 5; --rope-type default gives the latter"};
}

}  // namespace rope::io
