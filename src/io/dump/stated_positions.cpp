// Finds the positions that a file states, in arrays of ids or in arrays that ids follow from.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"

namespace rope::io {
namespace {

bool are_whole(const Array& array, double least = -0x1p31) {
    for (std::uint64_t k = 0; k < array.size(); ++k)
        if (const double value = array.at(k); !(value >= least && value == std::floor(value)))
            return false;
    return true;
}

// Positions `ids` that follow from another array.
StatedPositions derived(const NamedArray& from, const std::string& how, Shape shape,
                        std::vector<double> ids) {
    StatedPositions stated(made(from, std::move(shape), std::move(ids)));
    stated.from = from.name + ", shape " + shape_text(from.array.shape) + how;
    stated.read = {from.name};
    stated.is_derived = true;
    return stated;
}

// Returns L if an array [L] or [B, L] holds whole numbers from 0 on, else 0.
std::uint64_t length_of(const Array& array) {
    const bool fits = array.size() > 0 && !array.shape.empty() && array.shape.size() <= 2;
    return fits && are_whole(array, 0) ? array.shape.back() : 0;
}

double largest_of(const Array& array) {
    double largest = -INFINITY;
    for (std::uint64_t k = 0; k < array.size(); ++k) largest = std::max(largest, array.at(k));
    return largest;
}

// Whether an array [L, L] allows each row the columns up to its own.
bool is_triangle(const Array& array) {
    const Shape& shape = array.shape;
    if (shape.size() != 2 || shape[0] != shape[1] || shape[0] < 2) return false;
    for (std::uint64_t k = 0; k < array.size(); ++k)
        if (array.at(k) != (k % shape[0] <= k / shape[0] ? 1 : 0)) return false;
    return true;
}

// A mask of attention scores, [B, 1, L, L] or a triangle [L, L]: its last row is that of the
// sequence. An additive mask is 0 where attention is allowed.
NamedArray mask_of_sequence(NamedArray mask) {
    Shape& shape = mask.array.shape;
    if (is_triangle(mask.array)) shape = {1, 1, shape[0], shape[1]};
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

// cumsum(mask) − 1, as in generate() of transformers.
std::optional<StatedPositions> by_mask(const NamedArray& mask) {
    const std::uint64_t length = length_of(mask.array);
    if (length == 0 || largest_of(mask.array) != 1) return std::nullopt;
    std::vector<double> ids;
    double count = 0;
    for (std::uint64_t k = 0; k < mask.array.size(); ++k) {
        count = (k % length == 0 ? 0 : count) + mask.array.at(k);
        ids.push_back(std::max(count - 1, 0.0));
    }
    auto stated = derived(mask, ", whose ones are counted", mask.array.shape, std::move(ids));
    stated.kept = mask;
    return stated;
}

// Whether each sequence of a mask has a row that is not padding.
bool has_rows_in_each(const Array& kept) {
    const std::uint64_t length = length_of(kept);
    std::set<std::uint64_t> with_rows;
    for (std::uint64_t k = 0; k < kept.size(); ++k)
        if (kept.at(k) != 0) with_rows.insert(k / length);
    return with_rows.size() * length == kept.size();
}

// Counts from 0 wherever the number changes. Zeros after other numbers are padding (MaxText).
std::optional<StatedPositions> by_segments(const NamedArray& segments) {
    const std::uint64_t length = length_of(segments.array);
    if (length == 0) return std::nullopt;
    std::vector<double> ids, kept;
    for (std::uint64_t k = 0; k < segments.array.size(); ++k) {
        const double own = segments.array.at(k);
        const bool is_first = k % length == 0;
        const double before = is_first ? own : segments.array.at(k - 1);
        ids.push_back(is_first || own != before ? 0 : ids.back() + 1);
        kept.push_back(own == 0 && !is_first && (before != 0 || kept.back() == 0) ? 0 : 1);
    }
    const Shape& shape = segments.array.shape;
    auto stated = derived(segments, ", where positions start over", shape, std::move(ids));
    stated.kept = made(segments, shape, std::move(kept));
    return stated;
}

// Where a sequence starts: at its number in `starts`, or with all its rows up to `lengths`, which
// count cached rows, too. Without either at 0.
struct SequenceStarts {
    std::optional<NamedArray> lengths, starts;

    const std::optional<NamedArray>& given() const { return lengths ? lengths : starts; }
    double of(std::uint64_t sequence, double rows) const {
        if (lengths) return lengths->array.at(sequence) - rows;
        if (!starts) return 0;
        return starts->array.at(starts->array.size() == 1 ? 0 : sequence);
    }
};

// Packed sequences: where each ends, or starts with its padding, and its rows without it.
struct PackedRows {
    NamedArray ends;
    std::optional<NamedArray> own_ends = {};  // of rows without padding
};

// How many ends there are before the padding of the array, −1 or 0.
std::uint64_t ends_without_padding(const Array& ends) {
    std::uint64_t count = ends.size();
    while (count > 1 && ends.at(count - 1) <= 0) --count;
    return count;
}

// `rows_of(n)` returns the number of rows of the vectors, of which n are in sequences; the others
// are padding.
std::optional<StatedPositions> by_ends(const PackedRows& packed, SequenceStarts from,
                                       const std::function<std::uint64_t(std::uint64_t)>& rows_of) {
    const Array& ends = packed.ends.array;
    const Array& own = packed.own_ends ? packed.own_ends->array : ends;
    if (ends.size() < 2 || !are_whole(ends, -1) || ends.at(0) != 0 || own.size() != ends.size())
        return std::nullopt;
    const std::uint64_t count = ends_without_padding(ends);
    const auto is_of_others = [&](const NamedArray& one) {
        const std::uint64_t size = one.array.size();
        bool is_padded = size + 1 > count;  // with zeros
        for (std::uint64_t k = count - 1; k < size; ++k) is_padded &= one.array.at(k) == 0;
        return (size + 1 != ends.size() && size + 1 != count && !is_padded) ||
               !are_whole(one.array, 0);
    };
    if (from.lengths && is_of_others(*from.lengths)) return std::nullopt;
    if (from.starts && from.starts->array.size() != 1 && is_of_others(*from.starts))
        from.starts.reset();
    std::vector<double> ids, kept;
    for (std::uint64_t k = 1; k < count; ++k) {
        const double rows = ends.at(k) - ends.at(k - 1), length = own.at(k) - own.at(k - 1);
        if (!(length >= 0 && length <= rows && ends.at(k) <= static_cast<double>(max_dump_rows)))
            return std::nullopt;
        const double start = from.of(k - 1, length);
        if (start < 0) return std::nullopt;
        for (double m = 0; m < rows; ++m) {
            ids.push_back(start + m);
            kept.push_back(m < length ? 1 : 0);
        }
    }
    if (ids.empty()) return std::nullopt;
    const std::uint64_t rows = rows_of(ids.size());
    ids.resize(rows);
    kept.resize(rows);
    const auto& given = from.given();
    StatedPositions stated =
        derived(packed.ends, given ? " and " + given->name : ", where sequences start over", {rows},
                std::move(ids));
    if (given) stated.read.insert(given->name);
    if (packed.own_ends) stated.read.insert(packed.own_ends->name);
    if (std::ranges::count(kept, 0) > 0) stated.kept = made(packed.ends, {rows}, std::move(kept));
    return stated;
}

// (t, h, w) of each row of each grid, w the fastest; (h, w) if the config has two axes, (w, h)
// if these alternate, and (t, h, w, 0) with four, as in FLUX.2. There is a reading for each
// order of cells; those in blocks require that every grid has whole ones. `padded_length` returns
// the rows of each of so many batch entries, or 0, of which the grids may fill a part.
std::vector<StatedPositions> by_grids(
    const NamedArray& sizes, const AxisMap& map,
    const std::function<bool(std::uint64_t)>& is_length,
    const std::function<std::uint64_t(std::uint64_t)>& padded_length) {
    const std::uint64_t axes = axis_count(map);
    const bool is_x_first = axes == 2 && is_column_first(map);
    const Array& array = sizes.array;
    const std::uint64_t columns = array.shape.empty() ? 0 : array.shape.back();
    if (axes < 2 || axes > 4 || (columns != 3 && columns != std::min<std::uint64_t>(axes, 3)) ||
        array.size() == 0 || !are_whole(array, 1))
        return {};
    struct Grid {
        double frames, height, width;
        double volume() const { return frames * height * width; }
        bool operator==(const Grid&) const = default;
    };
    std::vector<Grid> grids;
    double total = 0;
    bool have_blocks = true;
    for (std::uint64_t end = columns; end <= array.size(); end += columns) {
        grids.push_back(
            {columns == 3 ? array.at(end - 3) : 1, array.at(end - 2), array.at(end - 1)});
        total += grids.back().volume();
        have_blocks = have_blocks && std::fmod(grids.back().height, 2) == 0 &&
                      std::fmod(grids.back().width, 2) == 0;
    }
    const auto is_one_of = [&](double length) {
        return length <= static_cast<double>(max_dump_rows) &&
               is_length(static_cast<std::uint64_t>(length));
    };
    // one grid may serve all batch entries; a model that merges rows or puts text around them has
    // other rows
    std::uint64_t length = 0;  // of each entry's rows, if each has a grid
    if (!is_one_of(total)) {
        const bool are_alike = std::ranges::count(grids, grids[0]) == std::ssize(grids);
        const double most = std::ranges::max(grids, {}, &Grid::volume).volume();
        if (are_alike && is_one_of(most))
            grids.resize(1);
        else if (!are_alike || are_of_images(map))
            length = padded_length(grids.size());
        if (length == 0 ? !are_alike || !is_one_of(most) : static_cast<double>(length) < most)
            return {};
    }
    std::vector<StatedPositions> all;
    for (const CellOrder& order : cell_orders()) {
        if (order.block > 1 && !have_blocks) break;
        std::vector<double> ids, kept;
        for (const Grid& grid : grids) {
            const std::vector<CellOrder::Cell> cells = order.cells(
                static_cast<std::uint64_t>(grid.height), static_cast<std::uint64_t>(grid.width));
            for (double frame = 0; frame < grid.frames; ++frame)
                for (const auto& [row, column] : cells) {
                    if (axes > 2) ids.push_back(frame);
                    ids.push_back(static_cast<double>(is_x_first ? column : row));
                    ids.push_back(static_cast<double>(is_x_first ? row : column));
                    if (axes == 4) ids.push_back(0);
                }
            if (length == 0) continue;
            kept.resize(ids.size() / axes, 1);
            kept.resize((kept.size() + length - 1) / length * length, 0);
            ids.resize(kept.size() * axes, 0);
        }
        const bool is_known = std::ranges::any_of(
            all, [&](const StatedPositions& one) { return one.ids->array.values() == ids; });
        if (is_known) continue;  // a small frame is one window
        const std::uint64_t rows = ids.size() / axes;
        all.push_back(derived(sizes,
                              std::string(axes > 2     ? ", frames × rows × columns"
                                          : is_x_first ? ", rows × columns, x before y"
                                                       : ", rows × columns") +
                                  order.words,
                              length == 0 ? Shape{rows, axes} : Shape{rows / length, length, axes},
                              std::move(ids)));
        if (length > 0) all.back().kept = made(sizes, {rows / length, length}, std::move(kept));
        all.back().is_of_grids = true;
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

// Whether the rows that are not padding differ from ids by one offset per sequence. A sequence ends
// where its positions restart.
bool are_shifted(const StatedPositions& stated, const Array& ids) {
    const Array& own = stated.ids->array;
    if (own.size() != ids.size()) return true;  // of other rows
    const std::uint64_t length = own.shape.back();
    double offset = 0, last = 0;
    bool has_offset = false;
    for (std::uint64_t k = 0; k < own.size(); ++k) {
        if (stated.kept && stated.kept->array.at(k) == 0) continue;
        if (k % length == 0 || own.at(k) <= last) has_offset = false;
        last = own.at(k);
        const double apart = ids.at(k) - own.at(k);
        if (has_offset && apart != offset) return false;
        offset = apart;
        has_offset = true;
    }
    return true;
}

// Whether each id is the one before it plus 1.
bool are_counted_through(const Array& ids) {
    for (std::uint64_t k = 1; k < ids.size(); ++k)
        if (ids.at(k) != ids.at(k - 1) + 1) return false;
    return true;
}

// A scalar next to the ids of a sequence is its first position or its length.
bool is_one_number(const Array& array, const Array& ids) {
    return array.size() == 1 && ids.size() > 1;
}

// Row numbers plus `sign` times the numbers of the array, one for all or for each batch entry.
StatedPositions by_starts(const NamedArray& starts, const char* how, double sign) {
    StatedPositions stated = derived(starts, how, {}, {});
    stated.ids.reset();
    std::vector<double> values = starts.array.values();
    for (double& one : values) one *= sign;
    stated.starts = made(starts, starts.array.shape, std::move(values));
    return stated;
}

// The position of the last row of each batch entry, which is `more` less than its number.
std::optional<StatedPositions> by_last_ids(const NamedArray& numbers, const char* how,
                                           double more) {
    if (numbers.array.shape.size() > 1 || !are_whole(numbers.array, more)) return std::nullopt;
    std::vector<double> ids = numbers.array.values();
    for (double& one : ids) one -= more;
    return derived(numbers, how, {numbers.array.size(), 1}, std::move(ids));
}

class Finder {
  public:
    Finder(DumpTensors& tensors, const DumpHints& asked) : tensors_(tensors), asked_(asked) {}

    std::vector<StatedPositions> all() {
        const std::string& named = tensors_.files().positions;
        const std::vector<double>& numbers = tensors_.files().numbers;
        if (!numbers.empty() && !tensors_.usual(named))
            return {StatedPositions(made({"--positions", {}}, {numbers.size()}, numbers))};
        if (auto ids = tensors_.named_positions(named)) return {StatedPositions(std::move(ids))};
        if (StatedPositions listed = listed_ids(); listed.ids)
            return of_step_and_cache(std::move(listed));
        if (auto on_axes = on_several_axes(); !on_axes.empty()) return on_axes;
        std::vector<StatedPositions> all = on_one_axis();
        const auto deltas = tensors_.first_of(Usual::position_deltas);
        for (StatedPositions& one : all)
            if (one.is_derived && !(deltas && one.read.contains(deltas->name)))
                one.are_of_text = may_have_images();
        return all;
    }

  private:
    // Positions that follow from lengths, masks and starts. Those that are row numbers add nothing
    // to a start.
    std::vector<StatedPositions> on_one_axis() {
        std::vector<StatedPositions> plain;
        const auto starts = tensors_.first_of(Usual::start);
        const bool has_start = starts || has_any_of({Usual::last_ids, Usual::slots}),
                   has_end = has_any_of({Usual::sequence_lengths, Usual::left_padding});
        const auto is_plain = [&](const std::vector<StatedPositions>& found) {
            if (std::ranges::none_of(found, are_row_numbers)) return false;
            if (plain.empty()) plain = found;
            return true;
        };
        if (auto packed = packed_sequences()) {
            std::vector<StatedPositions> all{*packed};
            if (auto of_keys = packed_keys(*packed)) all.push_back(*std::move(of_keys));
            if (!is_plain(all) || !(has_start || has_end)) return all;
        }
        if (StatedPositions listed = by_slots(); listed.ids)
            return of_step_and_cache(std::move(listed));
        if (auto counted = by_masks();
            !counted.empty() && !(is_plain(counted) && (has_start || has_end))) {
            std::vector<StatedPositions> all;
            for (const StatedPositions& one : counted)
                std::ranges::move(with_row_numbers(one), std::back_inserter(all));
            return all;
        }
        if (auto padded = by_lengths(); !padded.empty() && !(is_plain(padded) && has_start))
            return padded;
        if (starts && are_whole(starts->array)) {
            StatedPositions stated = by_starts(*starts, ", which is added to the row numbers", 1);
            add_deltas(*stated.starts, stated);
            if (stated.starts->array.size() == 1) return {std::move(stated)};
            // [N] next to N rows of a decode batch, [N, H, d], holds their positions
            const Array& own = stated.starts->array;
            StatedPositions of_rows =
                derived(*starts, ", the position of each row", own.shape, own.values());
            of_rows.read = stated.read;
            return {std::move(stated), std::move(of_rows)};
        }
        if (const auto last = tensors_.first_of(Usual::last_ids))
            if (auto ids = by_last_ids(*last, ", the last position of each batch entry", 0))
                return with_deltas(*std::move(ids));
        if (const auto lengths = tensors_.first_of(Usual::sequence_lengths))
            if (auto ids = by_last_ids(*lengths, ", the lengths up to the last row", 1))
                return with_deltas(*std::move(ids));
        if (const auto padding = tensors_.first_of(Usual::left_padding);
            padding && are_whole(padding->array, 0))
            return {by_starts(*padding, ", which is subtracted from the row numbers", -1)};
        return plain.empty() ? std::vector<StatedPositions>{{}} : plain;
    }

    // Whether positions are 0, 1, 2, … of one sequence in each batch entry, without padding.
    static bool are_row_numbers(const StatedPositions& stated) {
        const Array& ids = stated.ids->array;
        for (std::uint64_t k = 0; k < ids.size(); ++k)
            if (ids.at(k) != static_cast<double>(k % ids.shape.back()) ||
                (stated.kept && stated.kept->array.at(k) == 0))
                return false;
        return true;
    }
    bool has_any_of(std::initializer_list<Usual> kinds) const {
        return std::ranges::any_of(kinds,
                                   [&](Usual kind) { return tensors_.first_of(kind).has_value(); });
    }

    std::vector<StatedPositions> with_deltas(StatedPositions stated) const {
        add_deltas(*stated.ids, stated);
        return {std::move(stated)};
    }

    // Listed ids, and those that a mask of the whole cache counts.
    std::vector<StatedPositions> of_step_and_cache(StatedPositions listed) {
        add_other_evidence(listed);
        add_deltas(*listed.ids, listed);
        const auto mask = sequence_mask();
        const Array& ids = listed.ids->array;
        if (mask && mask->array.size() > ids.size() &&
            (ids.shape.empty() || length_of(mask->array) > ids.shape.back()))
            if (auto of_cache = by_mask(*mask)) return {std::move(listed), *std::move(of_cache)};
        return {std::move(listed)};
    }

    // The positions of slots of a cache: those that the mask of the cache counts there, or the
    // slots. None if the mask counts a position for each row.
    StatedPositions by_slots() const {
        auto slots = tensors_.first_of(Usual::slots);
        if (!slots || slots->array.size() == 0) return {};
        const std::vector<StatedPositions> masks = by_masks();
        const Array& own = slots->array;
        const bool has_padding = masks.size() == 1 && !are_row_numbers(masks[0]);
        // deltas count the padding
        const bool is_step = own.size() == 1 || own.at(0) != 0;
        const bool has_deltas = is_step && tensors_.first_of(Usual::position_deltas);
        if (has_padding && !has_deltas && are_whole(own, 0)) {
            const Array &counted = masks[0].ids->array, &kept = masks[0].kept->array;
            const std::uint64_t length = counted.shape.back();
            if (own.size() == length) return {};
            if (largest_of(own) < static_cast<double>(length)) {
                std::vector<double> ids, are_kept;
                for (std::uint64_t first = 0; first < counted.size(); first += length)
                    for (const double slot : own.values()) {
                        ids.push_back(counted.at(first + static_cast<std::uint64_t>(slot)));
                        are_kept.push_back(kept.at(first + static_cast<std::uint64_t>(slot)));
                    }
                const Shape shape{counted.size() / length, own.size()};
                StatedPositions stated(made(*slots, shape, std::move(ids)));
                stated.kept = made(*masks[0].kept, shape, std::move(are_kept));
                stated.read = masks[0].read;
                stated.are_of_text = may_have_images();
                return stated;
            }
        }
        StatedPositions stated(*std::move(slots));
        stated.are_of_text = may_have_images();
        stated.are_slots = true;
        return stated;
    }

    bool may_have_images() const { return asked_.spec && axis_count(asked_.spec->axes) > 1; }

    // Adds the file's deltas [1], [B] or [B, 1] to numbers [L], [B, L] or [B] behind images. A
    // prompt from 0 on may have images itself.
    void add_deltas(NamedArray& numbers, StatedPositions& stated) const {
        const auto deltas = tensors_.first_of(Usual::position_deltas);
        const Array& array = numbers.array;
        const std::vector<double> own = array.values();
        const bool is_prompt = std::ranges::count(own, 0.0) == std::ssize(own) ||
                               (own.size() > 1 && own[0] == 0 && own[1] == 1);
        if (!deltas || array.size() == 0 || array.shape.size() > 2 || is_prompt) return;
        const std::uint64_t count = deltas->array.size(), size = array.size();
        const bool are_of_one = deltas->array.shape.size() > 1 && array.shape.size() < 2 &&
                                (stated.are_slots || size != count);
        const std::uint64_t copies = are_of_one ? count : 1;  // [L] for each of [B, 1]
        if (count == 0 || (!are_of_one && size % count != 0)) return;
        std::vector<double> moved;
        for (std::uint64_t copy = 0; copy < copies; ++copy)
            for (std::uint64_t k = 0; k < size; ++k)
                moved.push_back(array.at(k) +
                                deltas->array.at(are_of_one ? copy : k * count / size));
        Shape shape = array.shape;
        if (copies != 1) shape.insert(shape.begin(), copies);
        numbers = made(numbers, std::move(shape), std::move(moved));
        stated.read.insert(deltas->name);
        stated.are_of_text = false;
    }

    std::optional<NamedArray> sequence_mask() const {
        auto mask = tensors_.first_of(Usual::mask);
        return mask ? mask_of_sequence(*std::move(mask)) : mask;
    }

    // The positions that a mask counts. Ones of a padding mask are the rows that are kept, as in
    // flash-attn, or padding, as in torch.nn.MultiheadAttention.
    std::vector<StatedPositions> by_masks() const {
        std::vector<StatedPositions> all;
        auto mask = sequence_mask();
        if (!mask) return all;
        if (auto counted = by_mask(*mask)) all.push_back(*std::move(counted));
        if (all.empty() || !name_in_file(mask->name).ends_with("padding_mask")) return all;
        std::vector<double> kept = mask->array.values();
        for (double& one : kept) one = 1 - one;
        if (auto counted = by_mask(made(*mask, mask->array.shape, std::move(kept)))) {
            counted->from = mask->name + ", whose zeros are counted";
            all.push_back(*std::move(counted));
        }
        const auto is_possible = [](const StatedPositions& one) {
            return has_rows_in_each(one.kept->array);
        };
        if (std::ranges::any_of(all, is_possible)) std::erase_if(all, std::not_fn(is_possible));
        return all;
    }

    // Sequences of the stated lengths, with padding behind them up to the longest, or up to the end
    // of a static cache.
    std::vector<StatedPositions> by_lengths() const {
        const auto lengths = tensors_.first_of(Usual::sequence_lengths);
        if (!lengths || lengths->array.shape.size() != 1 || lengths->array.size() == 0 ||
            !are_whole(lengths->array, 1))
            return {};
        const double longest = std::min(largest_of(lengths->array), 1.0 * max_dump_rows);
        const auto own = static_cast<std::uint64_t>(longest);
        const std::set<std::uint64_t> beyond = rows_beyond(own);
        std::vector<std::uint64_t> columns(beyond.begin(), beyond.end());
        // an axis of 1 is rather that of a batch, if the values can decide that
        if (tensors_.has_axis_of(own))
            columns.insert(own == 1 && asked_.follows ? columns.end() : columns.begin(), own);
        std::vector<StatedPositions> all;
        for (const std::uint64_t rows : columns) {
            std::vector<double> mask;
            for (const double length : lengths->array.values())
                for (double m = 0; m < static_cast<double>(rows); ++m)
                    mask.push_back(m < length ? 1 : 0);
            const Shape shape{lengths->array.size(), rows};
            auto stated = by_mask(made(*lengths, shape, std::move(mask)));
            if (!stated) continue;
            stated->from = lengths->name + ", the lengths of the sequences";
            std::ranges::move(with_row_numbers(*stated), std::back_inserter(all));
        }
        return all;
    }

    // The lengths of the axes of q and k that have more than `rows` rows and are not of heads.
    std::set<std::uint64_t> rows_beyond(std::uint64_t rows) const {
        std::optional<std::set<std::uint64_t>> common;
        std::uint64_t width = 0;  // of the last axis of q
        for (const Usual kind : {Usual::q, Usual::k, Usual::qkv}) {
            const auto vectors = tensors_.vectors(kind);
            if (!vectors) continue;
            const Shape& shape = vectors->second.array.shape;
            // k may have its rows behind the dimensions
            const bool are_behind = width != 0 && !shape.empty() && shape.back() != width;
            std::set<std::uint64_t> own;
            for (std::size_t axis = 0; axis + (are_behind ? 0 : 1) < shape.size(); ++axis)
                if (shape[axis] > rows && (!common || common->contains(shape[axis])))
                    own.insert(shape[axis]);
            if (width == 0 && !shape.empty()) width = shape.back();
            common = std::move(own);
        }
        if (!common) return {};
        std::set<std::uint64_t> others = *common;
        for (const std::uint64_t heads : asked_.heads) others.erase(heads);
        return others.empty() ? *common : others;
    }

    // The length of the axis of the vectors that has `rows` rows, or the next longer one.
    std::uint64_t rows_of(std::uint64_t rows) const {
        auto vectors = tensors_.vectors(Usual::q);
        if (!vectors) vectors = tensors_.vectors(Usual::k);
        if (!vectors) vectors = tensors_.vectors(Usual::qkv);
        if (!vectors) return rows;
        const Shape& shape = vectors->second.array.shape;
        std::set<std::uint64_t> lengths, others;
        for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
            if (shape[axis] >= rows) lengths.insert(shape[axis]);
        std::ranges::copy_if(lengths, std::inserter(others, others.end()), [&](auto length) {
            return std::ranges::count(asked_.heads, length) == 0;
        });
        if (lengths.empty()) return rows;
        return others.empty() ? *lengths.begin() : *others.begin();
    }

    // The length of the sequences of vectors [batch, L, H, d] or [batch, H, L, d]; 0 without them.
    std::uint64_t rows_of_entries(std::uint64_t batch) const {
        const auto vectors = tensors_.vectors(Usual::q);
        if (!vectors || vectors->second.array.shape.size() != 4) return 0;
        const Shape& shape = vectors->second.array.shape;
        return shape[0] == batch ? std::max(shape[1], shape[2]) : 0;
    }

    StatedPositions listed_ids() {
        StatedPositions found;
        for (const NamedArray& one : tensors_.all_of(Usual::position_ids))
            if (!found.ids)
                found.ids = one;
            else if (!is_one_number(one.array, found.ids->array) &&
                     !are_equal(found.ids->array, one.array))
                found.differing.push_back(name_in_file(one.name));
        return found;
    }

    // Adds padding, and arrays that contradict the file's position_ids.
    void add_other_evidence(StatedPositions& listed) {
        if (auto packed = packed_sequences();
            packed && packed->ids->array.size() == listed.ids->array.size()) {
            const Array& ids = listed.ids->array;
            const bool is_packed =
                packed->ids->array.size() > 1 && !are_equal(packed->ids->array, ids);
            if (is_packed && (are_counted_through(ids) || !are_shifted(*packed, ids)))
                listed.differing.push_back(name_in_file(*packed->read.begin()));
            listed.kept = std::move(packed->kept);
        }
        const std::vector<StatedPositions> masks = by_masks();
        if (masks.empty() || masks[0].ids->array.size() != listed.ids->array.size()) return;
        const std::string mask = *masks[0].read.begin();
        std::vector<StatedPositions> fitting;
        std::ranges::copy_if(masks, std::back_inserter(fitting), [&](const StatedPositions& one) {
            return are_shifted(one, listed.ids->array);
        });
        if (fitting.empty()) listed.differing.push_back(name_in_file(mask));
        if (masks.size() == 1) fitting = masks;
        if (fitting.size() == 1) listed.kept = fitting[0].kept;
        listed.read.insert(mask);
    }

    std::vector<StatedPositions> on_several_axes() {
        if (auto found = by_text_and_image(ids_on_axes(tensors_.usual("txt_ids")),
                                           ids_on_axes(tensors_.usual("img_ids"))))
            return {*std::move(found)};
        if (auto ids = by_text_and_image(std::nullopt, ids_on_axes(tensors_.usual("ids"))))
            return {*std::move(ids)};
        const auto is_length = [this](std::uint64_t rows) { return tensors_.has_axis_of(rows); };
        if (const auto sizes = tensors_.first_of(Usual::grid_sizes); sizes && asked_.spec)
            return by_grids(*sizes, asked_.spec->axes, is_length,
                            [this](std::uint64_t batch) { return rows_of_entries(batch); });
        return {};
    }

    // The lengths of sequences with the keys that are cached.
    std::optional<NamedArray> lengths_of_sequences() const {
        const auto ends = tensors_.first_of(Usual::sequence_ends_of_keys);
        if (!ends) return tensors_.first_of(Usual::sequence_lengths);
        const std::vector<double> all = ends->array.values();
        if (all.size() < 2) return std::nullopt;
        std::vector<double> lengths;
        for (std::size_t k = 1; k < all.size(); ++k) lengths.push_back(all[k] - all[k - 1]);
        const Shape shape{lengths.size()};
        return made(*ends, shape, std::move(lengths));
    }

    // The positions of k's rows, if there are more than q's.
    std::optional<StatedPositions> packed_keys(const StatedPositions& of_q) const {
        const auto ends = tensors_.first_of(Usual::sequence_ends_of_keys);
        if (!ends || !of_q.read.contains(ends->name)) return std::nullopt;
        auto found = by_ends({*ends}, {}, [](std::uint64_t rows) { return rows; });
        if (!found || found->ids->array.size() <= of_q.ids->array.size()) return std::nullopt;
        found->is_of_keys = true;
        found->read.insert(of_q.read.begin(), of_q.read.end());
        return found;
    }

    std::optional<PackedRows> packed_rows() const {
        const auto ends = tensors_.first_of(Usual::sequence_ends);
        if (auto padded = tensors_.first_of(Usual::padded_sequence_ends))
            return PackedRows{*std::move(padded), ends};
        if (ends) return PackedRows{*ends};
        const auto counts = tensors_.first_of(Usual::sequence_rows);
        const bool is_list = counts && length_of(counts->array) == counts->array.size();  // [1, N]
        if (!is_list || counts->array.size() == 0) return std::nullopt;
        std::vector<double> sums{0};
        for (const double rows : counts->array.values()) sums.push_back(sums.back() + rows);
        const double all = std::min(sums.back(), 1.0 * max_dump_rows);
        // rows behind the sequences are padding, if each sequence has a start
        const auto starts = tensors_.first_of(Usual::start);
        const bool have_starts = starts && starts->array.size() == counts->array.size();
        if (!have_starts && !tensors_.has_axis_of(static_cast<std::uint64_t>(all)))
            return std::nullopt;
        const Shape shape{sums.size()};
        return PackedRows{made(*counts, shape, std::move(sums))};
    }

    std::optional<StatedPositions> packed_sequences() {
        if (asked_.spec && are_of_images(asked_.spec->axes))
            return std::nullopt;  // these are frames
        if (const auto rows = packed_rows())
            if (auto found =
                    by_ends(*rows, {lengths_of_sequences(), tensors_.first_of(Usual::start)},
                            [this](std::uint64_t count) { return rows_of(count); }))
                return found;
        if (const auto segments = tensors_.first_of(Usual::segments)) return by_segments(*segments);
        if (const auto mask = sequence_mask(); mask && largest_of(mask->array) > 1)
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
        rows.from = "row numbers: " + counted.ids->name +
                    " gives positions that differ from them by a constant in each sequence, which "
                    "changes no score";
        return are_shifted(counted, rows.ids->array) ? std::vector{counted, std::move(rows)}
                                                     : std::vector{counted};
    }

    DumpTensors& tensors_;
    const DumpHints& asked_;
};

}  // namespace

NamedArray made(const NamedArray& from, Shape shape, std::vector<double> values) {
    const auto own = std::make_shared<const std::vector<double>>(std::move(values));
    return {from.name, {std::move(shape), Element::float64, std::as_bytes(std::span(*own)), own}};
}

std::vector<StatedPositions> stated_positions(DumpTensors& tensors, const DumpHints& asked) {
    std::vector<StatedPositions> all = Finder(tensors, asked).all();
    const bool has_any = all.front().ids || all.front().starts;
    return has_any || !tensors.other() ? all : Finder(*tensors.other(), asked).all();
}

std::vector<NamedReading> readings_by_unknown_names(const DumpTensors& tensors) {
    constexpr std::uint64_t most = 4096;  // numbers
    constexpr std::string_view of_others[] = {"layer", "head", "dim", "size"};
    std::vector<NamedReading> all;
    for (const std::string& name : tensors.names_except({})) {
        const auto is_in_name = [&](std::string_view word) {
            return lower_case(name).find(word) != std::string::npos;
        };
        if (std::ranges::any_of(of_others, is_in_name)) continue;
        const auto found = tensors.usual(name);
        if (!found || format_of(found->array.element) || found->array.size() == 0 ||
            found->array.size() > most || !are_whole(found->array, 0) ||
            largest_of(found->array) < 2)  // a switch
            continue;
        const auto add = [&](const char* known_name, std::optional<StatedPositions> positions) {
            if (positions) all.push_back({*std::move(positions), printable(name, 100), known_name});
        };
        add("position_ids", StatedPositions(*found));
        if (found->array.shape.size() > 1) continue;
        add("start_pos", by_starts(*found, "", 1));
        add("seqlens_k", by_last_ids(*found, "", 0));
        if (are_whole(found->array, 1)) add("seq_lens", by_last_ids(*found, "", 1));
        add("left_padding", by_starts(*found, "", -1));
    }
    return all;
}

std::optional<StatedPositions> text_of_a_batch(const StatedPositions& stated, std::uint64_t axes) {
    const Array& ids = stated.ids->array;
    const Shape& shape = ids.shape;
    if (shape.size() != 2 || (shape[0] != axes && shape[1] != axes)) return std::nullopt;
    std::vector<double> on_axes;
    for (std::uint64_t axis = 0; axis < axes; ++axis)
        for (std::uint64_t k = 0; k < ids.size(); ++k) on_axes.push_back(ids.at(k));
    StatedPositions text = stated;
    text.ids = made(*stated.ids, {axes, shape[0], shape[1]}, std::move(on_axes));
    return text;
}

StatedPositions last_of(const StatedPositions& stated, std::uint64_t rows) {
    const Array& ids = stated.ids->array;
    std::vector<double> last;
    for (std::uint64_t k = ids.size() - rows; k < ids.size(); ++k) last.push_back(ids.at(k));
    StatedPositions of_step = stated;
    of_step.ids = made(*stated.ids, {rows}, std::move(last));
    of_step.from = "the last " + decimal(rows) + " of " + stated.ids->name + ", which are k's";
    of_step.is_derived = true;
    return of_step;
}

}  // namespace rope::io
