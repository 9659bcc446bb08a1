#include "rope/session/sweep_cell.hpp"

#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

SweepCell cell_of(const SweepModel& model, const Pipeline& pipeline, std::uint64_t context) {
    SweepCell cell{model.name, model.layers, model.spec, &pipeline, context, {}};
    if (short_length(cell.spec)) cell.spec.seq_len = context;
    return cell;
}

}  // namespace

std::vector<SweepCell> sweep_cells(const SweepPlan& plan) {
    std::vector<SweepCell> cells;
    for (const SweepModel& model : plan.models) {
        if (!model.refusal.empty()) {
            SweepCell& cell = cells.emplace_back();
            cell.model = model.name;
            cell.refusal = model.refusal;
            continue;
        }
        for (const Pipeline* pipeline : plan.pipelines) {
            if (plan.contexts.empty())
                cells.push_back(cell_of(model, *pipeline, model.own_context));
            for (const std::uint64_t context : plan.contexts)
                cells.push_back(cell_of(model, *pipeline, context));
        }
    }
    return cells;
}

}  // namespace rope
