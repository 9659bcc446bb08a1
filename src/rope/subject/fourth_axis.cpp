#include "rope/subject/fourth_axis.hpp"

namespace rope {
namespace {

template <class Rows>
std::optional<Dump> completed(const Rows& rows) {
    const std::size_t axes = rows.more_positions.size() + 1;
    if (axes != 1 && axes != 3) return std::nullopt;
    Rows all = rows;
    if (axes == 1) all.more_positions.assign(2, all.positions);
    all.more_positions.emplace_back(all.positions.size(), 0.0);
    return all;
}

}  // namespace

std::optional<Dump> with_fourth_axis(const Spec& spec, const Dump& dump) {
    if (spec.axes.scheme != AxisScheme::interleaved4) return std::nullopt;
    if (const auto* table = std::get_if<TableDump>(&dump)) return completed(*table);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) return completed(*vectors);
    return std::nullopt;
}

}  // namespace rope
