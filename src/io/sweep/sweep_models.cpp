#include <algorithm>

#include "base/error.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/sweep/sweep_table.hpp"

namespace rope::io {
namespace {

void add_groups(SweepModels& all, const std::string& name, const ResolvedModel& model) {
    const std::size_t before = all.models.size();
    for (const LayerGroup& group : model.groups)
        if (group.rotates)
            all.models.push_back({.name = name,
                                  .layers = group.layers,
                                  .spec = group.resolved.spec,
                                  .own_context = group.context()});
    if (all.models.size() == before) throw InputError(model.origin + ": no layer rotates");
}

void add_lint(std::vector<Lint>& all, const std::vector<Lint>& findings) {
    for (const Lint& one : findings)
        if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

}  // namespace

SweepModels sweep_models(std::span<const SweepSource> sources, bool own_contexts) {
    SweepModels all;
    for (const SweepSource& source : sources) try {
            ResolvedModel model = resolve_model(source.config, source.flags);
            add_lint(all.lint, model.lint);
            if (own_contexts) {
                model = with_both_tables(std::move(model));
                for (const LayerGroup& group : model.groups)
                    if (group.rotates) (void)group.unasked_context();
            }
            add_groups(all, source.name, model);
        } catch (const InputError& error) {
            SweepModel& refused = all.models.emplace_back();
            refused.name = source.name;
            refused.refusal = error.what();
        }
    return all;
}

}  // namespace rope::io
