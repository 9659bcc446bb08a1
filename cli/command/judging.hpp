// What verify and compare have in common.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/render/command_line.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/session/session.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope::cli {

// The command's own options, --only, --require, --max-error, --seed, --threads, --baseline,
// --strict and those of report_output.
std::vector<Option> with_judging_options(std::vector<Option> own);

// What --only and --require take, for --help.
std::string check_list();

// What --pipeline takes, for --help, and the one of a name. Throws InputError on any other.
std::string pipeline_list();
const Pipeline& pipeline_named(const std::string& name);

// A subject and what is asked of it; the name of its layers where a model's differ.
struct Case {
    io::ResolvedSpec resolved;
    std::function<Report(const SessionOptions&)> judge;
    std::string layers = {};
    std::string identity = {};  // what a dump turned out to be, where no SPEC was given
};

// Judges every subject, delivers the reports and their drift from --baseline, returns the worst
// exit code; arguments that say where reports are wanted have them there and nowhere else.
// `dump` are the words that named the subject, if it is no
// pipeline. Throws InputError on a check that is
// not known.
int judge_and_report(std::span<const Case> cases, const Arguments& arguments,
                     io::SubjectWords dump = {});

}  // namespace rope::cli
