// Lint of values: of numbers, of lists for each layer, of heads.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/decimal.hpp"
#include "io/draft/spec_draft.hpp"
#include "io/lint/lint_rules.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

// Lists of a value for each layer, and heads that do not divide what they share.

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

namespace {

std::optional<Lint> factor_below_one(const SpecDraft& draft) {
    const auto& factor = draft.spec.scaling.factor;
    if (!factor || !(*factor > 0 && *factor < 1)) return std::nullopt;
    return Lint{"factor-below-one", Severity::warning, origin_of(draft, name_of(&Scaling::factor)),
                "is " + decimal(*factor) + ", which shortens the context; it should be 1 or more"};
}

std::optional<Lint> betas_swapped(const SpecDraft& draft) {
    const Scaling& scaling = draft.spec.scaling;
    if (scaling.rope_type != "yarn") return std::nullopt;
    const double fast = value_or_default(scaling, yarn_variant.keys, &Scaling::beta_fast);
    const double slow = value_or_default(scaling, yarn_variant.keys, &Scaling::beta_slow);
    if (fast == 0 || slow == 0 || fast >= slow) return std::nullopt;
    return Lint{"betas-swapped", Severity::error,
                origin_of(draft, scaling.beta_fast ? name_of(&Scaling::beta_fast)
                                                   : name_of(&Scaling::beta_slow)),
                "beta_fast is " + decimal(fast) + " and beta_slow " + decimal(slow) +
                    ", so the fast pairs are stretched and the slow ones kept; beta_fast should "
                    "be the larger, usually 32 and 1"};
}

// transformers takes the key or, where that is 0, its default
std::optional<Lint> zero_beta(const SpecDraft& draft, std::optional<double> Scaling::* member) {
    const Scaling& scaling = draft.spec.scaling;
    if (scaling.rope_type != "yarn" || scaling.*member != 0.0) return std::nullopt;
    return Lint{"zero-beta", Severity::warning, origin_of(draft, name_of(member)),
                "is 0, which transformers reads as if it were absent, so " +
                    decimal(value_or_default(Scaling{}, yarn_variant.keys, member)) +
                    " is used; others divide by it; give the number of turns that is meant"};
}
std::optional<Lint> zero_beta_fast(const SpecDraft& draft) {
    return zero_beta(draft, &Scaling::beta_fast);
}
std::optional<Lint> zero_beta_slow(const SpecDraft& draft) {
    return zero_beta(draft, &Scaling::beta_slow);
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
    return Lint{"attention-factor-is-factor", Severity::error,
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
    return Lint{"list-length", Severity::error, origin_of(draft, name),
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
    return Lint{"odd-rotary-dim", Severity::error, draft.rotary_fraction->from,
                "is " + decimal(draft.rotary_fraction->value) +
                    ", which makes int(head_dim · it) " + decimal(spec.rotary_dim) +
                    ", an odd number of dimensions; pairs need an even one, such as " +
                    decimal(std::uint64_t{spec.rotary_dim} + 1) + "/" + decimal(spec.head_dim)};
}

std::optional<Lint> proportional_of_all(const SpecDraft& draft) {
    const Scaling& scaling = draft.spec.scaling;
    if (scaling.rope_type != "proportional" || scaling.partial_rotary_factor) return std::nullopt;
    return Lint{"proportional-of-all", Severity::warning, origin_of(draft, "rope_type"),
                "is proportional without a partial_rotary_factor, so every pair turns and it is "
                "linear; add the fraction"};
}

std::optional<Lint> llama3_bands(const SpecDraft& draft) {
    const Scaling& scaling = draft.spec.scaling;
    if (!scaling.low_freq_factor || scaling.low_freq_factor != scaling.high_freq_factor)
        return std::nullopt;
    return Lint{"no-blended-band", Severity::note,
                origin_of(draft, name_of(&Scaling::low_freq_factor)),
                "equals high_freq_factor, so no pair is blended; some readers divide by their "
                "difference"};
}

std::optional<Lint> mscale_alone(const SpecDraft& draft) {
    const Scaling& scaling = draft.spec.scaling;
    const bool has_one = scaling.mscale.value_or(0) != 0;
    const bool has_all = scaling.mscale_all_dim.value_or(0) != 0;
    if (has_one == has_all || scaling.attention_factor) return std::nullopt;
    return Lint{
        "mscale-alone", Severity::warning,
        origin_of(draft, has_one ? name_of(&Scaling::mscale) : name_of(&Scaling::mscale_all_dim)),
        "is given without the other of mscale and mscale_all_dim, so cos and sin are "
        "multiplied by 0.1·ln factor + 1 as if neither were given; give both or none"};
}

}  // namespace

std::span<const ValueRule> value_rules() {
    static constexpr ValueRule rules[] = {odd_rotary_dim,
                                          factor_below_one,
                                          factor_is_not_the_ratio,
                                          attention_factor_is_factor,
                                          betas_swapped,
                                          zero_beta_fast,
                                          zero_beta_slow,
                                          mscale_alone,
                                          short_list_length,
                                          long_list_length,
                                          llama3_bands,
                                          proportional_of_all};
    return rules;
}

}  // namespace rope::io
