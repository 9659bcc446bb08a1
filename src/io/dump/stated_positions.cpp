#include "io/dump/stated_positions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rope::io {
namespace {

using Shape = std::vector<std::uint64_t>;

NamedArray made(const NamedArray& from, Shape shape, std::vector<double> values) {
    const auto own = std::make_shared<const std::vector<double>>(std::move(values));
    return {from.name, {std::move(shape), Element::float64, std::as_bytes(std::span(*own)), own}};
}

// Positions that follow from another array.
StatedPositions derived(const NamedArray& from, const std::string& how) {
    StatedPositions stated;
    stated.from = from.name + ", shape " + shape_text(from.array.shape) + how;
    stated.read = {from.name};
    stated.is_derived = true;
    return stated;
}

// [L] or [B, L] as rows of L
struct Sequences {
    std::uint64_t count = 1, length = 0;
};
std::optional<Sequences> lengths_of(const Array& array) {
    if (array.size() == 0 || array.shape.empty() || array.shape.size() > 2) return std::nullopt;
    return Sequences{array.shape.size() == 2 ? array.shape[0] : 1, array.shape.back()};
}

bool are_whole(const Array& array, double least) {
    for (std::uint64_t k = 0; k < array.size(); ++k)
        if (const double value = array.at(k); !(value >= least && value == std::floor(value)))
            return false;
    return true;
}

double largest_of(const Array& array) {
    double largest = -INFINITY;
    for (std::uint64_t k = 0; k < array.size(); ++k) largest = std::max(largest, array.at(k));
    return largest;
}

// A mask of attention, [B, 1, L, L]: its last row is that of the sequence. An additive mask is 0
// where attention is allowed.
NamedArray mask_of_sequence(NamedArray mask) {
    const Shape& shape = mask.array.shape;
    if (shape.size() != 4 || shape[1] != 1 || mask.array.size() == 0) return mask;
    const std::uint64_t rows = shape[2], columns = shape[3];
    bool is_additive = false;
    for (std::uint64_t k = 0; k < mask.array.size() && !is_additive; ++k)
        is_additive = mask.array.at(k) < 0;
    std::vector<double> kept;
    for (std::uint64_t entry = 0; entry < shape[0]; ++entry)
        for (std::uint64_t column = 0; column < columns; ++column) {
            const double value = mask.array.at((entry * rows + rows - 1) * columns + column);
            kept.push_back((value == 0) == is_additive ? 1 : 0);
        }
    return made(mask, {shape[0], columns}, std::move(kept));
}

// cumsum(mask) − 1, as generate() of transformers has it.
std::optional<StatedPositions> by_mask(const NamedArray& mask) {
    const auto of = lengths_of(mask.array);
    if (!of || !are_whole(mask.array, 0) || largest_of(mask.array) != 1) return std::nullopt;
    std::vector<double> ids;
    for (std::uint64_t k = 0; k < mask.array.size(); ++k) {
        const double before = k % of->length == 0 ? -1 : ids.back();
        ids.push_back(before + mask.array.at(k));
    }
    for (double& id : ids) id = std::max(id, 0.0);
    StatedPositions stated = derived(mask, ", whose ones are counted");
    stated.ids = made(mask, mask.array.shape, std::move(ids));
    stated.kept = mask;
    return stated;
}

// From 0 on wherever the number changes. Zeros behind other numbers are padding (MaxText).
std::optional<StatedPositions> by_segments(const NamedArray& segments) {
    const auto of = lengths_of(segments.array);
    if (!of || !are_whole(segments.array, 0)) return std::nullopt;
    std::vector<double> ids, kept;
    for (std::uint64_t k = 0; k < segments.array.size(); ++k) {
        const double own = segments.array.at(k);
        const bool starts = k % of->length == 0 || own != segments.array.at(k - 1);
        ids.push_back(starts ? 0 : ids.back() + 1);
        const bool is_behind =
            own == 0 && k % of->length != 0 && (segments.array.at(k - 1) != 0 || kept.back() == 0);
        kept.push_back(is_behind ? 0 : 1);
    }
    StatedPositions stated = derived(segments, ", where positions start over");
    stated.ids = made(segments, segments.array.shape, std::move(ids));
    stated.kept = made(segments, segments.array.shape, std::move(kept));
    return stated;
}

// The rows of each sequence are its last ones if its whole length, cached rows included, is given.
std::optional<StatedPositions> by_lengths(const NamedArray& ends,
                                          const std::optional<NamedArray>& lengths) {
    const Array& array = ends.array;
    if (array.size() < 2 || !are_whole(array, 0) || array.at(0) != 0) return std::nullopt;
    if (lengths && (lengths->array.size() + 1 != array.size() || !are_whole(lengths->array, 0)))
        return std::nullopt;
    std::vector<double> ids;
    for (std::uint64_t k = 1; k < array.size(); ++k) {
        const double length = array.at(k) - array.at(k - 1);
        if (!(length >= 0 && array.at(k) <= static_cast<double>(max_dump_rows)))
            return std::nullopt;
        const double start = lengths ? lengths->array.at(k - 1) - length : 0;
        if (start < 0) return std::nullopt;
        for (double m = 0; m < length; ++m) ids.push_back(start + m);
    }
    if (ids.empty()) return std::nullopt;
    StatedPositions stated =
        derived(ends, lengths ? " and " + lengths->name : ", where sequences start over");
    if (lengths) stated.read.insert(lengths->name);
    const std::uint64_t rows = ids.size();
    stated.ids = made(ends, {rows}, std::move(ids));
    return stated;
}

// Row k of a grid of h × w tokens: row by row, or in blocks of 2 × 2 tokens, which Qwen2-VL merges.
struct Cell {
    std::uint64_t frame, row, column;
};
Cell cell_of(std::uint64_t k, std::uint64_t height, std::uint64_t width, std::uint64_t block) {
    const std::uint64_t within = k % (height * width), of_block = within % (block * block),
                        blocks = within / (block * block), across = width / block;
    return {k / (height * width), blocks / across * block + of_block / block,
            blocks % across * block + of_block % block};
}

// Returns (t, h, w) of the rows of each grid, w the fastest; with two axes (h, w), or (w, h) where
// x and y alternate. Then the same in blocks, if every grid has whole ones.
std::vector<StatedPositions> by_grids(const NamedArray& sizes, const AxisMap& map,
                                      const std::function<bool(std::uint64_t)>& is_length) {
    const std::uint64_t axes = axis_count(map);
    const bool is_x_first = map.scheme == AxisScheme::alternating;
    const Array& array = sizes.array;
    const std::uint64_t columns = array.shape.empty() ? 0 : array.shape.back();
    if (axes < 2 || axes > 3 || (columns != 3 && columns != axes) || array.size() == 0 ||
        !are_whole(array, 1))
        return {};
    std::uint64_t count = array.size() / columns;
    const auto size_of = [&](std::uint64_t grid, std::uint64_t column) {
        return static_cast<std::uint64_t>(array.at(grid * columns + column));
    };
    const auto volume = [&](std::uint64_t grid) {
        double all = 1;
        for (std::uint64_t c = 0; c < columns; ++c) all *= array.at(grid * columns + c);
        return all;
    };
    double total = 0;
    bool are_alike = true, have_blocks = true;
    for (std::uint64_t grid = 0; grid < count; ++grid) {
        total += volume(grid);
        for (std::uint64_t c = 0; c < columns; ++c)
            are_alike = are_alike && size_of(grid, c) == size_of(0, c);
        have_blocks = have_blocks && size_of(grid, columns - 1) % 2 == 0 &&
                      size_of(grid, columns - 2) % 2 == 0;
    }
    const auto is_one_of = [&](double length) {
        return length <= static_cast<double>(max_dump_rows) &&
               is_length(static_cast<std::uint64_t>(length));
    };
    // rows of a grid that a model merges or has text around are others
    if (!is_one_of(total) && !(are_alike && is_one_of(volume(0)))) return {};
    // one grid for all batch entries, or one after the other
    if (are_alike && !is_one_of(total)) count = 1;
    std::vector<StatedPositions> all;
    for (const std::uint64_t block : {1, 2}) {
        if (block == 2 && !have_blocks) break;
        std::vector<double> ids;
        for (std::uint64_t grid = 0; grid < count; ++grid)
            for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(volume(grid)); ++k) {
                const Cell cell =
                    cell_of(k, size_of(grid, columns - 2), size_of(grid, columns - 1), block);
                if (axes == 3) ids.push_back(static_cast<double>(cell.frame));
                ids.push_back(static_cast<double>(is_x_first ? cell.column : cell.row));
                ids.push_back(static_cast<double>(is_x_first ? cell.row : cell.column));
            }
        StatedPositions stated =
            derived(sizes, std::string(axes == 3    ? ", frames × rows × columns"
                                       : is_x_first ? ", rows × columns, x before y"
                                                    : ", rows × columns") +
                               (block == 2 ? " in blocks of 2 × 2" : ""));
        const std::uint64_t rows = ids.size() / axes;
        stated.ids = made(sizes, {rows, axes}, std::move(ids));
        all.push_back(std::move(stated));
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
    StatedPositions stated = derived(*image, text ? ", behind txt_ids" : "");
    if (text) stated.read.insert(text->name);
    const std::uint64_t axes = image->array.shape[1], rows = ids.size() / axes;
    stated.ids = made(*image, {rows, axes}, std::move(ids));
    return stated;
}

// Whether [L], repeated for each batch entry, equals [B, L].
bool are_equal(const Array& a, const Array& b) {
    if (a.size() < b.size()) return are_equal(b, a);
    if (b.size() == 0 || a.size() % b.size() != 0) return a.size() == b.size();
    for (std::uint64_t k = 0; k < a.size(); ++k)
        if (a.at(k) != b.at(k % b.size())) return false;
    return true;
}

// Whether the rows that are not padding differ from ids by one offset per sequence.
bool are_shifted(const StatedPositions& stated, const Array& ids) {
    const Array& own = stated.ids->array;
    if (own.size() != ids.size()) return true;  // of other rows
    const std::uint64_t length = own.shape.back();
    double offset = 0;
    bool has_offset = false;
    for (std::uint64_t k = 0; k < own.size(); ++k) {
        if (k % length == 0) has_offset = false;
        if (stated.kept && stated.kept->array.at(k) == 0) continue;
        const double apart = ids.at(k) - own.at(k);
        if (has_offset && apart != offset) return false;
        offset = apart;
        has_offset = true;
    }
    return true;
}

// "cu_seqlens" of "x.npz:cu_seqlens"
std::string own_name(const std::string& name) { return name.substr(name.rfind(':') + 1); }

// A scalar next to the ids of a sequence is its first position or its length.
bool is_one_number(const Array& array, const Array& ids) {
    return array.size() == 1 && ids.size() > 1;
}

class Finder {
  public:
    Finder(DumpTensors& tensors, const DumpHints& asked) : tensors_(tensors), asked_(asked) {}

    std::vector<StatedPositions> all() {
        if (auto ids = tensors_.named_positions(tensors_.files().positions))
            return {StatedPositions(std::move(ids))};
        StatedPositions listed = listed_ids();
        if (listed.ids) {
            add_other_evidence(listed);
            // the ids are of the current step, the mask is of the whole cache
            const auto mask = sequence_mask();
            if (mask && mask->array.size() > listed.ids->array.size())
                if (auto of_cache = by_mask(*mask))
                    return {std::move(listed), *std::move(of_cache)};
            return {std::move(listed)};
        }
        if (auto on_axes = on_several_axes(); !on_axes.empty()) return on_axes;
        if (auto packed = packed_sequences()) return {*std::move(packed)};
        if (const auto mask = sequence_mask())
            if (auto counted = by_mask(*mask)) return with_row_numbers(*counted);
        if (auto starts = tensors_.first_of(start_names); starts && are_whole(starts->array, 0)) {
            StatedPositions stated = derived(*starts, ", which is added to the row numbers");
            stated.starts = std::move(starts);
            return {std::move(stated)};
        }
        return {{}};
    }

  private:
    std::optional<NamedArray> sequence_mask() const {
        auto mask = tensors_.first_of(mask_names);
        return mask ? mask_of_sequence(*std::move(mask)) : mask;
    }

    StatedPositions listed_ids() {
        StatedPositions found;
        for (const std::string_view name : position_names) {
            std::optional<NamedArray> other = tensors_.usual(name);
            if (!other) continue;
            if (!found.ids)
                found.ids = std::move(other);
            else if (!is_one_number(other->array, found.ids->array) &&
                     !are_equal(found.ids->array, other->array))
                found.differing.emplace_back(name);
        }
        return found;
    }

    // Padding, and arrays that contradict the file's position_ids.
    void add_other_evidence(StatedPositions& listed) {
        if (const auto packed = packed_sequences();
            packed && packed->ids->array.size() == listed.ids->array.size() &&
            !are_equal(packed->ids->array, listed.ids->array))
            listed.differing.push_back(own_name(*packed->read.begin()));
        const auto mask = sequence_mask();
        const auto counted = mask ? by_mask(*mask) : std::nullopt;
        if (!counted || counted->ids->array.size() != listed.ids->array.size()) return;
        if (!are_shifted(*counted, listed.ids->array))
            listed.differing.push_back(own_name(mask->name));
        listed.kept = counted->kept;
        listed.read.insert(mask->name);
    }

    std::vector<StatedPositions> on_several_axes() {
        if (auto found = by_text_and_image(ids_on_axes(tensors_.usual("txt_ids")),
                                           ids_on_axes(tensors_.usual("img_ids"))))
            return {*std::move(found)};
        if (const auto ids = ids_on_axes(tensors_.usual("ids"))) {
            StatedPositions stated = derived(*ids, "");
            stated.ids = ids;
            return {std::move(stated)};
        }
        const auto is_length = [this](std::uint64_t rows) { return tensors_.has_axis_of(rows); };
        if (const auto sizes = tensors_.first_of(grid_names); sizes && asked_.spec)
            return by_grids(*sizes, asked_.spec->axes, is_length);
        return {};
    }

    std::optional<StatedPositions> packed_sequences() {
        if (const auto ends = tensors_.first_of(sequence_end_names))
            if (auto found = by_lengths(*ends, tensors_.first_of(sequence_length_names)))
                return found;
        if (const auto segments = tensors_.first_of(segment_names)) return by_segments(*segments);
        if (const auto mask = sequence_mask();
            mask && lengths_of(mask->array) && largest_of(mask->array) > 1)
            return by_segments(*mask);  // a mask that numbers the sequences
        return std::nullopt;
    }

    // Row numbers are the same rotation for scores if one offset per sequence relates them to the
    // counted positions. Gaps within a sequence exclude that.
    static std::vector<StatedPositions> with_row_numbers(const StatedPositions& counted) {
        StatedPositions rows = counted;
        const Shape& shape = counted.ids->array.shape;
        std::vector<double> ids;
        for (std::uint64_t k = 0; k < counted.ids->array.size(); ++k)
            ids.push_back(static_cast<double>(k % shape.back()));
        rows.ids = made(*counted.ids, shape, std::move(ids));
        rows.counts_padding = true;
        rows.from = "row numbers: those that " + counted.ids->name +
                    " counts differ by one offset for each sequence, which no score depends on";
        return are_shifted(counted, rows.ids->array) ? std::vector{counted, std::move(rows)}
                                                     : std::vector{counted};
    }

    DumpTensors& tensors_;
    const DumpHints& asked_;
};

}  // namespace

std::vector<StatedPositions> stated_positions(DumpTensors& tensors, const DumpHints& asked) {
    std::vector<StatedPositions> all = Finder(tensors, asked).all();
    const bool has_any = all.front().ids || all.front().starts;
    return has_any || !tensors.other() ? all : Finder(*tensors.other(), asked).all();
}

}  // namespace rope::io
