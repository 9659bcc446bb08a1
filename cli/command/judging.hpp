// The common parts of verify, compare and audit, and of claims.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/model/resolved_model.hpp"
#include "io/render/results.hpp"
#include "rope/claims/ledger.hpp"
#include "rope/session/session.hpp"

namespace rope::cli {

// Returns the number of positions to check: `asked`, else `own`. Throws InputError if that takes
// minutes in a run that was recorded, not typed.
std::uint64_t context_to_check(std::optional<std::uint64_t> asked, std::uint64_t own,
                               const Spec& spec, const Arguments& arguments);

// A subject and its check; `layers` is the name of its layers if the model's layers differ.
struct Case {
    io::ResolvedSpec resolved;
    std::function<Report(const SessionOptions&)> judge;
    std::string layers = {};
    std::string identity = {};                      // what an unnamed dump was identified as
    std::vector<std::uint32_t> layer_numbers = {};  // if the layers differ and are known
    std::optional<std::uint64_t> layer = {};        // the config's, if the file has several
};

// Returns the options for every subject. Throws InputError for an unknown check.
SessionOptions session_options(const Arguments& arguments);

// Checks every subject, delivers the reports, their drift from --baseline, their page and their
// figure (errors over position and pair, or for `compare` a dump compared with its config), and
// returns the worst exit code. If arguments.reports is set, it only stores the reports
// there. Throws InputError for an unknown check.
int judge_and_report(std::span<const Case> cases, const Arguments& arguments,
                     io::SubjectWords dump = {});

// Returns the drift from the file's run with the same words, or from its only run. Throws
// InputError if there is none.
io::DriftReport drift_from(const std::string& file, std::span<const Report> reports,
                           const Arguments& arguments);

// Of `claims`.

// Returns the claims of the words, all without words. Throws InputError for an unknown one.
std::vector<const ledger::Entry*> claims_asked_for(const Arguments& arguments);

// Returns 1 if a claim is not supported.
int exit_code_of(const std::vector<ledger::Derivation>& claims);

}  // namespace rope::cli
