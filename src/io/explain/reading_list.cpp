#include "io/explain/reading_list.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "io/explain/readings_output.hpp"
#include "io/json/json_text.hpp"
#include "io/text/cells.hpp"
#include "io/text/wrapped.hpp"
#include "rope/readings/readings.hpp"

namespace rope::io {
namespace {

constexpr std::string_view readings_introduction =
    "# Readings of a config\n\n"
    "Libraries read the same `config.json` differently. rope-check reads it as transformers 5 "
    "does;\n"
    "with `--reading NAME`, every command judges by what another library makes of it, and\n"
    "`rope-check explain --readings` says which of them differ on a config, in which pairs, by "
    "how\n"
    "much, and from which position on the angle is a radian off. Lengths that an engine is "
    "started\n"
    "for (vLLM's max_model_len, llama.cpp's context) are max_position_embeddings here.\n"
    "`rope-check list readings --format markdown` prints this page.\n";

// "Rope types: default, linear. Models: …"
std::string domain_of(const Reading& reading) {
    std::string text = "Rope types: " + (reading.types.empty() ? "all" : join(reading.types)) + ".";
    if (!reading.classes.empty()) text += "\nRope sections of: " + join(reading.classes) + ".";
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
        list.push_back({{"reading", reading.name},
                        {"library", reading.library},
                        {"rope_types", reading.types},
                        {"model_types", reading.classes},
                        {"rules", std::move(rules)}});
    }
    const Json json{{"schema", readings_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"readings", std::move(list)}};
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
