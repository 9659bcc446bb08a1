#include <fmt/format.h>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/explain/explanation.hpp"
#include "io/json/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

std::string names_of(const std::vector<const Reading*>& readings) {
    return join(readings, [](const Reading* one) { return std::string(one->name); });
}

std::string factor_text(const Contrast& factor) {
    const std::string own = significant(factor.b, 4);
    return factor.relative > same_in_float32 ? own + " (" + significant(factor.a, 4) + ")" : own;
}

// "9–17"; "9…61" if pairs between them are not in the list
std::string span_of(const std::vector<std::uint32_t>& pairs) {
    const std::uint32_t first = pairs.front(), last = pairs.back();
    return last - first + 1 == pairs.size() ? range(first, last)
                                            : decimal(first) + "…" + decimal(last);
}

std::vector<std::string> row_of(const ReadBy& by, const ReadingDifference& found) {
    std::vector<std::string> row{std::string(by.reading->name)};
    if (found.pairs.empty()) {
        row.insert(row.end(), {"none", "", "", "", ""});
    } else {
        const Contrast& worst = found.turning[found.worst_pair];
        row.insert(row.end(), {span_of(found.pairs), decimal(found.worst_pair),
                               significant(worst.b, 3), significant(worst.a, 3),
                               found.radian_position ? decimal(*found.radian_position) : "never"});
    }
    row.push_back(factor_text(found.difference.attention_factor));
    return row;
}

Cells reading_cells(const ComparedReadings& readings) {
    Cells cells{{"reading", "pairs", "worst", "inv_freq", "(v5)", "1 rad at", "factor (v5)"},
                "lrrrrrl"};
    for (const OtherReading& other : readings.others)
        for (const ReadBy& by : other.by) cells.rows.push_back(row_of(by, other.difference));
    return cells;
}

std::string alike_line(const ComparedReadings& readings) {
    if (!readings.others.empty())
        return readings.alike.empty() ? "" : "as transformers 5: " + names_of(readings.alike);
    if (!readings.unknown_class.empty()) return "no rule of rope-check list readings changes it";
    const std::string all = readings.refused.empty() ? "every library that is known here"
                                                     : "every library that reads it";
    const std::string what =
        readings.unread.empty()
            ? " reads it alike"
            : " agrees with transformers 5 on every key that transformers 5 reads";
    return all + what +
           (readings.refused.empty() ? "" : ": transformers, " + names_of(readings.alike));
}

// The parts of a config that no reading covers.
std::vector<std::string> uncovered_lines(const ComparedReadings& readings) {
    std::vector<std::string> lines;
    if (!readings.unread.empty())
        lines.push_back(
            "transformers 5 does not read " +
            join(readings.unread, [](const std::string& key) { return printable(key); }) +
            "; another library may");
    if (!readings.unknown_class.empty())
        lines.push_back("the class " + printable(readings.unknown_class) +
                        " is not known here; a library's own code for it may do otherwise");
    return lines;
}

// "layers that rotate so: 0–2, 4–6 (transformers 5: 0, 2, 4, 6)"
std::string layers_line(const OtherReading& other, const ComparedReadings& readings) {
    return "layers that rotate so: " + (other.layers->empty() ? "none" : ranges(*other.layers)) +
           " (transformers 5: " + ranges(readings.layers) + ")";
}

// "ggml, llama.cpp f12cc6d0f"
std::string head_of(const Reading& reading) {
    return std::string(reading.name) + ", " + std::string(reading.library);
}

void add_rules(Document& document, const OtherReading& other, const ComparedReadings& readings) {
    for (const ReadBy& by : other.by) {
        document.item("  ", head_of(*by.reading));
        for (const ReadingRule* rule : by.changed) {
            document.text += hanging("    ", rule->what) + hanging("      ", rule->source);
            document.markdown += fmt::format("  - {} ({})\n", markdown_escape(rule->what),
                                             markdown_escape(rule->source));
        }
        if (!other.layers) continue;
        document.text += hanging("    ", layers_line(other, readings));
        document.markdown += "  - " + layers_line(other, readings) + "\n";
    }
}

Json reading_contrast_json(const Contrast& both) {
    return {{"transformers", json_number(both.a)},
            {"reading", json_number(both.b)},
            {"relative", json_number(both.relative)}};
}

Json by_json(const ReadBy& by) {
    return {{"reading", by.reading->name},
            {"library", by.reading->library},
            {"rules", json_array(by.changed, [](const auto* rule) { return rule_json(*rule); })}};
}

Json other_json(const OtherReading& other) {
    const ReadingDifference& found = other.difference;
    Json worst = reading_contrast_json(found.turning[found.worst_pair]);
    worst["pair"] = found.worst_pair;
    Json radian = nullptr;
    if (found.radian_position)
        radian = {{"position", *found.radian_position}, {"pair", found.radian_pair}};
    return {{"by", json_array(other.by, by_json)},
            {"differing", found.differing},
            {"pairs", found.pairs},
            {"worst_inv_freq", std::move(worst)},
            {"radian", std::move(radian)},
            {"attention_factor", reading_contrast_json(found.difference.attention_factor)},
            {"inv_freq",
             json_array(found.turning, [](const Contrast& pair) { return json_number(pair.b); })},
            {"layers", other.layers ? Json(*other.layers) : Json(nullptr)}};
}

}  // namespace

void add_readings(Document& document, const ComparedReadings& readings) {
    if (!readings.others.empty()) {
        document.table(reading_cells(readings), 2);
        document.text += "\n";
    }
    if (const std::string alike = alike_line(readings); !alike.empty()) document.item("  ", alike);
    for (const auto& [reading, why] : readings.refused)
        document.item("  ", fmt::format("not read by {}: {}", reading->name, printable(why, 1000)));
    for (const std::string& line : uncovered_lines(readings)) document.item("  ", line);
    for (const OtherReading& other : readings.others) add_rules(document, other, readings);
}

Json rule_json(const ReadingRule& rule) { return {{"what", rule.what}, {"source", rule.source}}; }

Json readings_json(const ComparedReadings& readings) {
    return {{"others", json_array(readings.others, other_json)},
            {"alike", json_array(readings.alike, [](const Reading* one) { return one->name; })},
            {"refused", json_array(readings.refused,
                                   [](const auto& one) {
                                       return Json{{"reading", one.reading->name},
                                                   {"why", one.why}};
                                   })},
            {"layers", readings.layers},
            {"unread", readings.unread}};
}

}  // namespace rope::io
