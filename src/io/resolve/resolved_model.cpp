#include "io/resolve/resolved_model.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/config/resolve_defaults.hpp"
#include "io/config/scaling_keys.hpp"
#include "io/model/draft_model.hpp"
#include "rope/frequency/frequency.hpp"

namespace rope::io {
namespace {

constexpr std::array<std::string_view, 6> required_fields{
    "head_dim", "rotary_dim", "layout", "max_position_embeddings", "rope_theta", "rope_type"};
constexpr std::array<std::string_view, 4> further_fields{"seq_len", "axes", "mrope_section",
                                                         "mrope_interleaved"};

// Every field, in the Spec's order.
std::vector<std::string_view> fields() {
    std::vector<std::string_view> all(required_fields.begin(), required_fields.end());
    for (const ScalingKey& key : scaling_keys()) all.push_back(key.name);
    all.insert(all.end(), further_fields.begin(), further_fields.end());
    return all;
}

// "factor is -2; …" -> "config.json: rope_scaling.factor is -2; …" or "--factor is -2; …"
std::string with_origin(const std::string& message, const SpecDraft& draft,
                        const ConfigFile* file) {
    for (const std::string_view field : fields()) {
        const std::string name(field);
        if (!message.starts_with(name + " is ") && !message.starts_with(name + " has ")) continue;
        const std::string rest = message.substr(field.size());
        if (rest.starts_with(" is missing") || rest.starts_with(" has 0 values")) {
            if (file != nullptr) return draft.rope_path + message;
            for (const SpecFlag& flag : spec_flags())
                if (flag.field == field) return std::string(flag.name) + rest;
        }
        const std::string from = origin_of(draft, field);
        if (from != default_origin) return from + rest;
    }
    return file != nullptr ? file->name + ": " + message : message;
}

void check(const SpecDraft& draft, const ConfigFile* file) {
    if (file != nullptr && !draft.from.contains("head_dim"))
        throw InputError(file->name +
                         ": has neither head_dim nor hidden_size and num_attention_heads; add "
                         "head_dim or give --dim");
    try {
        validate(draft.spec);
    } catch (const InputError& error) {
        throw InputError(printable(with_origin(error.what(), draft, file), 1000));
    }
}

std::vector<Origin> origins(const SpecDraft& draft) {
    std::vector<Origin> all;
    for (const std::string_view field : fields()) {
        const bool is_required = std::find(required_fields.begin(), required_fields.end(), field) !=
                                 required_fields.end();
        if (is_required || draft.from.contains(field))
            all.push_back({std::string(field), origin_of(draft, field)});
    }
    return all;
}

// The values that the rope types themselves put for absent keys.
struct TypeDefault {
    std::string_view rope_type, field, value;
};
constexpr TypeDefault type_defaults[] = {{"yarn", "beta_fast", "32"},
                                         {"yarn", "beta_slow", "1"},
                                         {"yarn", "truncate", "true"},
                                         {"proportional", "factor", "1"},
                                         {"proportional", "partial_rotary_factor", "1"}};

void add_defaulted(std::vector<Origin>& all, const SpecDraft& draft) {
    const Spec& spec = draft.spec;
    const auto add = [&](std::string_view field, std::string value) {
        const bool is_known = std::any_of(all.begin(), all.end(), [&](const Origin& one) {
            return one.field == field && one.from == value;
        });
        if (!draft.from.contains(field) && !is_known)
            all.push_back({std::string(field), std::move(value)});
    };
    add("head_dim", decimal(spec.head_dim));
    add("layout", std::string(to_string(spec.layout)));
    add("max_position_embeddings", decimal(spec.max_position_embeddings));
    add("rope_theta", decimal(spec.rope_theta));
    add("rope_type", spec.scaling.rope_type);
    for (const TypeDefault& row : type_defaults)
        if (row.rope_type == spec.scaling.rope_type) add(row.field, std::string(row.value));
}

// Layers that rotate alike make one group: "full_attention, sliding_attention".
void add_group(std::vector<LayerGroup>& groups, LayerGroup group) {
    for (LayerGroup& earlier : groups)
        if (earlier.rotates && group.rotates && earlier.resolved.spec == group.resolved.spec) {
            earlier.layers += ", " + group.layers;
            return;
        }
    groups.push_back(std::move(group));
}

std::size_t rotating(const ResolvedModel& model) {
    return static_cast<std::size_t>(
        std::count_if(model.groups.begin(), model.groups.end(),
                      [](const LayerGroup& group) { return group.rotates; }));
}

}  // namespace

ResolvedModel resolve_model(const std::optional<std::filesystem::path>& config,
                            std::span<const Flag> flags) {
    const DraftedModel drafted = draft_model(config, flags);
    const ConfigFile* file = drafted.file ? &*drafted.file : nullptr;
    ResolvedModel model;
    if (file != nullptr) {
        model.origin = file->name;
        model.read = file->read();
        model.ignored = file->ignored();
    }
    for (const SpecDraft& draft : drafted.drafts) {
        if (draft.rotates) {
            check(draft, file);
            add_defaulted(model.defaulted, draft);
        }
        add_group(model.groups,
                  {draft.layers, {draft.spec, origins(draft), model.ignored}, draft.rotates});
    }
    model.lint = lint(drafted);
    return model;
}

ResolvedSpec resolve_spec(const std::optional<std::filesystem::path>& config,
                          std::span<const Flag> flags) {
    const ResolvedModel model = resolve_model(config, flags);
    const std::size_t count = rotating(model);
    std::string names;
    for (const LayerGroup& group : model.groups) {
        if (!group.rotates) continue;
        if (count == 1) return group.resolved;
        names += (names.empty() ? "" : "; ") + group.layers;
    }
    if (count == 0) throw InputError(model.origin + ": no layer rotates");
    throw InputError(model.origin + ": rotates in " + decimal(count) + " ways (" + names +
                     "); --layers NAME picks one");
}

}  // namespace rope::io
