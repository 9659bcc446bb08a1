// Report -> text for a terminal, without colour.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/render/command_line.hpp"
#include "rope/report/report.hpp"

namespace rope::io {

struct TextOptions {
    bool quiet = false;      // failures and the last line only
    bool verbose = false;    // with each check's statement, source, witness and fields
    SubjectWords dump = {};  // the words that named it, for `reproduce:`
};

// The reports of one run, each under the name of its layers or tensor where there are several. One
// with the same diagnosis as an earlier one refers to it, unless `verbose`.
std::string reports_text(std::span<const Report> reports, const TextOptions& options,
                         const std::vector<std::string>& required);

// Failures first, then what holds, then the claims, then one line that says how much was looked
// at. Every line ends in a newline.
// A violated claim that is `required` is a failure.
std::string report_text(const Report& report, const TextOptions& options = {},
                        const std::vector<std::string>& required = {});

// The last line alone, without its end: "9 checks hold · 1 required claim violated · 8,388,608
// values · …".
std::string outcome_line(const Report& report, const std::vector<std::string>& required = {});

}  // namespace rope::io
