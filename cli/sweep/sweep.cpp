#include "cli/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/printable.hpp"
#include "base/task_source.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "cli/sweep/asked_sweep.hpp"
#include "io/file/read_file.hpp"
#include "io/file/write_file.hpp"
#include "io/json/json_input.hpp"
#include "io/sweep/saved_sweep.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat sweep_formats[] = {
    {"text", ".txt"}, {"json", ".json"}, {"markdown", ".md"}, {"csv", ".csv"}, {"github", ""}};

// Whether the sweep resumes from the target.
bool is_resumed(const Target& target) {
    return target.format == "json" && target.path != "-" && io::replaces_file(target.path);
}

// What the file holds of this sweep already, if there is one.
void resume_from(const std::string& file, io::SweepTable& table, const Arguments& arguments) {
    std::error_code missing;
    if (!std::filesystem::exists(file, missing)) return;
    const auto bytes = io::read_file(file, io::max_json_bytes);
    io::resume_sweep(table, {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                     printable(file));
    const std::size_t left = summarize(table.rows).unfinished;
    if (!arguments.has("--quiet"))
        say(fmt::format("{}: {} of {} rows were done already", printable(file),
                        table.rows.size() - left, table.rows.size()));
}

void judge(io::SweepTable& table, std::span<const Target> all, const Arguments& arguments) {
    // of the ranks, one alone reads and saves
    const auto file = is_first_rank() ? std::ranges::find_if(all, is_resumed) : all.end();
    if (file != all.end()) resume_from(file->path, table, arguments);
    const SweepOptions sweep{threads_asked(arguments), begin_stage(arguments, "rows")};
    if (file != all.end()) return io::finish_sweep(table, sweep, file->path);
    judge_cells(table.cells, table.rows, sweep, [&](std::size_t cell, const SweepRow& row) {
        table.rows[cell] = row;
        return true;
    });
}

std::string render(const io::SweepTable& table, std::string_view format, bool verbose) {
    if (format == "json") return io::sweep_json(table);
    if (format == "markdown") return io::sweep_markdown(table);
    if (format == "csv") return io::sweep_csv(table);
    const std::string text = io::sweep_text(table, verbose);
    const SweepSummary sum = summarize(table.rows);
    if (format != "github" || exit_code(sum) == 0) return text;
    return fmt::format("::error title=rope-check verify::{} of {} rows failed\n{}",
                       sum.violated + sum.refused, table.rows.size(), text);
}

// What is asked of one config alone.
void refuse_questions_of_one(const Arguments& arguments) {
    for (const char* option : {"--only", "--require", "--max-error", "--seed", "--baseline"})
        if (arguments.has(option))
            throw InputError(option,
                             "is for one config, pipeline and context; give one of each, "
                             "or leave it out");
    if (arguments.reports != nullptr)
        throw InputError("a baseline records one config, pipeline and context; give one of each");
}

bool is_repeated(const Arguments& arguments, std::string_view option) {
    return arguments.values(option).size() > 1;
}

}  // namespace

bool checks_several(const Arguments& arguments) {
    if (arguments.has("--all-models") || is_repeated(arguments, "--pipeline") ||
        is_repeated(arguments, "--context") || is_repeated(arguments, "--config"))
        return true;
    std::vector<std::string_view> names;
    if (arguments.has("--config")) names.emplace_back("--model");  // either is a config
    for (const io::Flag& flag : arguments.spec_flags) {
        const std::string_view name = io::find_spec_flag(flag.name).name;
        if (std::ranges::find(names, name) != names.end()) return true;
        names.push_back(name);
    }
    return false;
}

std::vector<Target> sweep_targets(const Arguments& arguments) {
    std::vector<Target> all = formatted_targets(sweep_formats, arguments);
    if (std::ranges::count_if(all, is_resumed) > 1)
        throw InputError("--output", ": two JSON files; verify resumes from one, so give one");
    return all;
}

int run_sweep(const Arguments& arguments) {
    refuse_questions_of_one(arguments);
    auto [table, lint] = asked_sweep(arguments);
    const std::vector<Target> all = sweep_targets(arguments);
    judge(table, all, arguments);
    if (!is_first_rank()) return 0;
    for (const Target& target : all)
        deliver(target.path, render(table, target.format, arguments.has("--verbose")), arguments);
    say_lint(lint, arguments);
    const SweepSummary sum = summarize(table.rows);
    if (exit_code(sum) == 2) throw InputError("every config is refused: " + table.rows[0]->reason);
    const bool fails_strict = arguments.has("--strict") && (sum.refused > 0 || io::gates(lint));
    return fails_strict ? 1 : exit_code(sum);
}

}  // namespace rope::cli
