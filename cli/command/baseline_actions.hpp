// What `baseline` does with its file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/baseline/baseline.hpp"

namespace rope::cli {

// Options of verify that record takes too.
inline constexpr std::string_view baseline_takes_of_verify[] = {"--context", "--pipeline", "--only",
                                                                "--seed"};

// Adds a run for each SPEC, or for the command after --.
int record_baseline(const Arguments& arguments);
// 1 if a metric drifted.
int check_baseline(const Arguments& arguments);
// Shows what moved, and writes it.
int update_baseline(const Arguments& arguments);

// What the three share. They throw InputError where FILE or --reason is missing.
std::string baseline_file(const Arguments& arguments);
io::Provenance provenance_of(const Arguments& arguments);
// The metrics of a command's reports, with their spread over --repeat runs.
std::vector<Metric> judged(std::span<const std::string> command, const Arguments& arguments);
void write_baseline(const std::string& file, const io::Baseline& baseline,
                    const Arguments& arguments);

}  // namespace rope::cli
