// The models of a sweep, and its table as text, Markdown, CSV and JSON.
#include "io/render/sweep_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "io/model/resolved_model.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"
#include "rope/exact/random.hpp"

namespace rope::io {
namespace {

void add_groups(SweepModels& all, const std::string& name, const ResolvedModel& model) {
    for (const LayerGroup& group : model.groups)
        if (group.rotates)
            all.models.push_back({.name = name,
                                  .layers = group.layers,
                                  .spec = group.resolved.spec,
                                  .own_context = group.context()});
}

Json model_json(const SweepModel& model) {
    if (!model.refusal.empty()) return {{"model", model.name}, {"refused", model.refusal}};
    return {{"model", model.name},
            {"layers", model.layers},
            {"spec", spec_json(model.spec)},
            {"context", model.own_context}};
}

// The numbers of a row by their names in JSON, in the order of all formats.
constexpr std::pair<const char*, std::optional<double> SweepRow::*> reals[] = {
    {"K", &SweepRow::k}, {"worst_error", &SweepRow::worst_error}};
constexpr std::pair<const char*, std::optional<std::uint64_t> SweepRow::*> wholes[] = {
    {"worst_error_position", &SweepRow::worst_position},
    {"worst_error_pair", &SweepRow::worst_pair},
    {"first_beyond_1e_3", &SweepRow::first_beyond}};

Json row_json(const SweepCell& cell, const SweepRow& row) {
    Json json{
        {"model", cell.name}, {"layers", nullptr}, {"pipeline", nullptr}, {"context", nullptr}};
    if (cell.pipeline != nullptr)
        json.update({{"layers", cell.layers},
                     {"pipeline", cell.pipeline->name},
                     {"context", cell.context}});
    for (const auto& [name, number] : reals) json[name] = or_null(row.*number);
    for (const auto& [name, number] : wholes) json[name] = or_null(row.*number);
    json.update({{"verdict", to_string(row.verdict)}, {"reason", row.reason}});
    return json;
}

// CSV by RFC 4180 with a header: one column per member of a row, numbers with all digits.
std::string csv_of(const std::vector<Json>& rows) {
    std::string csv;
    for (const auto& [key, value] : rows.at(0).items()) csv += (csv.empty() ? "" : ",") + key;
    for (const Json& row : rows) {
        csv += "\r\n";
        for (const auto& [key, value] : row.items()) {
            if (key != "model") csv += ",";
            const bool is_real =
                std::ranges::count(reals, key, [](auto& one) { return one.first; });
            if (value.is_string())  // NaN and infinity are numbers
                csv += is_real ? value.get<std::string>() : csv_cell(value.get<std::string>());
            else if (!value.is_null())
                csv += value.is_number_float() ? decimal(value.get<double>())
                                               : decimal(value.get<std::uint64_t>());
        }
    }
    return csv + "\r\n";
}

std::vector<Json> rows_of(const SweepTable& table) {
    std::vector<Json> rows;
    for (std::size_t k = 0; k < table.cells.size(); ++k)
        rows.push_back(row_json(table.cells[k], table.rows[k]));
    return rows;
}

Json summary_json(const SweepSummary& sum) {
    return {{"holds", sum.holds},
            {"violated", sum.violated},
            {"not_applicable", sum.not_applicable},
            {"refused", sum.refused}};
}

// The members of the JSON before its rows.
std::string plan_json(const SweepTable& table) {
    const Json pipelines = json_array(table.plan.pipelines, &Pipeline::name);
    return "  \"models\": " + json_lines(table.plan.models, "  ", model_json) +
           ",\n  \"pipelines\": " + json_text(pipelines) +
           ",\n  \"contexts\": " + json_text(Json(table.plan.contexts));
}

std::string sweep_json(const SweepTable& table) {
    const Json tool{{"name", "rope-check"}, {"version", table.version}, {"commit", table.commit}};
    return "{\n  \"schema\": " + json_text(Json("rope-check-sweep/1")) +
           ",\n  \"tool\": " + json_text(tool) + ",\n" + plan_json(table) +
           ",\n  \"rows\": " + json_lines(rows_of(table), "  ") +
           ",\n  \"summary\": " + json_text(summary_json(summarize(table.rows))) + "\n}\n";
}

// A longer name has a separate line, so that the table fits 80 columns.
constexpr std::size_t widest_label = 20;

// Context, K, worst error, its position and pair, the first position beyond 1e-3.
std::vector<std::string> numbers_of(const SweepCell& cell, const SweepRow& row) {
    std::vector<std::string> numbers{cell.pipeline != nullptr ? grouped(cell.context) : ""};
    for (const auto& [name, number] : reals)
        numbers.push_back(row.*number ? brief(*(row.*number)) : "");
    for (const auto& [name, number] : wholes)
        numbers.push_back(row.*number ? grouped(*(row.*number)) : "");
    if (row.worst_error && !row.first_beyond) numbers.back() = "never";
    return numbers;
}

// "short sequences" if all layers are alike.
std::string layers_of(const SweepCell& cell) {
    constexpr std::string_view all = "all layers, ";
    const std::string layers = printable(cell.layers, cell.layers.size());
    return layers.starts_with(all) ? layers.substr(all.size()) : layers;
}

// The model, layers and pipeline of a row, except those that all rows share.
std::vector<std::string> path_of(const SweepCell& cell, const SweepPlan& plan) {
    std::vector<std::string> path{printable(cell.name, cell.name.size())};
    if (std::ranges::count(plan.models, cell.name, &SweepModel::name) > 1)
        path.push_back(layers_of(cell));
    if (cell.pipeline != nullptr && plan.pipelines.size() > 1)
        path.emplace_back(cell.pipeline->name);
    return path;
}

std::string verdict_text(const SweepRow& row) {
    if (row.verdict == RowVerdict::holds) return "passed";
    if (row.verdict == RowVerdict::violated) return "failed";
    return row.verdict == RowVerdict::not_applicable ? "n/a" : std::string(to_string(row.verdict));
}

// The levels of a path that differ from the row before are headings; the last one is a cell.
Cells cells_of(const SweepTable& table) {
    Cells cells{{"model", "context", "K", "worst", "at", "pair", ">1e-3 at", "verdict"},
                "lrrrrrrl"};
    std::vector<std::string> before;
    for (std::size_t k = 0; k < table.cells.size(); ++k) {
        const SweepCell& cell = table.cells[k];
        std::vector<std::string> path = path_of(cell, table.plan), row{""};
        for (auto level = std::ranges::mismatch(path, before).in1; level != path.end(); ++level) {
            const std::string indent(2 * static_cast<std::size_t>(level - path.begin()), ' ');
            if (level + 1 == path.end() && code_points(indent + *level) <= widest_label)
                row[0] = indent + *level;
            else
                cells.add(indent + *level);
        }
        before = std::move(path);
        for (std::string& number : numbers_of(cell, table.rows[k]))
            row.push_back(std::move(number));
        row.push_back(verdict_text(table.rows[k]));
        cells.rows.push_back(std::move(row));
    }
    return cells;
}

// "llama-2-7b, ggml, 4096: …"; without the label if the reason begins with it.
std::string reason_line(const SweepTable& table, std::size_t k) {
    const SweepCell& cell = table.cells[k];
    const SweepRow& row = table.rows[k];
    const std::string reason = printable(row.reason, 1000);
    std::string label = join(path_of(cell, table.plan));
    if (cell.pipeline != nullptr)
        label += ", " + grouped(cell.context);
    else if (reason.starts_with(label))
        label.clear();
    const std::string what = verdict_text(row) + ": " + label + (label.empty() ? "" : ": ");
    return what + reason;
}

// "41 rows: 40 passed, 1 failed"
std::string outcome_of(const SweepSummary& sum) {
    const std::size_t all = sum.holds + sum.violated + sum.not_applicable + sum.refused;
    std::vector<std::string> parts;
    const auto add = [&](std::size_t count, std::string_view what) {
        if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
    };
    add(sum.holds, "passed");
    add(sum.violated, "failed");
    add(sum.not_applicable, "not applicable");
    add(sum.refused, "refused");
    return fmt::format("{} row{}: {}", all, all == 1 ? "" : "s", join(parts));
}

}  // namespace

SweepModels sweep_models(std::span<const SweepSource> sources, bool own_contexts) {
    SweepModels all;
    for (const SweepSource& source : sources) try {
            ResolvedModel model = resolve_model(source.config, source.flags);
            for (const Lint& one : model.lint)
                if (std::ranges::count(all.lint, one) == 0) all.lint.push_back(one);
            if (own_contexts) {
                model = with_both_tables(std::move(model));
                for (const LayerGroup& group : model.groups)
                    if (group.rotates)
                        require_brief("max_position_embeddings", group.context(),
                                      group.resolved.spec.pairs(),
                                      "choose how many with --context");
            }
            add_groups(all, source.name, model);
        } catch (const InputError& error) {
            SweepModel& refused = all.models.emplace_back();
            refused.name = source.name;
            refused.refusal = error.what();
        }
    return all;
}

Document sweep_document(const SweepTable& table, bool verbose, bool quiet) {
    const SweepSummary sum = summarize(table.rows);
    const bool is_one = table.plan.pipelines.size() == 1;
    Document document{.json = sweep_json(table), .csv = csv_of(rows_of(table))};
    document.markdown = fmt::format("## rope-check verify: {}\n\n{}\n",
                                    exit_code(sum) == 0 ? "passed" : "failed", outcome_of(sum));
    document.paragraph(
        "", fmt::format("{} against the exact cos and sin: K, the angle error in units of "
                        "m·θ·2^-24; the worst absolute error, its position and pair; the "
                        "first position beyond 1e-3",
                        is_one ? table.plan.pipelines[0]->name : "each pipeline"));
    document.gap().table(cells_of(table), 0);
    document.gap();
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        const RowVerdict verdict = table.rows[k].verdict;
        if (verdict == RowVerdict::holds) continue;
        const std::string line = reason_line(table, k);
        document.verdict += wrapped(line, 2);
        document.markdown += "- " + markdown_escape(line) + "\n";
        if (verbose || verdict != RowVerdict::violated) document.text += wrapped(line, 2);
    }
    const bool hides = sum.violated > 0 && !verbose;
    document.text += outcome_of(sum) + (hides ? " (-v prints the reasons)" : "") + "\n";
    document.verdict += outcome_of(sum) + "\n";
    if (quiet) document.text = document.verdict;
    return document;
}

std::string sweep_question(const SweepTable& table) {
    return table.version + " verify " + byte_digest(plan_json(table)).text();
}

}  // namespace rope::io
