#include "io/config/config.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

constexpr const char *full_attention = "full_attention", *sliding_attention = "sliding_attention";

using Kinds = std::vector<std::string>;  // of each layer; empty for one that rotates

// Blocks of an architecture search, some without attention: nvidia's DeciLM and Nemotron-NAS,
// modeling_decilm.py DeciLMDecoderLayer; llama.cpp conversion/deci.py.
std::optional<Kinds> from_blocks(ConfigFile& file) {
    const ConfigKey& key = *std::ranges::find(config_keys(), "blocks", &ConfigKey::means);
    const std::vector<ConfigSection> blocks = file.model.sections(key.name);
    if (blocks.empty()) return std::nullopt;
    const std::uint64_t count = layer_count(file), layers = count > 0 ? count : blocks.size();
    if (blocks.size() < layers)
        throw InputError(file.model.origin(key.name) + " has " + decimal(blocks.size()) +
                         " blocks; each of the " + decimal(layers) +
                         " layers, by num_hidden_layers, needs one");
    Kinds kinds(layers);
    for (std::size_t i = 0; i < layers; ++i) {
        ConfigSection attention = blocks[i].section("attention");
        const auto holds = [&](std::string_view name) {
            const auto found = attention.boolean(name);
            return found && found->value;
        };
        if (holds("no_op") || holds("replace_with_linear")) kinds[i] = key.value;
    }
    return kinds;
}

// EXAONE 4's "LLLG", as mlx_lm/models/exaone4.py reads it; empty if there are none.
std::string attention_letters(ConfigFile& file) {
    constexpr std::string_view key = "sliding_window_pattern";
    if (file.model.has("layer_types") || !file.model.holds_text(key)) return "";
    const auto letters = file.model.text({key});
    if (letters->value.empty() || letters->value.find_first_not_of("LG") != std::string::npos)
        throw InputError(letters->from, '"' + printable(letters->value) + '"',
                         "a whole number, or of the letters L (sliding) and G (full)");
    return letters->value;
}

// Returns what the rows of data/layers.jsonl give: "sets" of layers that rotate alike by the
// section, the "kinds" of those that do not rotate, or the kinds of "attention" of so many layers;
// null if there are none.
json from_rows(ConfigFile& file, const std::string& what, const ConfigSection& section,
               std::optional<std::uint64_t> layers = {}) {
    static const RuleRows rules(layer_rows, "data/layers.jsonl",
                                {"top.", "section.", "class.", "null."});
    ConfigFile counted = file;  // a copy, which notes the number of layers
    const auto count = [&] { return std::optional(Found{layer_count(counted), ""}); };
    ConfigFacts facts{.layer_count = layers ? *layers : read_value(count).value_or(0),
                      .traits = file.traits()};
    if (facts.layer_count > 0)
        facts.numbers["layer_count"] = static_cast<double>(facts.layer_count);
    facts.traits.push_back(what);
    facts.add("section", !section.empty());
    facts.add("sliding_base", file.has(keys_for("sliding_base")));
    if (const std::string letters = layers ? attention_letters(file) : ""; !letters.empty()) {
        facts.numbers["letters"] = static_cast<double>(letters.size());
        for (const char c : letters) facts.text_lists["letters"].emplace_back(1, c);
    }
    add_keys(facts, rules.names, file.model, section, file.defaults);
    TranslatedConfig values;
    values.translate(rules, {{"top", &file.model}, {"class", &file.defaults}}, facts);
    std::ranges::copy(values.remarks, std::back_inserter(file.remarks));
    const json &root = values.root, found = root.value(what, json());
    const auto is_numbered = [](const json& set) { return !set.at("numbers").empty(); };
    const bool counts = what == "kinds"  ? !root.empty()
                        : what == "sets" ? std::ranges::any_of(found, is_numbered)
                                         : false;
    if (counts && !root.contains("sized")) (void)layer_count(file);
    return found;
}

// Laguna's older configs have a section for sliding layers next to rope_parameters, which
// overrides the section in it; vLLM models/laguna.py LagunaAttention.
constexpr std::string_view sliding_section = "swa_rope_parameters";

void add_sliding_section(ConfigFile& file, std::vector<LayerSection>& layers) {
    std::erase_if(layers, [](const LayerSection& one) { return one.layers == sliding_attention; });
    layers.push_back(
        {.layers = sliding_attention, .rope = file.model.section(sliding_section), .nested = true});
    file.model.mark_read({sliding_section});
}

// gemma3/configuration_gemma3.py, modernbert/configuration_modernbert.py and
// olmo3/configuration_olmo3.py, convert_rope_params_to_dict: a type of layer that has no section,
// or null, uses only its base.
bool completes_sections(const ConfigFile& file) {
    return file.defaults.has("rope_local_base_freq");
}

void remark(ConfigFile& file, const ConfigSection& section, const std::string& what) {
    const std::string path = section.path_to("");
    file.remarks.push_back({path.substr(0, path.size() - 1), what});
}

// One section for each type of layer that rope_parameters names.
std::vector<LayerSection> by_sections(ConfigFile& file, const ConfigSection& rope) {
    constexpr std::size_t most_types = 64;  // all keys are read for each type
    if (const std::size_t types = rope.object()->size(); types > most_types)
        throw InputError(file.name + ": has " + decimal(types) + " types of layers; the limit is " +
                         decimal(most_types));
    const bool has_local = file.has(keys_for("sliding_base"));
    const bool completes = completes_sections(file);
    std::vector<LayerSection> layers;
    if (file.known != nullptr && !file.has_trait("reads_sections"))
        remark(
            file, rope,
            "has sections by type of layer, which " + printable(file.model_type) +
                " is not known to read; a class that reads none rotates by the top level's or its "
                "own base, unscaled");
    for (const auto& [type, section] : rope.object()->items())
        if (section.is_object())
            layers.push_back({.layers = printable(type),
                              .rope = {rope.file(), rope.path_to(type) + ".", &section},
                              .nested = true,
                              .local = has_local && type == sliding_attention});
        else if (section.is_null() && type.ends_with("_attention") && !completes)
            layers.push_back({.layers = "NoPE: " + printable(type), .rotates = false});
    const auto has = [&](const char* type) {
        return std::ranges::count(layers, type, &LayerSection::layers) > 0;
    };
    for (const char* type : {full_attention, sliding_attention})
        if (completes && !has(type))
            layers.push_back({.layers = type,
                              .rope = {rope.file(), rope.path_to(""), nullptr},
                              .nested = true,
                              .local = std::string_view(type) == sliding_attention});
    if (has_sliding_section(file)) add_sliding_section(file, layers);
    ConfigFile unmarked = file;  // a copy, which notes the number of layers
    const Kinds kinds = attention_kinds(unmarked, layer_count(unmarked));
    file.model.mark_read({"layer_types"});
    for (const std::string type : {full_attention, sliding_attention}) {
        const bool has_section = std::ranges::any_of(
            layers, [&](const LayerSection& one) { return one.layers.ends_with(type); });
        if (!has_section && !file.has_trait("compressed_layers") &&
            std::ranges::count(kinds, type) > 0)
            remark(file, rope,
                   "has no section " + type +
                       ", and the model has layers of this type: how they "
                       "rotate is not known here");
    }
    return layers;
}

}  // namespace

bool is_per_layer(const ConfigSection& section) {
    const auto items = section.object()->items();
    return std::ranges::all_of(*section.object(), &json::is_object) ||
           std::any_of(items.begin(), items.end(), [](const auto& item) {
               return item.key().ends_with("_attention") && item.value().is_object();
           });
}

std::vector<LayerSection> sections_of(const json& sets, const ConfigSection& rope) {
    const ConfigSection none(rope.file(), rope.path_to(""), nullptr);
    return mapped<LayerSection>(sets, [&](const json& set) {
        const auto is = [&](const char* key) { return set.value(key, false); };
        LayerSection one{.layers = set.at("layers"),
                         .rope = is("without_section") ? none : rope,
                         .local = is("local"),
                         .plain = is("plain"),
                         .rotates = !is("still"),
                         .absent = is("absent"),
                         .numbers = set.at("numbers")};
        if (!one.rotates) one.rope = LayerSection{}.rope;
        return one;
    });
}

bool has_sliding_section(const ConfigFile& file) {
    return file.has_trait("has_swa_rope_parameters") && file.model.has(sliding_section);
}

std::vector<LayerSection> split_by_layers(ConfigFile& file, const ConfigSection& rope) {
    if (!rope.empty() && is_per_layer(rope)) return by_sections(file, rope);
    ConfigSection section = rope;
    if (!rope.empty() && completes_sections(file) &&
        rope.path_to("").ends_with("rope_parameters.")) {
        remark(file, rope,
               "has no section full_attention or sliding_attention, and " +
                   printable(file.model_type) + " reads nothing else of it");
        section = ConfigSection(rope.file(), rope.path_to(""), nullptr);
    }
    std::vector<LayerSection> layers{{.layers = full_attention, .rope = section}};
    if (has_sliding_section(file)) {
        add_sliding_section(file, layers);
        return layers;
    }
    layers = sections_of(from_rows(file, "sets", section), section);
    if (!layers.empty()) return layers;
    const std::vector<std::string> kinds = unrotated_kinds(file);
    if (kinds.empty()) return {{.layers = "all layers", .rope = section}};
    std::map<std::string, LayerNumbers> groups;
    for (std::uint32_t i = 0; i < kinds.size(); ++i) groups[kinds[i]].push_back(i);
    // Layers with the lightning attention of Ling 2.5 rotate, too, by another width; Ling 3's do
    // not, whose linear attention is KDA (sglang configs/bailing_hybrid.py use_kda).
    const bool others_rotate =
        file.has_trait("fraction_of_linear_layers") && !file.has({"short_conv_kernel_size"});
    for (const auto& [kind, numbers] : groups)
        if (kind.empty())
            layers.push_back(
                {.layers = "layers " + ranges(numbers), .rope = section, .numbers = numbers});
        else if (!others_rotate)
            layers.push_back(
                {.layers = kind + ": " + ranges(numbers), .rotates = false, .numbers = numbers});
    return layers;
}

std::uint64_t layer_count(ConfigFile& file) {
    const Keys count = keys_for(file, "layer_count");
    if (const auto own = file.model.whole(count, 1, most_layers)) return own->value;
    ConfigSection model = file.model;  // a copy, which records the keys that are read
    for (const ConfigKey& key : config_keys()) {
        if (key.means != "kinds" || !key.value.empty()) continue;
        const auto names = read_value([&] { return model.texts(key.name); });
        if (names && !names->empty()) return names->size();
    }
    const auto assumed = file.defaults.whole(count, 1, most_layers);
    if (assumed) file.assumed_layers = assumed->value;
    return assumed ? assumed->value : 0;
}

Kinds attention_kinds(ConfigFile& file, std::uint64_t layers) {
    const json kinds = from_rows(file, "attention", file.model, layers);
    return kinds.is_null() ? Kinds(layers) : kinds.get<Kinds>();
}

std::vector<std::string> unrotated_kinds(ConfigFile& file) {
    std::optional<Kinds> kinds = from_blocks(file);
    if (!kinds)
        if (const json rows = from_rows(file, "kinds", file.model); !rows.is_null())
            kinds = rows.get<Kinds>();
    return kinds && !std::ranges::all_of(*kinds, &std::string::empty) ? *kinds : Kinds{};
}

}  // namespace rope::io
