// A config and flags -> Specs, as transformers reads them or as another library does.
#include "io/resolve/resolved_model.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/config/model_classes.hpp"
#include "io/draft/spec_draft.hpp"
#include "io/model/models.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

// Another library's reading of a config.

// Notes the origin of a field that the reading set or took away.
class ChangedOrigins {
  public:
    ChangedOrigins(SpecDraft& draft, const Reading& reading)
        : draft_(draft), origin_("--reading " + std::string(reading.name)) {}

    void note(std::string_view field, bool differs, bool is_set) {
        if (!differs) return;
        if (is_set)
            draft_.from[field] = origin_;
        else
            draft_.from.erase(field);
    }

  private:
    SpecDraft& draft_;
    std::string origin_;
};

ConfigFacts facts_of(const SpecDraft& draft);

Spec spec_as_read(const SpecDraft& draft, const Reading& reading) {
    try {
        return read_as(reading, draft.spec, facts_of(draft)).spec;
    } catch (const InputError& error) {
        throw InputError("--reading", std::string(reading.name) + ": " + error.what());
    }
}

// Flags count for whichever type is read.
void add_flags(std::optional<Scaling>& scaling, const SpecDraft& draft) {
    if (!scaling) return;
    for (const ScalingField& field : scaling_fields())
        if (is_rope_flag(origin_of(draft, field.name)))
            std::visit([&](auto member) { (*scaling).*member = draft.spec.scaling.*member; },
                       field.member);
}

// What libraries look at beside the Spec; a length given by a flag counts for every one of them.
ConfigFacts facts_of(const SpecDraft& draft) {
    constexpr auto member = &Scaling::original_max_position_embeddings;
    const ConfigFacts of_flags = rope::facts_of(draft.spec);
    ConfigFacts facts = draft.facts.value_or(of_flags);
    if (is_rope_flag(origin_of(draft, name_of(member))))
        for (const auto& [name, value] : of_flags.numbers) facts.numbers[name] = value;
    if (!origin_of(draft, "rope_theta").ends_with(default_theta))
        facts.numbers.erase("older_theta");
    add_flags(facts.by_older_type, draft);
    if (origin_of(draft, "rope_theta") == "--base" ||
        origin_of(draft, "rope_theta") == "--rope-theta")
        for (const char* name : {"outer_theta", "top.rope_theta", "top.swa_rope_theta"})
            facts.numbers[name] = draft.spec.rope_theta;
    return facts;
}

// Changes the Spec to that of the reading, and says of each field that changed where it came from:
// "--reading vllm". Throws InputError where the library does not read it. Requires a valid Spec.
void apply_reading(SpecDraft& draft, const Reading& reading) {
    const Spec before = draft.spec;
    draft.spec = spec_as_read(draft, reading);
    const Spec& spec = draft.spec;
    ChangedOrigins origins(draft, reading);
    for (const ScalingField& field : scaling_fields())
        std::visit(
            [&](auto member) {
                origins.note(field.name, before.scaling.*member != spec.scaling.*member,
                             is_set(spec.scaling.*member));
            },
            field.member);
    origins.note("rope_type", before.scaling.rope_type != spec.scaling.rope_type, true);
    origins.note("rope_theta", before.rope_theta != spec.rope_theta, true);
    origins.note("rotary_dim", before.rotary_dim != spec.rotary_dim, true);
    origins.note("seq_len", before.seq_len != spec.seq_len, spec.seq_len.has_value());
    origins.note("axes", before.axes.scheme != spec.axes.scheme, true);
    origins.note("mrope_section", before.axes.sections != spec.axes.sections, true);
}

constexpr std::array<std::string_view, 6> required_fields{
    "head_dim", "rotary_dim", "layout", "max_position_embeddings", "rope_theta", "rope_type"};
constexpr std::array<std::string_view, 6> further_fields{
    "rotary_offset", "direction", "seq_len", "axes", "mrope_section", "mrope_interleaved"};

// Every field, in the Spec's order.
std::vector<std::string_view> fields() {
    std::vector<std::string_view> all(required_fields.begin(), required_fields.end());
    for (const ScalingField& field : scaling_fields()) all.push_back(field.name);
    all.insert(all.end(), further_fields.begin(), further_fields.end());
    return all;
}

// "factor is -2; …" -> "config.json: rope_scaling.factor is -2; …" or "--rope factor is -2; …"
InputError with_origin(const InputError& error, const SpecDraft& draft, const ConfigFile* file) {
    const ScalingField* key = find_field(error.field);
    if (key != nullptr && !is_set(draft.spec.scaling, *key))
        return error.renamed(file != nullptr
                                 ? draft.rope_path + error.field
                                 : std::string(rope_option) + " " + std::string(key->name));
    const std::string from = origin_of(draft, error.field);
    if (from != default_origin) return error.renamed(from);
    return file != nullptr ? InputError(file->name + ": " + error.what()) : error;
}

// What head_dim would be computed of, and is missing.
std::string lacks_head_dim(const ConfigFile& file) {
    if (file.has(keys_for(file, "hidden"))) return "neither head_dim nor num_attention_heads";
    if (file.has(keys_for(file, "heads"))) return "neither head_dim nor hidden_size";
    return "neither head_dim nor hidden_size and num_attention_heads";
}

void check(const SpecDraft& draft, const ConfigFile* file) {
    if (file != nullptr && !draft.from.contains("head_dim"))
        throw InputError(file->name + ": has " + lacks_head_dim(*file) +
                         (file->other_models.empty()
                              ? "; add head_dim or give --dim"
                              : "; it holds models in " + join(file->other_models) +
                                    ": give one of these sections as a separate config"));
    try {
        validate(draft.spec);
    } catch (const InputError& error) {
        throw with_origin(error, draft, file);
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

// Also the values that the rope type itself puts for absent keys.
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
    for (const UsedKey& key : find_variant(spec.scaling.rope_type).keys)
        if (std::string value = default_text(key); !value.empty())
            add(name_of(key.member), std::move(value));
}

// Both, where both are known.
void join_numbers(std::vector<std::uint32_t>& numbers, const std::vector<std::uint32_t>& others) {
    const bool are_known = !numbers.empty() && !others.empty();
    numbers.insert(numbers.end(), others.begin(), others.end());
    std::ranges::sort(numbers);
    if (!are_known) numbers.clear();
}

// Layers that rotate alike make one group: "full_attention, sliding_attention".
void add_group(std::vector<LayerGroup>& groups, LayerGroup group) {
    for (LayerGroup& earlier : groups)
        if (earlier.rotates && group.rotates && earlier.resolved.spec == group.resolved.spec) {
            if (earlier.names.empty()) earlier.names.push_back(earlier.layers);
            earlier.names.push_back(group.layers);
            earlier.layers += ", " + group.layers;
            join_numbers(earlier.numbers, group.numbers);
            return;
        }
    groups.push_back(std::move(group));
}

std::size_t rotating_layers(const ResolvedModel& model) {
    return static_cast<std::size_t>(
        std::count_if(model.groups.begin(), model.groups.end(),
                      [](const LayerGroup& group) { return group.rotates; }));
}

// What a file that is no config would make of every later step.
void refuse_many(const DraftedModel& drafted, const std::vector<std::string>& ignored) {
    constexpr std::size_t most_ignored = 1000, most_drafts = 64, most_pairs = 65536;
    const auto refuse = [&](std::size_t many, const char* what, std::size_t most) {
        if (many > most)
            throw InputError(drafted.file->name + ": has " + decimal(many) + " " + what +
                             "; the limit is " + decimal(most));
    };
    refuse(ignored.size(), "keys about rotary embeddings that nothing reads", most_ignored);
    refuse(drafted.drafts.size(), "types of layers", most_drafts);
    std::size_t pairs = 0;
    for (const SpecDraft& draft : drafted.drafts) pairs += draft.spec.pairs();
    refuse(pairs, "pairs in its types of layers", most_pairs);
}

}  // namespace

ResolvedModel resolve_model(const std::optional<std::filesystem::path>& config,
                            std::span<const Flag> flags) {
    DraftedModel drafted = draft_model(config, flags);
    const ConfigFile* file = drafted.file ? &*drafted.file : nullptr;
    ResolvedModel model;
    if (file != nullptr) {
        model.origin = file->name;
        model.permuted_architecture = file->permuted_architecture;
        model.read = file->read();
        model.ignored = file->ignored();
        refuse_many(drafted, model.ignored);
    }
    for (const SpecDraft& draft : drafted.drafts) {
        if (!draft.rotates) continue;
        check(draft, file);
        add_defaulted(model.defaulted, draft);
    }
    model.lint = lint(drafted);
    for (SpecDraft& draft : drafted.drafts) {
        if (draft.rotates) apply_reading(draft, *drafted.reading);
        add_group(model.groups, {draft.layers,
                                 {.spec = draft.spec,
                                  .origins = origins(draft),
                                  .ignored = model.ignored,
                                  .facts = facts_of(draft)},
                                 draft.rotates,
                                 {},
                                 draft.numbers});
    }
    for (LayerGroup& group : model.groups) group.resolved.lint = model.lint;
    return model;
}

void require_brief(std::string_view what, std::uint64_t positions, std::uint32_t pairs,
                   std::string_view how) {
    constexpr std::uint64_t most = std::uint64_t{1} << 33;  // positions times pairs: a minute
    const std::uint64_t least_pairs = std::max(1U, pairs);
    if (positions <= most / least_pairs) return;
    throw InputError(std::string(what) + " is " + decimal(positions) +
                     ": checking so many positions of " + decimal(least_pairs) +
                     " pairs takes long; " + std::string(how) + " (" + decimal(most / least_pairs) +
                     " take a minute)");
}

std::uint64_t LayerGroup::unasked_context() const {
    require_brief("max_position_embeddings", context(), resolved.spec.pairs(),
                  "choose how many with --context");
    return context();
}

ResolvedSpec resolve_spec(const std::optional<std::filesystem::path>& config,
                          std::span<const Flag> flags) {
    const ResolvedModel model = resolve_model(config, flags);
    const std::size_t count = rotating_layers(model);
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
