// The table of a sweep as text, Markdown, CSV and JSON (schema rope-check-sweep/1).
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
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
    SweepRows rows;
    std::vector<Lint> lint = {};  // about its configs
};

// A line that names the question: the version and a digest of models, pipelines and contexts.
std::string sweep_question(const SweepTable& table);

// Returns text of at most 80 columns for contexts up to 9,999,999, then the reasons of refused and
// not applicable rows, if `verbose` also of violated ones; if `quiet` only the reasons. The JSON
// has the plan and a row per line, whose members are the columns of the CSV.
Document sweep_document(const SweepTable& table, bool verbose, bool quiet = false);

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
