// A sweep as a table: text, Markdown, CSV, and JSON of schema rope-check-sweep/1, from which an
// interrupted one resumes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/session/sweep_row.hpp"

namespace rope::io {

struct SweepTable {
    std::string version, commit;  // of the tool
    SweepPlan plan;
    std::vector<SweepCell> cells;
    SweepRows rows;  // one for each cell, or none yet
};

inline constexpr std::string_view sweep_schema = "rope-check-sweep/1";

// What was asked, each row that there is on a line of its own, in the order of the cells, and a
// digest of all that.
std::string sweep_json(const SweepTable& table);

// Takes the rows that sweep_json wrote of the same tool, models, pipelines and contexts. Throws
// InputError, naming the file, saying what is different and what to do, for any other text.
void resume_sweep(SweepTable& table, std::string_view json, const std::string& name);

// At most 80 columns up to contexts of 9,999,999, whatever the names; then why rows are refused or
// not applicable, `verbose` or violated. Requires every row, as the following do.
std::string sweep_text(const SweepTable& table, bool verbose);
std::string sweep_markdown(const SweepTable& table);
// RFC 4180, with a header; numbers in full.
std::string sweep_csv(const SweepTable& table);

// "41 rows: 40 hold, 1 violated"
std::string outcome_of(const SweepSummary& summary);

}  // namespace rope::io
