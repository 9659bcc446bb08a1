// What `baseline` does with its file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/baseline_run.hpp"
#include "cli/shell/arguments.hpp"
#include "io/baseline/baseline.hpp"

namespace rope::cli {

// Options of verify that record takes too.
inline constexpr std::string_view baseline_takes_of_verify[] = {"--context", "--pipeline", "--only",
                                                                "--seed"};

// Adds a run for each SPEC, or for the command after --.
int record_baseline(const Arguments& arguments);
// 1 if a metric drifted. Throws InputError where a run checks nothing.
int check_baseline(const Arguments& arguments);
// Shows what moved, and writes it.
int update_baseline(const Arguments& arguments);

// What the three share. They throw InputError where FILE or --reason is missing.
std::string baseline_file(const Arguments& arguments);
io::Provenance provenance_of(const Arguments& arguments);
// With the metrics' spread over --repeat runs.
Judged judged(std::span<const std::string> command, const Arguments& arguments,
              const RunOfAll& run);
// Throws InputError that says why, where the command checked nothing.
void refuse_nothing_checked(std::span<const std::string> command, const Judged& now);
void write_baseline(const std::string& file, const io::Baseline& baseline,
                    const Arguments& arguments);

}  // namespace rope::cli
