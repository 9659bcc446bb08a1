// What a dump shows before any mistake is named: each pair's frequency, each row's error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/changes/reading.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/report/report.hpp"

namespace rope {

// Errors are the largest of the sampled rows, over their tolerance; those from the line over that
// and the line's uncertainty.
struct PairEvidence {
    double asked = 0;  // radians per position
    // The line through the pair's angles (phase_lines.hpp), where they tell one; of frequencies
    // themselves the dump's.
    std::optional<double> fitted = {};
    double fitted_error = 0;   // its standard error
    bool is_constant = false;  // whether every sampled row lies on it
    double error = 0;          // from the Spec; of every row where all groups are in the evidence
    std::optional<double> residue = {};  // from the line, without single rows that are off
};

struct RowPlace {
    double position = 0;
    std::string group = {};  // "head 3 of 8"; empty where there is one
    std::size_t line = 0;    // of the cells
    double error = 0;        // over its allowance
};

// Every row: the largest error of its pairs over its allowance. Beyond 1 it is off.
struct RowEvidence {
    PositionParts positions = {};
    std::string kind = {};                 // what groups are: "head"
    std::vector<std::string> groups = {};  // names of the lines of cells
    std::size_t groups_per_line = 1;       // neighbours share a line where there are many
    std::vector<float> worst = {};         // lines × columns; −1 where no row is
    std::uint64_t rows = 0, off = 0;
    std::optional<RowPlace> first_off = {}, worst_row = {};

    std::size_t columns() const { return positions.edges.empty() ? 0 : positions.edges.size() - 1; }
};

struct DumpEvidence {
    std::string part = {};  // the head that was sampled, where others are as asked: "head 3 of 8"
    std::vector<PairEvidence> pairs = {};
    RowEvidence rows = {};  // without columns: the dump has none
};

// A report and the evidence that it was made from.
struct ComparedReport {
    std::string label;  // "llama-3.1-8b, q"
    Report report;
    DumpEvidence evidence;
};

// Of the dump read as asked; without pairs where no Spec of its shape is.
DumpEvidence evidence_of(const Spec& asked, const Dump& dump, const CheckOutcome& judgement);

// Of all rows of the part, which of its groups are off, the odd rows of the others, and the largest
// error of each pair.
struct JudgedRows {
    RowEvidence evidence;
    std::vector<std::size_t> groups_off, odd_rows;
    std::vector<double> pair_errors;
};
JudgedRows judge_rows(const DumpReading& asked, const DumpPart& part);

}  // namespace rope
