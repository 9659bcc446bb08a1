// What verify and compare have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/render/command_line.hpp"
#include "io/render/results.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/session/session.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope::cli {

// The command's own options, --only, --require, --max-error, --seed and --threads.
std::vector<Option> with_question_options(std::vector<Option> own);
// The same, --baseline, --strict and those of report_output; `output` is the help of --output.
std::vector<Option> with_judging_options(std::vector<Option> own, std::string_view output);

// How many positions to check: those asked for, else the model's own. Throws InputError where that
// takes minutes that nobody who runs this asked for.
std::uint64_t context_to_check(std::optional<std::uint64_t> asked, std::uint64_t own,
                               const Spec& spec, const Arguments& arguments);

// A subject and what is asked of it; the name of its layers where a model's differ.
struct Case {
    io::ResolvedSpec resolved;
    std::function<Report(const SessionOptions&)> judge;
    std::string layers = {};
    std::string identity = {};  // what a dump turned out to be, where no SPEC was given
    std::vector<std::uint32_t> layer_numbers = {};  // where a model's layers differ and are known
};

// What --pipeline makes of each Spec of the model, as far as --context says.
std::vector<Case> pipeline_cases(const Arguments& arguments);

// What the question options ask of every subject. Throws InputError on a check that is not known.
SessionOptions session_options(const Arguments& arguments);

// Results without reports: what must hold, and what is suspicious in the configs. `dump` are the
// words that named the subject, if it is no pipeline. Throws InputError on a claim that is not
// known.
io::Results asked_results(std::span<const Case> cases, const SessionOptions& options,
                          const Arguments& arguments, io::SubjectWords dump);

// The report of one subject, with where its Spec is from.
Report report_of(const Case& one, const SessionOptions& options);

// The figure of a command's reports: none, errors over position and pair, or a dump against its
// config.
enum class Drawn { none, precision, comparison };

// Judges every subject once, delivers the reports, their drift from --baseline, their figure and
// their page, returns the worst exit code; arguments that say where reports are wanted have them
// there and nowhere else. Throws InputError on a check that is not known.
int judge_and_report(std::span<const Case> cases, const Arguments& arguments,
                     io::SubjectWords dump = {}, Drawn drawn = Drawn::none);

}  // namespace rope::cli
