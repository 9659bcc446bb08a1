// Whether a config.json asks for RoPE, and in which keys.
#include "io/config/config.hpp"

namespace rope::io {
namespace {

using nlohmann::json;
using Is = ModelClass::Is;

// Configs of diffusers, which name a class of Python and no model_type.

// Returns a name such as "FluxTransformer2DModel", or "" for a config that is not of diffusers.
// Throws InputError if the class has no row: its config does not state what it rotates.
std::string diffusers_class(ConfigSection& root) {
    const auto own = root.text({"_class_name"});
    if (!own || find_class(own->value) != nullptr) return own ? own->value : "";
    throw InputError(own->from + " is " + printable(own->value, 60) +
                     ", a class of diffusers whose rotation is not known here; give it without "
                     "--config, such as --dim 128 --layout interleaved --rope axes=blocks,"
                     "mrope_section=8,28,28");
}

// Returns words of a tower's row with the tower's values in place of {rope_theta}, else the row's.
std::string filled_by_tower(std::string_view words, const ModelClass& row, ConfigSection tower) {
    ConfigSection assumed(row.name, "", &row.assumes);
    return filled(words, [&](std::string_view key) {
        const std::string nested = "rope_parameters." + std::string(key);
        const auto own = read_value([&] { return tower.real({nested, key}); });
        return decimal(own ? *own : assumed.real({key})->value);
    });
}

// Returns the flags that check the heads of a vision tower, "--dim 72 --rope axes=axial"; HEAD_DIM
// if its section has no width.
std::string flags_of_tower(const ModelClass& row, ConfigSection tower) {
    ConfigSection assumed(row.name, "", &row.assumes);
    std::uint64_t head_dim = count_of(assumed, {"head_dim"}, max_head_dim);
    if (head_dim != 0)
        if (const auto own = count_of(tower, {"head_dim"}, max_head_dim)) head_dim = own;
    // Qwen2-VL's hidden_size is the language model's
    const std::uint64_t width = count_of(tower, {"embed_dim", "hidden_size", "dim"}, UINT32_MAX),
                        heads = count_of(tower, {"num_heads", "num_attention_heads", "n_heads"},
                                         UINT32_MAX);
    if (head_dim == 0 && heads != 0) head_dim = width / heads;
    return "--dim " + (head_dim == 0 ? "HEAD_DIM" : decimal(head_dim)) + " " +
           filled_by_tower(row.flags, row, tower);
}

void refuse_other_class(const ConfigSection& model, const std::string& model_type) {
    const std::string head = model.file() + ": " + model_type;
    if (const ModelClass* tower = find_class(model_type, Is::tower))
        throw InputError(
            head + " rotates by positions in images or video, not in one sequence (" +
            filled_by_tower(tower->form, *tower, model) + "); " +
            (tower->flags.empty()
                 ? "that is not covered; compare DUMP --against OTHER compares two "
                   "implementations without a config"
                 : "check it with " + flags_of_tower(*tower, model) + ", without the config"));
    if (const ModelClass* other = find_class(model_type, Is::other))
        throw InputError(head + " uses " + other->instead + ": there is no RoPE to verify");
}

// Adds what rows say of the section that is read as the model, by the row of the top level's class.
void add_section(ConfigFacts& facts, const ConfigSection& model, const ModelClass* top) {
    const std::string path = model.path_to(""),
                      section = path.substr(0, path.empty() ? 0 : path.size() - 1);
    facts.texts["section"] = section;
    facts.add("in_section", !path.empty());
    facts.add("usual_section", std::ranges::count(keys_for("model"), section) > 0);
    facts.add("top_is_known", top != nullptr);
    if (top == nullptr || top->is != Is::wrapper) return;
    const std::string own = top->section.empty() ? "text_config" : top->section;
    facts.texts.insert({{"wrapper", printable(top->name)},
                        {"holds", printable(top->holds)},
                        {"own_section", own}});
    facts.add("reads_section", section == own);
    facts.add("wrapper_fills", top->has_defaults());
    for (const std::string& trait : top->traits) facts.add("wrapper." + trait, true);
}

// Returns the remarks of the rows of data/refused.jsonl. Throws InputError if one refuses.
std::vector<KeyRemark> remarks_of_rows(ConfigSection whole, ConfigSection& model,
                                       const std::string& model_type, const ModelClass* top) {
    static const RuleRows rules(refused_rows, "data/refused.jsonl", {"top.", "null.", "class."});
    const ModelClass* known = find_model_class(model_type);
    ConfigFacts facts;
    if (known != nullptr) facts = {.model_type = model_type, .traits = known->traits};
    add_section(facts, model, top);
    const ConfigSection assumed("", "", known == nullptr ? nullptr : &known->assumes);
    add_keys(facts, rules.names, model, assumed, assumed);
    TranslatedConfig values;
    values.translate(rules, {{"top", &model}, {"root", &whole}}, facts);
    return values.remarks;
}

void append(std::vector<std::string>& all, const std::vector<std::string>& keys) {
    all.insert(all.end(), keys.begin(), keys.end());
}

void append_if_rope(std::vector<std::string>& all, const std::vector<std::string>& keys) {
    std::ranges::copy_if(keys, std::back_inserter(all), concerns_rope);
}

// The tower's class follows from its model_type, else from the model that holds it.
std::optional<Tower> find_tower(const ConfigSection& root, const std::string& path) {
    const std::size_t first = path.find('.');
    const ConfigSection holder =
        first == path.rfind('.') ? root : root.section(path.substr(0, first));
    const Keys keys = keys_for("tower");
    const auto key = std::ranges::find_if(
        keys, [&](std::string_view one) { return !holder.section(one).empty(); });
    if (key == keys.end()) return std::nullopt;
    const std::string own = type_of(holder.section(*key)), of_holder = type_of(holder);
    for (const std::string& type : {own, own + "_vision", of_holder + "_vision",
                                    of_holder + "_vision_model", of_holder + "_vision_encoder"})
        if (const ModelClass* one = find_class(type); one != nullptr && !one->form.empty())
            return Tower{holder.path_to(*key), one,
                         one->flags.empty() ? "" : flags_of_tower(*one, holder.section(*key)),
                         filled_by_tower(one->form, *one, holder.section(*key))};
    if (find_class(own + "_vision_model", Is::other) != nullptr) return std::nullopt;
    return Tower{holder.path_to(*key), find_class(own)};
}

bool rotates_by_itself(const ConfigSection& section) {
    const std::string type = type_of(section);
    if (find_model_class(type) != nullptr) return true;
    if (find_class(type, Is::other) != nullptr) return false;
    return section.has("rope_theta") || section.has("rope_scaling") ||
           section.has("rope_parameters");
}

// Adds the paths of sections outside `path` that hold models, as multimodal configs do, and of
// those in these: "talker_config.text_config". Towers are find_tower's.
void add_other_models(std::vector<std::string>& all, const ConfigSection& holder,
                      const std::string& path) {
    constexpr std::ptrdiff_t deepest = 3;
    constexpr std::size_t most = 64;
    if (std::ranges::count(holder.path_to(""), '.') >= deepest) return;
    for (const auto& [key, section] : holder.object()->items()) {
        const std::string own = holder.path_to(key);
        const bool is_model = section.is_object() &&
                              (key.ends_with("_config") || key.ends_with("coder")) &&
                              std::ranges::count(keys_for("tower"), key) == 0 &&
                              key != "attn_config" && own + "." != path;
        if (!is_model || all.size() == most) continue;
        const ConfigSection model(holder.file(), own + ".", &section);
        if (!path.starts_with(own + ".") && rotates_by_itself(model)) all.push_back(own);
        add_other_models(all, model, path);
    }
}

// The value at a path such as "rope_parameters.rope_theta"; null if there is none.
json value_at(const ConfigSection& section, std::string_view path) {
    const json* const value = section.at(path);
    return value == nullptr ? json() : *value;
}

std::string not_read_by(const std::string& type, const std::string& clause = "") {
    return "is not read by " + printable(type) + clause + "; other libraries may read it";
}

// ROPE_INIT_FUNCTIONS of modeling_rope_utils.py read it for every class, default's function does
// not.
std::string fraction_not_read_by(const std::string& type) {
    return "is not read by " + printable(type) +
           ", whose whole heads rotate; by a type that scales, transformers 5 makes cos and sin "
           "narrower, and stops";
}

// modeling_rope_utils.py standardize_rope_params: the functions that scale call it once more, when
// the config has the top level's fraction.
bool is_fraction_over_sections(const ConfigSection& model, const std::string& path) {
    if (path != name_of(&Scaling::partial_rotary_factor) || !model.has(path)) return false;
    for (const char* key : {"rope_scaling", "rope_parameters.full_attention",
                            "rope_parameters.sliding_attention", "rope_parameters.hybrid"})
        for (const char* type : {".rope_type", ".type"}) {
            const json given = value_at(model, std::string(key) + type);
            if (given.is_string()) return given != "default";
        }
    return false;
}

// Remarks on a key that the class does not read, and whose value differs from the one that counts:
// that of another key or, where the class reads neither, a constant of the class.
void pass_over(ConfigFile& file, const std::string& path, const std::string& counted) {
    const bool is_fixed = file.known->unread.contains(counted);
    const std::string where = file.model.path_to("") + path;
    drop_remarks(file, where);
    const ConfigSection model = file.model.shown();
    const json value = value_at(model, path);
    if (file.has_trait("fraction_over_sections") && is_fraction_over_sections(model, path)) {
        file.remarks.push_back({where,
                                "is put over that of each section by transformers 5, by a "
                                "type that scales; the sections' count here; leave it out"});
        return;
    }
    json right = is_fixed ? json() : value_at(model, counted);
    for (const std::string& key : {counted, path})
        if (right.is_null()) right = value_at(file.defaults, key);
    if (value.empty() || value == right) return;  // null, {}
    file.remarks.push_back(
        {where, not_read_by(file.model_type, is_fixed ? "" : ", which reads " + counted)});
}

// Whether the class reads the key under this name: n_embd is hidden_size's in GPT-J, and in
// checkpoints' own code. It is nobody's concern where hidden_size is there.
bool reads_name(const ModelClass& known, const ConfigSection& section, std::string_view key) {
    if (std::ranges::count(known.keys, key) > 0) return true;
    const ConfigKey& row = *std::ranges::find(config_keys(), key, &ConfigKey::name);
    if (row.read_by != "own_code") return false;
    const Keys names = keys_for(ConfigSection(known.name, "", &known.assumes), row.means);
    const bool is_second = section.has_one_of({names.begin(), std::ranges::find(names, key)});
    return is_second || !known.has_trait("class_of_transformers");
}

// Hides keys of other classes, in the model or in a rope section. Whether they agree with what
// counts shows later; in a section 1 and false are the defaults of most.
void hide_keys_of_others(std::vector<KeyRemark>& remarks, ConfigSection& section,
                         const ModelClass& known, bool is_rope) {
    for (const std::string_view key : class_keys()) {
        const bool is_fraction = is_rope && key == name_of(&Scaling::partial_rotary_factor);
        const bool is_read =
            reads_name(known, section, key) ||
            (is_fraction && reads_name(known, section, "rotary_pct"));  // GPT-NeoX's name of it
        if (is_read || !section.has(key)) continue;
        // by the default type whole heads of most classes rotate; proportional reads its fraction
        // itself (modeling_rope_utils.py _compute_proportional_rope_parameters)
        const auto type = [&] { return ConfigSection(section).text({"rope_type", "type"}); };
        if (is_fraction && read_value(type) == "proportional") continue;
        const json& value = *section.at(key);
        const bool says_nothing =
            is_rope && (value == 1 || value == known.assumes.value(std::string(key), json(false)));
        const std::string path = section.path_to(key);
        section.hide(key);
        if (!says_nothing && std::ranges::count(remarks, path, &KeyRemark::path) == 0)
            remarks.push_back({path, key == name_of(&Scaling::partial_rotary_factor) &&
                                             known.owner() == "transformers'"
                                         ? fraction_not_read_by(known.name)
                                         : not_read_by(known.name)});
    }
}

constexpr std::string_view new_section = "rope_parameters.";

// Passes over the class's unread keys before sections are read, in which hide_in_sections hides
// them; a head_dim only if there is a hidden_size to compute the width from.
void pass_over_keys(ConfigFile& file) {
    for (const auto& [path, counted] : file.known->unread) {
        if (path == "head_dim" && counted == path && !file.has(keys_for(file, "hidden"))) continue;
        pass_over(file, path, counted);
        if (path.starts_with(new_section))
            pass_over(file, "rope_scaling." + path.substr(new_section.size()), counted);
        else
            file.model.hide(path);
    }
}

// A null replaces the class's width or fraction, as None does a default in Python.
void hide_replaced_defaults(ConfigFile& file) {
    for (const auto& [name, means, value, read_by, agrees] : config_keys()) {
        const bool is_read = read_by == "all" || std::ranges::count(file.known->keys, name) > 0;
        if (is_read && (means == "fraction" || name.ends_with("_dim")) &&
            file.model.holds_null(name) && !file.known->unread.contains(name) &&
            !file.has_trait("section_fraction_first"))
            file.defaults.hide(name);
    }
}

void hide_in_sections(ConfigFile& file) {
    for (LayerSection& layer : file.layers) {
        if (layer.assumed) continue;
        hide_keys_of_others(file.remarks, layer.rope, *file.known, true);
        for (const auto& [path, counted] : file.known->unread)
            if (path.starts_with(new_section) && !layer.nested)
                layer.rope.hide(path.substr(new_section.size()));
    }
}

ConfigSection foundry_scaling(ConfigFile& file) {
    ConfigSection none(file.name, "", nullptr);
    if (!file.has_trait("scaling_in_attn_config")) return none;
    file.attention.mark_read({"rope", "rope_impl", "rope_dail_config", "rope_hf_config"});
    const auto implementation = file.attention.text({"rope_impl"});
    const bool is_read = implementation && implementation->value == "hf";
    return is_read ? file.attention.section("rope_hf_config") : none;
}

// A class with a section for each type of layer reads no other section.
void pass_over_flat(ConfigFile& file, ConfigSection& section, const char* key,
                    const std::string& effect) {
    if (section.object() == nullptr || (!section.empty() && is_per_layer(section))) return;
    file.remarks.push_back(
        {file.model.path_to(key), "has no section for each type of layer, " + effect});
    section = ConfigSection(file.name, section.path_to(""), nullptr);
}

// Whether the number of layers is not known, and other layers might rotate if it were.
bool depends_on_layer_count(const ConfigFile& file, const ConfigSection& rope) try {
    ConfigFile counted = file;  // a copy, which records the keys that are read
    if (file.layers.size() != 1 || layer_count(counted) != 0) return false;
    json assumed = *file.default_root;
    assumed["num_hidden_layers"] = 64U;
    counted.defaults = ConfigSection(file.defaults.file(), "", &assumed);
    return split_by_layers(counted, rope).size() > 1;
} catch (const InputError&) {  // a list of layers that are not as many
    return false;
}

// Puts rope_scaling's keys over those of rope_parameters' section full_attention, and of
// sliding_attention where they are for both, and splits by these sections; false if one is missing.
// gemma3/configuration_gemma3.py and modernbert/configuration_modernbert.py,
// convert_rope_params_to_dict.
bool read_merged_sections(ConfigFile& file, const ConfigSection& scaling,
                          const ConfigSection& parameters) {
    json merged = *parameters.object();
    const std::string path = parameters.path_to("");
    ConfigSection::Names names;
    std::vector<std::string> updated{"full_attention"};
    if (file.has_trait("scales_sliding_layers")) updated.emplace_back("sliding_attention");
    for (const std::string& type : updated) {
        if (!merged.contains(type) || !merged[type].is_object()) return false;
        merged[type].update(*scaling.object());
        for (const auto& [key, value] : scaling.object()->items())
            names[path + type + "." + key] = scaling.path_to(key);
    }
    for (const auto& [type, section] : merged.items())
        for (const auto& [key, value] : section.items())
            names.emplace(path + type + "." + key, path + type + "." + key);
    file.merged = std::make_shared<const json>(std::move(merged));
    file.layers = split_by_layers(file, {parameters.file(), path, file.merged.get()});
    const auto shared = std::make_shared<const ConfigSection::Names>(std::move(names));
    for (LayerSection& layer : file.layers) layer.rope.call_by(shared);
    return true;
}

void read_rope_sections(ConfigFile& file) {
    ConfigSection scaling = file.model.section("rope_scaling"),
                  parameters = file.model.section("rope_parameters");
    const ConfigSection assumed = file.defaults.section("rope_parameters"),
                        foundry = foundry_scaling(file);
    if (!foundry.empty()) {
        file.layers = split_by_layers(file, foundry);
        return;
    }
    if (!assumed.empty() && is_per_layer(assumed) && !has_sliding_section(file)) {
        const char* const effect =
            "at which transformers 5 stops; the class's own sections are read here";
        pass_over_flat(file, scaling, "rope_scaling", effect);
        pass_over_flat(file, parameters, "rope_parameters", effect);
    }
    if (file.has_trait("lists_base_by_layer") && !parameters.empty())
        pass_over_flat(file, parameters, "rope_parameters",
                       "and " + printable(file.model_type) + " reads nothing else of it");
    const bool are_two = !scaling.empty() && !parameters.empty();
    if (are_two && file.has_trait("scaling_joins_sections") &&
        read_merged_sections(file, scaling, parameters))
        return;
    if (are_two) file.overruled = parameters;
    // {} is not null, so that transformers does not put the class's section in its place
    const bool is_new = scaling.empty() && parameters.object() != nullptr,
               is_assumed = scaling.empty() && !is_new && !assumed.empty();
    const ConfigSection& rope = is_assumed ? assumed : is_new ? parameters : scaling;
    file.layers = split_by_layers(file, rope);
    file.lacks_layer_count = depends_on_layer_count(file, rope);
    for (LayerSection& layer : file.layers) layer.assumed = is_assumed;
}

// Gives the sections that are named after a kind of attention the numbers of their layers, and
// marks those of a kind that no layer has, as far as the kinds are known; layers of a kind without
// a section have no number. Marks no key as read.
void number_by_attention(ConfigFile& file) {
    std::vector<LayerSection>& sections = file.layers;
    const auto is_numbered = [](const LayerSection& one) { return !one.numbers.empty(); };
    const bool is_one = sections.size() < 2 && !sections.front().nested;
    if (is_one || std::ranges::any_of(sections, is_numbered)) return;
    ConfigFile unmarked = file;  // a copy, which records the keys that are read
    const std::vector<std::string> attention = attention_kinds(unmarked, layer_count(unmarked)),
                                   others = unrotated_kinds(unmarked);
    std::map<std::string, std::vector<std::uint32_t>> unrotated;
    bool have_sections = true;
    for (std::uint32_t i = 0; i < std::min<std::uint64_t>(attention.size(), most_layers); ++i) {
        const bool is_unrotated = i < others.size() && !others[i].empty();
        const std::string kind = is_unrotated ? others[i] : attention[i];
        const auto section = std::ranges::find_if(sections, [&](const LayerSection& one) {
            return one.layers == kind || one.layers == "NoPE: " + kind;
        });
        const bool has_section = section != sections.end();
        if (has_section || is_unrotated)
            (has_section ? section->numbers : unrotated[kind]).push_back(i);
        else
            have_sections = false;
    }
    if (std::ranges::none_of(sections, is_numbered)) return;
    file.assumed_layers = unmarked.assumed_layers;
    for (LayerSection& one : sections) one.absent = have_sections && one.numbers.empty();
    for (const auto& [kind, of_kind] : unrotated)
        sections.push_back(
            {.layers = kind + ": " + ranges(of_kind), .rotates = false, .numbers = of_kind});
}

// The section's own model_type, else the one that its wrapper holds.
std::string class_of(ConfigSection& model, const ModelClass* wrapper) {
    if (wrapper != nullptr && wrapper->has_trait("builds_one_class")) return wrapper->holds;
    const auto own = model.text({"model_type"});
    if (own && (wrapper == nullptr || own->value != wrapper->name)) return own->value;
    if (wrapper != nullptr) return wrapper->holds;
    return own ? own->value : diffusers_class(model);
}

// Returns the class's defaults, overruled by its wrapper's values for an absent key or section.
json assumed_by(const ModelClass* known, const ModelClass* wrapper, bool has_section) {
    json all = known != nullptr ? known->assumes : json::object();
    if (wrapper == nullptr) return all;
    all.update(wrapper->assumes);
    if (!has_section) all.update(wrapper->alone);
    return all;
}

std::string name_of_defaults(const std::string& type, const ModelClass* known,
                             const ModelClass* wrapper) {
    if (known == nullptr) return "";
    if (!known->file.empty()) return known->file + ": class " + printable(type);
    const bool is_filled = wrapper != nullptr && wrapper->has_defaults();
    return (is_filled ? wrapper : known)->owner() + " default for " +
           (is_filled ? printable(wrapper->name) + "'s " : "") + printable(type);
}

// Remarks on the keys of the top level that replace the section's in the wrapper's class.
void remark_top_level(ConfigFile& file, const ConfigSection& whole, const std::string& section) {
    Keys keys{"rope_scaling", "rope_parameters"};
    for (const ConfigKey& key : config_keys())
        if (key.means != "model" && key.means != "tower") keys.push_back(key.name);
    for (const std::string_view key : keys)
        if (whole.has(key) && value_at(whole, key) != value_at(file.model, key))
            file.remarks.push_back(
                {whole.path_to(key), "counts in transformers 5, and " + section +
                                         "'s is read here; leave one of them out"});
}

// Two classes may share a model_type: a key distinguishes them.
std::string class_by_key(ConfigSection& model, const std::string& type) {
    const ModelClass* known = find_class(type);
    if (known == nullptr || !known->becomes) return type;
    return hold_of(model, known->becomes->conditions) ? known->becomes->name : type;
}

// The path of the one section that rotates, in a config of an unknown class and without a size.
std::string section_that_rotates(const ConfigSection& root) {
    for (const char* means : {"head_dim", "hidden", "heads"})
        if (root.has_one_of(keys_for(means))) return "";
    std::vector<std::string> sections;
    add_other_models(sections, root, "");
    return sections.size() == 1 ? sections.front() : "";
}

// The section that describes the text model: the top level, or one in it.
ConfigSection model_in(const ConfigSection& root, const ModelClass* top) {
    Keys paths = keys_for("model");
    if (top != nullptr && !top->section.empty()) paths.insert(paths.begin(), top->section);
    for (const std::string_view path : paths)
        if (ConfigSection model = root.section(path); !model.empty()) return model;
    if (top != nullptr && top->has_trait("flat_keys_unread")) return root.section("text_config");
    const std::string path = top != nullptr ? "" : section_that_rotates(root);
    return path.empty() ? root : root.section(path);
}

}  // namespace

std::string type_of(ConfigSection section) {
    const auto type = section.text({"model_type"});
    return type ? type->value : "";
}

bool concerns_rope(std::string_view key) {
    key.remove_prefix(key.rfind('.') + 1);  // npos + 1 = 0
    return key.starts_with("rope") || key.starts_with("rotary") || key.starts_with("mrope") ||
           key.find("_rope") != key.npos || key.find("_rotary") != key.npos ||
           key == "position_encoding_2d" || key == "use_dynamic_ntk" || key == "use_logn_attn" ||
           key == "freq_allocation" || key == name_of(&Scaling::original_max_position_embeddings);
}

void drop_remarks(ConfigFile& file, const std::string& path) {
    std::erase_if(file.remarks, [&](const KeyRemark& one) { return one.path == path; });
}

std::vector<std::string> ConfigFile::traits() const {
    return known == nullptr ? std::vector<std::string>{} : known->traits;
}

bool ConfigFile::has_trait(std::string_view trait) const {
    return known != nullptr && known->has_trait(trait);
}

std::string ConfigFile::rope_type(const std::string& given) const {
    return known != nullptr && known->types.contains(given) ? known->types.at(given)
                                                            : canonical_rope_type(given);
}

std::string ConfigFile::origin_of_class() const {
    for (const char* key : {"model_type", "_class_name"})
        if (model.holds_text(key) && model.object()->at(key) == model_type)
            return model.origin(key) + " " + model_type;
    return name + ": read as " + model_type;
}

std::vector<std::string> ConfigFile::read() const {
    std::vector<std::string> keys = model.read();
    for (const LayerSection& layer : layers)
        if (!layer.assumed && !layer.plain) append(keys, layer.rope.read());
    return keys;
}

std::vector<std::string> ConfigFile::ignored() const {
    std::vector<std::string> keys = passed_over;
    append_if_rope(keys, attention.unread());
    append(keys, overruled.unread());
    for (const LayerSection& layer : layers)
        if (!layer.assumed && !layer.plain) append(keys, layer.rope.unread());
    ConfigSection others = model;
    others.mark_read({"rope_scaling", "rope_parameters"});
    for (const std::string& key : repeated) others.mark_read({key});
    if (!defaults.has("axes")) others.mark_read({"freq_allocation"});  // 0 where there is one axis
    append_if_rope(keys, others.unread());
    return keys;
}

ConfigFile read_config(std::shared_ptr<const json> root, const std::string& name,
                       const std::shared_ptr<const ConfigSection::Names>& names) {
    if (!root->is_object()) throw InputError(name + ": is not a JSON object");
    const ConfigSection whole(name, "", root.get(), names);
    const ModelClass* const top = find_class(type_of(whole));
    const ModelClass* const wrapper = top != nullptr && top->is == Is::wrapper ? top : nullptr;
    ConfigSection model = model_in(whole, top);
    const bool is_translated = names != nullptr;
    const std::string path = model.path_to("");
    const std::string type = class_by_key(model, class_of(model, wrapper));
    const ModelClass* const known = find_model_class(type);
    std::vector<KeyRemark> remarks;
    if (known != nullptr && !is_translated) hide_keys_of_others(remarks, model, *known, false);
    const ConfigSection attention = model.section("attn_config");
    refuse_other_class(model, type);
    std::ranges::copy(remarks_of_rows(whole, model, type, top), std::back_inserter(remarks));
    const std::string defaults_name = name_of_defaults(type, known, wrapper);
    const auto defaults = std::make_shared<const json>(assumed_by(known, wrapper, !path.empty()));
    ConfigFile file{.root = std::move(root),
                    .default_root = defaults,
                    .name = name,
                    .model_type = type,
                    .known = known,
                    .model = std::move(model),
                    .defaults = ConfigSection(defaults_name, "", defaults.get()),
                    .attention = attention,
                    .overruled = ConfigSection(name, path, nullptr),
                    .remarks = std::move(remarks)};
    if (!path.empty()) append_if_rope(file.passed_over, whole.unread());
    if (known != nullptr) file.repeated = known->ignores;
    file.mscale_of_scores = known == nullptr || file.defaults.has("mscale_of_scores");
    file.tower = find_tower(whole, path);
    add_other_models(file.other_models, whole, path);
    if (wrapper != nullptr && !path.empty() && wrapper->has_trait("top_level_counts"))
        remark_top_level(file, whole, path.substr(0, path.size() - 1));
    if (known != nullptr) {
        pass_over_keys(file);
        hide_replaced_defaults(file);
    }
    read_rope_sections(file);
    if (known != nullptr && !is_translated) hide_in_sections(file);
    number_by_attention(file);
    return file;
}

}  // namespace rope::io
