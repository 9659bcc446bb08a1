#include "io/model/draft_model.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/draft/resolve_defaults.hpp"
#include "io/model/layers_as_read.hpp"
#include "io/model/models.hpp"
#include "io/model/open_config.hpp"
#include "io/model/picked_layers.hpp"
#include "io/model/repeated_keys.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

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
        for (const std::string_view key : keys_of(*model.reading, model.file->model_type))
            model.file->model.mark_read({key});
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
