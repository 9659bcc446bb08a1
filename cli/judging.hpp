// What verify and compare have in common.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "io/config.hpp"
#include "rope/row_source.hpp"

namespace rope::cli {

// The command's own options, --only, --require, --seed and those of report_output.
std::vector<Option> with_judging_options(std::vector<Option> own);

// What --only and --require take, for --help.
std::string check_list();

// Judges the subject, delivers the report, returns the exit code. `dump` are the words that
// named the subject, if it is one. Throws InputError on a check that is not known.
int judge_and_report(const io::ResolvedSpec& resolved, const RowSource& subject,
                     const Arguments& arguments, std::vector<std::string> dump = {});

}  // namespace rope::cli
