// The errors of a dump before any diagnosis: each pair's frequency and each row's error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/checks/error_map.hpp"
#include "rope/checks/report.hpp"
#include "rope/evidence/samples.hpp"

namespace rope {

// The frequency and errors of one pair. Errors are the largest of the sampled rows, divided by
// their tolerance; for `residue`, plus the line's uncertainty.
struct PairEvidence {
    double asked = 0;  // radians per position
    // The θ of the line through the pair's angles (phase_lines.hpp), if they determine one: of
    // those that differ by the aliases of positions apart the nearest to `asked`. Of a
    // FrequencyDump the stored number.
    std::optional<double> fitted = {};
    double fitted_error = 0;             // standard error of `fitted`
    double modulo = 0;                   // known up to multiples of it; 0: of 2π
    bool is_constant = false;            // whether every sampled row is on the line
    double error = 0;                    // from the Spec; of every row if all groups are compared
    std::optional<double> residue = {};  // from the line, without single wrong rows
};

struct RowPlace {
    double position = 0;     // or the row's number
    std::string group = {};  // "head 3 of 8"; empty if there is one
    std::size_t line = 0;    // index of the line of cells
    double error = 0;        // divided by its tolerance
};

// The largest error of each row, divided by its tolerance; above 1 the row is off.
struct RowEvidence {
    PositionParts positions = {};
    std::string place = "position";        // what `positions` has; "row" with several axes
    std::string kind = {};                 // what a group is: "head"
    std::vector<std::string> groups = {};  // names of the lines
    std::size_t groups_per_line = 1;       // more than 1 for many groups
    std::vector<float> worst = {};         // lines × columns; −1 without rows
    std::uint64_t rows = 0, off = 0;
    std::optional<RowPlace> first_off = {}, worst_row = {};

    std::size_t columns() const { return positions.edges.empty() ? 0 : positions.edges.size() - 1; }
};

struct DumpEvidence {
    std::string part = {};  // the sampled head, if others match: "head 3 of 8"
    std::vector<PairEvidence> pairs = {};
    RowEvidence rows = {};  // without columns for a FrequencyDump
};

// A report, and the data of its pass that figures and pages draw.
struct DrawnReport {
    std::string label;  // "llama-3.1-8b, hf-fp32"
    Report report;
    ErrorMap errors = {}, cells = {};  // of a figure, and of a page
    DumpEvidence evidence = {};
};

// Returns why the report fails, for titles: the mistakes that explain a dump, else what was
// observed and the notes of the failed checks, else their names. Empty if it passes.
std::vector<std::string> causes_of(const Report& report, const std::vector<std::string>& required);

// Returns the evidence of the dump under the Spec; without pairs if no Spec has its shape.
DumpEvidence evidence_of(const Spec& asked, const Dump& dump, const CheckFacts& checked);

}  // namespace rope
