// The positions of rows on several axes: those of texts and images, and of the cells of grids.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/dump/derived_positions.hpp"

namespace rope::io {
namespace {

struct Grid {
    double frames, height, width;
    double volume() const { return frames * height * width; }
    bool have_blocks() const { return std::fmod(height, 2) == 0 && std::fmod(width, 2) == 0; }
    bool operator==(const Grid&) const = default;
};

// The grids of sizes [n, 3], or [n, 2] on two axes.
std::vector<Grid> grids_of(const Array& sizes, std::uint64_t axes) {
    std::vector<Grid> grids;
    const std::uint64_t columns = sizes.shape.empty() ? 0 : sizes.shape.back();
    if (axes < 2 || axes > 4 || (columns != 3 && columns != std::min<std::uint64_t>(axes, 3)) ||
        !are_whole(sizes, 1))
        return grids;
    for (std::uint64_t end = columns; end <= sizes.size(); end += columns)
        grids.push_back(
            {columns == 3 ? sizes.at(end - 3) : 1, sizes.at(end - 2), sizes.at(end - 1)});
    return grids;
}

// Grids whose rows follow each other, or one at the start of each batch entry of `length` rows.
struct PlacedGrids {
    std::vector<Grid> grids;
    std::uint64_t length = 0;
};

// The length of the sequences of vectors [batch, L, H, d] or [batch, H, L, d]; 0 without them.
std::uint64_t rows_of_entries(const DumpTensors& tensors, std::uint64_t batch) {
    const auto vectors = tensors.vectors(Usual::q);
    if (!vectors || vectors->second.array.shape.size() != 4) return 0;
    const Shape& shape = vectors->second.array.shape;
    return shape[0] == batch ? std::max(shape[1], shape[2]) : 0;
}

// One grid may serve all batch entries. A model that merges rows or puts text around them has other
// rows, and no grid.
PlacedGrids placed(std::vector<Grid> grids, const AxisMap& map, const DumpTensors& tensors) {
    double total = 0;
    for (const Grid& grid : grids) total += grid.volume();
    const auto is_length = [&](double rows) {
        return rows <= static_cast<double>(max_dump_rows) &&
               tensors.has_axis_of(static_cast<std::uint64_t>(rows));
    };
    if (grids.empty() || is_length(total)) return {std::move(grids)};
    const bool are_alike = std::ranges::count(grids, grids[0]) == std::ssize(grids);
    const double most = std::ranges::max(grids, {}, &Grid::volume).volume();
    if (are_alike && is_length(most)) return {{grids[0]}};
    if (are_alike && !are_of_images(map)) return {};
    const std::uint64_t length = rows_of_entries(tensors, grids.size());
    if (length == 0 || static_cast<double>(length) < most) return {};
    return {std::move(grids), length};
}

// (t, h, w) of each row, w the fastest; (h, w) if the config has two axes, (w, h) if these
// alternate, and (t, h, w, 0) with four, as in FLUX.2. 0 in rows of padding.
struct CellPositions {
    std::vector<double> ids, kept;
};
CellPositions positions_of(const PlacedGrids& placed, const CellOrder& order, std::uint64_t axes,
                           bool is_x_first) {
    CellPositions all;
    for (const Grid& grid : placed.grids) {
        const std::vector<CellOrder::Cell> cells = order.cells(
            static_cast<std::uint64_t>(grid.height), static_cast<std::uint64_t>(grid.width));
        for (double frame = 0; frame < grid.frames; ++frame)
            for (const auto& [row, column] : cells) {
                if (axes > 2) all.ids.push_back(frame);
                all.ids.push_back(static_cast<double>(is_x_first ? column : row));
                all.ids.push_back(static_cast<double>(is_x_first ? row : column));
                if (axes == 4) all.ids.push_back(0);
            }
        all.kept.resize(all.ids.size() / axes, 1);
        if (placed.length == 0) continue;
        all.kept.resize((all.kept.size() + placed.length - 1) / placed.length * placed.length, 0);
        all.ids.resize(all.kept.size() * axes, 0);
    }
    return all;
}

// A reading for each order of cells. Those in blocks require that every grid has whole ones.
std::vector<StatedPositions> by_grids(const NamedArray& sizes, const AxisMap& map,
                                      const DumpTensors& tensors) {
    const std::uint64_t axes = axis_count(map);
    const bool is_x_first = axes == 2 && is_column_first(map);
    const PlacedGrids grids = placed(grids_of(sizes.array, axes), map, tensors);
    if (grids.grids.empty()) return {};
    const std::string how = axes > 2     ? ", frames × rows × columns"
                            : is_x_first ? ", rows × columns, x before y"
                                         : ", rows × columns";
    std::vector<StatedPositions> all;
    for (const CellOrder& order : cell_orders()) {
        if (order.block > 1 && !std::ranges::all_of(grids.grids, &Grid::have_blocks)) break;
        auto [ids, kept] = positions_of(grids, order, axes, is_x_first);
        const bool is_known = std::ranges::any_of(
            all, [&](const StatedPositions& one) { return one.ids->array.values() == ids; });
        if (is_known) continue;  // a small frame is one window
        const std::uint64_t rows = kept.size(), length = grids.length;
        all.push_back(derived(sizes, how + order.words,
                              length == 0 ? Shape{rows, axes} : Shape{rows / length, length, axes},
                              std::move(ids)));
        if (length > 0) all.back().kept = made(sizes, {rows / length, length}, std::move(kept));
        all.back().is_of_grids = true;
        all.back().is_on_one_axis = false;
    }
    return all;
}

// [1, L, A] as [L, A]
std::optional<NamedArray> ids_on_axes(std::optional<NamedArray> ids) {
    if (!ids) return ids;
    Shape& shape = ids->array.shape;
    if (shape.size() == 3 && shape[0] == 1) shape.erase(shape.begin());
    if (shape.size() != 2 || shape[1] < 2 || shape[1] > 4) return std::nullopt;
    return ids;
}

// The ids of the text, then those of the image, as Flux joins them.
std::optional<StatedPositions> by_text_and_image(const std::optional<NamedArray>& text,
                                                 const std::optional<NamedArray>& image) {
    if (!image || (text && text->array.shape[1] != image->array.shape[1])) return std::nullopt;
    std::vector<double> ids = text ? text->array.values() : std::vector<double>{};
    const std::vector<double> behind = image->array.values();
    ids.insert(ids.end(), behind.begin(), behind.end());
    const std::uint64_t axes = image->array.shape[1], rows = ids.size() / axes;
    auto stated = derived(*image, text ? ", behind txt_ids" : "", {rows, axes}, std::move(ids));
    if (text) stated.read.insert(text->name);
    stated.is_on_one_axis = false;
    return stated;
}

}  // namespace

std::vector<StatedPositions> positions_on_axes(const DumpTensors& tensors, const DumpHints& asked) {
    if (auto both = by_text_and_image(ids_on_axes(tensors.usual("txt_ids")),
                                      ids_on_axes(tensors.usual("img_ids"))))
        return {*std::move(both)};
    if (auto ids = by_text_and_image(std::nullopt, ids_on_axes(tensors.usual("ids"))))
        return {*std::move(ids)};
    const auto sizes = tensors.first_of(Usual::grid_sizes);
    if (!sizes || !asked.spec) return {};
    return by_grids(*sizes, asked.spec->axes, tensors);
}

}  // namespace rope::io
