// Reports against a baseline, and the words that make the same reports again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/baseline/baseline.hpp"
#include "io/render/results.hpp"

namespace rope::cli {

// The words that repeat a run: command, its options, SPEC; not where reports go.
std::vector<std::string> words_of(const Arguments& arguments);

// The same words for every typing of the same command: options by their first names, in the order
// of --help. Throws InputError when they are not a command that judges.
std::vector<std::string> canonical(std::span<const std::string> words);

// Every file that they name to be read. Throws InputError as canonical does.
std::vector<Input> inputs_of_command(std::span<const std::string> words);

// All metrics of a command's reports.
std::vector<Metric> metrics_of(std::span<const Report> reports);

// From the run of the file that has the same words, or from its only run. Throws InputError when
// there is none.
io::DriftReport drift_from(const std::string& file, std::span<const Report> reports,
                           const Arguments& arguments);

// What the words say, judged again.
struct Judged {
    std::vector<Metric> metrics;
    std::string nothing_checked;  // why, if that is so
};
// Throws InputError when they are not a command that judges.
Judged judge_command(std::span<const std::string> words, bool is_recorded, const RunOfAll& run);

}  // namespace rope::cli
