#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/printable.hpp"
#include "base/task_source.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/commands.hpp"
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
    {"text", ".txt"}, {"json", ".json"}, {"markdown", ".md"}, {"csv", ".csv"}};

std::vector<Option> sweep_options() {
    return with_output(
        {
            {.name = "--all-models", .help = "every model that rope-check models lists"},
            {.name = "--pipeline",
             .value = "NAME",
             .help = "implementation to emulate: where it rounds (default: hf-fp32)",
             .repeats = true},
            {.name = "--context",
             .value = "N",
             .help = "check positions 0 to N - 1 (default: each model's own maximum)",
             .repeats = true},
            threads_option(),
            {.name = "--strict", .help = "exit 1 on a config that is refused or has a warning"},
        },
        {"auto, text, json, markdown or csv; auto is text on a terminal, else json",
         "write to x.json, x.txt, x.md, x.csv, FORMAT:FILE or -; a JSON file is saved after each "
         "row, and the same command resumes from it",
         "do not report which files were written", "print why rows are violated, too"});
}

std::string sweep_words() { return pipeline_list(); }

// Whether the sweep resumes from the target.
bool is_resumed(const Target& target) {
    return target.format == "json" && target.path != "-" && io::replaces_file(target.path);
}

std::vector<Target> sweep_targets(const Arguments& arguments) {
    std::vector<Target> all = formatted_targets(sweep_formats, arguments);
    if (std::ranges::count_if(all, is_resumed) > 1)
        throw InputError("--output", ": two JSON files; a sweep goes on from one, so give one");
    return all;
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
    const SweepOptions sweep{threads_asked(arguments), begin_stage(arguments, "sweeping")};
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
    return io::sweep_text(table, verbose);
}

int run_sweep(const Arguments& arguments) {
    auto [table, lint] = asked_sweep(arguments);
    const std::vector<Target> all = sweep_targets(arguments);
    judge(table, all, arguments);
    if (!is_first_rank()) return 0;
    for (const Target& target : all)
        deliver(target.path, render(table, target.format, arguments.has("--verbose")), arguments);
    say_lint(lint, arguments);
    const SweepSummary sum = summarize(table.rows);
    if (exit_code(sum) == 2)
        throw InputError("sweep: every config is refused: " + table.rows[0]->reason);
    const bool fails_strict = arguments.has("--strict") && (sum.refused > 0 || io::gates(lint));
    return fails_strict ? 1 : exit_code(sum);
}

}  // namespace

constinit const Command sweep_command{
    .name = "sweep",
    .summary = "verify models, pipelines and contexts in one accuracy table",
    .doing = "sweeping",
    .examples =
        "  rope-check sweep --all-models\n"
        "  rope-check sweep --model llama-3.1-8b --pipeline hf-fp32 --pipeline bf16-table\n"
        "  rope-check sweep --config a --config b --context 4096 --context 131072 -o sweep.json\n",
    .options = sweep_options,
    .repeats_spec = true,
    .words = sweep_words,
    .run = run_sweep,
    .targets = sweep_targets,
    .over_ranks = true,
};

}  // namespace rope::cli
