// A sweep: every combination of models, pipelines and contexts, and a row of results for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/tasks.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope {

// What a sweep judges: every combination of models, pipelines and contexts.

// One way in which a model's layers rotate, or why the model cannot be judged.
struct SweepModel {
    std::string name = {};
    std::string layers = {};
    Spec spec = {};
    std::uint64_t own_context = 0;  // judged where no context is asked
    std::string refusal = {};       // not empty: there is no Spec
};

struct SweepPlan {
    std::vector<SweepModel> models;
    std::vector<const Pipeline*> pipelines;
    std::vector<std::uint64_t> contexts;  // empty: each model's own
};

// One row of the table: positions 0 … context − 1 of what a pipeline makes of a model.
struct SweepCell {
    std::string model = {};
    std::string layers = {};
    Spec spec = {};  // of two tables, the one for the context
    const Pipeline* pipeline = nullptr;
    std::uint64_t context = 0;
    std::string refusal = {};  // of the model: then there is neither pipeline nor context
};

// In the order of models, then pipelines, then contexts; one for a model that is refused. The same
// for the same plan in any process.
std::vector<SweepCell> sweep_cells(const SweepPlan& plan);

// What a sweep finds: a row for each of its cells.

enum class RowVerdict { holds, violated, not_applicable, refused };
std::string_view to_string(RowVerdict verdict);

// How accurate cos and sin are, in the terms of table-accuracy, and whether they are accurate
// enough.
struct SweepRow {
    std::optional<double> k = {};            // angle errors, in units of m·θ·2^-24
    std::optional<double> worst_error = {};  // absolute
    std::optional<std::uint64_t> worst_position = {}, worst_pair = {};
    std::optional<std::uint64_t> first_beyond = {};  // the first position beyond 1e-3
    RowVerdict verdict = RowVerdict::refused;
    std::string reason = {};  // why it does not hold; empty where it does

    bool operator==(const SweepRow&) const = default;
};

// Of a cell that has none: not judged yet.
using SweepRows = std::vector<std::optional<SweepRow>>;

// What verify() says of the cell, by every law and conformance check. It is violated if one of
// them is; it holds only if table-accuracy does. Threads as in JudgeOptions. What verify() refuses
// is a row that says so.
SweepRow judge_cell(const SweepCell& cell, unsigned threads = 0);

struct SweepOptions {
    unsigned threads = 0;        // 0: those of the machine; rows are the same for any
    TaskCount* tasks = nullptr;  // a task for each cell
};

// Judges every cell that has no row, small ones before large ones, on threads or on ranks
// (base/task_source.hpp), and hands each row over as it ends, one at a time; where that returns
// false, no further cell begins. Ranks other than 0 need not know which cells have one.
void judge_cells(std::span<const SweepCell> cells, const SweepRows& rows,
                 const SweepOptions& options,
                 const std::function<bool(std::size_t cell, const SweepRow& row)>& ended);

struct SweepSummary {
    std::size_t holds = 0, violated = 0, not_applicable = 0, refused = 0, unfinished = 0;
};
SweepSummary summarize(const SweepRows& rows);

// 1 if a row is violated, else 2 if one is refused or there is none, else 0.
int exit_code(const SweepSummary& summary);

// A row of a sweep on its way from one process to another.

Bytes bytes_of(const SweepRow& row);
// Throws std::length_error where they are not those of a row.
SweepRow sweep_row_of(const Bytes& bytes);

}  // namespace rope
