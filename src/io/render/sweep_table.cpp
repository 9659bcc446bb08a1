// The models of a sweep, its table as text, Markdown, CSV and JSON, and its file that it resumes
// from.
#include "io/render/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "base/csv.hpp"
#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "io/model/resolved_model.hpp"
#include "io/system/file_descriptor.hpp"
#include "io/system/unfinished.hpp"
#include "io/system/write_file.hpp"
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
        {"model", cell.model}, {"layers", nullptr}, {"pipeline", nullptr}, {"context", nullptr}};
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
        if (const auto& row = table.rows[k]) rows.push_back(row_json(table.cells[k], *row));
    return rows;
}

Json summary_json(const SweepSummary& sum) {
    return {{"holds", sum.holds},
            {"violated", sum.violated},
            {"not_applicable", sum.not_applicable},
            {"refused", sum.refused},
            {"unfinished", sum.unfinished}};
}

// One item per line, for readable diffs.
template <class List, class JsonOf = std::identity>
std::string lines_of(const List& list, const JsonOf& json_of = {}) {
    const auto line = [&](const auto& one) { return "\n    " + json_text(json_of(one)); };
    return list.empty() ? "[]" : "[" + join(list, line, ",") + "\n  ]";
}

// A longer name has a separate line, so that the table fits 80 columns.
constexpr std::size_t widest_label = 20;

// Context, K, worst error, its position and pair, the first position beyond 1e-3.
std::vector<std::string> numbers_of(const SweepCell& cell, const SweepRow& row) {
    std::vector<std::string> numbers{cell.pipeline != nullptr ? decimal(cell.context) : ""};
    for (const auto& [name, number] : reals)
        numbers.push_back(row.*number ? brief(*(row.*number)) : "");
    for (const auto& [name, number] : wholes)
        numbers.push_back(row.*number ? decimal(*(row.*number)) : "");
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
    std::vector<std::string> path{printable(cell.model, cell.model.size())};
    if (std::ranges::count(plan.models, cell.model, &SweepModel::name) > 1)
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
std::string table_of(const SweepTable& table) {
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
        for (std::string& number : numbers_of(cell, *table.rows[k]))
            row.push_back(std::move(number));
        row.push_back(verdict_text(*table.rows[k]));
        cells.rows.push_back(std::move(row));
    }
    return aligned(cells, 0);
}

// "llama-2-7b, ggml, 4096: …"; without the label if the reason begins with it.
std::string reason_line(const SweepTable& table, std::size_t k) {
    const SweepCell& cell = table.cells[k];
    const SweepRow& row = *table.rows[k];
    const std::string reason = printable(row.reason, 1000);
    std::string label = join(path_of(cell, table.plan));
    if (cell.pipeline != nullptr)
        label += ", " + decimal(cell.context);
    else if (reason.starts_with(label))
        label.clear();
    const std::string what = verdict_text(row) + ": " + label + (label.empty() ? "" : ": ");
    return wrapped(what + reason, 2);
}

// "41 rows: 40 passed, 1 failed"
std::string outcome_of(const SweepSummary& sum) {
    const std::size_t all =
        sum.holds + sum.violated + sum.not_applicable + sum.refused + sum.unfinished;
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

std::string explained_table(const SweepTable& table) {
    const bool is_one = table.plan.pipelines.size() == 1;
    return wrapped(fmt::format("{} against the exact cos and sin: K, the angle error in units of "
                               "m·θ·2^-24; the worst absolute error, its position and pair; the "
                               "first position beyond 1e-3",
                               is_one ? table.plan.pipelines[0]->name : "each pipeline"),
                   0) +
           "\n" + table_of(table) + "\n";
}

std::string sweep_text(const SweepTable& table, const SweepSummary& sum, bool verbose, bool quiet) {
    std::string text = quiet ? "" : explained_table(table);
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        const RowVerdict verdict = table.rows[k]->verdict;
        if (verdict != RowVerdict::holds && (verbose || quiet || verdict != RowVerdict::violated))
            text += reason_line(table, k);
    }
    const bool hides = sum.violated > 0 && !verbose && !quiet;
    return text + outcome_of(sum) + (hides ? " (-v prints the reasons)" : "") + "\n";
}

std::string sweep_markdown(const SweepTable& table, const SweepSummary& sum) {
    Cells cells{{"model", "layers", "pipeline", "context", "K", "worst error", "position", "pair",
                 "first beyond 1e-3", "verdict"},
                "lllrrrrrrl"};
    for (std::size_t k = 0; k < table.cells.size(); ++k) {
        const SweepCell& cell = table.cells[k];
        const SweepRow& row = *table.rows[k];
        cells.add(printable(cell.model, 1000), printable(cell.layers, 1000),
                  cell.pipeline != nullptr ? std::string(cell.pipeline->name) : "");
        std::vector<std::string>& line = cells.rows.back();
        for (std::string& number : numbers_of(cell, row)) line.push_back(std::move(number));
        line.push_back((row.verdict == RowVerdict::violated ? "❌ " : "") + verdict_text(row) +
                       (row.reason.empty() ? "" : ": " + printable(row.reason, 1000)));
    }
    return fmt::format("## rope-check verify: {}\n\n{}\n\n",
                       exit_code(sum) == 0 ? "passed" : "failed", outcome_of(sum)) +
           markdown_table(cells);
}

using SortedJson = nlohmann::json;

constexpr std::size_t most_keys = max_json_values;  // a row has eleven

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw InputError(name + ": " + what + "; remove it, or give --output another name");
}

SortedJson parsed(std::string_view text, const std::string& name) try {
    return parse_json(text, name, most_keys);
} catch (const InputError& error) {
    throw InputError(std::string(error.what()) +
                     "; it is damaged, or no sweep: remove it, or give --output another name");
}

std::string shown_json(const SortedJson& json) { return printable(json_text(json), 60); }

SortedJson member(const SortedJson& json, const char* key) {
    return json.is_object() && json.contains(key) ? json[key] : SortedJson();
}

// "models.0.spec.rope_parameters.rope_theta was 10000 and is 500000"
std::string change_of(const SortedJson& was, const SortedJson& is) {
    const SortedJson change = SortedJson::diff(was, is).at(0);
    const SortedJson::json_pointer at(change.at("path").get<std::string>());
    std::string path = at.to_string().substr(1);
    std::ranges::replace(path, '/', '.');
    return printable(path, 60) + " was " + (was.contains(at) ? shown_json(was.at(at)) : "absent") +
           " and is " + (change.contains("value") ? shown_json(change["value"]) : "absent");
}

SortedJson labels_of(const SortedJson& models) {
    SortedJson labels = SortedJson::array();
    for (const SortedJson& one : models)
        labels.push_back({{"model", member(one, "model")}, {"layers", member(one, "layers")}});
    return labels;
}

// Throws InputError if the file belongs to another sweep.
void refuse_other_question(const SortedJson& file, const SortedJson& now, const std::string& name) {
    if (member(file, "schema") != now["schema"])
        refuse(name, "is no sweep: its schema is " + shown_json(member(file, "schema")) + ", not " +
                         shown_json(now["schema"]));
    const auto refuse_change = [&](const char* key, const SortedJson& of_file,
                                   const SortedJson& own) {
        const SortedJson was{{key, of_file}}, is{{key, own}};
        if (was != is) refuse(name, "is a different sweep: its " + change_of(was, is));
    };
    refuse_change("models", labels_of(member(file, "models")), labels_of(now["models"]));
    for (const char* key : {"tool", "models", "pipelines", "contexts"})
        refuse_change(key, member(file, key), now[key]);
}

std::optional<double> real_of(const SortedJson& json) {
    if (json.is_null()) return std::nullopt;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (json == "inf") return infinity;
    return json == "-inf" ? -infinity : json.get<double>();
}

RowVerdict verdict_of(const SortedJson& json) {
    for (const RowVerdict verdict :
         {RowVerdict::holds, RowVerdict::violated, RowVerdict::not_applicable})
        if (json == to_string(verdict)) return verdict;
    return RowVerdict::refused;
}

SweepRow row_of(const SortedJson& json) {
    SweepRow row{.verdict = verdict_of(json.at("verdict")), .reason = json.at("reason")};
    for (const auto& [name, number] : reals) row.*number = real_of(json.at(name));
    for (const auto& [name, number] : wholes)
        if (const SortedJson& whole = json.at(name); !whole.is_null())
            row.*number = whole.get<std::uint64_t>();
    return row;
}

// Whether a saved row belongs to a cell. Rows have the order of the cells.
bool is_row_of(const SortedJson& row, const SortedJson& cell) {
    for (const char* key : {"model", "layers", "pipeline", "context"})
        if (row.at(key) != cell.at(key)) return false;
    return true;
}

void take_rows(SweepTable& table, const SortedJson& rows, const SortedJson& all) {
    std::size_t k = 0;
    for (const SortedJson& row : rows) {
        while (k < all.size() && !is_row_of(row, all[k])) ++k;
        if (k == all.size()) return;
        table.rows[k++] = row_of(row);
    }
}

using Ended = std::vector<std::pair<std::size_t, SweepRow>>;

// Saves on a separate thread, which receives signals except while it writes. Until it ends, all
// other threads, including the caller's, receive none.
class Saving {
  public:
    Saving(SweepTable& table, const std::filesystem::path& file) try
        : table_(table), file_(file), thread_([this](std::stop_token end) { save(end); }) {
        held_.emplace();
    } catch (const std::system_error& error) {
        throw IoError("cannot start a thread: " + error.code().message());
    }

    // Returns whether further rows can be saved.
    bool add(std::size_t cell, const SweepRow& row) {
        const std::lock_guard lock(mutex_);
        ended_.emplace_back(cell, row);
        more_.notify_one();
        return !failure_;
    }

    // Waits until all rows are saved. Rethrows an error of saving.
    void finish() {
        thread_.request_stop();
        thread_.join();
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    Ended next(const std::stop_token& end) {
        std::unique_lock lock(mutex_);
        more_.wait(lock, end, [this] { return !ended_.empty(); });
        return std::exchange(ended_, {});
    }

    void save(const std::stop_token& end) try {
        for (Ended ended = next(end); !ended.empty(); ended = next(end)) {
            for (auto& [cell, row] : ended) table_.rows[cell] = std::move(row);
            write_file_atomically(file_, sweep_json(table_));
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
    }

    SweepTable& table_;
    const std::filesystem::path& file_;
    std::mutex mutex_;
    std::condition_variable_any more_;
    Ended ended_;
    std::exception_ptr failure_;
    std::optional<HeldSignals> held_;
    std::jthread thread_;  // ends when it is destroyed, after all rows are saved
};

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
                    if (group.rotates) (void)group.unasked_context();
            }
            add_groups(all, source.name, model);
        } catch (const InputError& error) {
            SweepModel& refused = all.models.emplace_back();
            refused.name = source.name;
            refused.refusal = error.what();
        }
    return all;
}

std::string sweep_json(const SweepTable& table) {
    const Json pipelines = json_array(table.plan.pipelines, &Pipeline::name);
    const Json tool{{"name", "rope-check"}, {"version", table.version}, {"commit", table.commit}};
    std::string text = "{\n  \"schema\": " + json_text(Json("rope-check-sweep/1"));
    text += ",\n  \"tool\": " + json_text(tool);
    text += ",\n  \"models\": " + lines_of(table.plan.models, model_json);
    text += ",\n  \"pipelines\": " + json_text(pipelines);
    text += ",\n  \"contexts\": " + json_text(Json(table.plan.contexts));
    text += ",\n  \"rows\": " + lines_of(rows_of(table));
    text += ",\n  \"summary\": " + json_text(summary_json(summarize(table.rows)));
    return text + ",\n  \"digest\": \"" + byte_digest(text).text() + "\"\n}\n";
}

Document sweep_document(const SweepTable& table, bool verbose, bool quiet) {
    const SweepSummary sum = summarize(table.rows);
    return {sweep_json(table), sweep_text(table, sum, verbose, quiet), sweep_markdown(table, sum),
            csv_of(rows_of(table))};
}

void resume_sweep(SweepTable& table, std::string_view json, const std::string& name) {
    SweepTable finished = table;
    for (auto& row : finished.rows) row.emplace();
    const SortedJson now = parse_json(sweep_json(finished), name, most_keys),
                     file = parsed(json, name);
    refuse_other_question(file, now, name);
    try {
        take_rows(table, member(file, "rows"), now["rows"]);
    } catch (const SortedJson::exception&) {
        refuse(name, "is damaged: a row lacks a value, or has one of another kind");
    }
    // equal text means that every key, value and row was understood and the digest is right
    if (sweep_json(table) != json) refuse(name, "is not as it was written: it was changed since");
}

void finish_sweep(SweepTable& table, const SweepOptions& options,
                  const std::filesystem::path& file) {
    write_file_atomically(file, sweep_json(table));
    const SweepRows known = table.rows;
    Saving saving(table, file);
    judge_cells(table.cells, known, options,
                [&](std::size_t cell, const SweepRow& row) { return saving.add(cell, row); });
    saving.finish();
}

}  // namespace rope::io
