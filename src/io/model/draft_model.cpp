// A config of any format and the flags -> a draft for each set of layers.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/config_file.hpp"
#include "io/config/config_layers.hpp"
#include "io/config/params_json.hpp"
#include "io/draft/spec_draft.hpp"
#include "io/draft/spec_flags.hpp"
#include "io/file/read_file.hpp"
#include "io/gguf/gguf_config.hpp"
#include "io/json/json_input.hpp"
#include "io/model/models.hpp"
#include "io/text/number.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

// Opens configs of any format.

// A config.json, the params.json of Meta's and Mistral's own code, the folder that holds one of
// them, or a GGUF. Throws InputError or IoError.
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
    const FileBytes bytes = read_input(file, max_json_bytes);
    const auto root = std::make_shared<const nlohmann::json>(
        parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name));
    return is_params_json(*root) ? read_params_json(*root, name) : read_config(root, name);
}

// Which layers turn by which draft, as a library other than transformers 5 decides it.

// Whether these layers are others now. Drafts that are named by their numbers follow them.
bool renumber(SpecDraft& draft, const Reading& reading) {
    if (!draft.rotates || !draft.facts) return false;
    const auto layers = layers_as_read(reading, *draft.facts);
    if (!layers) return false;
    draft.numbers = *layers;
    if (draft.layers == "all layers" || draft.layers.starts_with("layers "))
        draft.layers = "layers " + ranges(draft.numbers);
    return true;
}

// Layers below `count` that no draft turns.
LayerNumbers unrotated(const std::vector<SpecDraft>& drafts, std::uint64_t count) {
    std::set<std::uint32_t> turned;
    for (const SpecDraft& draft : drafts)
        if (draft.rotates) turned.insert(draft.numbers.begin(), draft.numbers.end());
    LayerNumbers others;
    for (std::uint32_t i = 0; i < count; ++i)
        if (!turned.contains(i)) others.push_back(i);
    return others;
}

// Moves layers between the drafts where the reading has rules for that; layers that none of them
// turns any longer are NoPE. Changes nothing else of the drafts.
void move_layers(std::vector<SpecDraft>& drafts, const Reading& reading) {
    std::uint64_t count = 0;
    for (SpecDraft& draft : drafts)
        if (renumber(draft, reading)) count = draft.facts->layer_count;
    if (count == 0) return;
    const LayerNumbers others = unrotated(drafts, count);
    std::erase_if(drafts, [](const SpecDraft& draft) {
        return !draft.rotates || (draft.facts && draft.numbers.empty());
    });
    if (!others.empty())
        drafts.push_back(
            {.layers = "NoPE: " + ranges(others), .rotates = false, .numbers = others});
}

// Which of a model's layers --layers means.

bool is_number(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; });
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
    const std::string attention = Attention(file).of(i);
    for (std::size_t k = 0; k < drafts.size(); ++k)
        if (!attention.empty() && drafts[k].layers.ends_with(attention)) return k;
    throw InputError(flag + ": " + file.name + " does not say how layer " + decimal(i) +
                     " rotates; name one of " + join(drafts, &SpecDraft::layers));
}

void keep_only(std::vector<SpecDraft>& drafts, std::size_t kept) {
    drafts = {std::move(drafts[kept])};
}

std::string layer_names(std::span<const SpecDraft> drafts) {
    return join(drafts | std::views::filter(&SpecDraft::rotates), &SpecDraft::layers);
}

// Leaves the drafts that the flag picks: by a group's name, the start of one ("sliding"), or the
// number of a layer. Throws InputError naming what there is, where a layer does not rotate, and
// where the config does not say how that layer attends.
void keep_layers(const Flag& flag, ConfigFile* file, std::vector<SpecDraft>& drafts) {
    const std::string typed = flag.name + ": '" + printable(flag.value) + "'";
    if (file != nullptr && is_number(flag.value)) {
        const std::uint64_t i = parse_whole(flag.name, flag.value, 0, most_layers - 1);
        keep_only(drafts, draft_of(i, flag.name, *file, drafts));
        if (!drafts.front().rotates)
            throw InputError(flag.name + ": layer " + decimal(i) + " does not rotate (" +
                             drafts.front().layers +
                             "); compare --rotary-dim 0, without a config, judges that its q and k "
                             "stay as they are");
        return;
    }
    const auto picks = [&](const auto& names_it) {
        return std::ranges::count_if(
            drafts, [&](const SpecDraft& draft) { return draft.rotates && names_it(draft); });
    };
    const auto is_name = [&](const SpecDraft& draft) { return draft.layers == flag.value; };
    const auto starts_so = [&](const SpecDraft& draft) {
        return !flag.value.empty() && draft.layers.starts_with(flag.value);
    };
    const std::string known = layer_names(drafts);
    const bool by_name = picks(is_name) > 0;
    if (!by_name && picks(starts_so) != 1)
        throw InputError(typed + (known == "all layers"
                                      ? ": the layers of this model are all alike; leave it out"
                                      : " is not one of " + known));
    std::erase_if(drafts, [&](const SpecDraft& draft) {
        return !draft.rotates || !(by_name ? is_name(draft) : starts_so(draft));
    });
}

// Keys that repeat what the rest of a config says.

// NeMo's rope_percent, Bamba's attn_rotary_emb (vllm/model_executor/models/bamba.py), GPT-J's
// rotary of mesh-transformer-jax, a base of sliding layers that is the base of all, GLM-5's
// rope_interleave.
bool says_the_same(ConfigSection& model, const ConfigKey& key, const SpecDraft& draft) {
    const Spec& spec = draft.spec;
    const std::string_view means = key.means;
    const auto real = [&] { return model.real({key.name})->value; };
    const auto whole = [&] { return model.whole({key.name}, 0, max_head_dim)->value; };
    if (means == "fraction") return real() * spec.head_dim == spec.rotary_dim;
    if (means == "rotary_dim" || means == "rotary_part") return whole() == spec.rotary_dim;
    if (means == "head_dim" || means == "full_head_dim" || means == "sliding_head_dim")
        return whole() == spec.head_dim;
    if (means == "sliding_base" && draft.layers == "full_attention") return true;
    if (means == "base" || means == "sliding_base") return real() == spec.rope_theta;
    if (means == "base_ratio" || means == "linear_factor") return real() == 1;
    if (means == "rotation") return model.boolean(key.name)->value;
    if (means == "layout")
        return spec.layout == (model.boolean(key.name)->value ? parse_pair_layout(key.value)
                                                              : PairLayout::half_split);
    if (means != "kinds") return false;
    return std::ranges::all_of(model.texts(key.name)->value, [](const std::string& type) {
        return type == "full_attention" || type == "sliding_attention" || type == "attention";
    });
}

bool agrees_with(const ConfigFile& file, const ConfigKey& key, const SpecDraft& draft) {
    ConfigSection model = file.model.shown();
    try {
        return !draft.rotates || says_the_same(model, key, draft);
    } catch (const InputError&) {  // another kind of value
        return false;
    }
}

// Notes those that agree with every draft, which the class reads from other keys; one that
// disagrees stays ignored. Requires drafts with their defaults.
void accept_repeated_keys(ConfigFile& file, std::span<const SpecDraft> drafts) {
    for (const ConfigKey& key : config_keys()) {
        const auto agrees = [&](const SpecDraft& draft) { return agrees_with(file, key, draft); };
        if (key.read_by == ConfigKey::ReadBy::all || !file.model.shown().has(key.name) ||
            !std::ranges::all_of(drafts, agrees))
            continue;
        file.repeated.push_back(key.name);
        drop_remarks(file, file.model.path_to(key.name));
    }
}

// The typed flags by the field they set, each given once.
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
    return read_model(find_model(model->second.value));
}

bool is_known(std::string_view rope_type) {
    return std::any_of(variants().begin(), variants().end(),
                       [&](const Variant& variant) { return variant.name == rope_type; });
}

// An unknown rope_type looks at everything: it is refused for itself.
bool looks_at(std::string_view rope_type, std::string_view field) {
    if (!is_known(rope_type)) return true;
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

// What concerns layers that the model has not is read, and of no consequence.
std::vector<SpecDraft> drafts_of(ConfigFile& file, const GivenByFlags& given) {
    std::vector<SpecDraft> drafts;
    for (LayerSection& layer : file.layers) {
        SpecDraft draft = draft_from_config(file, layer, given);
        if (!layer.absent) drafts.push_back(std::move(draft));
    }
    return drafts;
}

}  // namespace

DraftedModel draft_model(const std::optional<std::filesystem::path>& config,
                         std::span<const Flag> flags) {
    const std::map<std::string_view, Flag> typed = by_field(flags);
    DraftedModel model{file_of(config, typed), {}, &readings().front()};
    if (const auto reading = typed.find("reading"); reading != typed.end())
        model.reading = &find_reading(reading->second.value);
    GivenByFlags given{.rope_type = std::nullopt, .base = typed.contains("rope_theta")};
    if (const auto type = typed.find("rope_type"); type != typed.end())
        given.rope_type = canonical_rope_type(type->second.value);
    if (model.file)
        for (const std::string_view key :
             keys_of(*model.reading, {.traits = model.file->traits()})) {
            model.file->model.mark_read({key});
            drop_remarks(*model.file, model.file->model.path_to(key));
        }
    if (model.file)
        model.drafts = drafts_of(*model.file, given);
    else
        model.drafts.emplace_back();
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
