#include "io/subject/own_table.hpp"

#include <algorithm>

namespace rope::io {
namespace {

bool explains_all(const std::vector<NamedDump>& dumps, const TableUse& use) {
    const TableDump& table = only_table(dumps);
    return std::ranges::all_of(dumps, [&](const NamedDump& one) {
        const auto* vectors = std::get_if<RotatedDump>(&one.dump);
        return vectors == nullptr ||
               summarize(judge_by_table(in_heads_of(one, use), *vectors, table)).violated == 0;
    });
}

}  // namespace

const TableDump& only_table(const std::vector<NamedDump>& dumps) {
    const TableDump* found = nullptr;
    for (const NamedDump& one : dumps)
        if (const auto* table = std::get_if<TableDump>(&one.dump)) {
            if (found != nullptr)
                throw InputError("--table", ": the dump holds several tables, one after the other");
            found = table;
        }
    if (found == nullptr)
        throw InputError("--table",
                         ": the dump holds no table of cos and sin; name it with --cos and "
                         "--sin");
    return *found;
}

TableUse in_heads_of(const NamedDump& vectors, TableUse use) {
    use.place.head_dim = vectors.lanes;
    return use;
}

std::vector<NamedDump> load_with_table(DumpTensors& tensors, DumpHints hints, const TableUse& use) {
    std::vector<NamedDump> dumps = load_dump(tensors, hints);
    const std::uint32_t rotary_dim = 2 * only_table(dumps).pairs;
    const auto may_be_fused = [&](const NamedDump& one) {
        return std::holds_alternative<RotatedDump>(one.dump) && one.lanes > rotary_dim &&
               one.lanes % rotary_dim == 0;
    };
    if (hints.head_dim || std::ranges::none_of(dumps, may_be_fused) || explains_all(dumps, use))
        return dumps;
    hints.head_dim = rotary_dim;
    std::vector<NamedDump> fused = load_dump(tensors, hints);
    return explains_all(fused, use) ? fused : dumps;
}

}  // namespace rope::io
