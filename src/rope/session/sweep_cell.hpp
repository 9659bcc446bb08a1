// What a sweep judges: every combination of models, pipelines and contexts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope {

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

}  // namespace rope
