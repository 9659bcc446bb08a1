// The rows of data/lint.jsonl.
#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/config/model_classes.hpp"
#include "io/json/rows.hpp"
#include "io/lint/lint_rules.hpp"
#include "rope/readings/rules.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

struct LintRow {
    std::string id;
    Severity severity;
    std::string at;  // the first of these keys that is there, or the only one
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

// Keys of the file; the others are a Spec's.
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
    ConfigFacts facts{.model_type = file.known != nullptr ? file.model_type : "", .traits = file.traits()};
    add_keys(facts, names, file.model, layer.rope, file.defaults);
    add_unread(facts, file.model);
    ConfigSection rope = layer.rope;  // a copy, which notes what is read
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

}  // namespace

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
    for (const LintRow& row : rows())
        if (!is_of_a_file(row) && hold(row.conditions, draft.spec, {}))
            found.push_back({row.id, row.severity, origin_of(draft, place_of(row, draft.spec, {})),
                             filled(row.say, [&](std::string_view name) {
                                 return decimal(number_named(name, draft.spec, {}).value());
                             })});
    return found;
}

}  // namespace rope::io
