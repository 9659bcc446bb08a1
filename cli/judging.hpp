// What verify and compare have in common.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "io/config.hpp"
#include "rope/row_source.hpp"

namespace rope::cli {

// The command's own options, --only, --require, --seed, --baseline, --strict and those of
// report_output.
std::vector<Option> with_judging_options(std::vector<Option> own);

// What --only and --require take, for --help.
std::string check_list();

// A subject and what is asked of it; the name of its layers where a model's differ.
struct Case {
    io::ResolvedSpec resolved;
    std::unique_ptr<RowSource> subject;
    std::string layers = {};
};

// Judges every subject, delivers the reports and their drift from --baseline, returns the worst
// exit code; arguments that say where reports are wanted have them there and nowhere else.
// `dump` are the words that named the subject, if it is one. Throws InputError on a check that is
// not known.
int judge_and_report(std::span<const Case> cases, const Arguments& arguments,
                     std::vector<std::string> dump = {});

}  // namespace rope::cli
