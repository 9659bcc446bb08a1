// A config and flags -> Specs, as transformers reads them or as another library does.
#include "io/model/resolved_model.hpp"

#include "io/model/models.hpp"
#include "io/text/json_text.hpp"

namespace rope::io {
namespace {

// Flags count for whichever type is read.
void add_flags(std::optional<Scaling>& scaling, const SpecDraft& draft) {
    if (!scaling) return;
    for (const ScalingField& field : scaling_fields())
        if (is_rope_flag(origin_of(draft, field.name)))
            std::visit([&](auto member) { (*scaling).*member = draft.spec.scaling.*member; },
                       field.member);
}

// Returns the keys that libraries read in addition to the Spec; a length or a base given by a flag
// counts for each of them.
ConfigFacts facts_of(const SpecDraft& draft) {
    constexpr auto member = &Scaling::original_max_position_embeddings;
    const ConfigFacts of_flags = rope::facts_of(draft.spec);
    ConfigFacts facts = draft.facts.value_or(of_flags);
    if (is_rope_flag(origin_of(draft, name_of(member))))
        for (const auto& [name, value] : of_flags.numbers) facts.numbers[name] = value;
    const std::string base = origin_of(draft, "rope_theta");
    if (!base.ends_with(default_theta)) facts.numbers.erase("older_theta");
    add_flags(facts.by_older_type, draft);
    if (base != "--base" && base != "--rope-theta") return facts;
    std::erase(facts.traits, "base_of_class");
    for (const char* name : {"outer_theta", "top.rope_theta", "top.swa_rope_theta"})
        facts.numbers[name] = draft.spec.rope_theta;
    return facts;
}

// Applies the reading to the Spec; the reading's name becomes the origin of each changed field:
// "--reading vllm". Throws InputError if the library does not read it. Requires a valid Spec.
void apply_reading(SpecDraft& draft, const Reading& reading) {
    const Spec before = draft.spec;
    Spec& spec = draft.spec;
    try {
        spec = read_as(reading, before, facts_of(draft)).spec;
    } catch (const InputError& error) {
        throw InputError("--reading", std::string(reading.name) + ": " + error.what());
    }
    for (const SpecFlag& flag : spec_flags()) {
        const auto now = setting_value(spec, flag.field);
        if (now == setting_value(before, flag.field)) continue;
        if (now.empty() && flag.field != "mrope_section")
            draft.from.erase(flag.field);
        else
            draft.from[flag.field] = "--reading " + std::string(reading.name);
    }
}

constexpr std::array<std::string_view, 6> required_fields{
    "head_dim", "rotary_dim", "layout", "max_position_embeddings", "rope_theta", "rope_type"};
constexpr std::array<std::string_view, 6> further_fields{
    "rotary_offset", "direction", "seq_len", "axes", "mrope_section", "mrope_interleaved"};

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

// Returns the keys that are missing to compute head_dim.
std::string lacks_head_dim(const ConfigFile& file) {
    if (file.has(keys_for(file, "hidden"))) return "neither head_dim nor num_attention_heads";
    if (file.has(keys_for(file, "heads"))) return "neither head_dim nor hidden_size";
    return "neither head_dim nor hidden_size and num_attention_heads";
}

void check(const SpecDraft& draft, const ConfigFile* file) {
    if (file != nullptr && !draft.from.contains("head_dim"))
        throw InputError(file->name + ": has " + lacks_head_dim(*file) +
                         (file->other_models.empty()
                              ? "; add head_dim or give --dim if the model has RoPE"
                              : "; it holds models in " + join(file->other_models) +
                                    ": give one of these sections as a separate config"));
    try {
        validate(draft.spec);
    } catch (const InputError& error) {
        throw with_origin(error, draft, file);
    }
}

// Returns the origins in the Spec's order.
std::vector<Origin> origins(const SpecDraft& draft) {
    std::vector<Origin> all;
    for (const std::string_view field : required_fields)
        all.push_back({std::string(field), origin_of(draft, field)});
    const auto add = [&](std::string_view field) {
        if (const auto from = draft.from.find(field); from != draft.from.end())
            all.push_back({std::string(field), from->second});
    };
    for (const ScalingField& field : scaling_fields()) add(field.name);
    for (const std::string_view field : further_fields) add(field);
    return all;
}

// Adds fields that nothing gives, or only the class of the model, and the values that the rope type
// puts for absent keys.
void add_defaulted(std::vector<Origin>& all, const SpecDraft& draft) {
    const auto add = [&](std::string_view field, const std::string& value) {
        const bool is_known = std::ranges::any_of(
            all, [&](const Origin& one) { return one.field == field && one.from == value; });
        const std::string from = origin_of(draft, field);
        const bool is_given =
            from != default_origin && from.find(" default for ") == std::string::npos;
        if (!is_given && !is_known) all.push_back({std::string(field), value});
    };
    for (const char* field :
         {"head_dim", "layout", "max_position_embeddings", "rope_theta", "rope_type"})
        add(field, setting_text(setting_value(draft.spec, field)));
    for (const UsedKey& key : find_variant(draft.spec.scaling.rope_type).keys)
        if (const std::string value = default_text(key); !value.empty())
            add(name_of(key.member), value);
}

// Layers that rotate alike make one group: "full_attention, sliding_attention". Its layers have
// numbers if all of them are known.
void add_group(std::vector<LayerGroup>& groups, LayerGroup group) {
    const auto same = std::ranges::find_if(groups, [&](const LayerGroup& earlier) {
        return earlier.rotates && group.rotates && earlier.resolved.spec == group.resolved.spec;
    });
    if (same == groups.end()) {
        groups.push_back(std::move(group));
        return;
    }
    if (same->names.empty()) same->names.push_back(same->layers);
    same->names.push_back(group.layers);
    same->layers += ", " + group.layers;
    const bool are_known = !same->numbers.empty() && !group.numbers.empty();
    same->numbers.insert(same->numbers.end(), group.numbers.begin(), group.numbers.end());
    std::ranges::sort(same->numbers);
    if (!are_known) same->numbers.clear();
}

// Refuses a file that is no config, before it makes every later step take long.
void refuse_many(const DraftedModel& drafted, const std::vector<std::string>& ignored) {
    constexpr std::size_t most_ignored = 1000, most_pairs = 65536;
    const auto refuse = [&](std::size_t many, const char* what, std::size_t most) {
        if (many > most)
            throw InputError(drafted.file->name + ": has " + decimal(many) + " " + what +
                             "; the limit is " + decimal(most));
    };
    refuse(ignored.size(), "keys about rotary embeddings that nothing reads", most_ignored);
    std::size_t pairs = 0;
    for (const SpecDraft& draft : drafted.drafts) pairs += draft.spec.pairs();
    refuse(pairs, "pairs in its types of layers", most_pairs);
}

std::uint64_t long_length(const Spec& spec, std::uint64_t short_length) {
    const auto last = static_cast<double>(spec.max_position_embeddings);
    const std::string& type = spec.scaling.rope_type;
    const double longest = type == "dynamic"    ? std::ceil(last * *spec.scaling.factor)
                           : type == "qwen_ntk" ? 2 * last
                                                : last;
    return std::clamp(static_cast<std::uint64_t>(std::min(longest, 0x1p32)), short_length + 1,
                      max_context);
}

// Σ|ln(own_i/θ_i)|; infinite if there is another number of them
double distance(const std::vector<double>& own, Spec spec, std::uint64_t length) {
    spec.seq_len = length;
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    if (own.size() != plan.pairs.size()) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        const double apart = std::log(own[i] / plan.pairs[i].inv_freq.to_double());
        if (std::isfinite(apart)) sum += std::abs(apart);
    }
    return sum;
}

// Returns the lengths of sequences with different tables, ascending: the longest of each short
// table, and one beyond.
std::vector<std::uint64_t> table_lengths(std::span<const LayerGroup> groups) {
    std::set<std::uint64_t> longest_short;
    std::uint64_t beyond = 0;
    for (const LayerGroup& group : groups) {
        const Spec& spec = group.resolved.spec;
        const auto last = group.rotates ? short_length(spec) : std::nullopt;
        if (!last) continue;
        longest_short.insert(*last);
        beyond = std::max(beyond, long_length(spec, *last));
    }
    std::vector<std::uint64_t> all(longest_short.begin(), longest_short.end());
    if (!all.empty()) all.push_back(beyond);
    return all;
}

// Layers with linear attention or without attention have no q and k that could rotate.
std::string still_layers(const ResolvedModel& model) {
    constexpr std::string_view prefix = "NoPE: ";
    constexpr std::size_t most = 4;
    for (const LayerGroup& group : model.groups) {
        if (group.rotates || !group.layers.starts_with(prefix)) continue;
        const std::vector<std::uint32_t>& all = group.numbers;
        if (all.empty()) return "layers of " + group.layers.substr(prefix.size());
        if (all.size() <= most) return "layers " + join(all);
        return "layers " + decimal(all[0]) + ", " + decimal(all[1]) + ", …, " + decimal(all.back());
    }
    return "";
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
    if (file != nullptr && file->assumed_layers)
        model.defaulted.push_back({"num_hidden_layers", decimal(*file->assumed_layers)});
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
    if (std::ranges::none_of(model.groups, &LayerGroup::rotates))
        throw InputError(model.origin + ": no layer rotates (" +
                         join(model.groups, &LayerGroup::layers, "; ") +
                         "): there is no RoPE to verify");
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

ResolvedSpec resolve_spec(const std::optional<std::filesystem::path>& config,
                          std::span<const Flag> flags) {
    return only_rotation(resolve_model(config, flags));
}

ResolvedSpec only_rotation(const ResolvedModel& model) {
    std::vector<const LayerGroup*> rotating;
    for (const LayerGroup& group : model.groups)
        if (group.rotates) rotating.push_back(&group);
    if (rotating.size() == 1) {
        ResolvedSpec resolved = rotating.front()->resolved;
        resolved.still_layers = still_layers(model);
        return resolved;
    }
    throw InputError(config_name(model.origin) + ": has " + decimal(rotating.size()) +
                     " kinds of layers that rotate differently (" +
                     join(rotating, &LayerGroup::layers, "; ") + "); --layers NAME picks one");
}

void choose_table(ResolvedSpec& resolved, std::uint64_t length, const std::string& why) {
    if (!short_length(resolved.spec)) return;
    resolved.origins.push_back({"seq_len", why});
    resolved.spec.seq_len = length;
}

void choose_nearest_table(ResolvedSpec& resolved, const std::vector<double>& inv_freq) {
    const Spec& spec = resolved.spec;
    const auto last = short_length(spec);
    if (!last || spec.scaling.rope_type != "longrope") return;
    const std::uint64_t beyond = long_length(spec, *last);
    const bool is_long = distance(inv_freq, spec, beyond) < distance(inv_freq, spec, *last);
    choose_table(resolved, is_long ? beyond : *last, "the list that inv_freq is nearer to");
}

ResolvedModel with_both_tables(ResolvedModel model, std::span<const std::uint64_t> common) {
    std::vector<LayerGroup> groups;
    for (LayerGroup& group : model.groups) {
        auto lengths = table_lengths({&group, 1});
        if (!lengths.empty() && !common.empty()) lengths.assign(common.begin(), common.end());
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            const std::string sequences = k == 0 ? "short sequences"
                                          : k + 1 == lengths.size()
                                              ? "long sequences"
                                              : "sequences of " + decimal(lengths[k]);
            LayerGroup one = group;
            choose_table(one.resolved, lengths[k], sequences);
            one.sequences = sequences;
            one.layers += ", " + sequences;
            for (std::string& name : one.names) name += ", " + sequences;
            groups.push_back(std::move(one));
        }
        if (lengths.empty()) groups.push_back(std::move(group));
    }
    model.groups = std::move(groups);
    return model;
}

std::array<ResolvedModel, 2> with_common_tables(ResolvedModel a, ResolvedModel b) {
    std::vector<LayerGroup> groups = a.groups;
    groups.insert(groups.end(), b.groups.begin(), b.groups.end());
    const std::vector<std::uint64_t> common = table_lengths(groups);
    return {with_both_tables(std::move(a), common), with_both_tables(std::move(b), common)};
}

}  // namespace rope::io
