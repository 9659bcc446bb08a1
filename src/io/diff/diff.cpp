#include "io/diff/diff.hpp"

#include <algorithm>
#include <set>

namespace rope::io {
namespace {

std::vector<std::uint64_t> lengths_of(const Spec& a, const Spec& b) {
    std::set<std::uint64_t> lengths;
    for (const Spec* spec : {&a, &b}) {
        lengths.insert(spec->max_position_embeddings);
        if (const auto& original = spec->scaling.original_max_position_embeddings)
            lengths.insert(*original);
    }
    return {lengths.begin(), lengths.end()};
}

DiffedPlan diff_plan(std::string layers, const Spec& a, const Spec& b,
                     const std::vector<std::uint64_t>& positions) {
    Difference found = difference(a, b, positions.empty() ? lengths_of(a, b) : positions);
    std::vector<std::string> names = differing(found);
    return {std::move(layers), std::move(found), std::move(names)};
}

bool rotates_one_way(const ResolvedModel& model) {
    return model.groups.size() == 1 && model.groups.front().rotates;
}

// The group of the other model that is to rotate as this one does.
const LayerGroup* counterpart(const LayerGroup& group, const ResolvedModel& other) {
    if (group.rotates && rotates_one_way(other)) return &other.groups.front();
    for (const LayerGroup& each : other.groups)
        if (each.layers == group.layers && each.rotates == group.rotates) return &each;
    return nullptr;
}

}  // namespace

bool Diff::same() const {
    return only_a.empty() && only_b.empty() &&
           std::ranges::all_of(plans, [](const DiffedPlan& p) { return p.differing.empty(); });
}

Diff diff(const ResolvedModel& a, const ResolvedModel& b,
          const std::vector<std::uint64_t>& positions) {
    Diff result;
    const bool from_b = rotates_one_way(a);  // then b has at least as many groups
    const ResolvedModel& more = from_b ? b : a;
    const ResolvedModel& other = from_b ? a : b;
    for (const LayerGroup& group : more.groups) {
        const LayerGroup* found = counterpart(group, other);
        if (found == nullptr) {
            (from_b ? result.only_b : result.only_a).push_back(group.layers);
        } else if (group.rotates) {
            const Spec &own = group.resolved.spec, &theirs = found->resolved.spec;
            result.plans.push_back(from_b ? diff_plan(group.layers, theirs, own, positions)
                                          : diff_plan(group.layers, own, theirs, positions));
        }
    }
    if (!from_b && !rotates_one_way(b))
        for (const LayerGroup& group : b.groups)
            if (counterpart(group, a) == nullptr) result.only_b.push_back(group.layers);
    return result;
}

}  // namespace rope::io
