// The comparison of reports with a baseline, and the words that repeat a run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/baseline/baseline.hpp"
#include "io/render/results.hpp"

namespace rope::cli {

// Returns the words that repeat a run: the command, its options, the config; no output options.
std::vector<std::string> words_of(const Arguments& arguments);

// Returns equal words for equivalent command lines: first names of options, in the order of --help.
// Throws InputError if they are no command that a baseline records.
std::vector<std::string> canonical(std::span<const std::string> words);

// Returns every input file of the words. Throws InputError as canonical does.
std::vector<Input> inputs_of_command(std::span<const std::string> words);

// Returns all metrics of a command's reports.
std::vector<Metric> metrics_of(std::span<const Report> reports);

// Returns the drift from the file's run with the same words, or from its only run. Throws
// InputError if there is none.
io::DriftReport drift_from(const std::string& file, std::span<const Report> reports,
                           const Arguments& arguments);

// The metrics of a repeated run.
struct Judged {
    std::vector<Metric> metrics;
    std::string nothing_checked;  // the reason, if so
};
// Repeats the run of the words. Throws InputError if a baseline does not record that command.
Judged judge_command(std::span<const std::string> words, bool is_recorded, const RunOfAll& run);

}  // namespace rope::cli
