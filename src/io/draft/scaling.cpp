#include "io/config/config_file.hpp"
#include "io/config/model_classes.hpp"
#include "io/draft/spec_draft.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"
#include "rope/spec/yarn.hpp"

namespace rope::io {
namespace {

// Step-3.5 has a list of bases, and its class reads it (config_layers.cpp).
bool is_list_of_bases(const ConfigFile& file, bool is_given) {
    if (!file.model.holds_list("rope_theta")) return false;
    if (is_given) return true;
    throw InputError(file.model.origin("rope_theta") +
                     " is a list, a base for each layer, which is not read; give the base of the "
                     "layer to check with --base, and which it is with --layers");
}

// transformers looks null up among its rope types, and stops.
void refuse_null_type(const ConfigSection& rope) {
    if (rope.has("rope_type") || rope.has("type")) return;
    for (const std::string_view key : {"rope_type", "type"})
        if (rope.holds_null(key))
            throw InputError(rope.origin(key), "null",
                             "a rope type such as linear; without the key it is default");
}

// Reads a type that a key of the top level chooses: Zamba2's use_long_context is an NTK base;
// Qwen-7B's use_dynamic_ntk steps with the length, and seq_length is the trained length;
// nomic-embed's rotary_scaling_factor is dynamic's beyond max_trained_positions
// (modeling_hf_nomic_bert.py NomicBertDynamicNTKRotaryEmbedding); longchat's rope_condense_ratio is
// linear.
void read_type_of_top_level(SpecDraft& draft, ConfigFile& file) {
    const auto choose = [&](const char* type, const std::string& from) {
        draft.spec.scaling.rope_type = type;
        draft.from["rope_type"] = from;
    };
    const auto scale = [&](const std::optional<Found<double>>& factor) {
        set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor), factor);
    };
    const auto trained_for = [&](const char* key) {
        set(draft, draft.spec.max_position_embeddings, "max_position_embeddings",
            file.model.whole({key}, 1, max_context));
    };
    if (const auto is_long = long_context(file)) {
        choose("ntk", is_long->from);
        scale(file.defaults.real({"long_context_factor"}));
        draft.from[name_of(&Scaling::factor)] = is_long->from;
    } else if (file.has_trait("base_steps_with_length")) {
        const auto steps = file.model.boolean("use_dynamic_ntk");
        if (!steps || !steps->value) return;
        choose("qwen_ntk", steps->from);
        trained_for("seq_length");
    } else if (const auto dynamic = file.model.real({"rotary_scaling_factor"});
               dynamic && dynamic->value != 0) {
        choose("dynamic", dynamic->from);
        scale(dynamic);
        trained_for("max_trained_positions");
    } else if (const auto ratio = file.model.real({"rope_condense_ratio"});
               ratio && ratio->value != 1) {
        choose("linear", ratio->from);
        scale(ratio);
    }
}

// HunYuan's dynamic with alpha, and its xdrope, is the static NTK base, b·alpha^(d/(d−2)).
void read_rope_type(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    if (layer.plain) return;
    std::string& type = draft.spec.scaling.rope_type;
    const auto own = layer.rope.text({"rope_type", "type"});
    if (own) draft.from["rope_type"] = own->from;
    if (own) type = canonical_rope_type(own->value);
    if (const auto older = layer.rope.text({"type"}); older && older->value != own->value)
        file.passed_over.push_back(layer.rope.path_to("type"));
    // phi3/configuration_phi3.py convert_rope_params_to_dict
    if (type == "yarn" && file.has_trait("yarn_is_longrope")) type = "longrope";
    if (type == "ntk" && file.has_trait("ntk_is_mixed")) type = "ntk_mixed";
    if ((type == "dynamic" || type == "xdrope") && layer.rope.has("alpha")) {
        type = "ntk";
        set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor),
            layer.rope.real({"alpha"}));
    }
    if (!own && !layer.local) read_type_of_top_level(draft, file);
}

// Only PhiMoE's class looks at the attention factors of longrope's lists; without a class all keys
// count.
bool is_read_by_class(const ConfigFile& file, const ScalingField& field) {
    const bool is_of_a_list = field.member == ScalingMember(&Scaling::short_mscale) ||
                              field.member == ScalingMember(&Scaling::long_mscale);
    return !is_of_a_list || file.has_trait("reads_mscale_lists") || file.model_type.empty();
}

// Each reads a key by the type of its member. A length of the top level overrides the section's,
// except where there is a section per layer type.
struct KeyReader {
    ConfigFile& file;
    LayerSection& layer;
    const ScalingField& field;

    auto value(std::optional<double> Scaling::*) const { return layer.rope.real({field.name}); }
    auto value(std::optional<bool> Scaling::*) const { return layer.rope.boolean(field.name); }
    auto value(std::vector<double> Scaling::*) const { return layer.rope.reals(field.name); }
    auto value(std::optional<std::uint64_t> Scaling::*) const {
        const bool is_above = file.model.has(field.name) && !layer.nested;
        return (is_above ? file.model : layer.rope)
            .whole({field.name}, static_cast<std::uint64_t>(field.range.least),
                   static_cast<std::uint64_t>(field.range.most));
    }
};

// Reads the keys that the rope_type uses; the others stay unread.
void read_scaling_keys(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    for (const ScalingField& field : scaling_fields()) {
        if (!uses(draft.spec.scaling.rope_type, field.member) || !is_read_by_class(file, field) ||
            draft.from.contains(field.name) ||
            field.member == ScalingMember(&Scaling::partial_rotary_factor))
            continue;
        const KeyReader reader{file, layer, field};
        std::visit(
            [&](auto member) {
                set(draft, draft.spec.scaling.*member, field.name, reader.value(member));
            },
            field.member);
    }
    draft.has_null_factor = layer.rope.holds_null(name_of(&Scaling::factor));
}

// DeepSeek-V4's own code multiplies cos and sin by nothing, TeleChat3's by 0.07·ln(factor) + 1
// (vllm/model_executor/layers/rotary_embedding/telechat3_scaling_rope.py).
void assume_attention_factor(SpecDraft& draft, const ConfigFile& file, const LayerSection& layer) {
    Scaling& scaling = draft.spec.scaling;
    if (scaling.rope_type != "yarn" || scaling.attention_factor) return;
    const std::string_view name = name_of(&Scaling::attention_factor);
    if (is_telechat3_yarn(layer.rope) && scaling.factor) {
        scaling.attention_factor = yarn_magnitude(*scaling.factor, 0.7).to_double();
        draft.from[name] = draft.from["rope_type"] + " " + std::string(telechat3_yarn);
    } else if (file.has_trait("yarn_amplitude_is_1") && !layer.nested) {
        scaling.attention_factor = 1;
        draft.from[name] = file.model.origin("model_type") + " " + file.model_type;
    }
}

// Reads another type of the section; only its name where one of its keys cannot be read, since the
// type that counts does not look at it.
Scaling scaling_of(ConfigFile file, LayerSection layer, const std::string& type) try {
    SpecDraft draft;
    read_scaling(draft, file, layer, type);
    return draft.spec.scaling;
} catch (const InputError&) {
    return {.rope_type = type};
}

}  // namespace

std::string canonical_rope_type(std::string_view rope_type) {
    if (rope_type == "su") return "longrope";
    if (rope_type == "deepseek_yarn" || rope_type == telechat3_yarn) return "yarn";
    if (rope_type == "mrope" || rope_type == "no_scaling") return "default";
    return std::string(rope_type);
}

void read_rope_theta(SpecDraft& draft, ConfigFile& file, LayerSection& layer, bool is_given) {
    double& base = draft.spec.rope_theta;
    if (set(draft, base, "rope_theta", layer.base)) {
        layer.rope.mark_read({"rope_theta"});  // which the list overrules
        return;
    }
    if (set(draft, base, "rope_theta", layer.rope.real({"rope_theta"}))) return;
    const Keys keys = keys_for(file, layer.local ? "sliding_base" : "base");
    if (is_list_of_bases(file, is_given)) {
        file.model.mark_read({"rope_theta"});
        return;
    }
    if (set(draft, base, "rope_theta", file.model.real(keys))) return;
    if (set(draft, base, "rope_theta", file.attention.real({"rope_theta"}))) return;
    // ChatGLM: base = 10000 · rope_ratio
    if (set(draft, base, "rope_theta", file.model.real({"rope_ratio"}))) base *= 10000;
    if (draft.from.contains("rope_theta")) return;
    if (set(draft, base, "rope_theta", file.defaults.real({default_theta}))) return;
    set(draft, base, "rope_theta", file.defaults.real(keys));
}

void read_scaling(SpecDraft& draft, ConfigFile& file, LayerSection& layer,
                  const std::optional<std::string>& given_type) {
    if (!given_type && !layer.plain) refuse_null_type(layer.rope);
    read_rope_type(draft, file, layer);
    if (given_type) {
        draft.spec.scaling = {};
        draft.spec.scaling.rope_type = *given_type;
        draft.from.erase(name_of(&Scaling::factor));
    }
    read_scaling_keys(draft, file, layer);
    assume_attention_factor(draft, file, layer);
    if (draft.spec.scaling.mscale_all_dim.value_or(0) != 0)
        draft.spec.mscale_of_scores = file.mscale_of_scores;
}

void add_older_type(ConfigFacts& facts, const ConfigFile& file, const LayerSection& layer) {
    ConfigSection section = layer.rope;  // a copy, since it notes what is read
    const auto own = section.text({"rope_type"}), older = section.text({"type"});
    if (layer.plain || !own || !older) return;
    facts.rope_type = own->value;
    facts.older_type = older->value;
    const std::string type = canonical_rope_type(older->value);
    if (type != canonical_rope_type(own->value))
        facts.by_older_type = scaling_of(file, layer, type);
}

}  // namespace rope::io
