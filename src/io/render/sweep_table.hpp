// The table of a sweep as text, Markdown, CSV and JSON (schema rope-check-sweep/1), from which an
// interrupted sweep resumes.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/model/lint.hpp"
#include "io/model/spec_flags.hpp"
#include "io/text/document.hpp"
#include "rope/session/sweep_row.hpp"

namespace rope::io {

struct SweepTable {
    std::string version, commit;  // of the tool
    SweepPlan plan;
    std::vector<SweepCell> cells;
    SweepRows rows;  // one per cell, or none yet
};

// Returns the JSON: the plan, the finished rows in the order of the cells, one per line, and a
// digest of both.
std::string sweep_json(const SweepTable& table);

// Takes the rows of a file that sweep_json() wrote for the same tool, models, pipelines and
// contexts. Throws InputError with the file, the difference and the remedy for any other text.
void resume_sweep(SweepTable& table, std::string_view json, const std::string& name);

// Returns text of at most 80 columns for contexts up to 9,999,999, then the reasons of refused and
// not applicable rows, if `verbose` also of violated ones; if `quiet` only the reasons. Requires
// every row. A CSV column is a member of the JSON's rows.
Document sweep_document(const SweepTable& table, bool verbose, bool quiet = false);

// Computes the missing rows. Saves all rows to `file` at the start and whenever rows have finished.
// A signal ends the process between two writes and leaves no temporary file. Throws IoError if the
// file cannot be written; earlier rows remain saved.
void finish_sweep(SweepTable& table, const SweepOptions& options,
                  const std::filesystem::path& file);

struct SweepSource {
    std::string name;
    std::optional<std::filesystem::path> config;
    std::vector<Flag> flags;  // includes --model
};

struct SweepModels {
    std::vector<SweepModel> models;
    std::vector<Lint> lint;  // of all models, each warning once
};

// Returns a model for each group of layers that rotates, as in verify; with `own_contexts`, one for
// each of two tables. An unusable config becomes a model with the reason. Throws IoError if a file
// cannot be read.
SweepModels sweep_models(std::span<const SweepSource> sources, bool own_contexts);

}  // namespace rope::io
