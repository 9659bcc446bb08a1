// The keys of a config that a Spec is drafted from.
#include "io/model/models.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// Puts a value into the draft, if there is one, and notes its origin.
template <typename Field, typename T>
bool set(SpecDraft& draft, Field& field, std::string_view name,
         const std::optional<Found<T>>& found, Field (*parse)(std::string_view) = nullptr) {
    if (!found) return false;
    if constexpr (std::is_convertible_v<T, Field>)
        field = static_cast<Field>(found->value);
    else
        field = parse(found->value);
    draft.from[name] = found->from;
    return true;
}

// --rope partial_rotary_factor sets the key that only proportional keeps.
void resolve_fraction(SpecDraft& draft) {
    const ScalingField& field = field_of(&Scaling::partial_rotary_factor);
    Spec& spec = draft.spec;
    std::optional<double>& key = spec.scaling.partial_rotary_factor;
    const bool is_proportional = spec.scaling.rope_type == "proportional";
    if (key) draft.rotary_fraction = Found<double>{*key, draft.from[field.name]};
    draft.from.erase(field.name);
    key.reset();
    auto& fraction = draft.rotary_fraction;
    if (fraction && !field.range.accepts(fraction->value))
        throw InputError(fraction->from, decimal(fraction->value), std::string(field.range.wanted));
    if (!is_proportional || !fraction) return;
    key = fraction->value;
    draft.from[field.name] = fraction->from;
    fraction.reset();
}

void resolve_rotary_dim(SpecDraft& draft) {
    Spec& spec = draft.spec;
    const bool is_given = draft.from.contains("rotary_dim");
    if (!draft.rotary_fraction) {
        if (is_given) return;
        spec.rotary_dim = spec.head_dim;
        draft.from["rotary_dim"] = origin_of(draft, "head_dim");
        return;
    }
    const auto& [fraction, from] = *draft.rotary_fraction;
    const auto dimensions = static_cast<std::uint32_t>(spec.head_dim * fraction);
    if (is_given && dimensions != spec.rotary_dim)
        throw InputError(draft.from["rotary_dim"] + " is " + decimal(spec.rotary_dim) + " but " +
                         from + " · head_dim is " + decimal(dimensions) + "; keep one of them");
    if (is_given) return;
    spec.rotary_dim = dimensions;
    draft.from["rotary_dim"] = from + " · head_dim";
}

void resolve_rotary_offset(SpecDraft& draft) {
    Spec& spec = draft.spec;
    if (!draft.last_dimensions || draft.from.contains("rotary_offset") ||
        spec.rotary_dim > spec.head_dim)
        return;
    spec.rotary_offset = spec.head_dim - spec.rotary_dim;
    draft.from["rotary_offset"] = *draft.last_dimensions;
}

void resolve_lengths(SpecDraft& draft) {
    constexpr auto member = &Scaling::original_max_position_embeddings;
    const std::string_view name = name_of(member);
    Scaling& scaling = draft.spec.scaling;
    auto& original = scaling.*member;
    if (uses(scaling.rope_type, member) && !original) {
        original = draft.spec.max_position_embeddings;
        if (!draft.facts || !draft.facts->has("one_list"))
            draft.from[name] = origin_of(draft, "max_position_embeddings");
    }
    if (scaling.rope_type != "yarn" || !draft.has_null_factor || scaling.factor) return;
    scaling.factor =
        static_cast<double>(draft.spec.max_position_embeddings) / static_cast<double>(*original);
    draft.from[name_of(&Scaling::factor)] =
        origin_of(draft, "max_position_embeddings") + " / " + std::string(name);
}

// qwen3_vl/modeling_qwen3_vl.py apply_interleaved_mrope: height and width take every third pair, as
// far as there are pairs, and time the others.
void fit_sections(std::vector<std::uint64_t>& sections, std::uint64_t pairs) {
    std::vector<std::uint64_t> fitting(sections.size(), 0);
    const std::uint64_t axes = sections.size();
    for (std::uint64_t i = 0; i < pairs; ++i)
        ++fitting[i < axes * sections[i % axes] ? i % axes : 0];
    sections = std::move(fitting);
}

// M-RoPE's sections, contiguous or interleaved, unless --rope axes is given.
void resolve_axes(SpecDraft& draft) {
    if (draft.mrope_section.empty()) return;
    if (draft.mrope_assumed && draft.mrope_interleaved)
        fit_sections(draft.mrope_section, draft.spec.rotary_dim / 2);
    AxisMap& axes = draft.spec.axes;
    if (!draft.from.contains("axes")) {
        axes.scheme = draft.mrope_interleaved ? AxisScheme::interleaved : AxisScheme::sectioned;
        draft.from["axes"] =
            origin_of(draft, draft.mrope_interleaved ? "mrope_interleaved" : "mrope_section");
    }
    if (axes.sections.empty())
        axes.sections.assign(draft.mrope_section.begin(), draft.mrope_section.end());
}

// Adds the number of values in each list, the value for the first of the layers, and a value of
// theirs that differs from it.
void add_values(ConfigFacts& facts, const LayerNumbers& layers) {
    for (const auto& [name, list] : facts.lists) {
        facts.numbers[name + ".size"] = static_cast<double>(list.size());
        if (layers.empty() || layers.back() >= list.size()) continue;
        const double own = facts.numbers[name + ".own"] = list[layers.front()];
        for (const std::uint32_t layer : layers)
            if (list[layer] != own) facts.numbers.emplace(name + ".other", list[layer]);
    }
}

// Returns the values of the rows of data/fields.jsonl for these layers.
TranslatedConfig values_of(ConfigFile& file, LayerSection& layer) {
    static const RuleRows rules(field_rows, "data/fields.jsonl",
                                {"top.", "section.", "class.", "null."});
    ConfigFacts facts{.texts = {{"layers", layer.layers}, {"class", file.origin_of_class()}},
                      .traits = file.traits()};
    if (file.known != nullptr) facts.texts["layout_of_class"] = to_string(file.known->layout);
    const json* const bases = file.model.at("rope_theta");
    facts.add("plain", layer.plain);
    facts.add("local", layer.local);
    facts.add("nested", layer.nested);
    facts.add("gguf", file.is_gguf);
    facts.add("list_of_bases", bases != nullptr && bases->is_array());
    add_keys(facts, rules.names, file.model, layer.rope, file.defaults);
    add_values(facts, layer.numbers);
    TranslatedConfig values{.is_of_one_file = false};
    if (file.layout) values.put("layout", to_string(file.layout->value), file.layout->from);
    values.translate(rules,
                     {{"top", &file.model},
                      {"section", &layer.rope},
                      {"attention", &file.attention},
                      {"class", &file.defaults}},
                     facts);
    std::ranges::copy(values.remarks, std::back_inserter(file.remarks));
    return values;
}

void read_axes(SpecDraft& draft, const ConfigFile& file, ConfigSection& values) {
    set(draft, draft.spec.axes.scheme, "axes", values.text({"axes", "halves"}), parse_axis_scheme);
    set(draft, draft.mrope_section, "mrope_section", values.wholes("mrope_section"));
    const auto assumed = ConfigSection(file.defaults).wholes("mrope_section");
    draft.mrope_assumed = assumed && assumed->value == draft.mrope_section;
    set(draft, draft.mrope_interleaved, "mrope_interleaved", values.boolean("mrope_interleaved"));
}

// transformers looks null up among its rope types, and stops.
void refuse_null_type(const ConfigSection& rope) {
    if (rope.has("rope_type") || rope.has("type")) return;
    for (const std::string_view key : {"rope_type", "type"})
        if (rope.holds_null(key))
            throw InputError(rope.origin(key), "null",
                             "a rope type such as linear; without the key it is default");
}

// HunYuan's dynamic with alpha, and its xdrope, is the static NTK base, b·alpha^(d/(d−2)).
void read_rope_type(SpecDraft& draft, ConfigFile& file, LayerSection& layer,
                    ConfigSection& values) {
    if (layer.plain) return;
    std::string& type = draft.spec.scaling.rope_type;
    const bool reads_older = layer.nested || !file.has_trait("type_unread");
    const auto own = layer.rope.text(reads_older ? Keys{"rope_type", "type"} : Keys{"rope_type"});
    if (own) draft.from["rope_type"] = own->from;
    if (own) type = file.rope_type(own->value);
    if (const auto older = layer.rope.text({"type"}); own && older && older->value != own->value)
        file.passed_over.push_back(layer.rope.path_to("type"));
    if ((type == "dynamic" || type == "xdrope") && layer.rope.has("alpha")) {
        type = "ntk";
        set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor),
            layer.rope.real({"alpha"}));
    }
    if (set(draft, type, "rope_type",
            values.text({"type"})))  // which a key of the top level chooses
        set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor),
            values.real({name_of(&Scaling::factor)}));
}

// Only PhiMoE's class reads the attention factors of longrope's lists; without a class all keys
// count.
bool is_read_by_class(const ConfigFile& file, const ScalingField& field) {
    const bool is_of_a_list = field.member == ScalingMember(&Scaling::short_mscale) ||
                              field.member == ScalingMember(&Scaling::long_mscale);
    return !is_of_a_list || file.has_trait("reads_mscale_lists") || file.model_type.empty();
}

// Each reads a key by the type of its member. A length of the top level, or of the class, overrides
// the section's, except if there is a section per layer type.
struct KeyReader {
    ConfigFile& file;
    LayerSection& layer;
    const ScalingField& field;

    auto value(std::optional<double> Scaling::*) const { return layer.rope.real({field.name}); }
    auto value(std::optional<bool> Scaling::*) const { return layer.rope.boolean(field.name); }
    auto value(std::vector<double> Scaling::*) const { return layer.rope.reals(field.name); }
    auto value(std::optional<std::uint64_t> Scaling::*) const {
        const auto read = [&](ConfigSection& section) {
            return section.whole({field.name}, static_cast<std::uint64_t>(field.range.least),
                                 static_cast<std::uint64_t>(field.range.most));
        };
        if (layer.nested) return read(layer.rope);
        if (file.model.has(field.name)) return read(file.model);
        if (!file.defaults.has(field.name)) return read(layer.rope);
        const auto assumed = read(file.defaults);
        ConfigSection section = layer.rope;  // a copy: a value that the class replaces stays unread
        if (const auto own = read(section); own && own->value == assumed->value)
            layer.rope.mark_read({field.name});
        return assumed;
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

void read_scaling(SpecDraft& draft, ConfigFile& file, LayerSection& layer, ConfigSection& values,
                  const std::optional<std::string>& given_type) {
    if (!given_type && !layer.plain) refuse_null_type(layer.rope);
    read_rope_type(draft, file, layer, values);
    if (given_type) {
        draft.spec.scaling = {};
        draft.spec.scaling.rope_type = *given_type;
        draft.from.erase(name_of(&Scaling::factor));
    }
    read_scaling_keys(draft, file, layer);
    Scaling& scaling = draft.spec.scaling;
    if (scaling.rope_type == "yarn" && !scaling.attention_factor)
        set(draft, scaling.attention_factor, name_of(&Scaling::attention_factor),
            values.real({name_of(&Scaling::attention_factor)}));
    if (draft.spec.scaling.mscale_all_dim.value_or(0) != 0)
        draft.spec.mscale_of_scores = file.mscale_of_scores;
}

// Reads another type of the section; only its name if one of its keys cannot be read, since the
// type that counts does not read it.
Scaling scaling_of(ConfigFile file, LayerSection layer, ConfigSection values,
                   const std::string& type) try {
    SpecDraft draft;
    read_scaling(draft, file, layer, values, type);
    return draft.spec.scaling;
} catch (const InputError&) {
    return {.rope_type = type};
}

void add_older_type(ConfigFacts& facts, const ConfigFile& file, const LayerSection& layer,
                    const ConfigSection& values) {
    ConfigSection section = layer.rope;  // a copy, because it records the keys that are read
    const auto own = section.text({"rope_type"}), older = section.text({"type"});
    if (layer.plain || !older || (!own && !file.has_trait("type_unread"))) return;
    const std::string own_type = own ? own->value : "default",
                      type = canonical_rope_type(older->value);
    facts.texts["own_type"] = printable(own_type);
    facts.texts["older_type"] = printable(older->value);
    if (type != canonical_rope_type(own_type))
        facts.by_older_type = scaling_of(file, layer, values, type);
}

}  // namespace

std::string origin_of(const SpecDraft& draft, std::string_view field) {
    const auto found = draft.from.find(field);
    return found == draft.from.end() ? std::string(default_origin) : found->second;
}

void resolve_defaults(SpecDraft& draft, bool has_file) {
    resolve_fraction(draft);
    resolve_rotary_dim(draft);
    resolve_rotary_offset(draft);
    resolve_axes(draft);
    if (has_file) resolve_lengths(draft);
}

SpecDraft draft_from_config(ConfigFile& file, LayerSection& layer,
                            const std::optional<std::string>& given_type, bool has_base) {
    SpecDraft draft{.layers = layer.layers,
                    .rotates = layer.rotates,
                    .numbers = layer.numbers,
                    .rope_path = layer.rope.origin("")};
    if (!layer.rotates) return draft;
    const TranslatedConfig translated = values_of(file, layer);
    ConfigSection values("", "", &translated.root,
                         std::make_shared<const ConfigSection::Names>(translated.names));
    Spec& spec = draft.spec;
    set(draft, spec.head_dim, "head_dim", values.whole({"head_dim"}, 2, max_head_dim));
    set(draft, spec.rotary_dim, "rotary_dim", values.whole({"rotary_dim"}, 2, max_head_dim));
    if (!file.has_trait("fraction_of_both_parts"))
        draft.rotary_fraction = values.real({"own_fraction", "fraction_of_class"});
    set(draft, spec.layout, "layout", values.text({"layout"}), parse_pair_layout);
    set(draft, spec.direction, "direction", values.text({"direction"}), parse_direction);
    set(draft, spec.rotary_offset, "rotary_offset",
        values.whole({"rotary_offset"}, 0, max_head_dim));
    if (file.has_trait("rotates_last_dimensions")) draft.last_dimensions = file.origin_of_class();
    for (const char* key : {"max_position_embeddings", "trained_length"})
        set(draft, spec.max_position_embeddings, "max_position_embeddings",
            values.whole({key}, 1, max_context));
    if (values.has("bases") && !has_base)
        throw InputError(file.model.origin("rope_theta") +
                         " is a list, a base for each layer, which is not read; give the base of "
                         "the layer to check with --base, and which it is with --layers");
    set(draft, spec.rope_theta, "rope_theta", values.real({"rope_theta"}));
    read_scaling(draft, file, layer, values, given_type);
    read_axes(draft, file, values);
    draft.facts = config_facts(file, layer);
    if (origin_of(draft, "rope_theta") != layer.rope.origin("rope_theta"))
        std::erase(draft.facts->traits, "theta_in_scaling");
    draft.facts->add("base_of_class",
                     origin_of(draft, "rope_theta").starts_with(file.defaults.file() + ":"));
    if (!given_type) add_older_type(*draft.facts, file, layer, values);
    return draft;
}

}  // namespace rope::io
