#include "io/resolve/sequence_length.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/frequency/short_length.hpp"

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

void name_length(LayerGroup& group, const std::string& sequences) {
    group.sequences = sequences;
    group.layers += ", " + sequences;
    for (std::string& name : group.names) name += ", " + sequences;
}

}  // namespace

void choose_table(ResolvedSpec& resolved, std::uint64_t length, const std::string& why) {
    if (!short_length(resolved.spec)) return;
    resolved.origins.push_back({"seq_len", why});
    resolved.spec.seq_len = length;
}

ResolvedModel with_both_tables(ResolvedModel model) {
    std::vector<LayerGroup> groups;
    for (LayerGroup& group : model.groups) {
        const auto longest_short = group.rotates ? short_length(group.resolved.spec) : std::nullopt;
        if (!longest_short) {
            groups.push_back(std::move(group));
            continue;
        }
        LayerGroup beyond = group;
        choose_table(beyond.resolved, long_length(beyond.resolved.spec, *longest_short),
                     "long sequences");
        name_length(beyond, "long sequences");
        choose_table(group.resolved, *longest_short, "short sequences");
        name_length(group, "short sequences");
        groups.push_back(std::move(group));
        groups.push_back(std::move(beyond));
    }
    model.groups = std::move(groups);
    return model;
}

}  // namespace rope::io
