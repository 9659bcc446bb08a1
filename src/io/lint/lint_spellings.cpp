// Keys under a name that the model's class does not read, and keys that libraries read differently.
#include <algorithm>
#include <array>
#include <string>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/lint/lint_rules.hpp"
#include "rope/spec/spec.hpp"

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

// These keys are nobody's here, and may have any type.
template <class Read>
auto value_of(Read read) -> decltype(read()) {
    try {
        return read();
    } catch (const InputError&) {
        return std::nullopt;
    }
}

bool is_mimo(const ConfigFile& file, const LayerSection& layer) {
    return file.has_trait("reads_sections_alone") && layer.rotates;
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
                "only the length in transformers 5; --rope rope_type=default gives the latter"};
}

// mimo_v2_flash/configuration_mimo_v2_flash.py, convert_rope_params_to_dict, takes rope_parameters
// or its own; the checkpoint's code, vLLM, llama.cpp and mlx-lm take these keys.
std::optional<Lint> top_base_of_mimo(const ConfigFile& file, const LayerSection& layer) {
    if (!is_mimo(file, layer)) return std::nullopt;
    ConfigSection model = file.model, rope = layer.rope;
    const char* key = layer.layers == "sliding_attention" ? "swa_rope_theta" : "rope_theta";
    const auto top = value_of([&] { return model.real({key}); });
    const auto own = value_of([&] { return rope.real({"rope_theta"}); });
    if (!top || !own || !unread_of(file, std::array{std::string_view(key)})) return std::nullopt;
    const bool is_same = top->value == own->value;
    return Lint{"base-of-the-top-unread", is_same ? Severity::note : Severity::warning, top->from,
                "is not read by transformers 5, " +
                    std::string(is_same ? "which has the same base for "
                                        : "which turns by " + decimal(own->value) + " in ") +
                    layer.layers + "; other libraries read it: explain --reading all"};
}

std::optional<Lint> fraction_of_mimo(const ConfigFile& file, const LayerSection& layer) {
    const std::string_view name = name_of(&Scaling::partial_rotary_factor);
    if (!is_mimo(file, layer) || !unread_of(file, std::array{name})) return std::nullopt;
    return Lint{"fraction-of-the-top-unread", Severity::warning, file.model.origin(name),
                "is not read by transformers 5, which takes 0.334 or that of rope_parameters; "
                "other libraries read it: explain --reading all"};
}

std::optional<Lint> pattern_of_mimo(const ConfigFile& file, const LayerSection& layer) {
    if (!is_mimo(file, layer) || layer.layers != "full_attention" || layer.numbers.empty())
        return std::nullopt;
    constexpr std::string_view pattern_key = "hybrid_layer_pattern";
    ConfigSection model = file.model;
    const auto pattern = value_of([&] { return model.wholes(pattern_key); });
    if (!pattern || !unread_of(file, std::array{pattern_key})) return std::nullopt;
    std::vector<std::uint32_t> full;
    for (std::uint32_t i = 0; i < pattern->value.size(); ++i)
        if (pattern->value[i] != 1) full.push_back(i);
    if (full == layer.numbers) return std::nullopt;
    return Lint{"pattern-unread", Severity::warning, pattern->from,
                "is not read by transformers 5, whose layers of full attention are " +
                    ranges(layer.numbers) + "; other libraries read it: explain --reading all"};
}

// ernie4_5_vl_moe/modeling_ernie4_5_vl_moe.py has mrope_section alone.
std::optional<Lint> unread_time_pairs(const ConfigFile& file, const LayerSection& layer) {
    if (!file.defaults.has("axes") || file.defaults.has("time_pairs_key")) return std::nullopt;
    ConfigSection model = file.model, rope = layer.rope, assumed = file.defaults;
    const auto time = value_of([&] { return model.whole({"freq_allocation"}, 0, max_head_dim); });
    if (!time || !unread_of(file, std::array{std::string_view("freq_allocation")}))
        return std::nullopt;
    auto sections = value_of([&] { return rope.wholes("mrope_section"); });
    if (!sections) sections = assumed.wholes("mrope_section");
    const bool is_same =
        sections && !sections->value.empty() && sections->value.back() == time->value;
    return Lint{"freq-allocation-unread", is_same ? Severity::note : Severity::warning, time->from,
                "is how many pairs follow time, which transformers 5 reads of mrope_section; vLLM "
                "and PaddlePaddle read it here"};
}

}  // namespace rope::io
