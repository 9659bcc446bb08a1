// The figures and the page that verify and compare write with -o.
#pragma once

#include <span>

#include "cli/command/judging.hpp"

namespace rope::cli {

// What x.svg, x.csv, x.png and x.pdf show: each subject's errors over position and pair. Throws
// InputError where a subject has no rows to compare with the exact ones.
void draw_precision(std::span<const Case> cases, const Arguments& arguments);

// What they show of a dump: the errors of each pair, row and head, and where they begin.
void draw_comparison(std::span<const Case> cases, const Arguments& arguments);

// x.html: the report with figures. `dump` are the words that name the dump, if there is one.
void write_report_page(std::span<const Case> cases, const Arguments& arguments,
                       const io::SubjectWords& dump);

}  // namespace rope::cli
