#include "io/model/lint.hpp"

#include <fmt/format.h>

#include "io/model/models.hpp"

namespace rope::io {
namespace {

// The rows of data/lint.jsonl: each a condition on the keys as the file has them, or on the Spec
// that they make.

// Whether a row is about a key of the file; the others are about a Spec.
bool is_of_a_file(std::string_view at) {
    return at.starts_with("top.") || at.starts_with("section") || at.starts_with("unread.");
}

// The names in conditions and sentences of rows; the origins of places, and those of others.
struct Named {
    ConfigFacts facts = {};
    std::map<std::string, std::string, std::less<>> origins = {};
    std::function<std::string(std::string_view)> origin;
};

const RuleRows& rules() {
    static const RuleRows all(lint_rows, "data/lint.jsonl",
                              {"top.", "section.", "class.", "null.", "unread."});
    return all;
}

// The section's type, and the keys that it uses.
void add_types(Named& named, const ConfigFile& file, ConfigSection rope) {
    const auto name = rope.text({"rope_type", "type"});
    if (!name) return;
    const std::string type = file.rope_type(name->value);
    named.facts.texts["given_type"] = printable(name->value);
    named.facts.add("scales", type != "default");
    named.facts.add("type_of_class", type != canonical_rope_type(name->value));
    for (const ScalingField& field : scaling_fields())
        named.facts.add("uses." + std::string(field.name), uses(type, field.member));
}

// A vision_config next to the language model, or next to the section that contains it; other
// sections that rotate are CSM's decoder of codebooks, Qwen2.5-Omni's talker, …
void add_other_models(Named& named, const ConfigFile& file) {
    named.facts.add("other_models", !file.other_models.empty());
    named.origins["sections.others"] = file.name + ": " + join(file.other_models);
    if (!file.tower) return;
    const auto& [path, known, flags, form] = *file.tower;
    named.facts.add("tower", known == nullptr || known->is != ModelClass::Is::other);
    named.origins["sections.tower"] = file.name + ": " + path;
    if (!form.empty()) named.facts.texts["tower_form"] = form;
    if (!flags.empty()) named.facts.texts["tower_flags"] = flags;
}

// The layers that MiMo-V2's hybrid_layer_pattern makes full, which transformers 5 does not read.
void add_unread_list(Named& named, const LayerSection& layer) {
    const auto pattern = named.facts.lists.find("top.hybrid_layer_pattern");
    if (pattern == named.facts.lists.end() || layer.numbers.empty()) return;
    named.facts.layer_count = pattern->second.size();
    if (layers_by("top.hybrid_layer_pattern[i]!=1", named.facts) != layer.numbers)
        named.facts.texts["layers_by_types"] = ranges(layer.numbers);
}

// Returns the length of a list of names, of 0 and 1, or of values for each layer; other lists are
// of layers' numbers. Keys without a reader may have any kind of value.
std::size_t entries_of(ConfigSection model, std::string_view key) {
    if (const auto names = read_value([&] { return model.texts(key); })) return names->size();
    const auto numbers = read_value([&] { return model.reals(key); });
    const auto is_flag = [](double one) { return one == 0 || one == 1; };
    const bool is_each = numbers && (key == "layer_rope_theta" || key == "compress_ratios" ||
                                     std::ranges::all_of(*numbers, is_flag));
    return is_each ? numbers->size() : 0;
}

// Adds a list of another length than num_hidden_layers. transformers looks a layer up by its
// number: a shorter list is an IndexError, and a longer one may also have the layers that predict
// further tokens.
void add_sizes(Named& named, const ConfigFile& file) {
    ConfigSection model = file.model;  // a copy, which records the keys that are read
    const std::uint64_t layers = count_of(model, {"num_hidden_layers"}, UINT32_MAX);
    if (layers == 0) return;
    Keys keys{"hybrid_layer_pattern", "layer_rope_theta", "compress_ratios"};
    for (const ConfigKey& key : config_keys())
        if (key.means == "rotates" || (key.means == "kinds" && key.value.empty()))
            keys.push_back(key.name);
    for (const std::string_view key : keys) {
        // configuration_utils.py validate_layer_type: whether or not the class reads the list
        const bool is_tested = key == "layer_types" && file.has_trait("class_of_transformers");
        const std::size_t entries = entries_of(is_tested ? file.model.shown() : file.model, key);
        if (entries == 0 || entries == layers) continue;
        named.facts.add("tested_list", is_tested);
        named.facts.numbers["entries"] = static_cast<double>(entries);
        named.facts.numbers["layer_count"] = static_cast<double>(layers);
        named.origins["sections.list"] = file.model.origin(key);
        return;
    }
}

// Adds the traits of the wrapper, and whether the section has another model_type than the class
// that it builds.
void add_wrapper(Named& named, const ConfigFile& file) {
    const ModelClass* row = find_class(type_of(ConfigSection(file.name, "", file.root.get())));
    if (row == nullptr || row->is != ModelClass::Is::wrapper) return;
    for (const std::string& trait : row->traits) named.facts.add(trait, true);
    const std::string own = type_of(file.model);
    named.facts.add("builds_another_class", row->has_trait("builds_one_class") && !own.empty() &&
                                                own != file.model_type && own != row->name);
}

std::string origin_at(std::string_view place, const ConfigFile& file, const LayerSection& layer) {
    const std::string_view key = place.substr(std::min(place.find('.') + 1, place.size()));
    const std::string origin =
        place.starts_with("section") ? layer.rope.origin(key) : file.model.origin(key);
    return place == "section" ? origin.substr(0, origin.rfind('.')) : origin;
}

Named named_in(const DraftedModel& model, const LayerSection& layer) {
    const ConfigFile& file = *model.file;
    Named named{.facts = {.model_type = file.known != nullptr ? file.model_type : "",
                          .texts = {{"layers", layer.layers}},
                          .traits = file.traits()},
                .origin = [&](std::string_view place) { return origin_at(place, file, layer); }};
    add_keys(named.facts, rules().names, file.model, layer.rope, file.defaults.shown());
    for (const auto& [key, value] : file.default_root->items())
        named.facts.add("replaced." + key, !file.defaults.has(key));
    add_types(named, file, layer.rope);
    add_other_models(named, file);
    add_unread_list(named, layer);
    add_sizes(named, file);
    const auto has = [&](std::string_view means) {
        return file.model.has_one_of(keys_for(file, means));
    };
    named.facts.texts["reading"] = model.reading->name;
    named.facts.add("as_transformers",
                    hold("reading=transformers|reading=transformers-5.16", {}, named.facts));
    named.facts.add("nested", layer.nested);
    named.facts.add("assumed", layer.assumed);
    named.facts.add("local", layer.local);
    named.facts.add("rotates", layer.rotates);
    named.facts.add("gguf", file.is_gguf);
    named.facts.add("own_code", file.known != nullptr && file.known->owner() != "transformers'");
    named.facts.add("layout", file.layout.has_value());
    if (!file.model_type.empty()) named.facts.texts["model_type"] = printable(file.model_type);
    named.facts.add("two_sections", layer.rotates && !file.overruled.empty());
    named.facts.add("lacks_layer_count", file.lacks_layer_count);
    add_wrapper(named, file);
    named.facts.add("one_list", file.has_one_list);
    named.facts.add("pattern_of_letters", file.model.holds_text("sliding_window_pattern"));
    named.facts.add(
        "states_head_dim",
        file.has(keys_for(file, "head_dim")) || file.has({"qk_rope_head_dim"}) ||
            (file.defaults.has("hidden_key") && file.model.has(keys_for(file, "hidden").front())));
    named.facts.add("own_length", has("length"));
    named.facts.add("own_base", has("base") || has("base_ratio"));
    return named;
}

Named named_in(const SpecDraft& draft) {
    Named named;
    named.origin = [&](std::string_view place) { return origin_of(draft, place); };
    named.facts.add("length_is_given",
                    origin_of(draft, "max_position_embeddings") != default_origin);
    const std::uint32_t rotating = draft.spec.rotary_dim;
    if (rotating % 2 == 0 || !draft.rotary_fraction) return named;
    named.facts.numbers = {{"fraction", draft.rotary_fraction->value},
                           {"rotary_dim", rotating},
                           {"even_rotary_dim", rotating + 1.0},
                           {"head_dim", draft.spec.head_dim}};
    named.origins["fraction"] = draft.rotary_fraction->from;
    return named;
}

// Adds the rows of a file or of a Spec that hold, each finding once.
void add_rows_that_hold(std::vector<Lint>& all, bool is_file, const Spec& spec,
                        const Named& named) {
    for (const RowText& text : rules().rows) {
        const std::string_view at = text.text("at");
        if (is_of_a_file(at) != is_file || !hold(text.text("if"), spec, named.facts)) continue;
        const Row row = text.row();
        // of several places the first that is present counts
        const std::vector<std::string_view> places = split(at, "|");
        const auto held = std::ranges::find_if(
            places, [&](std::string_view one) { return hold(one, spec, named.facts); });
        const std::string_view place = held == places.end() ? places.back() : *held;
        const auto own = named.origins.find(place);
        const Lint found{row.text("lint"),
                         row.text("severity") == "note" ? Severity::note : Severity::warning,
                         own != named.origins.end() ? own->second : named.origin(place),
                         sentence(row.text("say"), spec, named.facts)};
        if (std::ranges::count(all, found) == 0) all.push_back(found);
    }
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// A key that other rope types use is easily left over; any other key may be misspelled, or mean
// more than is known here.
Lint unread_key(const DraftedModel& model, const std::string& path) {
    const ScalingField* field = find_field(last_name(path));
    const bool is_of_the_type =
        field != nullptr && std::ranges::any_of(model.drafts, [&](const SpecDraft& draft) {
            return draft.rotates && uses(draft.spec.scaling.rope_type, field->member);
        });
    const bool is_of_indexer = last_name(path).starts_with("indexer_");
    const bool is_of_a_library =  // by the rules of its reading
        std::ranges::any_of(keys_of_rules(), [&](std::string_view name) {
            return last_name(name) == last_name(path);
        });
    std::vector<std::string_view> known = mapped<std::string_view>(config_keys(), &ConfigKey::name);
    for (const ScalingField& one : scaling_fields()) known.push_back(one.name);
    known.insert(known.end(), {"rope_scaling", "rope_parameters"});
    const std::string_view meant = nearest(last_name(path), known);
    const std::string what =
        is_of_the_type || (field == nullptr && is_of_a_library)
            ? "transformers does not read it here; another library may"
        : field != nullptr ? "is not used by this rope_type; leave it out"
        : model.file->is_gguf
            ? "is about rotary embeddings, and llama.cpp does not read it of this architecture"
        : is_of_indexer
            ? "is of sparse attention's indexer; check its rotation with --dim, without the config"
            : "is about rotary embeddings, but nothing here reads it; " +
                  (meant.empty() ? "check its spelling, or what the model's code does with it"
                                 : "did you mean " + std::string(meant) + "?");
    return {"unread-key", field || is_of_indexer ? Severity::note : Severity::warning,
            model.file->name + ": " + path, what};
}

// Adds the unread keys, except for those with a finding about them, their section or its type, and
// those of which the same key in another place was read.
void add_unread_keys(std::vector<Lint>& all, const DraftedModel& model) {
    const ConfigFile& file = *model.file;
    std::set<std::string, std::less<>> read;
    for (const LayerSection& layer : file.layers)
        if (!layer.assumed)
            for (const std::string& key : layer.rope.read()) read.emplace(last_name(key));
    for (const std::string& key : file.model.read()) read.emplace(last_name(key));
    if (read.contains("rope_type")) read.emplace("type");
    // they are not left over: the type that uses them is to be renamed to rope_type
    const bool is_type_unread = file.has_trait("type_unread") &&
                                file.model.at("rope_scaling.type") != nullptr &&
                                file.model.at("rope_scaling.rope_type") == nullptr;
    const auto is_found = [&](const std::string& key) {
        if (is_type_unread && ("." + key).find(".rope_scaling.") != key.npos) return true;
        const bool is_overruled = ("." + key).find(".rope_parameters.") != key.npos;
        return std::ranges::any_of(all, [&](const Lint& one) {
            return one.where.ends_with(": " + key) ||
                   (one.id == "two-rope-sections" && is_overruled);
        });
    };
    for (const std::string& key : file.ignored())
        if (!read.contains(last_name(key)) && !is_found(key)) all.push_back(unread_key(model, key));
}

constexpr std::size_t longest_message = 1000;

}  // namespace

std::vector<Lint> lint(const DraftedModel& model) {
    std::vector<Lint> all;
    if (model.file) {
        for (const LayerSection& layer : model.file->layers)
            if (!layer.absent) add_rows_that_hold(all, true, {}, named_in(model, layer));
        for (const KeyRemark& one : model.file->remarks)
            all.push_back(
                {"unread-key", Severity::warning, model.file->name + ": " + one.path, one.what});
        add_unread_keys(all, model);
    }
    for (const SpecDraft& draft : model.drafts)
        if (draft.rotates) add_rows_that_hold(all, false, draft.spec, named_in(draft));
    std::ranges::stable_sort(all, std::greater{}, &Lint::severity);
    return all;
}

bool gates(const std::vector<Lint>& findings) {
    return std::ranges::any_of(findings,
                               [](const Lint& one) { return one.severity != Severity::note; });
}

std::string lint_text(std::span<const Lint> findings) {
    std::string text;
    for (const auto& [id, severity, where, message] : findings)
        text += fmt::format("{}: {}: {} [{}]\n", to_string(severity), printable(where),
                            printable(message, longest_message), id);
    return text;
}

nlohmann::ordered_json lint_json(std::span<const Lint> findings) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& [id, severity, where, message] : findings)
        all.push_back({{"id", id},
                       {"severity", to_string(severity)},
                       {"where", where},
                       {"message", message}});
    return all;
}

Cells lint_cells(std::span<const Lint> findings) {
    Cells cells{{"severity", "lint", "where", "what"}, "llll"};
    for (const auto& [id, severity, where, message] : findings)
        cells.rows.push_back({std::string(to_string(severity)), id, printable(where),
                              printable(message, longest_message)});
    return cells;
}

}  // namespace rope::io
