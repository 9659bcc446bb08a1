#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/decimal.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

std::uint64_t long_length(const Spec& spec, std::uint64_t short_length) {
    const auto last = static_cast<double>(spec.max_position_embeddings);
    const std::string& type = spec.scaling.rope_type;
    const double longest = type == "dynamic"    ? std::ceil(last * *spec.scaling.factor)
                           : type == "qwen_ntk" ? 2 * last
                                                : last;
    return std::clamp(static_cast<std::uint64_t>(std::min(longest, 0x1p32)), short_length + 1,
                      max_context);
}

// Σ|ln(own_i/θ_i)|; infinite where there is another number of them
double distance(const std::vector<double>& own, Spec spec, std::uint64_t length) {
    spec.seq_len = length;
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    if (own.size() != plan.pairs.size()) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        const double apart = std::log(own[i] / plan.pairs[i].inv_freq.to_double());
        if (std::isfinite(apart)) sum += std::abs(apart);
    }
    return sum;
}

// Lengths of sequences with different tables: the longest of each short table, and one beyond.
struct TableLengths {
    std::set<std::uint64_t> longest_short;
    std::uint64_t beyond = 0;

    void add(const LayerGroup& group) {
        const Spec& spec = group.resolved.spec;
        const auto last = group.rotates ? short_length(spec) : std::nullopt;
        if (!last) return;
        longest_short.insert(*last);
        beyond = std::max(beyond, long_length(spec, *last));
    }
    std::vector<std::uint64_t> ascending() const {
        std::vector<std::uint64_t> all(longest_short.begin(), longest_short.end());
        if (!all.empty()) all.push_back(beyond);
        return all;
    }
};

// Splits a group with two tables into one for each of the common lengths, or of the group's own.
ResolvedModel at_lengths(ResolvedModel model, const TableLengths* common) {
    std::vector<LayerGroup> groups;
    for (LayerGroup& group : model.groups) {
        TableLengths own;
        own.add(group);
        const auto lengths = (own.longest_short.empty() || !common ? own : *common).ascending();
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            const std::string sequences = k == 0 ? "short sequences"
                                          : k + 1 == lengths.size()
                                              ? "long sequences"
                                              : "sequences of " + decimal(lengths[k]);
            LayerGroup one = group;
            choose_table(one.resolved, lengths[k], sequences);
            one.sequences = sequences;
            one.layers += ", " + sequences;
            for (std::string& name : one.names) name += ", " + sequences;
            groups.push_back(std::move(one));
        }
        if (lengths.empty()) groups.push_back(std::move(group));
    }
    model.groups = std::move(groups);
    return model;
}

}  // namespace

void choose_table(ResolvedSpec& resolved, std::uint64_t length, const std::string& why) {
    if (!short_length(resolved.spec)) return;
    resolved.origins.push_back({"seq_len", why});
    resolved.spec.seq_len = length;
}

void choose_nearest_table(ResolvedSpec& resolved, const std::vector<double>& inv_freq) {
    const Spec& spec = resolved.spec;
    const auto last = short_length(spec);
    if (!last || spec.scaling.rope_type != "longrope") return;
    const std::uint64_t beyond = long_length(spec, *last);
    const bool is_long = distance(inv_freq, spec, beyond) < distance(inv_freq, spec, *last);
    choose_table(resolved, is_long ? beyond : *last, "the list that inv_freq is nearer to");
}

ResolvedModel with_both_tables(ResolvedModel model) {
    return at_lengths(std::move(model), nullptr);
}

std::array<ResolvedModel, 2> with_common_tables(ResolvedModel a, ResolvedModel b) {
    TableLengths common;
    for (const ResolvedModel* model : {&a, &b})
        for (const LayerGroup& group : model->groups) common.add(group);
    return {at_lengths(std::move(a), &common), at_lengths(std::move(b), &common)};
}

}  // namespace rope::io
