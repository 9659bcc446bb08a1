// A sweep as a table: text, Markdown, CSV, and JSON of schema rope-check-sweep/1, from which an
// interrupted one resumes.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/draft/spec_flags.hpp"
#include "io/lint/lint.hpp"
#include "io/text/document.hpp"
#include "rope/session/sweep_row.hpp"

namespace rope::io {

struct SweepTable {
    std::string version, commit;  // of the tool
    SweepPlan plan;
    std::vector<SweepCell> cells;
    SweepRows rows;  // one for each cell, or none yet
};

// What was asked, each row that there is on a line of its own, in the order of the cells, and a
// digest of all that.
std::string sweep_json(const SweepTable& table);

// Takes the rows that sweep_json wrote of the same tool, models, pipelines and contexts. Throws
// InputError, naming the file, saying what is different and what to do, for any other text.
void resume_sweep(SweepTable& table, std::string_view json, const std::string& name);

// Text of at most 80 columns up to contexts of 9,999,999, whatever the names; then why rows are
// refused or not applicable, `verbose` or violated; `quiet` that without the table. Requires every
// row. CSV has the members of a row of the JSON.
Document sweep_document(const SweepTable& table, bool verbose, bool quiet = false);

// A sweep that is saved as it goes.

// Judges what has no row yet. Before the first, and whenever rows have ended, all that there are
// go to `file`; a signal ends the process between two writes, and leaves no temporary. Throws
// IoError when it cannot be written: what was saved before stays.
void finish_sweep(SweepTable& table, const SweepOptions& options,
                  const std::filesystem::path& file);

// Configs and flags to the models of a sweep.

struct SweepSource {
    std::string name;
    std::optional<std::filesystem::path> config;
    std::vector<Flag> flags;  // --model among them
};

struct SweepModels {
    std::vector<SweepModel> models;
    std::vector<Lint> lint;  // of all, each finding once
};

// A model for each group of layers that rotates, as verify judges them: where models are judged at
// their own contexts, one for each of two tables. A config that cannot be used is a model that says
// why. Throws IoError where a file cannot be read.
SweepModels sweep_models(std::span<const SweepSource> sources, bool own_contexts);

}  // namespace rope::io
