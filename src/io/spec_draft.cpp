#include "io/spec_draft.hpp"

#include <array>

#include "io/model_layout.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

// Puts a value into the draft, if there is one, and notes its origin.
template <typename Field, typename T>
bool set(SpecDraft& draft, Field& field, std::string_view name,
         const std::optional<Found<T>>& found) {
    if (!found) return false;
    field = static_cast<Field>(found->value);
    draft.from[name] = found->from;
    return true;
}

template <typename T>
bool set(SpecDraft& draft, std::optional<T>& field, std::string_view name,
         const std::optional<Found<T>>& found) {
    if (found) field = found->value;
    if (found) draft.from[name] = found->from;
    return found.has_value();
}

// head_dim, else hidden_size // num_attention_heads; DeepSeek rotates a part of its own size.
void read_head_dim(SpecDraft& draft, ConfigSection& model) {
    const auto own = model.whole({"qk_rope_head_dim", "head_dim", "kv_channels"}, 2, max_head_dim);
    if (set(draft, draft.spec.head_dim, "head_dim", own)) return;
    constexpr std::uint64_t largest = std::uint64_t{1} << 32;
    const auto hidden = model.whole({"hidden_size", "n_embd"}, 1, largest);
    const auto heads = model.whole({"num_attention_heads", "n_head"}, 1, largest);
    if (!hidden || !heads) return;
    const std::string divisor = heads->from.substr(heads->from.rfind(' ') + 1);
    const std::uint64_t head_dim = hidden->value / heads->value;
    if (head_dim > max_head_dim || head_dim < 2)
        throw InputError(hidden->from + " / " + divisor + " is " + decimal(head_dim) +
                         "; it must be a whole number from 2 to " +
                         decimal(std::uint64_t{max_head_dim}));
    set(draft, draft.spec.head_dim, "head_dim",
        std::optional(Found<std::uint64_t>{head_dim, hidden->from + " / " + divisor}));
}

// The top level's fraction overrides the section's. ChatGLM rotates half of each head unsaid.
void read_rotary_dim(SpecDraft& draft, ConfigFile& file, bool is_chatglm) {
    const auto lanes = file.model.whole({"rotary_dim"}, 2, max_head_dim);
    set(draft, draft.spec.rotary_dim, "rotary_dim", lanes);
    draft.rotary_fraction = file.model.real({"partial_rotary_factor", "rotary_pct"});
    if (!draft.rotary_fraction) draft.rotary_fraction = file.rope.real({"partial_rotary_factor"});
    if (!draft.rotary_fraction && is_chatglm)
        draft.rotary_fraction =
            Found<double>{0.5, file.model.origin("model_type") + " chatglm, 0.5"};
    const auto& fraction = draft.rotary_fraction;
    if (fraction && !(fraction->value > 0 && fraction->value <= 1))
        throw InputError(fraction->from + " is " + decimal(fraction->value) +
                         "; it must be greater than 0 and at most 1");
}

void read_rope_theta(SpecDraft& draft, ConfigFile& file) {
    double& base = draft.spec.rope_theta;
    if (set(draft, base, "rope_theta", file.rope.real({"rope_theta"}))) return;
    if (set(draft, base, "rope_theta", file.model.real({"rope_theta", "rotary_emb_base"}))) return;
    // ChatGLM: base = 10000 · rope_ratio
    if (set(draft, base, "rope_theta", file.model.real({"rope_ratio"}))) base *= 10000;
}

void read_scaling(SpecDraft& draft, ConfigFile& file, std::string_view rope_type) {
    Scaling& scaling = draft.spec.scaling;
    for (const std::string_view key : scaling_keys(rope_type)) {
        if (key == "factor") set(draft, scaling.factor, key, file.rope.real({key}));
        if (key == "low_freq_factor")
            set(draft, scaling.low_freq_factor, key, file.rope.real({key}));
        if (key == "high_freq_factor")
            set(draft, scaling.high_freq_factor, key, file.rope.real({key}));
        if (key == "original_max_position_embeddings") {
            // the top level's overrides the section's
            ConfigSection& section = file.model.has(key) ? file.model : file.rope;
            set(draft, scaling.original_max_position_embeddings, key,
                section.whole({key}, 1, max_context));
        }
    }
}

}  // namespace

std::span<const std::string_view> scaling_keys(std::string_view rope_type) {
    static constexpr std::array<std::string_view, 4> keys{
        "factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"};
    if (rope_type == "default" || rope_type == "he_xu") return {};
    if (rope_type == "linear") return std::span(keys).first(1);
    return keys;
}

SpecDraft draft_from_config(ConfigFile& file, std::optional<std::string> rope_type) {
    SpecDraft draft;
    const auto model_type = file.model.text({"model_type"});
    const bool is_chatglm = model_type && model_type->value == "chatglm";
    read_head_dim(draft, file.model);
    read_rotary_dim(draft, file, is_chatglm);
    if (model_type && is_interleaved(model_type->value)) {
        draft.spec.layout = PairLayout::interleaved;
        draft.from["layout"] = model_type->from + " " + model_type->value;
    }
    set(draft, draft.spec.max_position_embeddings, "max_position_embeddings",
        file.model.whole({"max_position_embeddings", "n_positions", "seq_length"}, 1, max_context));
    read_rope_theta(draft, file);
    const auto own_type = file.rope.text({"rope_type", "type"});
    set(draft, draft.spec.scaling.rope_type, "rope_type", own_type);
    const auto older = file.rope.text({"type"});
    if (older && older->value != own_type->value) file.passed_over.push_back("type");
    read_scaling(draft, file, rope_type ? *rope_type : draft.spec.scaling.rope_type);
    return draft;
}

}  // namespace rope::io
