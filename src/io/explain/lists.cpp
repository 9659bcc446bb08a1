#include "io/explain/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/model_classes.hpp"
#include "io/explain/explanation.hpp"
#include "io/json/json_text.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/text/cells.hpp"
#include "io/text/number.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/readings/readings.hpp"

namespace rope::io {
namespace {

bool is_meant(const ListedModel& listed, const std::string& word) {
    const Spec& spec = listed.spec;
    const std::string text = std::string(listed.model->name) + " " + listed.layers + " " +
                             std::string(to_string(spec.layout)) + " " + spec.scaling.rope_type;
    return text.find(word) != text.npos;
}

std::vector<ListedModel> all_models() {
    std::vector<ListedModel> all;
    for (const Model& model : models()) {
        const Flag flag{"--model", std::string(model.name)};
        for (const LayerGroup& group : resolve_model(std::nullopt, {&flag, 1}).groups)
            if (group.rotates) all.push_back({&model, group.layers, group.resolved.spec});
    }
    return all;
}

std::string widths(const Spec& spec) {
    const std::string head = decimal(spec.head_dim);
    return spec.rotary_dim == spec.head_dim ? head : decimal(spec.rotary_dim) + "/" + head;
}

// As --layout takes it, too.
std::string short_layout(PairLayout layout) {
    return layout == PairLayout::interleaved_to_half_split ? "interleaved_to_half"
                                                           : std::string(to_string(layout));
}

}  // namespace

std::vector<ListedModel> listed_models(std::span<const std::string> words) {
    std::vector<ListedModel> listed = all_models();
    std::erase_if(listed, [&](const ListedModel& one) {
        return !std::ranges::all_of(words,
                                    [&](const std::string& word) { return is_meant(one, word); });
    });
    if (listed.empty())
        throw InputError("no model's name, layers, layout or rope_type has '" +
                         join(
                             words, [](const auto& word) { return printable(word); }, " ") +
                         "'; rope-check list models lists all");
    return listed;
}

std::string models_text(std::span<const ListedModel> models, bool verbose) {
    Cells cells{{"model", "dim", "base", "rope_type", "context", "layout"}, "lrrlrl"};
    if (verbose) {
        cells.head.emplace_back("source");
        cells.align = "lrrlrll";
    }
    std::string_view before;
    for (const auto& [model, layers, spec] : models) {
        const bool is_whole = layers == "all layers";
        if (!is_whole && model->name != before) cells.rows.push_back({std::string(model->name)});
        before = model->name;
        cells.rows.push_back({is_whole ? std::string(model->name) : "  " + layers, widths(spec),
                              plain(spec.rope_theta), spec.scaling.rope_type,
                              decimal(spec.max_position_embeddings), short_layout(spec.layout)});
        if (verbose) cells.rows.back().emplace_back(model->source);
    }
    return aligned(cells, 0);
}

std::string models_json(std::span<const ListedModel> models, std::string_view version) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const auto& [model, layers, spec] : models)
        list.push_back({{"name", model->name},
                        {"layers", layers},
                        {"spec", spec_json(spec)},
                        {"source", model->source}});
    const Json json{{"schema", models_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"models", std::move(list)}};
    return json_text(json, 2) + "\n";
}

std::string names_text(std::span<const Named> list) {
    std::size_t width = 0;
    for (const Named& one : list) width = std::max(width, one.name.size());
    std::string text;
    for (const Named& one : list)
        text += hanging(one.name + std::string(width - one.name.size() + 2, ' '), one.meaning);
    return text;
}

std::string names_json(std::string_view what, std::span<const Named> list,
                       std::string_view version) {
    using Json = nlohmann::ordered_json;
    Json names = Json::array();
    for (const Named& one : list) names.push_back({{"name", one.name}, {"meaning", one.meaning}});
    const Json json{{"schema", "rope-check-list/1"},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"list", what},
                    {"names", std::move(names)}};
    return json_text(json, 2) + "\n";
}

namespace {

constexpr std::string_view readings_introduction =
    "# Readings of a config\n\n"
    "Libraries read the same `config.json` differently. rope-check reads it as transformers 5 "
    "does;\n"
    "with `--reading NAME`, every command reads it as another library does, and\n"
    "`rope-check explain --reading all` says which of them differ on a config, in which pairs, by "
    "how\n"
    "much, and from which position on the angle is a radian off. Lengths that an engine is "
    "started\n"
    "for (vLLM's max_model_len, llama.cpp's context) are max_position_embeddings here.\n"
    "`rope-check list readings --format markdown` prints this page.\n";

// "Rope types: default, linear. Models: …"
std::string domain_of(const Reading& reading) {
    std::string text = "Rope types: " + (reading.types.empty() ? "all" : join(reading.types)) + ".";
    if (!reading.classes.empty())
        text += "\nRope sections of: " + join(classes_with_trait(reading.classes)) + ".";
    return text;
}

Cells rule_cells(const Reading& reading) {
    Cells cells{{"what it does otherwise", "source"}, "ll"};
    for (const ReadingRule& rule : reading.rules)
        cells.rows.push_back({std::string(rule.what), std::string(rule.source)});
    return cells;
}

}  // namespace

std::string reading_list_text() {
    std::string text;
    for (const Reading& reading : readings()) {
        text += std::string(reading.name) + ": " + std::string(reading.library) + "\n";
        if (reading.rules.empty()) text += "  the default\n";
        for (const ReadingRule& rule : reading.rules)
            text += hanging("  ", rule.what) + hanging("    ", rule.source);
    }
    return text;
}

std::string reading_list_markdown() {
    std::string text(readings_introduction);
    for (const Reading& reading : readings()) {
        text +=
            "\n## `" + std::string(reading.name) + "`: " + std::string(reading.library) + "\n\n";
        text += reading.rules.empty()
                    ? "The default.\n"
                    : domain_of(reading) + "\n\n" + markdown_table(rule_cells(reading));
    }
    return text;
}

std::string reading_list_json(std::string_view version) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const Reading& reading : readings()) {
        Json rules = Json::array();
        for (const ReadingRule& rule : reading.rules) rules.push_back(rule_json(rule));
        list.push_back(
            {{"reading", reading.name},
             {"library", reading.library},
             {"rope_types", reading.types},
             {"model_types", reading.classes.empty() ? std::vector<std::string>{}
                                                     : classes_with_trait(reading.classes)},
             {"rules", std::move(rules)}});
    }
    const Json json{{"schema", readings_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"readings", std::move(list)}};
    return json_text(json, 2) + "\n";
}

std::string mistakes_text() {
    std::string text;
    for (const Mistake& mistake : mistakes())
        text +=
            fmt::format("{}\n  {}\n  usual cause: {}\n", mistake.id, mistake.what, mistake.advice);
    return fitted(text);
}

std::string mistakes_json(std::string_view version) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const Mistake& mistake : mistakes())
        list.push_back({{"id", mistake.id}, {"what", mistake.what}, {"advice", mistake.advice}});
    const Json json{{"schema", mistakes_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"mistakes", std::move(list)}};
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
