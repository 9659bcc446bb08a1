// Configs and flags to the models of a sweep.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/draft/spec_flags.hpp"
#include "io/lint/lint.hpp"
#include "rope/session/sweep_row.hpp"

namespace rope::io {

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
