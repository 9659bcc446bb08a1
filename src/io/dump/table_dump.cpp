#include "io/dump/dump.hpp"
#include "io/dump/read_as.hpp"
#include "io/shape/position_ids.hpp"
#include "io/table_layout/table_layout.hpp"

namespace rope::io {
namespace {

// "bsd" of rows [B, L]
std::string letters_of(std::vector<std::uint64_t> rows) {
    std::erase(rows, std::uint64_t{1});
    return rows.size() == 2 ? "bsd" : "sd";
}

struct Source {
    const NamedArray& array;  // of the cosines
    const std::optional<NamedArray>& positions;
    std::string origin;
};

TableDump dump_of(CosSin found, std::vector<std::vector<double>> positions, const Source& source) {
    TableDump dump;
    dump.positions = std::move(positions.front());
    dump.more_positions.assign(std::make_move_iterator(positions.begin() + 1),
                               std::make_move_iterator(positions.end()));
    std::vector<std::uint64_t> lengths = found.rows;
    std::erase(lengths, 1);
    if (lengths.size() == 2) dump.grid = {{lengths[0], lengths[1]}, {}, {lengths[1], 1}};
    dump.pairs = found.pairs;
    dump.cos = std::move(found.cos);
    dump.sin = std::move(found.sin);
    dump.format = found.format;
    dump.origin = source.origin;
    dump.read_as = {
        {"cache_layout", std::string(to_string(found.layout)), found.layout_from},
        {"axes", letters_of(found.rows), "shape " + shape_text(source.array.array.shape)},
        rows_read(dump.positions.size(), source.array),
        positions_read(dump.positions, dump.more_positions, source.positions)};
    return dump;
}

bool holds_angles(const NamedArray& both, const DumpHints& asked) {
    if (asked.layout) return *asked.layout == CacheLayout::angles;
    if (axes_of_row(both, asked) > 1 || has_steady_norm(both)) return false;
    // no cosine is beyond an attention factor
    const std::uint64_t size = both.array.size(), step = 1 + size / 65536;
    for (std::uint64_t k = size; k > 0 && both.array.format(); k -= std::min(k, step))
        if (both.array.at(k - 1) > 4) return true;
    return false;
}

}  // namespace

TableDump table_dump(const NamedArray& cos, const NamedArray& sin,
                     const std::optional<NamedArray>& positions, const DumpHints& asked) {
    CosSin found = separate_layout(cos, sin, asked);
    auto on_axes = table_positions(cos, found.rows, positions, asked);
    return dump_of(std::move(found), std::move(on_axes),
                   {cos, positions, cos.name + ", " + sin.name});
}

TableDump table_dump(const NamedArray& both, const std::optional<NamedArray>& positions,
                     const DumpHints& asked) {
    const bool angles = holds_angles(both, asked);
    std::vector<std::uint64_t> rows = both.array.shape;
    rows.resize(rows.size() - std::min(rows.size(), angles ? 1 : axes_of_row(both, asked)));
    if (both.array.size() == 0) require_alike(both, both);
    auto on_axes = table_positions(both, rows, positions, asked);
    CosSin found = angles ? angle_layout(both, asked) : fused_layout(both, on_axes.front(), asked);
    return dump_of(std::move(found), std::move(on_axes), {both, positions, both.name});
}

}  // namespace rope::io
