#include "io/config.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "io/config_file.hpp"
#include "io/printable.hpp"
#include "io/spec_draft.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

constexpr std::string_view default_origin = "default";

// The Spec's fields in its order; the last four are optional keys.
constexpr std::array<std::string_view, 10> fields{
    "head_dim",         "rotary_dim",
    "layout",           "max_position_embeddings",
    "rope_theta",       "rope_type",
    "factor",           "low_freq_factor",
    "high_freq_factor", "original_max_position_embeddings"};
constexpr std::size_t required_fields = 6;

std::string origin_of(const SpecDraft& draft, std::string_view field) {
    const auto found = draft.from.find(field);
    return found == draft.from.end() ? std::string(default_origin) : found->second;
}

std::optional<std::string> typed_rope_type(std::span<const Flag> flags) {
    for (const Flag& flag : flags)
        if (find_spec_flag(flag.name).field == "rope_type") return flag.value;
    return std::nullopt;
}

void apply_flags(SpecDraft& draft, std::span<const Flag> flags) {
    std::map<std::string_view, std::string> typed;
    for (const Flag& flag : flags) {
        const SpecFlag& known = find_spec_flag(flag.name);
        const auto [earlier, is_first] = typed.emplace(known.field, flag.name);
        if (!is_first)
            throw InputError(flag.name + ": given already, as " + earlier->second +
                             "; give it once");
        known.set(draft.spec, flag);
        draft.from[known.field] = flag.name;
        if (known.field == "rotary_dim") draft.rotary_fraction.reset();
    }
    const auto used = scaling_keys(draft.spec.scaling.rope_type);
    for (std::size_t i = required_fields; i < fields.size(); ++i)
        if (typed.contains(fields[i]) &&
            std::find(used.begin(), used.end(), fields[i]) == used.end())
            throw InputError(typed[fields[i]] + ": rope_type " +
                             printable(draft.spec.scaling.rope_type) +
                             " does not use it; --rope-type names one that does");
}

// rotary_dim = int(head_dim · partial_rotary_factor), truncated as Python's int
void settle_rotary_dim(SpecDraft& draft) {
    Spec& spec = draft.spec;
    const bool is_given = draft.from.contains("rotary_dim");
    if (!draft.rotary_fraction) {
        if (is_given) return;
        spec.rotary_dim = spec.head_dim;
        draft.from["rotary_dim"] = origin_of(draft, "head_dim");
        return;
    }
    const auto& [fraction, from] = *draft.rotary_fraction;
    const auto lanes = static_cast<std::uint32_t>(spec.head_dim * fraction);
    if (is_given && lanes != spec.rotary_dim)
        throw InputError(draft.from["rotary_dim"] + " is " +
                         decimal(std::uint64_t{spec.rotary_dim}) + " but " + from +
                         " · head_dim is " + decimal(std::uint64_t{lanes}) + "; keep one of them");
    if (is_given) return;
    spec.rotary_dim = lanes;
    draft.from["rotary_dim"] = from + " · head_dim";
}

// What transformers does in silence: without a key of its own, llama3's original context is
// the whole context.
void settle_original_context(SpecDraft& draft) {
    Scaling& scaling = draft.spec.scaling;
    if (scaling.rope_type != "llama3" || scaling.original_max_position_embeddings) return;
    scaling.original_max_position_embeddings = draft.spec.max_position_embeddings;
    draft.from["original_max_position_embeddings"] = origin_of(draft, "max_position_embeddings");
}

// "factor is -2; …" -> "config.json: rope_scaling.factor is -2; …" or "--factor is -2; …"
std::string with_origin(std::string message, const SpecDraft& draft, const ConfigFile* file) {
    for (const std::string_view field : fields) {
        if (!message.starts_with(std::string(field) + " is ")) continue;
        const std::string rest = message.substr(field.size());
        if (rest.starts_with(" is missing") && file != nullptr) return file->rope_path + message;
        if (rest.starts_with(" is missing"))
            for (const SpecFlag& flag : spec_flags())
                if (flag.field == field) return std::string(flag.name) + rest;
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
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (i < required_fields || draft.from.contains(fields[i]))
            all.push_back({std::string(fields[i]), origin_of(draft, fields[i])});
    return all;
}

}  // namespace

ResolvedSpec resolve_spec(const std::optional<std::filesystem::path>& config,
                          std::span<const Flag> flags) {
    std::optional<ConfigFile> file;
    SpecDraft draft;
    if (config) {
        file = open_config(*config);
        draft = draft_from_config(*file, typed_rope_type(flags));
    }
    apply_flags(draft, flags);
    settle_rotary_dim(draft);
    if (file) settle_original_context(draft);
    check(draft, file ? &*file : nullptr);
    return {draft.spec, origins(draft), file ? file->ignored() : std::vector<std::string>{}};
}

}  // namespace rope::io
