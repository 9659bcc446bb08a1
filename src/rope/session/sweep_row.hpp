// A sweep checks every combination of models, pipelines and contexts, and gives a row for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/task_source.hpp"
#include "base/tasks.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// One group of a model's layers, or the reason why the model cannot be checked.
struct SweepModel {
    std::string name = {};
    std::string layers = {};
    Spec spec = {};
    std::uint64_t own_context = 0;  // context to use if none is requested
    std::string refusal = {};       // reason why there is no Spec; empty if there is one
};

struct SweepPlan {
    std::vector<SweepModel> models;
    std::vector<const Pipeline*> pipelines;
    std::vector<std::uint64_t> contexts;  // empty: the context of each model
};

// One row of the table: positions 0 … context − 1 of a model as a pipeline computes them. The Spec
// has the table for the context, if it has two. A refused model has no pipeline and context.
struct SweepCell : SweepModel {
    const Pipeline* pipeline = nullptr;
    std::uint64_t context = 0;
};

// Returns the cells in the order of models, pipelines and contexts, with one cell for a refused
// model. The result depends only on the plan.
std::vector<SweepCell> sweep_cells(const SweepPlan& plan);

enum class RowVerdict { holds, violated, not_applicable, refused };
std::string_view to_string(RowVerdict verdict);

// Accuracy of cos and sin in the terms of table-accuracy, and the verdict.
struct SweepRow {
    std::optional<double> k = {};            // angle error in units of m·θ·2^-24
    std::optional<double> worst_error = {};  // largest error of a cos or sin, absolute
    std::optional<std::uint64_t> worst_position = {}, worst_pair = {};
    std::optional<std::uint64_t> first_beyond = {};  // first position with an error beyond 1e-3
    RowVerdict verdict = RowVerdict::refused;
    std::string reason = {};  // reason if it does not hold; empty if it does

    bool operator==(const SweepRow&) const = default;
};

using SweepRows = std::vector<SweepRow>;  // one per cell

// Returns the result of verify() for the cell with all laws and conformance checks: violated if one
// of them is, holds only if table-accuracy does. If verify() refuses the cell, the row has the
// reason. `threads` as in JudgeOptions.
SweepRow judge_cell(const SweepCell& cell, unsigned threads = 0);

struct SweepOptions {
    unsigned threads = 0;        // 0: all hardware threads; the rows do not depend on it
    TaskCount* tasks = nullptr;  // counts one task per cell
    TaskLog* log = nullptr;      // rows of an earlier sweep of the same cells
};

// Checks every cell, small ones first, on threads or ranks (base/task_source.hpp).
SweepRows judge_cells(std::span<const SweepCell> cells, const SweepOptions& options);

struct SweepSummary {
    std::size_t holds = 0, violated = 0, not_applicable = 0, refused = 0;
};
SweepSummary summarize(const SweepRows& rows);

// Returns 1 if a row is violated; otherwise 2 if one is refused or none was checked, else 0.
int exit_code(const SweepSummary& summary);

Bytes bytes_of(const SweepRow& row);
// Throws std::length_error if the bytes do not form a row.
SweepRow sweep_row_of(const Bytes& bytes);

}  // namespace rope
