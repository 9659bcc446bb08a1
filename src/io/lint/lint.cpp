#include "io/lint/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/model_classes.hpp"
#include "io/json/rows.hpp"
#include "io/model/models.hpp"
#include "rope/readings/readings.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

// The rows of data/lint.jsonl: each a condition on the keys as the file has them, or on the Spec
// that they make.

struct LintRow {
    std::string id;
    Severity severity;
    std::string at;  // one key, or several of which the first that is present counts
    std::string conditions, say;
};

constexpr std::array severities{Word<Severity>{"note", Severity::note},
                                Word<Severity>{"warning", Severity::warning}};

std::span<const LintRow> rows() {
    static const std::vector<LintRow> all = [] {
        std::vector<LintRow> list;
        for (const Row& row : rows_of(lint_rows, "data/lint.jsonl"))
            list.push_back({row.text("lint"), row.word(severities, "severity"), row.text("at"),
                            row.text("if"), row.text("say")});
        return list;
    }();
    return all;
}

// Whether the row is about a key of the file; the others are about a Spec.
bool is_of_a_file(const LintRow& row) {
    return row.at.starts_with("top.") || row.at.starts_with("section") ||
           row.at.starts_with("unread.");
}

// llama.cpp has one list of factors for any length, rope_freqs.weight, and no key for the length.
bool has_one_list(const ConfigFile& file, ConfigSection rope) {
    const auto few = rope.reals(name_of(&Scaling::short_factor)),
               many = rope.reals(name_of(&Scaling::long_factor));
    return file.is_gguf && few && many && few->value == many->value;
}

void add_unread(ConfigFacts& facts, const ConfigSection& model) {
    static const auto names = names_in(lint_rows, {"unread."});
    const std::vector<std::string> unread = model.unread();
    for (const std::string_view name : names)
        if (std::ranges::count(unread, model.path_to(name.substr(name.find('.') + 1))) > 0)
            facts.traits.emplace_back(name);
}

void add_used(ConfigFacts& facts, const std::string& rope_type) {
    for (const ScalingField& field : scaling_fields())
        if (uses(canonical_rope_type(rope_type), field.member))
            facts.traits.push_back("uses." + std::string(field.name));
}

ConfigFacts facts_of(const ConfigFile& file, const LayerSection& layer) {
    static const auto names = names_in(lint_rows, {"top.", "section.", "class."});
    ConfigFacts facts{.model_type = file.known != nullptr ? file.model_type : "",
                      .traits = file.traits()};
    add_keys(facts, names, file.model, layer.rope, file.defaults);
    add_unread(facts, file.model);
    ConfigSection rope = layer.rope;  // a copy, since it notes what is read
    const auto own = rope.text({"rope_type"}), older = rope.text({"type"});
    if (own || older) add_used(facts, (own ? own : older)->value);
    const auto has = [&](std::string_view means) {
        return std::ranges::any_of(keys_for(file, means),
                                   [&](std::string_view key) { return file.model.has(key); });
    };
    const auto add = [&](const std::string& name, bool holds) {
        if (holds) facts.traits.push_back(name);
    };
    add("layers=" + layer.layers, true);
    add("nested", layer.nested);
    add("assumed", layer.assumed);
    add("local", layer.local);
    add("rotates", layer.rotates);
    add("gguf", file.is_gguf);
    add("layout", file.layout.has_value());
    add("model_type", !file.model_type.empty());
    add("two_sections", !file.overruled.read().empty() || !file.overruled.unread().empty());
    add("types_differ", own && older && own->value != older->value);
    add("one_list", has_one_list(file, layer.rope));
    add("pattern_of_letters", file.model.holds_text("sliding_window_pattern"));
    add("own_length", has("length"));
    add("own_base", has("base") || has("base_ratio"));
    add("base_of_attention", file.attention.has("rope_theta"));
    return facts;
}

std::string_view place_of(const LintRow& row, const Spec& spec, const ConfigFacts& facts) {
    const std::vector<std::string_view> places = split(row.at, "|");
    const auto there =
        std::ranges::find_if(places, [&](std::string_view one) { return hold(one, spec, facts); });
    return there == places.end() ? places.back() : *there;
}

std::string origin_at(std::string_view place, const ConfigFile& file, const LayerSection& layer) {
    const std::string_view key = place.substr(std::min(place.find('.') + 1, place.size()));
    const std::string origin =
        place.starts_with("section") ? layer.rope.origin(key) : file.model.origin(key);
    return place == "section" ? origin.substr(0, origin.rfind('.')) : origin;
}

std::vector<Lint> rows_that_hold(const ConfigFile& file, const LayerSection& layer) {
    std::vector<Lint> found;
    const ConfigFacts facts = facts_of(file, layer);
    const auto text_of = [&](std::string_view name) {
        if (name == "layers") return layer.layers;
        if (name == "model_type") return printable(file.model_type);
        if (const auto number = facts.number(name)) return decimal(*number);
        ConfigSection rope = layer.rope;
        return printable(rope.text({name.substr(name.find('.') + 1)})->value);
    };
    for (const LintRow& row : rows())
        if (is_of_a_file(row) && hold(row.conditions, {}, facts))
            found.push_back({row.id, row.severity, origin_at(place_of(row, {}, facts), file, layer),
                             filled(row.say, text_of)});
    return found;
}

std::vector<Lint> rows_that_hold(const SpecDraft& draft) {
    std::vector<Lint> found;
    ConfigFacts facts;
    if (origin_of(draft, "max_position_embeddings") != default_origin)
        facts.traits.emplace_back("length_is_given");
    for (const LintRow& row : rows())
        if (!is_of_a_file(row) && hold(row.conditions, draft.spec, facts))
            found.push_back({row.id, row.severity,
                             origin_of(draft, place_of(row, draft.spec, facts)),
                             filled(row.say, [&](std::string_view name) {
                                 return decimal(number_named(name, draft.spec, facts).value());
                             })});
    return found;
}

// Lint that is more than a row: of lists, of heads, of sections that are models.

// A vision_config next to the language model, or next to the section that contains it.
std::optional<Lint> vision_tower(const ConfigFile& file, const LayerSection&) {
    if (!file.tower) return std::nullopt;
    const std::string where = file.name + ": " + file.tower->path;
    if (find_class(file.tower->model_type, ModelClass::Is::other) != nullptr) return std::nullopt;
    const ModelClass* known = find_class(file.tower->model_type, ModelClass::Is::tower);
    return Lint{"vision-tower", Severity::note, where,
                known == nullptr ? "is not covered; whether and how it rotates is not known here"
                                 : "rotates image patches by its own plan, which is not covered: " +
                                       std::string(known->form) +
                                       (known->flags.empty() ? ""
                                                             : "; check it with --dim HEAD_DIM " +
                                                                   std::string(known->flags))};
}

// CSM's decoder of codebooks, Qwen2.5-Omni's talker, …
std::optional<Lint> other_models(const ConfigFile& file, const LayerSection&) {
    if (file.other_models.empty()) return std::nullopt;
    return Lint{"other-models", Severity::note, file.name + ": " + join(file.other_models),
                "a separate model that rotates, which is not checked here; give the section as a "
                "separate config"};
}

bool is_unread(const ConfigFile& file, std::string_view key) {
    return std::ranges::count(file.model.unread(), file.model.path_to(key)) > 0;
}

std::optional<Lint> pattern_of_mimo(const ConfigFile& file, const LayerSection& layer) {
    constexpr std::string_view key = "hybrid_layer_pattern";
    if (!file.has_trait("reads_sections_alone") || layer.layers != "full_attention" ||
        layer.numbers.empty() || !is_unread(file, key))
        return std::nullopt;
    ConfigSection model = file.model;
    const auto pattern = read_value([&] { return model.wholes(key); });
    if (!pattern) return std::nullopt;
    std::vector<std::uint32_t> full;
    for (std::uint32_t i = 0; i < pattern->size(); ++i)
        if ((*pattern)[i] != 1) full.push_back(i);
    if (full == layer.numbers) return std::nullopt;
    return Lint{"pattern-unread", Severity::warning, model.origin(key),
                "is not read by transformers 5, whose layers of full attention are " +
                    ranges(layer.numbers) + "; other libraries read it: explain --reading all"};
}

// ernie4_5_vl_moe/modeling_ernie4_5_vl_moe.py has mrope_section alone.
std::optional<Lint> unread_time_pairs(const ConfigFile& file, const LayerSection& layer) {
    if (!file.defaults.has("axes") || file.defaults.has("time_pairs_key")) return std::nullopt;
    ConfigSection model = file.model, rope = layer.rope, assumed = file.defaults;
    constexpr std::string_view key = "freq_allocation";
    const auto time = read_value([&] { return model.whole({key}, 0, max_head_dim); });
    if (!time || !is_unread(file, key)) return std::nullopt;
    auto sections = read_value([&] { return rope.wholes("mrope_section"); });
    if (!sections) sections = read_value([&] { return assumed.wholes("mrope_section"); });
    const bool is_same = sections && !sections->empty() && sections->back() == *time;
    return Lint{"freq-allocation-unread", is_same ? Severity::note : Severity::warning,
                model.origin(key),
                "is how many pairs follow time, which transformers 5 reads of mrope_section; vLLM "
                "and PaddlePaddle read it here"};
}

// Returns the length of a list of names, or of 0 and 1; other lists are of layers' numbers. Keys
// that nobody reads may have any kind of value.
std::size_t entries_of(ConfigSection model, std::string_view key) {
    if (const auto names = read_value([&] { return model.texts(key); })) return names->size();
    const auto flags = read_value([&] { return model.wholes(key); });
    const bool is_each = flags && std::ranges::all_of(*flags, [](auto flag) { return flag <= 1; });
    return is_each ? flags->size() : 0;
}

std::optional<std::uint64_t> whole_of(ConfigSection model, std::string_view key) {
    return read_value([&] { return model.whole({key}, 1, UINT32_MAX); });
}

// transformers looks a layer up by its number: a shorter list is an IndexError, and a longer one
// may have those that predict further tokens, too.
std::optional<Lint> layer_list_length(const ConfigFile& file, const LayerSection&) {
    const auto layers = whole_of(file.model, "num_hidden_layers");
    if (!layers || file.is_gguf) return std::nullopt;
    Keys keys{"hybrid_layer_pattern"};
    for (const ConfigKey& key : config_keys())
        if (key.means == "rotates" || (key.means == "kinds" && key.value.empty()))
            keys.push_back(key.name);
    for (const std::string_view key : keys) {
        const std::size_t entries = entries_of(file.model, key);
        if (entries == 0 || entries == *layers) continue;
        return Lint{"layer-list-length", entries < *layers ? Severity::warning : Severity::note,
                    file.model.origin(key),
                    "has " + decimal(entries) + " entries; there are " + decimal(*layers) +
                        " layers, by num_hidden_layers"};
    }
    return std::nullopt;
}

std::optional<Lint> uneven_heads(const ConfigFile& file, const LayerSection&) {
    const auto width = whole_of(file.model, "hidden_size"),
               heads = whole_of(file.model, "num_attention_heads");
    const bool is_stated = file.has(keys_for(file, "head_dim")) || file.has({"qk_rope_head_dim"});
    if (!width || !heads || is_stated || *width % *heads == 0) return std::nullopt;
    return Lint{"uneven-heads", Severity::warning, file.model.origin("hidden_size"),
                "is " + decimal(*width) + ", which " + decimal(*heads) +
                    " heads do not share evenly; without a head_dim they have " +
                    decimal(*width / *heads) + " dimensions; give the head_dim that is meant"};
}

std::optional<Lint> odd_rotary_dim(const SpecDraft& draft) {
    const Spec& spec = draft.spec;
    if (spec.rotary_dim % 2 == 0 || !draft.rotary_fraction) return std::nullopt;
    return Lint{"odd-rotary-dim", Severity::warning, draft.rotary_fraction->from,
                "is " + decimal(draft.rotary_fraction->value) +
                    ", which makes int(head_dim · it) " + decimal(spec.rotary_dim) +
                    ", an odd number of dimensions; pairs need an even one, such as " +
                    decimal(std::uint64_t{spec.rotary_dim} + 1) + "/" + decimal(spec.head_dim)};
}

using KeyRule = std::optional<Lint> (*)(const ConfigFile& file, const LayerSection& layer);
constexpr KeyRule key_rules[] = {vision_tower,      other_models,      pattern_of_mimo,
                                 unread_time_pairs, layer_list_length, uneven_heads};

void add(std::vector<Lint>& all, std::optional<Lint> found) {
    if (found && std::find(all.begin(), all.end(), *found) == all.end())
        all.push_back(*std::move(found));
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// Knows which unread keys need no finding: those with a finding about them or their section, and
// those of which the same key in another place was read.
class Explained {
  public:
    Explained(const ConfigFile& file, const std::vector<Lint>& findings) : findings_(findings) {
        for (const LayerSection& layer : file.layers)
            if (!layer.assumed)
                for (const std::string& key : layer.rope.read()) read_.emplace(last_name(key));
        for (const std::string& key : file.model.read()) read_.emplace(last_name(key));
        if (read_.contains("rope_type")) read_.emplace("type");
    }
    bool holds(const std::string& path) const {
        const bool is_overruled = path.starts_with("rope_parameters.") ||
                                  path.find(".rope_parameters.") != std::string::npos;
        return read_.contains(last_name(path)) ||
               std::ranges::any_of(findings_, [&](const Lint& one) {
                   return one.where.ends_with(": " + path) ||
                          (one.id == "two-rope-sections" && is_overruled);
               });
    }

  private:
    const std::vector<Lint>& findings_;
    std::set<std::string, std::less<>> read_;
};

// A key that other rope types use is easily left over; any other key may be misspelled, or mean
// more than is known here.
Lint unread_key(const DraftedModel& model, const std::string& path) {
    const std::string where = model.file->name + ": " + path;
    const ScalingField* field = find_field(last_name(path));
    const bool is_of_the_type =
        field != nullptr && std::ranges::any_of(model.drafts, [&](const SpecDraft& draft) {
            return draft.rotates && uses(draft.spec.scaling.rope_type, field->member);
        });
    if (is_of_the_type)
        return {"unread-key", Severity::note, where,
                "transformers does not read it here; another library may"};
    if (field != nullptr)
        return {"unread-key", Severity::note, where, "is not used by this rope_type; leave it out"};
    if (last_name(path).starts_with("indexer_"))
        return {
            "unread-key", Severity::note, where,
            "is of sparse attention's indexer; check its rotation with --dim, without the config"};
    return {"unread-key", Severity::warning, where,
            "is about rotary embeddings, but nothing here reads it; check its spelling, or what "
            "the model's code does with it"};
}

void add_unread_keys(std::vector<Lint>& all, const DraftedModel& model) {
    const ConfigFile& file = *model.file;
    const std::vector<Lint> of_keys = all;
    const Explained explained(file, of_keys);
    std::set<std::string> unread;
    for (const std::string& key : file.ignored())
        if (!explained.holds(key) && unread.insert(key).second)
            all.push_back(unread_key(model, key));
}

constexpr std::size_t longest_message = 1000;

}  // namespace

std::string_view to_string(Severity severity) {
    return severity == Severity::note ? "note" : "warning";
}

std::vector<Lint> lint(const DraftedModel& model) {
    std::vector<Lint> all;
    if (model.file) {
        for (const LayerSection& layer : model.file->layers) {
            if (layer.absent) continue;
            for (Lint& one : rows_that_hold(*model.file, layer)) add(all, std::move(one));
            for (const KeyRule rule : key_rules) add(all, rule(*model.file, layer));
        }
        for (const KeyRemark& one : model.file->remarks)
            all.push_back(
                {"unread-key", Severity::warning, model.file->name + ": " + one.path, one.what});
        add_unread_keys(all, model);
    }
    for (const SpecDraft& draft : model.drafts) {
        if (!draft.rotates) continue;
        add(all, odd_rotary_dim(draft));
        for (Lint& one : rows_that_hold(draft)) add(all, std::move(one));
    }
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
