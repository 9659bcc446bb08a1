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

bool rotates_one_way(const ResolvedModel& model) {
    return model.groups.size() == 1 && model.groups.front().rotates;
}

std::vector<std::string> names_of(const LayerGroup& group) {
    return group.names.empty() ? std::vector{group.layers} : group.names;
}

bool share_a_name(const LayerGroup& a, const LayerGroup& b) {
    const std::vector<std::string> of_a = names_of(a), of_b = names_of(b);
    return std::ranges::find_first_of(of_a, of_b) != of_a.end();
}

}  // namespace

bool Diff::same() const {
    return only_a.empty() && only_b.empty() &&
           std::ranges::all_of(plans, [](const DiffedPlan& p) { return p.differing.empty(); });
}

Diff diff(const ResolvedModel& a, const ResolvedModel& b,
          const std::vector<std::uint64_t>& positions, double tolerance) {
    Diff result;
    const bool any_meet = rotates_one_way(a) || rotates_one_way(b);
    std::vector<bool> is_met(b.groups.size());
    for (const LayerGroup& of_a : a.groups) {
        bool meets = false;
        for (std::size_t k = 0; k < b.groups.size(); ++k) {
            const LayerGroup& of_b = b.groups[k];
            if (of_a.rotates != of_b.rotates || !(any_meet || share_a_name(of_a, of_b))) continue;
            meets = is_met[k] = true;
            if (!of_a.rotates) continue;
            const Spec &spec_a = of_a.resolved.spec, &spec_b = of_b.resolved.spec;
            Difference found = difference(
                spec_a, spec_b, positions.empty() ? lengths_of(spec_a, spec_b) : positions);
            std::vector<std::string> names = differing(found, tolerance);
            result.plans.push_back({rotates_one_way(a) ? of_b.layers : of_a.layers,
                                    std::move(found), std::move(names)});
        }
        if (!meets) result.only_a.push_back(of_a.layers);
    }
    for (std::size_t k = 0; k < b.groups.size(); ++k)
        if (!is_met[k]) result.only_b.push_back(b.groups[k].layers);
    result.lint = a.lint;
    result.lint.insert(result.lint.end(), b.lint.begin(), b.lint.end());
    return result;
}

}  // namespace rope::io
