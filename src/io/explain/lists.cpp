#include <fmt/format.h>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "io/config/config.hpp"
#include "io/explain/explanation.hpp"
#include "io/model/models.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"
#include "rope/changes/mistakes.hpp"
#include "rope/checks/check.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/session/judge.hpp"

namespace rope::io {
namespace {

using Words = std::span<const std::string>;

// "layers 3, 7, 11, …": a list of more numbers than a column of the table holds.
std::string brief(const std::string& layers) {
    constexpr std::size_t most = 18;
    if (layers.size() <= most) return layers;
    const std::size_t comma = layers.rfind(',', most - 3);
    return comma == layers.npos ? layers : layers.substr(0, comma) + ", …";
}

// A model and one rotation of its layers.
struct ListedModel {
    const Model* model;
    std::string layers;
    Spec spec;
};

std::string text_of(const ListedModel& listed) {
    const Spec& spec = listed.spec;
    return std::string(listed.model->name) + " " + listed.layers + " " +
           std::string(to_string(spec.layout)) + " " + spec.scaling.rope_type;
}

// The items whose text has every word, in any case. Throws InputError if there are none.
template <class Items, class TextOf>
auto selected(std::string_view list, Words words, const Items& items, const TextOf& text_of_item) {
    std::vector<std::ranges::range_value_t<Items>> found(items.begin(), items.end());
    std::erase_if(found, [&](const auto& item) {
        const std::string text = lower_case(text_of_item(item));
        return !std::ranges::all_of(words, [&](const std::string& word) {
            return text.find(lower_case(word)) != text.npos;
        });
    });
    if (found.empty())
        throw InputError(fmt::format("none of the {0} has '{1}'; rope-check list {0} lists all",
                                     list, printable(join(words, std::identity{}, " "))));
    return found;
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

Document model_list(Words words, bool verbose) {
    const std::vector<ListedModel> models = selected("models", words, all_models(), text_of);
    Cells cells{{"model", "dim", "base", "rope_type", "context", "layout"},
                verbose ? "lrrlrll" : "lrrlrl"};
    if (verbose) cells.head.emplace_back("source");
    std::string_view before;
    for (const auto& [model, layers, spec] : models) {
        const bool is_whole = layers == "all layers";
        if (!is_whole && model->name != before) cells.add(model->name);
        before = model->name;
        const bool is_reordered = spec.layout == PairLayout::interleaved_to_half_split;
        cells.add(is_whole ? model->name : "  " + brief(layers), widths(spec),
                  plain(spec.rope_theta), spec.scaling.rope_type,
                  decimal(spec.max_position_embeddings),
                  is_reordered ? "interleaved_to_half" : to_string(spec.layout));
        if (verbose) cells.rows.back().push_back(model->source);
    }
    Document document;
    document.table(cells, 0);
    document.json = json_document("rope-check-models/1",
                                  {{"models", json_array(models, [](const ListedModel& one) {
                                        return Json{{"name", one.model->name},
                                                    {"layers", one.layers},
                                                    {"spec", spec_json(one.spec)},
                                                    {"source", one.model->source}};
                                    })}});
    return document;
}

// A list of names and meanings, one name per line.
Document names(std::string_view list, Words words, Cells cells) {
    cells.rows = selected(list, words, cells.rows, [](const auto& row) { return join(row); });
    Document document;
    std::size_t width = 0;
    for (const auto& row : cells.rows) width = std::max(width, row[0].size());
    document.terms(cells, 0, width);
    document.json =
        json_document("rope-check-list/1",
                      {{"list", list}, {"names", json_array(cells.rows, [](const auto& row) {
                                            return Json{{"name", row[0]}, {"meaning", row[1]}};
                                        })}});
    return document;
}

// Each rope_type with its keys, and the meanings of the keys of --rope.
Document rope_type_list(Words words, bool) {
    Cells cells{{"name", "meaning"}, "ll"};
    for (const Variant& one : variants()) {
        const std::string keys =
            join(one.keys, [](const UsedKey& key) { return std::string(name_of(key.member)); });
        cells.add("rope_type=" + std::string(one.name), keys.empty() ? "no keys" : keys);
    }
    for (const SpecFlag& flag : spec_flags())
        if (is_rope_flag(flag.name) && flag.field != "rope_type") cells.add(flag.field, flag.help);
    return names("rope-types", words, cells);
}

Document pipeline_list(Words words, bool) {
    Cells cells{{"name", "meaning"}, "ll"};
    for (const Pipeline& one : pipelines()) cells.add(one.name, one.who);
    return names("pipelines", words, cells);
}

Document check_list(Words words, bool) {
    Cells cells{{"name", "meaning"}, "ll"};
    for (const Check& one : checks())
        cells.add(one.id, fmt::format("{}: {}", to_string(one.kind), one.statement));
    return names("checks", words, cells);
}

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

Json reading_json(const Reading& reading) {
    return {{"reading", reading.name},
            {"library", reading.library},
            {"rope_types", reading.types},
            {"model_types", reading.classes.empty() ? std::vector<std::string>{}
                                                    : classes_with_trait(reading.classes)},
            {"rules", json_array(reading.rules, rule_json)}};
}

// The Markdown is docs/readings.md.
Document reading_list(Words words, bool) {
    const auto listed = selected("readings", words, readings(), [](const Reading& one) {
        return fmt::format("{} {} {}", one.name, one.library, join(one.rules, &ReadingRule::what));
    });
    Document document{.markdown = std::string(readings_introduction)};
    for (const Reading& reading : listed) {
        document.text += fmt::format("{}: {}\n", reading.name, reading.library);
        document.markdown +=
            fmt::format("\n## `{}`: {}\n\n{}\n", reading.name, reading.library,
                        reading.rules.empty() ? "The default." : domain_of(reading));
        if (reading.rules.empty()) document.text += "  the default\n";
        Cells cells{{"difference from transformers 5", "source"}, "ll"};
        for (const ReadingRule& rule : reading.rules) {
            document.text += hanging("  ", rule.what) + hanging("    ", rule.source);
            cells.add(rule.what, rule.source);
        }
        if (!cells.rows.empty()) document.markdown += "\n" + markdown_table(cells);
    }
    document.json =
        json_document("rope-check-readings/1", {{"readings", json_array(listed, reading_json)}});
    return document;
}

Document mistake_list(Words words, bool) {
    const auto listed = selected("mistakes", words, mistakes(), [](const Mistake& one) {
        return fmt::format("{} {} {}", one.id, one.what, one.advice);
    });
    Document document;
    Cells cells{{"mistake", "what it is", "usual cause"}, "lll"};
    for (const Mistake& one : listed) {
        document.text += fmt::format("{}\n  {}\n  usual cause: {}\n", one.id, one.what, one.advice);
        cells.add(one.id, one.what, one.advice);
    }
    document.markdown = markdown_table(cells);
    document.json =
        json_document("rope-check-mistakes/1",
                      {{"mistakes", json_array(listed, [](const Mistake& one) {
                            return Json{{"id", one.id}, {"what", one.what}, {"advice", one.advice}};
                        })}});
    return document;
}

constexpr List all_lists[] = {
    {"models", "built-in models", model_list},
    {"rope-types", "rope types and the keys of --rope", rope_type_list},
    {"pipelines", "implementations that --pipeline emulates", pipeline_list},
    {"readings", "how each library reads configs, with sources", reading_list},
    {"checks", "checks and claims, for --only and --require", check_list},
    {"mistakes", "mistakes that a diagnosis can name", mistake_list},
};

}  // namespace

std::span<const List> lists() { return all_lists; }

}  // namespace rope::io
