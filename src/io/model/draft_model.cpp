// A config of any format and the flags -> a draft for each set of layers.
#include <ranges>

#include "io/model/gguf_config.hpp"
#include "io/model/models.hpp"
#include "io/system/read_file.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

// Opens a config.json, the params.json of Meta's and Mistral's own code, the folder that holds one
// of them, or a GGUF. Throws InputError or IoError.
ConfigFile open_config(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::path file = path;
    if (std::filesystem::is_directory(path, error)) {
        const bool is_own = !std::filesystem::exists(path / "config.json", error) &&
                            std::filesystem::exists(path / "params.json", error);
        file /= is_own ? "params.json" : "config.json";
    }
    if (is_gguf_file(file)) return open_gguf_config(file);
    const std::string name = input_name(file);
    if (is_called_dump(file))
        throw InputError(name + ": is a dump and no config; rope-check compare checks dumps");
    const auto root = std::make_shared<const nlohmann::json>(
        parse_json(as_text(read_input(file, max_json_bytes)), name));
    if (auto params = read_params_json(*root, name)) return *std::move(params);
    return read_config(root, name);
}

// Whether a reading gives a draft other layers, which it then has. Drafts that are named by their
// numbers are renamed.
bool renumber(SpecDraft& draft, const Reading& reading) {
    if (!draft.rotates || !draft.facts) return false;
    const auto layers = layers_as_read(reading, *draft.facts);
    if (!layers) return false;
    draft.numbers = *layers;
    if (draft.numbers.size() == draft.facts->layer_count)
        draft.layers = "all layers";
    else if (draft.layers == "all layers" || draft.layers.starts_with("layers "))
        draft.layers = "layers " + ranges(draft.numbers);
    return true;
}

// Moves layers between the drafts if the reading has rules for that; layers that none of the
// drafts has any longer are NoPE. Changes nothing else of the drafts.
void move_layers(std::vector<SpecDraft>& drafts, const Reading& reading) {
    std::uint64_t count = 0;
    for (SpecDraft& draft : drafts)
        if (renumber(draft, reading)) count = draft.facts->layer_count;
    if (count == 0) return;
    std::erase_if(drafts, [](const SpecDraft& draft) {
        return !draft.rotates || (draft.facts && draft.numbers.empty());
    });
    std::set<std::uint32_t> rotating;
    for (const SpecDraft& draft : drafts)
        rotating.insert(draft.numbers.begin(), draft.numbers.end());
    LayerNumbers others;
    for (std::uint32_t i = 0; i < count; ++i)
        if (!rotating.contains(i)) others.push_back(i);
    if (!others.empty())
        drafts.push_back(
            {.layers = "NoPE: " + ranges(others), .rotates = false, .numbers = others});
}

// The index of the draft of layer i.
std::size_t draft_of(std::uint64_t i, const std::string& flag, ConfigFile& file,
                     std::span<const SpecDraft> drafts) {
    const std::uint64_t count = layer_count(file);
    if (count > 0 && i >= count)
        throw InputError(flag + ": " + decimal(i) + " is not one of the layers 0 to " +
                         decimal(count - 1));
    for (std::size_t k = 0; k < drafts.size(); ++k)
        if (std::ranges::find(drafts[k].numbers, i) != drafts[k].numbers.end()) return k;
    if (drafts.size() == 1 && drafts[0].numbers.empty()) return 0;
    const std::string attention = attention_kinds(file, std::max(count, i + 1)).at(i);
    for (std::size_t k = 0; k < drafts.size(); ++k)
        if (!attention.empty() && drafts[k].layers.ends_with(attention)) return k;
    throw InputError(flag + ": " + file.name + " does not say how layer " + decimal(i) +
                     " rotates; name one of " + join(drafts, &SpecDraft::layers));
}

// Keeps the draft of the layer of that number.
void keep_layer(const Flag& flag, ConfigFile& file, std::vector<SpecDraft>& drafts) {
    const std::uint64_t i = parse_whole(flag.name, flag.value, 0, most_layers - 1);
    drafts = {drafts[draft_of(i, flag.name, file, drafts)]};
    if (!drafts.front().rotates)
        throw UnrotatedLayer(flag.name + ": layer " + decimal(i) + " does not rotate (" +
                             drafts.front().layers +
                             "); compare checks that its q and k stay as they are");
}

// Keeps the drafts that the flag picks: by a group's name, the start of one ("sliding"), or the
// number of a layer. Throws InputError naming what there is, where a layer does not rotate, and
// if the config does not state that layer's attention.
void keep_layers(const Flag& flag, ConfigFile* file, std::vector<SpecDraft>& drafts) {
    const bool is_number =
        !flag.value.empty() && flag.value.find_first_not_of("0123456789") == flag.value.npos;
    if (file != nullptr && is_number) return keep_layer(flag, *file, drafts);
    const std::string known =
        join(drafts | std::views::filter(&SpecDraft::rotates), &SpecDraft::layers);
    const auto is_name = [&](const SpecDraft& draft) {
        return draft.rotates && draft.layers == flag.value;
    };
    const auto starts_so = [&](const SpecDraft& draft) {
        return draft.rotates && !flag.value.empty() && draft.layers.starts_with(flag.value);
    };
    const bool by_name = std::ranges::any_of(drafts, is_name);
    if (!by_name && std::ranges::count_if(drafts, starts_so) != 1)
        throw InputError(flag.name + ": '" + printable(flag.value) + "'" +
                         (known == "all layers"
                              ? ": the layers of this model are all alike; leave it out"
                              : " is not one of " + known));
    std::erase_if(drafts, [&](const SpecDraft& draft) {
        return by_name ? !is_name(draft) : !starts_so(draft);
    });
}

bool agrees_with(const ConfigFile& file, const ConfigKey& key, const SpecDraft& draft) {
    if (!draft.rotates) return true;
    const ConfigSection model = file.model.shown();
    const std::string name = "top." + key.name;
    const std::string_view names[] = {name};
    ConfigFacts facts{
        .layer_count = 1,
        .numbers = {{"head_dim", draft.spec.head_dim},
                    {"rotary_dim", draft.spec.rotary_dim},
                    {"rope_theta", draft.spec.rope_theta}},
        .texts = {{"layers", draft.layers}, {"layout", std::string(to_string(draft.spec.layout))}}};
    add_keys(facts, names, model, model, model);
    if (const auto word = facts.texts.find(name); word != facts.texts.end())
        facts.texts["value"] = word->second;
    else
        facts.numbers["value"] = facts.numbers[name];
    if (facts.text_lists.contains(name))
        facts.layer_count = (facts.text_lists["value"] = facts.text_lists[name]).size();
    const auto items = layers_by(key.agrees, facts);
    return !key.agrees.empty() && (!items || items->size() == facts.layer_count);
}

// Notes the keys that agree with every draft, which the class reads from other keys; a key that
// disagrees stays ignored. Requires drafts with their defaults.
void accept_repeated_keys(ConfigFile& file, std::span<const SpecDraft> drafts) {
    for (const ConfigKey& key : config_keys()) {
        const auto agrees = [&](const SpecDraft& draft) { return agrees_with(file, key, draft); };
        const bool is_read = key.read_by == "all" && file.model.has(key.name);
        if (is_read || !file.model.shown().has(key.name) || !std::ranges::all_of(drafts, agrees))
            continue;
        file.repeated.push_back(key.name);
        drop_remarks(file, file.model.path_to(key.name));
    }
}

// Returns the typed flags by the field that they set. Throws InputError for a flag given twice.
std::map<std::string_view, Flag> by_field(std::span<const Flag> flags) {
    std::map<std::string_view, Flag> typed;
    for (const Flag& flag : flags) {
        const auto [earlier, is_first] = typed.emplace(find_spec_flag(flag.name).field, flag);
        if (!is_first)
            throw InputError(flag.name + ": given already, as " + earlier->second.name +
                             "; give it once");
    }
    return typed;
}

std::optional<ConfigFile> file_of(const std::optional<std::filesystem::path>& config,
                                  const std::map<std::string_view, Flag>& typed) {
    const auto model = typed.find("model");
    if (model == typed.end()) return config ? std::optional(open_config(*config)) : std::nullopt;
    if (config)
        throw InputError("--model", printable(model->second.value) +
                                        ": a config is given too; give one of them");
    const Model& known = find_model(model->second.value);
    return read_config(std::make_shared<const nlohmann::json>(known.row.row().at("config")),
                       "--model " + known.name);
}

// An unknown rope_type reads every field, because it is refused later.
bool looks_at(std::string_view rope_type, std::string_view field) {
    if (std::ranges::count(variants(), rope_type, &Variant::name) == 0) return true;
    if (field == "seq_len")
        return rope_type == "dynamic" || rope_type == "longrope" || rope_type == "qwen_ntk";
    if (field == name_of(&Scaling::partial_rotary_factor)) return true;
    const ScalingField* key = find_field(field);
    return key == nullptr || uses(rope_type, key->member);
}

// Returns the fields that took effect.
std::set<std::string_view> apply(const std::map<std::string_view, Flag>& typed, SpecDraft& draft) {
    std::set<std::string_view> applied;
    Scaling& scaling = draft.spec.scaling;
    if (const auto type = typed.find("rope_type"); type != typed.end())
        scaling.rope_type = canonical_rope_type(type->second.value);
    for (const auto& [field, flag] : typed) {
        const SpecFlag& known = find_spec_flag(flag.name);
        if (!known.set || !looks_at(scaling.rope_type, field)) continue;
        if (field != "rope_type") known.set(draft.spec, flag);
        draft.from[field] = flag.name;
        if (field == "rotary_dim") draft.rotary_fraction.reset();
        if (field == name_of(&Scaling::partial_rotary_factor)) draft.from.erase("rotary_dim");
        applied.insert(field);
    }
    return applied;
}

void apply_flags(const std::map<std::string_view, Flag>& typed, std::vector<SpecDraft>& drafts) {
    std::set<std::string_view> applied{"model", "layers", "reading"};
    std::string types;
    for (SpecDraft& draft : drafts) {
        if (!draft.rotates) continue;
        applied.merge(apply(typed, draft));
        const std::string& type = draft.spec.scaling.rope_type;
        if (types.find(type) == types.npos) types += (types.empty() ? "" : ", ") + type;
    }
    for (const auto& [field, flag] : typed)
        if (!applied.contains(field))
            throw InputError(flag.name + ": rope_type " + printable(types) +
                             " does not use it; --rope rope_type=TYPE names one that does");
}

}  // namespace

std::span<const Model> models() {
    static const auto all =
        mapped<Model>(row_texts_of(model_rows, "data/models.jsonl"), [](const RowText& row) {
            return Model{std::string(row.text("model")), std::string(row.text("source")), row};
        });
    return all;
}

bool is_model(std::string_view name) {
    return std::ranges::find(models(), name, &Model::name) != models().end();
}

std::string config_name(std::string_view origin) {
    return std::string(origin.substr(origin.starts_with("--model ") ? 8 : 0));
}

const Model& find_model(std::string_view name) {
    return one_of(models(), &Model::name, "--model", name);
}

void add_rows(std::string_view rows, const std::string& file) {
    for (const Row& row : rows_of(rows, file))
        if (row.has("architecture"))
            add_architecture(row);
        else
            add_class(row, file);
}

DraftedModel draft_model(const std::optional<std::filesystem::path>& config,
                         std::span<const Flag> flags) {
    const std::map<std::string_view, Flag> typed = by_field(flags);
    DraftedModel model{file_of(config, typed), {}, &readings().front()};
    if (const auto reading = typed.find("reading"); reading != typed.end())
        model.reading = &find_reading(reading->second.value);
    std::optional<std::string> given_type;
    if (const auto type = typed.find("rope_type"); type != typed.end())
        given_type = canonical_rope_type(type->second.value);
    if (model.file) {
        const ConfigFacts facts = config_facts(*model.file, model.file->layers.front());
        for (const std::string_view key : keys_of(*model.reading, facts)) {
            model.file->model.mark_read({key});
            drop_remarks(*model.file, model.file->model.path_to(key));
            for (LayerSection& layer : model.file->layers) {
                layer.rope.mark_read({key});
                drop_remarks(*model.file, layer.rope.path_to(key));
            }
        }
        // layers that the model does not have read their keys, too
        for (LayerSection& layer : model.file->layers) {
            SpecDraft draft =
                draft_from_config(*model.file, layer, given_type, typed.contains("rope_theta"));
            if (!layer.absent) model.drafts.push_back(std::move(draft));
        }
    } else {
        model.drafts.emplace_back();
    }
    move_layers(model.drafts, *model.reading);
    if (const auto layers = typed.find("layers"); layers != typed.end())
        keep_layers(layers->second, model.file ? &*model.file : nullptr, model.drafts);
    apply_flags(typed, model.drafts);
    for (SpecDraft& draft : model.drafts)
        if (draft.rotates) resolve_defaults(draft, model.file.has_value());
    if (model.file) accept_repeated_keys(*model.file, model.drafts);
    return model;
}

}  // namespace rope::io
