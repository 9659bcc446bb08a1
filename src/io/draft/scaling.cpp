#include "io/config/config_file.hpp"
#include "io/config/model_classes.hpp"
#include "io/draft/spec_draft.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"
#include "rope/spec/yarn.hpp"

namespace rope::io {
namespace {

// As Step-3.5 has, whose class reads it (config_layers.cpp).
bool is_list_of_bases(const ConfigFile& file, bool is_given) {
    if (!file.model.holds_list("rope_theta")) return false;
    if (is_given) return true;
    throw InputError(file.model.origin("rope_theta") +
                     " is a list, a base for each layer, which is not read; give the base of the "
                     "layer to check with --base, and which it is with --layers");
}

}  // namespace

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

namespace {

// transformers looks null up among its rope types, and stops.
void refuse_null_type(const ConfigSection& rope) {
    if (rope.has("rope_type") || rope.has("type")) return;
    for (const std::string_view key : {"rope_type", "type"})
        if (rope.holds_null(key))
            throw InputError(rope.origin(key), "null",
                             "a rope type such as linear; without the key it is default");
}

// A type that a key of the top level chooses: Zamba2's use_long_context is an NTK base; Qwen-7B's
// use_dynamic_ntk steps with the length, and seq_length is the length that it was trained for;
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

// PhiMoE's class alone looks at the attention factors of longrope's lists, and who names no class
// means what the keys say.
bool is_read_by_class(const ConfigFile& file, const ScalingField& field) {
    const bool is_of_a_list = field.member == ScalingMember(&Scaling::short_mscale) ||
                              field.member == ScalingMember(&Scaling::long_mscale);
    return !is_of_a_list || file.has_trait("reads_mscale_lists") || file.model_type.empty();
}

// The keys that the rope_type uses; the others stay unread.
void read_scaling_keys(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    struct Reader {
        SpecDraft& draft;
        ConfigFile& file;
        LayerSection& layer;
        const ScalingField& field;
        std::string_view name = field.name;

        void operator()(std::optional<double> Scaling::* member) const {
            set(draft, draft.spec.scaling.*member, name, layer.rope.real({name}));
        }
        void operator()(std::optional<bool> Scaling::* member) const {
            set(draft, draft.spec.scaling.*member, name, layer.rope.boolean(name));
        }
        void operator()(std::vector<double> Scaling::* member) const {
            set(draft, draft.spec.scaling.*member, name, layer.rope.reals(name));
        }
        // the top level's overrides the section's, except where there is one per layer type
        void operator()(std::optional<std::uint64_t> Scaling::* member) const {
            ConfigSection& section =
                file.model.has(name) && !layer.nested ? file.model : layer.rope;
            set(draft, draft.spec.scaling.*member, name,
                section.whole({name}, static_cast<std::uint64_t>(field.range.least),
                              static_cast<std::uint64_t>(field.range.most)));
        }
    };
    for (const ScalingField& field : scaling_fields())
        if (uses(draft.spec.scaling.rope_type, field.member) && is_read_by_class(file, field) &&
            !draft.from.contains(field.name) &&
            field.member != ScalingMember(&Scaling::partial_rotary_factor))
            std::visit(Reader{draft, file, layer, field}, field.member);
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

// Without its keys where one of them cannot be read, which another type does not look at.
Scaling scaling_of(ConfigFile& file, LayerSection& layer, const std::string& type) try {
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

void add_older_type(ConfigFacts& facts, ConfigFile& file, const LayerSection& layer) {
    ConfigSection section = layer.rope;  // copies, which note what is read
    const auto own = section.text({"rope_type"}), older = section.text({"type"});
    if (layer.plain || !own || !older) return;
    facts.rope_type = own->value;
    facts.older_type = older->value;
    const std::string type = canonical_rope_type(older->value);
    if (type == canonical_rope_type(own->value)) return;
    LayerSection own_layer = layer;
    const ConfigSection model = file.model, defaults = file.defaults;
    const std::size_t passed_over = file.passed_over.size();
    facts.by_older_type = scaling_of(file, own_layer, type);
    file.model = model;
    file.defaults = defaults;
    file.passed_over.resize(passed_over);
}

}  // namespace rope::io
