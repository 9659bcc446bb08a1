// A config.json: whether it asks for RoPE, and where.
#include "io/config/config_file.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/config/config_layers.hpp"
#include "io/config/model_classes.hpp"
#include "io/json/json_input.hpp"
#include "io/json/json_text.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

// Configs of diffusers, which name a class of Python and no model_type.

// "FluxTransformer2DModel", empty where the file is none of theirs. Throws InputError where the
// class is not one of model_classes.hpp: what it rotates is not in its config.
std::string diffusers_class(ConfigSection& root) {
    const auto own = root.text({"_class_name"});
    if (!own || find_class(own->value) != nullptr) return own ? own->value : "";
    throw InputError(own->from + " is " + printable(own->value, 60) +
                     ", a class of diffusers whose rotation is not known here; give it without "
                     "--config, such as --dim 128 --layout interleaved --rope axes=blocks,"
                     "mrope_section=8,28,28");
}

// Configs that ask for no rotary position embedding.

[[noreturn]] void refuse(const std::string& what) {
    throw InputError(what + ": there is no RoPE to verify");
}

void refuse_other_class(const ConfigSection& model, const std::string& model_type) {
    const std::string head = model.file() + ": " + model_type;
    if (const ModelClass* tower = find_class(model_type, ModelClass::Is::tower))
        throw InputError(head + " rotates by positions in images or video, not in one sequence (" +
                         tower->form + "); " +
                         (tower->flags.empty() ? "that is not covered"
                                               : "check it with --dim HEAD_DIM " + tower->flags));
    if (const ModelClass* other = find_class(model_type, ModelClass::Is::other))
        refuse(head + " uses " + other->instead);
}

using Switch = ModelClass::Switch;

// A key's value as it is spelled in JSON, without quotes.
std::optional<Found<std::string>> value_of(ConfigSection& model, const Switch& one) {
    if (one.rotary.front() != "true" && one.rotary.front() != "false") return model.text({one.key});
    const auto found = model.boolean(one.key);
    if (!found) return std::nullopt;
    return Found<std::string>{found->value ? "true" : "false", found->from};
}

void refuse_switched_off(ConfigSection& model, const std::string& model_type, const Switch& one) {
    const auto value = value_of(model, one);
    const std::string& first = one.rotary.front();
    if (value && std::ranges::count(one.rotary, value->value) == 0)
        refuse(value->from + " is " + printable(value->value) + ", not " + first);
    if (!value && !one.rotates_by_default)
        refuse(model.file() + ": " + model_type + " rotates only where " + one.key + " is " +
               first);
}

// Throws InputError that says what the model uses instead: by its class, or by a key of its config
// that turns RoPE off.
void refuse_without_rope(ConfigSection& model, const std::string& model_type) {
    refuse_other_class(model, model_type);
    refuse_by_rows(model, model_type);
    const ModelClass* known = find_model_class(model_type);
    if (known != nullptr && known->rotates) refuse_switched_off(model, model_type, *known->rotates);
}

using nlohmann::json;

bool concerns_rope(std::string_view key) {
    key.remove_prefix(key.rfind('.') + 1);  // npos + 1 = 0
    return key.starts_with("rope") || key.starts_with("rotary") || key.starts_with("mrope") ||
           key.find("_rope") != key.npos || key.find("_rotary") != key.npos ||
           key == "position_encoding_2d" || key == "use_dynamic_ntk" || key == "use_logn_attn" ||
           key == "freq_allocation" || key == name_of(&Scaling::original_max_position_embeddings);
}

void append(std::vector<std::string>& all, const std::vector<std::string>& keys) {
    all.insert(all.end(), keys.begin(), keys.end());
}

void append_if_rope(std::vector<std::string>& all, const std::vector<std::string>& keys) {
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(all), concerns_rope);
}

// An object with its key; null, false (ZAYA1's rope_scaling), {} and absent all count as none.
const json* filled_object(const json& parent, std::string_view key, const std::string& from) {
    const auto found = parent.find(key);
    if (found == parent.end() || found->is_null() || *found == false) return nullptr;
    if (!found->is_object())
        throw InputError(from + std::string(key), printable(json_text(*found), 60),
                         "an object or null");
    return found->empty() ? nullptr : &*found;
}

// The object at a path such as "thinker_config.text_config", or null.
const json* filled_path(const json& root, std::string_view path, const std::string& from) {
    const std::size_t dot = path.find('.');
    const json* head = filled_object(root, path.substr(0, dot), from);
    if (head == nullptr || dot == path.npos) return head;
    return filled_path(*head, path.substr(dot + 1), from + std::string(path.substr(0, dot + 1)));
}

// Two models in one config, each of which may rotate in its own way.
void refuse_two_models(const json& root, const std::string& name) {
    if (filled_object(root, "encoder", name + ": ") != nullptr &&
        filled_object(root, "decoder", name + ": ") != nullptr)
        throw InputError(name +
                         ": holds two models, encoder and decoder; give the section of one of "
                         "them as a separate config");
}

// By its own model_type, else by that of the model that holds it.
std::optional<Tower> find_tower(const json& root, const std::string& path,
                                const std::string& name) {
    const std::string parent =
        path.substr(0, path.find('.') == path.rfind('.') ? 0 : path.find('.') + 1);
    const json* holder = parent.empty()
                             ? &root
                             : filled_path(root, parent.substr(0, parent.size() - 1), name + ": ");
    const json* vision = nullptr;
    std::string section;
    for (const std::string_view key : keys_for("tower"))
        if (vision == nullptr && (vision = filled_object(*holder, key, name + ": " + parent)))
            section = parent + std::string(key);
    if (vision == nullptr) return std::nullopt;
    const auto type_of = [&](const json& object) {
        const auto type = ConfigSection(name, "", &object).text({"model_type"});
        return type ? type->value : "";
    };
    const std::string own = type_of(*vision), of_holder = type_of(*holder);
    for (const std::string& type : {own, own + "_vision", of_holder + "_vision",
                                    of_holder + "_vision_model", of_holder + "_vision_encoder"})
        if (find_class(type, ModelClass::Is::tower) != nullptr) return Tower{section, type};
    if (find_class(own + "_vision_model", ModelClass::Is::other) != nullptr) return std::nullopt;
    return Tower{section, own};
}

bool rotates_by_itself(const json& section, const std::string& name) {
    const auto type = ConfigSection(name, "", &section).text({"model_type"});
    if (type && find_model_class(type->value) != nullptr) return true;
    if (type && find_class(type->value, ModelClass::Is::other) != nullptr) return false;
    return std::ranges::any_of(
        std::array{"rope_theta", "rope_scaling", "rope_parameters"},
        [&](const char* key) { return section.contains(key) && !section[key].is_null(); });
}

// Sections beside the one at `path` that hold models, as multimodal ones do, and in these others:
// "talker_config.text_config". Towers are find_tower's.
void add_other_models(std::vector<std::string>& all, const json& holder, const std::string& path,
                      const std::string& at, const std::string& name) {
    constexpr std::size_t deepest = 3, most = 64;
    if (std::ranges::count(at, '.') >= static_cast<std::ptrdiff_t>(deepest)) return;
    for (const auto& [key, section] : holder.items()) {
        const std::string own = at + printable(key);
        const bool is_model = section.is_object() && key.ends_with("_config") &&
                              std::ranges::count(keys_for("tower"), key) == 0 &&
                              key != "attn_config" && own + "." != path;
        if (!is_model || all.size() == most) continue;
        if (!path.starts_with(own + ".") && rotates_by_itself(section, name)) all.push_back(own);
        add_other_models(all, section, path, own + ".", name);
    }
}

// The value at a path such as "rope_parameters.rope_theta"; null where there is none.
json value_at(const json& object, std::string_view path) {
    const std::size_t dot = path.find('.');
    const auto found = object.find(path.substr(0, dot));
    if (found == object.end()) return nullptr;
    return dot == path.npos ? *found : value_at(*found, path.substr(dot + 1));
}

std::string not_read_by(const std::string& type) {
    return "is not read by " + printable(type) + "; other libraries may read it";
}

// A key that the class does not read, and that says otherwise than the one that counts, which is a
// constant of the class where it is not read, either.
void pass_over(ConfigFile& file, const json& model, const std::string& path,
               const std::string& counted, bool is_fixed) {
    const std::string where = file.model.path_to("") + path;
    std::erase_if(file.remarks, [&](const KeyRemark& one) { return one.path == where; });
    const json value = value_at(model, path);
    json right = is_fixed ? nullptr : value_at(model, counted);
    for (const std::string& key : {counted, path})
        if (right.is_null()) right = value_at(*file.default_root, key);
    if (value.is_null() || value == right) return;
    file.remarks.push_back({where, is_fixed ? not_read_by(file.model_type)
                                            : "is not read by " + printable(file.model_type) +
                                                  ", which reads " + counted +
                                                  "; other libraries may read it"});
}

// The default type of most classes is of whole heads; proportional reads its fraction itself
// (modeling_rope_utils.py _compute_proportional_rope_parameters).
bool counts_by_type(ConfigSection section, std::string_view key) {
    const auto type = read_value([&] { return section.text({"rope_type", "type"}); });
    return key == name_of(&Scaling::partial_rotary_factor) && type == "proportional";
}

// A key of other classes says nothing in the model or in a rope section. Whether it agrees with
// what counts shows later; in a section 1 is the default of most.
void hide_keys_of_others(std::vector<KeyRemark>& remarks, ConfigSection& section,
                         const ModelClass& known, bool is_rope) {
    for (const std::string_view key : class_keys()) {
        const bool is_fraction = is_rope && key == name_of(&Scaling::partial_rotary_factor);
        const bool is_read = std::ranges::any_of(known.keys, [&](std::string_view own) {
            return own == key || (is_fraction && own == "rotary_pct");  // GPT-NeoX's name of it
        });
        if (is_read || !section.has(key) || (is_rope && counts_by_type(section, key))) continue;
        ConfigSection copy = section;  // which notes what is read
        const bool is_one = is_rope && read_value([&] { return copy.real({key}); }) == 1;
        const std::string path = section.path_to(key);
        section.hide(key);
        if (!is_one && std::ranges::count(remarks, path, &KeyRemark::path) == 0)
            remarks.push_back({path, not_read_by(known.name)});
    }
}

constexpr std::string_view new_section = "rope_parameters.";

// Before sections are read, in which hide_in_sections hides them.
void pass_over_keys(ConfigFile& file, const json& model, const ModelClass& known) {
    for (const auto& [path, counted] : known.unread) {
        const bool is_fixed = known.unread.contains(counted);
        pass_over(file, model, path, counted, is_fixed);
        if (path.starts_with(new_section))
            pass_over(file, model, "rope_scaling." + path.substr(new_section.size()), counted,
                      is_fixed);
        else
            file.model.hide(path);
    }
}

void hide_in_sections(ConfigFile& file, const ModelClass& known) {
    for (LayerSection& layer : file.layers) {
        if (layer.assumed) continue;
        hide_keys_of_others(file.remarks, layer.rope, known, true);
        for (const auto& [path, counted] : known.unread)
            if (path.starts_with(new_section) && !layer.nested)
                layer.rope.hide(path.substr(new_section.size()));
    }
}

// llm-foundry's MPT keeps its scaling beside its base, and reads it by rope_impl hf alone.
const json* foundry_scaling(ConfigFile& file, const json& model) {
    if (file.model_type != "mpt") return nullptr;
    file.attention.mark_read({"rope", "rope_impl", "rope_dail_config", "rope_hf_config"});
    const auto implementation = file.attention.text({"rope_impl"});
    if (!implementation || implementation->value != "hf") return nullptr;
    return filled_object(*filled_object(model, "attn_config", ""), "rope_hf_config",
                         file.name + ": " + file.attention.path_to(""));
}

// A class with a section for each type of layer reads nothing else.
void pass_over_flat(ConfigFile& file, const json*& section, const char* key) {
    if (section == nullptr || is_per_layer(*section)) return;
    file.remarks.push_back({file.model.path_to(key), "has no section for each type of layer, and " +
                                                         printable(file.model_type) +
                                                         " reads nothing else of it"});
    section = nullptr;
}

void read_rope_sections(ConfigFile& file, const json& model, const std::string& path) {
    const std::string from = file.name + ": " + path;
    const auto filled = [&](const char* key) {
        return file.model.has(key) ? filled_object(model, key, from) : nullptr;
    };
    const json* scaling = filled("rope_scaling");
    const json* parameters = filled("rope_parameters");
    if (const json* foundry = foundry_scaling(file, model)) {
        file.layers =
            split_by_layers(file, file.name, file.attention.path_to("rope_hf_config."), foundry);
        return;
    }
    const json* assumed = filled_object(*file.default_root, "rope_parameters", "");
    if (assumed != nullptr && is_per_layer(*assumed) && !has_sliding_section(file)) {
        pass_over_flat(file, scaling, "rope_scaling");
        pass_over_flat(file, parameters, "rope_parameters");
    }
    if (file.has_trait("lists_base_by_layer")) pass_over_flat(file, parameters, "rope_parameters");
    if (scaling != nullptr && parameters != nullptr)
        file.overruled = ConfigSection(file.name, path + "rope_parameters.", parameters);
    if (scaling != nullptr || parameters != nullptr || assumed == nullptr) {
        const bool is_new = scaling == nullptr && parameters != nullptr;
        const std::string key = is_new ? "rope_parameters." : "rope_scaling.";
        file.layers = split_by_layers(file, file.name, path + key, is_new ? parameters : scaling);
        return;
    }
    file.layers = split_by_layers(file, file.defaults.file(), "rope_parameters.", assumed);
    for (LayerSection& layer : file.layers) layer.assumed = true;
}

const ModelClass* top_class(const json& root, const std::string& name) {
    const auto top = ConfigSection(name, "", &root).text({"model_type"});
    return top ? find_class(top->value) : nullptr;
}

// The section's own model_type, else the one that its wrapper holds.
std::string class_of(ConfigSection& model, const ModelClass* wrapper) {
    const auto own = model.text({"model_type"});
    if (own && (wrapper == nullptr || own->value != wrapper->name)) return own->value;
    if (wrapper != nullptr) return wrapper->holds;
    return own ? own->value : diffusers_class(model);
}

// What the class assumes, and before that what its wrapper makes of an absent key or section.
json assumed_by(const ModelClass* known, const ModelClass* wrapper, bool has_section,
                const std::string& name) {
    json all = parse_json(known != nullptr ? std::string_view(known->assumes) : "{}", name);
    if (wrapper == nullptr) return all;
    all.update(parse_json(wrapper->assumes, name));
    if (!has_section) all.update(parse_json(wrapper->alone, name));
    return all;
}

std::string name_of_defaults(const ConfigSection& model, const std::string& type,
                             const ModelClass* known, const ModelClass* wrapper) {
    if (known != nullptr && !known->file.empty()) return known->file + ": class " + printable(type);
    const bool is_diffusers = !model.has("model_type") && model.has("_class_name");
    const bool is_filled =
        wrapper != nullptr && (wrapper->assumes != "{}" || wrapper->alone != "{}");
    return (is_diffusers ? "diffusers' default for " : "transformers' default for ") +
           (is_filled ? printable(wrapper->name) + "'s " : "") + printable(type);
}

// Of a wrapper whose section is absent, unless its keys are at the top level.
void remark_absent_section(ConfigFile& file, const ModelClass& wrapper) {
    const bool is_known = wrapper.assumes != "{}" || wrapper.alone != "{}";
    if (is_known || file.model.has("hidden_size") || file.model.has("head_dim")) return;
    file.remarks.push_back({"model_type", "is " + printable(wrapper.name) +
                                              ", and there is no text_config: the defaults of " +
                                              printable(file.model_type) +
                                              " are assumed, where it may have others"});
}

// Two classes may share a model_type: a key distinguishes them.
std::string class_by_key(ConfigSection& model, const json& object, const std::string& type) {
    const ModelClass* known = find_class(type);
    if (known == nullptr || !known->becomes) return type;
    const ModelClass::Becomes& other = *known->becomes;
    const auto found = object.find(other.key);
    if (found == object.end() || json_text(*found) != other.value) return type;
    model.mark_read({other.key});
    return other.name;
}

// The object that describes the text model, the path of its keys, and the root's keys that are
// passed over.
struct TextModel {
    const json* object;
    std::string path;
    std::vector<std::string> passed_over;
};

// Of a class that is not known, and has no size itself, the one section that rotates.
std::string section_that_rotates(const json& root, const std::string& name) {
    const ConfigSection top(name, "", &root);
    for (const char* means : {"head_dim", "hidden", "heads"})
        if (std::ranges::any_of(keys_for(means), [&](auto key) { return top.has(key); })) return "";
    std::vector<std::string> sections;
    add_other_models(sections, root, "", "", name);
    return sections.size() == 1 ? sections.front() : "";
}

TextModel model_in(const json& root, const ModelClass* top, const std::string& name) {
    Keys paths = keys_for("model");
    if (top != nullptr && !top->section.empty()) paths.insert(paths.begin(), top->section);
    const auto found = std::ranges::find_if(paths, [&](std::string_view path) {
        return filled_path(root, path, name + ": ") != nullptr;
    });
    const std::string path = found != paths.end() ? std::string(*found)
                             : top != nullptr     ? ""
                                                  : section_that_rotates(root, name);
    if (path.empty()) return {&root, "", {}};
    TextModel model{filled_path(root, path, name + ": "), path + ".", {}};
    append_if_rope(model.passed_over, ConfigSection(name, "", &root).unread());
    return model;
}

}  // namespace

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
    if (!defaults.has("axes")) others.mark_read({"freq_allocation"});  // 0 beside one axis
    append_if_rope(keys, others.unread());
    return keys;
}

ConfigFile read_config(std::shared_ptr<const json> root, const std::string& name,
                       bool is_translated) {
    if (!root->is_object()) throw InputError(name + ": is not a JSON object");
    refuse_two_models(*root, name);
    const ModelClass* const top = top_class(*root, name);
    const ModelClass* const wrapper =
        top != nullptr && top->is == ModelClass::Is::wrapper ? top : nullptr;
    auto [model, path, passed_over] = model_in(*root, top, name);
    ConfigSection own(name, path, model);
    const std::string type = class_by_key(own, *model, class_of(own, wrapper));
    ConfigSection attention(name, path + "attn_config.",
                            filled_object(*model, "attn_config", name + ": "));
    const ModelClass* known = find_model_class(type);
    std::vector<KeyRemark> remarks;
    if (known != nullptr && !is_translated) hide_keys_of_others(remarks, own, *known, false);
    refuse_without_rope(own, type);
    const std::string defaults_name = name_of_defaults(own, type, known, wrapper);
    const auto defaults =
        std::make_shared<const json>(assumed_by(known, wrapper, !path.empty(), defaults_name));
    ConfigFile file{.root = std::move(root),
                    .default_root = defaults,
                    .name = name,
                    .model_type = type,
                    .model = std::move(own),
                    .defaults = ConfigSection(defaults_name, "", defaults.get()),
                    .attention = std::move(attention),
                    .overruled = ConfigSection(name, path, nullptr),
                    .layers = {},
                    .layout = std::nullopt,
                    .passed_over = std::move(passed_over)};
    file.remarks = std::move(remarks);
    if (known != nullptr) file.traits = known->traits;
    if (known != nullptr) file.repeated = known->ignores;
    file.mscale_of_scores = known == nullptr || file.defaults.has("mscale_of_scores");
    const bool is_usual =
        std::ranges::count(keys_for("model"), path.substr(0, path.size() - 1)) > 0;
    if (top == nullptr && !path.empty() && !is_usual)
        file.remarks.push_back({"model_type",
                                "is not known here, so its one section that rotates is "
                                "read, " +
                                    path.substr(0, path.size() - 1)});
    file.tower = find_tower(*file.root, path, name);
    add_other_models(file.other_models, *file.root, path, "", name);
    if (wrapper != nullptr && path.empty()) remark_absent_section(file, *wrapper);
    if (known != nullptr) pass_over_keys(file, *model, *known);
    read_rope_sections(file, *model, path);
    if (known != nullptr && !is_translated) hide_in_sections(file, *known);
    number_by_attention(file);
    return file;
}

}  // namespace rope::io
