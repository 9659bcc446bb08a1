// Lint that is more than a row: of lists, of heads, of sections that are models.
#include "io/lint/lint_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/config/model_classes.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

// A vision_config next to the language model, or next to the section that contains it.
std::optional<Lint> vision_tower(const ConfigFile& file, const LayerSection&) {
    if (!file.tower) return std::nullopt;
    const std::string where = file.name + ": " + file.tower->path;
    if (find_class(file.tower->model_type, ModelClass::Is::other) != nullptr) return std::nullopt;
    const ModelClass* known = find_class(file.tower->model_type, ModelClass::Is::tower);
    return Lint{"vision-tower", Severity::note, where,
                known == nullptr ? "is not covered; whether and how it rotates is not known here"
                                 : "rotates image patches by its own plan, which is not covered: " +
                                       std::string(known->form) +
                                       (known->flags.empty() ? ""
                                                             : "; check it with --dim HEAD_DIM " +
                                                                   std::string(known->flags))};
}

// Of CSM's decoder of codebooks, Qwen2.5-Omni's talker, …
std::optional<Lint> other_models(const ConfigFile& file, const LayerSection&) {
    if (file.other_models.empty()) return std::nullopt;
    return Lint{"other-models", Severity::note, file.name + ": " + join(file.other_models),
                "a separate model that rotates, which is not checked here; give the section as a "
                "separate config"};
}

bool is_unread(const ConfigFile& file, std::string_view key) {
    return std::ranges::count(file.model.unread(), file.model.path_to(key)) > 0;
}

std::optional<Lint> pattern_of_mimo(const ConfigFile& file, const LayerSection& layer) {
    constexpr std::string_view key = "hybrid_layer_pattern";
    if (!file.has_trait("reads_sections_alone") || layer.layers != "full_attention" ||
        layer.numbers.empty() || !is_unread(file, key))
        return std::nullopt;
    ConfigSection model = file.model;
    const auto pattern = read_value([&] { return model.wholes(key); });
    if (!pattern) return std::nullopt;
    std::vector<std::uint32_t> full;
    for (std::uint32_t i = 0; i < pattern->size(); ++i)
        if ((*pattern)[i] != 1) full.push_back(i);
    if (full == layer.numbers) return std::nullopt;
    return Lint{"pattern-unread", Severity::warning, model.origin(key),
                "is not read by transformers 5, whose layers of full attention are " +
                    ranges(layer.numbers) + "; other libraries read it: explain --reading all"};
}

// ernie4_5_vl_moe/modeling_ernie4_5_vl_moe.py has mrope_section alone.
std::optional<Lint> unread_time_pairs(const ConfigFile& file, const LayerSection& layer) {
    if (!file.defaults.has("axes") || file.defaults.has("time_pairs_key")) return std::nullopt;
    ConfigSection model = file.model, rope = layer.rope, assumed = file.defaults;
    constexpr std::string_view key = "freq_allocation";
    const auto time = read_value([&] { return model.whole({key}, 0, max_head_dim); });
    if (!time || !is_unread(file, key)) return std::nullopt;
    auto sections = read_value([&] { return rope.wholes("mrope_section"); });
    if (!sections) sections = read_value([&] { return assumed.wholes("mrope_section"); });
    const bool is_same = sections && !sections->empty() && sections->back() == *time;
    return Lint{"freq-allocation-unread", is_same ? Severity::note : Severity::warning,
                model.origin(key),
                "is how many pairs follow time, which transformers 5 reads of mrope_section; vLLM "
                "and PaddlePaddle read it here"};
}

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

// transformers looks a layer up by its number: a shorter list is an IndexError, and a longer one
// may have those that predict further tokens, too.
std::optional<Lint> layer_list_length(const ConfigFile& file, const LayerSection&) {
    const auto layers = whole_of(file.model, "num_hidden_layers");
    if (!layers || file.is_gguf) return std::nullopt;
    Keys keys{"hybrid_layer_pattern"};
    for (const ConfigKey& key : config_keys())
        if (key.means == "rotates" || (key.means == "kinds" && key.value.empty()))
            keys.push_back(key.name);
    for (const std::string_view key : keys) {
        const std::size_t entries = entries_of(file.model, key);
        if (entries == 0 || entries == *layers) continue;
        return Lint{"layer-list-length", entries < *layers ? Severity::warning : Severity::note,
                    file.model.origin(key),
                    "has " + decimal(entries) + " entries; there are " + decimal(*layers) +
                        " layers, by num_hidden_layers"};
    }
    return std::nullopt;
}

std::optional<Lint> uneven_heads(const ConfigFile& file, const LayerSection&) {
    const auto width = whole_of(file.model, "hidden_size"),
               heads = whole_of(file.model, "num_attention_heads");
    const bool is_stated = file.has(keys_for(file, "head_dim")) || file.has({"qk_rope_head_dim"});
    if (!width || !heads || is_stated || *width % *heads == 0) return std::nullopt;
    return Lint{"uneven-heads", Severity::warning, file.model.origin("hidden_size"),
                "is " + decimal(*width) + ", which " + decimal(*heads) +
                    " heads do not share evenly; without a head_dim they have " +
                    decimal(*width / *heads) + " dimensions; give the head_dim that is meant"};
}

std::optional<Lint> attention_factor_is_factor(const SpecDraft& draft) {
    const Scaling& scaling = draft.spec.scaling;
    if (!scaling.attention_factor || *scaling.attention_factor == 1) return std::nullopt;
    const auto length = static_cast<double>(draft.spec.max_position_embeddings);
    const auto original = static_cast<double>(
        scaling.original_max_position_embeddings.value_or(draft.spec.max_position_embeddings));
    const double factor = scaling.factor.value_or(length / original);
    if (*scaling.attention_factor != factor) return std::nullopt;
    const double right = scaling.rope_type == "longrope"
                             ? std::sqrt(1 + std::log(factor) / std::log(original))
                             : 0.1 * std::log(factor) + 1;
    return Lint{"attention-factor-is-factor", Severity::warning,
                origin_of(draft, name_of(&Scaling::attention_factor)),
                "is " + decimal(factor) +
                    ", equal to factor; it multiplies cos and sin and would be " +
                    decimal(std::round(right * 1e10) / 1e10) + " if omitted"};
}

// llama3's factor is not a ratio of lengths, and a length that nobody gave has none.
std::optional<Lint> factor_is_not_the_ratio(const SpecDraft& draft) {
    const Scaling& scaling = draft.spec.scaling;
    const bool is_longrope = scaling.rope_type == "longrope";
    if ((scaling.rope_type != "yarn" && !is_longrope) || !scaling.factor ||
        !scaling.original_max_position_embeddings ||
        origin_of(draft, "max_position_embeddings") == default_origin)
        return std::nullopt;
    const double ratio = static_cast<double>(draft.spec.max_position_embeddings) /
                         static_cast<double>(*scaling.original_max_position_embeddings);
    if (std::abs(ratio - *scaling.factor) <= 1e-9 * ratio) return std::nullopt;
    const std::string readers =
        is_longrope ? "transformers 5 uses the factor, 4 used the ratio" : "the factor is used";
    return Lint{"factor-is-not-the-ratio", is_longrope ? Severity::warning : Severity::note,
                origin_of(draft, name_of(&Scaling::factor)),
                "is " + decimal(*scaling.factor) +
                    ", but max_position_embeddings/original_max_position_embeddings is " +
                    decimal(ratio) + "; " + readers};
}

std::optional<Lint> list_length(const SpecDraft& draft, std::string_view name,
                                const std::vector<double>& list) {
    if (list.empty() || list.size() == draft.spec.pairs()) return std::nullopt;
    return Lint{"list-length", Severity::warning, origin_of(draft, name),
                "has " + decimal(list.size()) + " values; it must have rotary_dim/2, " +
                    decimal(draft.spec.pairs())};
}
std::optional<Lint> short_list_length(const SpecDraft& draft) {
    return list_length(draft, name_of(&Scaling::short_factor), draft.spec.scaling.short_factor);
}
std::optional<Lint> long_list_length(const SpecDraft& draft) {
    return list_length(draft, name_of(&Scaling::long_factor), draft.spec.scaling.long_factor);
}

std::optional<Lint> odd_rotary_dim(const SpecDraft& draft) {
    const Spec& spec = draft.spec;
    if (spec.rotary_dim % 2 == 0 || !draft.rotary_fraction) return std::nullopt;
    return Lint{"odd-rotary-dim", Severity::warning, draft.rotary_fraction->from,
                "is " + decimal(draft.rotary_fraction->value) +
                    ", which makes int(head_dim · it) " + decimal(spec.rotary_dim) +
                    ", an odd number of dimensions; pairs need an even one, such as " +
                    decimal(std::uint64_t{spec.rotary_dim} + 1) + "/" + decimal(spec.head_dim)};
}

}  // namespace

std::span<const KeyRule> key_rules() {
    static constexpr KeyRule rules[] = {vision_tower,      other_models,      pattern_of_mimo,
                                        unread_time_pairs, layer_list_length, uneven_heads};
    return rules;
}

std::span<const ValueRule> value_rules() {
    static constexpr ValueRule rules[] = {odd_rotary_dim, factor_is_not_the_ratio,
                                          attention_factor_is_factor, short_list_length,
                                          long_list_length};
    return rules;
}

}  // namespace rope::io
