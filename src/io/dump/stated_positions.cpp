// Finds the positions that a file states, in arrays of ids or in arrays that ids follow from.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/dump/derived_positions.hpp"

namespace rope::io {

NamedArray made(const NamedArray& from, Shape shape, std::vector<double> values) {
    const auto own = std::make_shared<const std::vector<double>>(std::move(values));
    return {from.name, {std::move(shape), Element::float64, std::as_bytes(std::span(*own)), own}};
}

bool are_whole(const Array& array, double least) {
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
    stated.is_derived = stated.is_on_one_axis = true;
    return stated;
}

namespace {

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

double sum_of(const Array& array) {
    double sum = 0;
    for (std::uint64_t k = 0; k < array.size(); ++k) sum += array.at(k);
    return sum;
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

// A mask [entries, rows] of the rows before the number of each entry, or of those from it on.
NamedArray mask_by(const NamedArray& numbers, std::uint64_t rows, bool are_before) {
    std::vector<double> kept;
    for (const double number : numbers.array.values())
        for (std::uint64_t m = 0; m < rows; ++m)
            kept.push_back((static_cast<double>(m) < number) == are_before ? 1 : 0);
    return made(numbers, {numbers.array.size(), rows}, std::move(kept));
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

    // How many sequences there are before the padding of the array, −1 or 0.
    std::uint64_t count() const {
        std::uint64_t count = ends.array.size();
        while (count > 1 && ends.array.at(count - 1) <= 0) --count;
        return count - 1;
    }
    double rows_of(std::uint64_t sequence) const {
        const Array& own = own_ends ? own_ends->array : ends.array;
        return own.at(sequence + 1) - own.at(sequence);
    }
    // Whether lengths are those of the rows, without a cache.
    bool has_lengths(const Array& lengths) const {
        for (std::uint64_t k = 0; k < count(); ++k)
            if (lengths.at(k) != rows_of(k)) return false;
        return true;
    }
};

// Whether an array has a number for each of several sequences, and behind them only padding.
// Metadata of one batch are padded to one length.
bool is_of_sequences(const Array& array, std::uint64_t sequences, std::uint64_t padded) {
    bool is_padding = true;
    for (std::uint64_t k = 0; k < array.size(); ++k)
        if (const double one = array.at(k); k < sequences && !(one >= 0 && one == std::floor(one)))
            return false;
        else if (k >= sequences)
            is_padding = is_padding && one <= 0;
    return array.size() >= sequences && (is_padding || array.size() == padded);
}

// `rows_of(n)` returns the number of rows of the vectors, of which n are in sequences; the others
// are padding.
std::optional<StatedPositions> by_ends(const PackedRows& packed, SequenceStarts from,
                                       const std::function<std::uint64_t(std::uint64_t)>& rows_of) {
    const Array& ends = packed.ends.array;
    if (ends.size() < 2 || !are_whole(ends, -1) || ends.at(0) != 0 ||
        (packed.own_ends && packed.own_ends->array.size() != ends.size()))
        return std::nullopt;
    const std::uint64_t count = packed.count();
    const auto is_of_others = [&](const NamedArray& one) {
        return !is_of_sequences(one.array, count, ends.size() - 1);
    };
    if (from.starts && from.starts->array.size() != 1 && is_of_others(*from.starts))
        from.starts.reset();
    if (from.lengths && is_of_others(*from.lengths)) {
        const Array& own = from.lengths->array;
        const bool is_total = own.size() == 1 && own.at(0) == ends.at(count);
        if (!is_total) return std::nullopt;
        from.lengths.reset();
    }
    if (from.lengths && from.starts && packed.has_lengths(from.lengths->array))
        from.lengths.reset();
    std::vector<double> ids, kept;
    for (std::uint64_t k = 0; k < count; ++k) {
        const double rows = ends.at(k + 1) - ends.at(k), length = packed.rows_of(k);
        if (!(length >= 0 && length <= rows &&
              ends.at(k + 1) <= static_cast<double>(max_dump_rows)))
            return std::nullopt;
        const double start = from.of(k, length);
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
    Finder(DumpTensors& tensors, const DumpHints& asked)
        : tensors_(tensors), asked_(asked), mask_(mask_of_keys()) {}

    std::vector<StatedPositions> all() {
        const std::string& named = tensors_.files().positions;
        const std::vector<double>& numbers = tensors_.files().numbers;
        if (!numbers.empty() && !tensors_.usual(named))
            return {StatedPositions(made({"--positions", {}}, {numbers.size()}, numbers))};
        if (auto ids = tensors_.named_positions(named)) return {StatedPositions(std::move(ids))};
        if (StatedPositions listed = listed_ids(); listed.ids)
            return of_step_and_cache(std::move(listed));
        if (auto on_axes = positions_on_axes(tensors_, asked_); !on_axes.empty()) return on_axes;
        std::vector<StatedPositions> all = on_one_axis();
        const auto deltas = tensors_.first_of(Usual::position_deltas);
        for (StatedPositions& one : all)
            if (one.is_derived && !(deltas && one.read.contains(deltas->name)))
                one.are_of_text = may_have_images();
        return all;
    }

  private:
    // Positions computed from lengths, masks and starts. If they are plain row numbers and the file
    // also has a start, the start is used.
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
        if (auto of_keys = tensors_.first_of(Usual::position_ids_of_keys)) {
            StatedPositions keys(*std::move(of_keys));
            keys.is_of_keys = true;
            return {std::move(listed), std::move(keys)};
        }
        add_other_evidence(listed);
        add_deltas(*listed.ids, listed);
        const Array& ids = listed.ids->array;
        if (mask_ && mask_->array.size() > ids.size() &&
            (ids.shape.empty() || length_of(mask_->array) > ids.shape.back()))
            if (auto of_cache = by_mask(*mask_)) return {std::move(listed), *std::move(of_cache)};
        return {std::move(listed)};
    }

    // Positions of rows that are written to slots of a cache: what the mask of the cache counts up
    // to each slot; without padding, the slots. None if the mask counts a position for each row.
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
        stated.is_on_one_axis = true;
    }

    // 0 for each key [L] or [B, L] that is padding, else 1 or the number of its sequence.
    std::optional<NamedArray> mask_of_keys() const {
        if (auto mask = tensors_.first_of(Usual::mask)) {
            auto numbers = sequences_of_keys(*mask);
            return numbers ? numbers : mask;
        }
        const auto mask = tensors_.first_of(Usual::score_mask);
        return mask ? sequences_of_keys(*mask) : mask_of_left_padding();
    }

    // The mask of the keys of a cache that is longer than q: the padding comes first.
    std::optional<NamedArray> mask_of_left_padding() const {
        const auto padding = tensors_.first_of(Usual::left_padding);
        const auto q = tensors_.vectors(Usual::q), k = tensors_.vectors(Usual::k);
        if (!padding || !q || !k || padding->array.size() == 0 || !are_whole(padding->array, 0))
            return std::nullopt;
        const Array &queries = q->second.array, &keys = k->second.array;
        const std::uint64_t entries = padding->array.size();
        std::uint64_t rows = 0;
        for (std::size_t axis = 0; axis + 1 < keys.shape.size(); ++axis)
            if (const std::uint64_t length = keys.shape[axis];
                static_cast<double>(length) > largest_of(padding->array) &&
                std::ranges::count(queries.shape, length) == 0 &&
                std::ranges::count(asked_.heads, length) == 0)
                rows = std::max(rows, length);
        if (rows == 0 || entries > keys.size() / rows / keys.shape.back()) return std::nullopt;
        return mask_by(*padding, rows, false);
    }

    // Whether one row attends no first key in any batch entry: a batch that is padded has an entry
    // without padding, so that these keys may be before a window.
    bool may_have_window() const {
        auto mask = tensors_.first_of(Usual::mask);
        if (!mask) mask = tensors_.first_of(Usual::score_mask);
        if (!mask || mask->array.shape.size() < 3 || mask->array.shape.rbegin()[1] != 1)
            return false;
        for (std::uint64_t k = 0; k < mask_->array.size(); k += length_of(mask_->array))
            if (mask_->array.at(k) != 0) return false;
        return true;
    }

    // The positions that a mask counts. Ones of a padding mask are the rows that are kept, as in
    // flash-attn, or padding, as in torch.nn.MultiheadAttention.
    std::vector<StatedPositions> by_masks() const {
        std::vector<StatedPositions> all;
        if (!mask_) return all;
        if (auto counted = by_mask(*mask_)) all.push_back(*std::move(counted));
        if (!all.empty()) all[0].may_have_window = may_have_window();
        if (all.empty() || !name_in_file(mask_->name).ends_with("padding_mask")) return all;
        std::vector<double> kept = mask_->array.values();
        for (double& one : kept) one = 1 - one;
        if (auto counted = by_mask(made(*mask_, mask_->array.shape, std::move(kept)))) {
            counted->from = mask_->name + ", whose zeros are counted";
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
        const std::uint64_t most = rows_of_all_entries();
        for (const std::uint64_t rows : columns) {
            if (rows > most / lengths->array.size()) continue;  // not that many batch entries
            auto stated = by_mask(mask_by(*lengths, rows, true));
            if (!stated) continue;
            stated->from = lengths->name + ", the lengths of the sequences";
            std::ranges::move(with_row_numbers(*stated), std::back_inserter(all));
        }
        return all;
    }

    // The rotated vectors q, k and qkv, as far as the file has them.
    std::vector<Array> rotated() const {
        std::vector<Array> all;
        for (const Usual kind : {Usual::q, Usual::k, Usual::qkv})
            if (const auto vectors = tensors_.vectors(kind)) all.push_back(vectors->second.array);
        return all;
    }

    // The rows of the vectors of all batch entries and heads at most; without vectors, of a table.
    std::uint64_t rows_of_all_entries() const {
        std::uint64_t most = 0;
        for (const Array& vectors : rotated()) {
            const Shape& shape = vectors.shape;
            // the positions may lie behind the dimensions
            const std::uint64_t width =
                shape.size() < 2 ? 1 : std::min(shape.back(), shape[shape.size() - 2]);
            most = std::max(most, vectors.size() / std::max<std::uint64_t>(width, 1));
        }
        return most == 0 ? max_dump_rows : std::min(most, max_dump_rows);
    }

    // The lengths without those that are numbers of heads; all of them if none is left.
    std::set<std::uint64_t> not_of_heads(const std::set<std::uint64_t>& lengths) const {
        std::set<std::uint64_t> others = lengths;
        for (const std::uint64_t heads : asked_.heads) others.erase(heads);
        return others.empty() ? lengths : others;
    }

    // The lengths of the axes of q and k that have more than `rows` rows and are not of heads.
    std::set<std::uint64_t> rows_beyond(std::uint64_t rows) const {
        std::optional<std::set<std::uint64_t>> common;
        std::uint64_t width = 0;  // of the last axis of q
        for (const Array& vectors : rotated()) {
            const Shape& shape = vectors.shape;
            // k may have its rows behind the dimensions
            const bool are_behind = width != 0 && !shape.empty() && shape.back() != width;
            std::set<std::uint64_t> own;
            for (std::size_t axis = 0; axis + (are_behind ? 0 : 1) < shape.size(); ++axis)
                if (shape[axis] > rows && (!common || common->contains(shape[axis])))
                    own.insert(shape[axis]);
            if (width == 0 && !shape.empty()) width = shape.back();
            common = std::move(own);
        }
        return not_of_heads(common.value_or(std::set<std::uint64_t>()));
    }

    // The length of the axis of the vectors that has `rows` rows, or the next longer one.
    std::uint64_t rows_of(std::uint64_t rows) const {
        std::set<std::uint64_t> lengths;
        if (const std::vector<Array> vectors = rotated(); !vectors.empty())
            for (std::size_t axis = 0; axis + 1 < vectors[0].shape.size(); ++axis)
                if (const std::uint64_t length = vectors[0].shape[axis]; length >= rows)
                    lengths.insert(length);
        return lengths.empty() ? rows : *not_of_heads(lengths).begin();
    }

    StatedPositions listed_ids() {
        StatedPositions found;
        // a scalar next to the ids of a sequence is its first position or its length
        for (const NamedArray& one : tensors_.all_of(Usual::position_ids))
            if (!found.ids)
                found.ids = one;
            else if ((one.array.size() != 1 || found.ids->array.size() <= 1) &&
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
            if (is_packed && (do_count_up(ids.values()) || !are_shifted(*packed, ids)))
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

    // Whether vectors are rows behind each other, [rows, H, d] or [rows, H·d], and have so many.
    bool are_packed(double rows) const {
        const std::vector<Array> vectors = rotated();
        if (vectors.empty()) return false;
        Shape shape = vectors[0].shape;
        while (shape.size() > 2 && shape[0] == 1) shape.erase(shape.begin());
        return shape.size() < 4 && !shape.empty() &&
               std::count(shape.begin(), shape.end() - 1, rows) > 0;
    }

    // The rows of each packed sequence. Lengths are those of the rows, or with the rows before the
    // starts, if this gives as many rows as the vectors have.
    std::optional<NamedArray> rows_of_sequences() const {
        const auto starts = tensors_.first_of(Usual::start),
                   lengths = tensors_.first_of(Usual::sequence_lengths);
        const auto has_as_many = [](const auto& one, const NamedArray& rows) {
            return one && one->array.size() == rows.array.size();
        };
        if (auto counts = tensors_.first_of(Usual::sequence_rows)) {
            // rows behind the sequences are padding, if each sequence has a start
            const bool may_have_padding =
                has_as_many(starts, *counts) || has_as_many(lengths, *counts);
            const bool is_list = length_of(counts->array) == counts->array.size();  // [1, N]
            if (!is_list || counts->array.size() == 0) return std::nullopt;
            const auto all =
                static_cast<std::uint64_t>(std::min(sum_of(counts->array), 1.0 * max_dump_rows));
            const bool fits = tensors_.has_axis_of(all) || (may_have_padding && rows_of(all) > all);
            return fits ? std::move(counts) : std::nullopt;
        }
        if (!lengths || length_of(lengths->array) != lengths->array.size()) return std::nullopt;
        if (lengths->array.size() > 1 && are_packed(sum_of(lengths->array))) return lengths;
        if (!has_as_many(starts, *lengths)) return std::nullopt;
        std::vector<double> rows = lengths->array.values();
        for (std::uint64_t k = 0; k < rows.size(); ++k) rows[k] -= starts->array.at(k);
        NamedArray own = made(*lengths, lengths->array.shape, std::move(rows));
        return are_whole(own.array, 1) && are_packed(sum_of(own.array)) ? std::optional(own)
                                                                        : std::nullopt;
    }

    std::optional<PackedRows> packed_rows() const {
        auto ends = tensors_.first_of(Usual::sequence_ends);
        if (ends && ends->array.size() > 0 && ends->array.at(0) > 0) {
            std::vector<double> with_start = ends->array.values();
            with_start.insert(with_start.begin(), 0);
            ends = made(*ends, {with_start.size()}, with_start);
        }
        if (auto padded = tensors_.first_of(Usual::padded_sequence_ends))
            return PackedRows{*std::move(padded), ends};
        if (ends) return PackedRows{*ends};
        const auto rows = rows_of_sequences();
        if (!rows) return std::nullopt;
        std::vector<double> sums{0};
        for (const double one : rows->array.values()) sums.push_back(sums.back() + one);
        return PackedRows{made(*rows, {sums.size()}, sums)};
    }

    // Whether the mask keeps as many rows as are packed, of vectors that have them all: the
    // packed ones are those of the attention.
    bool are_of_attention(const PackedRows& packed) const {
        return mask_ && largest_of(mask_->array) == 1 &&
               sum_of(mask_->array) == packed.ends.array.at(packed.count()) &&
               sum_of(mask_->array) < static_cast<double>(mask_->array.size()) &&
               !are_packed(sum_of(mask_->array));
    }

    std::optional<StatedPositions> packed_sequences() {
        if (asked_.spec && are_of_images(asked_.spec->axes))
            return std::nullopt;  // these are frames
        if (const auto rows = packed_rows(); rows && !are_of_attention(*rows))
            if (auto found =
                    by_ends(*rows, {lengths_of_sequences(), tensors_.first_of(Usual::start)},
                            [this](std::uint64_t count) { return rows_of(count); }))
                return found;
        if (const auto segments = tensors_.first_of(Usual::segments)) return by_segments(*segments);
        if (mask_ && largest_of(mask_->array) > 1)
            return by_segments(*mask_);  // a mask that numbers the sequences
        return std::nullopt;
    }

    // Row numbers are the same rotation for scores if one offset per sequence relates them to the
    // counted positions. Gaps within a sequence exclude that.
    static std::vector<StatedPositions> with_row_numbers(const StatedPositions& counted) {
        StatedPositions rows = counted;
        const Shape& shape = counted.ids->array.shape;
        std::vector<double> ids;
        for (std::uint64_t k = 0; k < counted.ids->array.size(); ++k) {
            // as by_mask(), so that the last id of a static cache is that of its last key
            const bool is_behind = k % shape.back() != 0 && counted.kept &&
                                   counted.kept->array.at(k) == 0 && counted.ids->array.at(k) > 0;
            ids.push_back(is_behind ? ids.back() : static_cast<double>(k % shape.back()));
        }
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
    const std::optional<NamedArray> mask_;
};

}  // namespace

std::vector<StatedPositions> stated_positions(DumpTensors& tensors, const DumpHints& asked) {
    std::vector<StatedPositions> all = Finder(tensors, asked).all();
    const bool has_any = all.front().ids || all.front().starts;
    return has_any || !tensors.other() ? all : Finder(*tensors.other(), asked).all();
}

std::vector<NamedReading> readings_by_other_names(DumpTensors& tensors, const DumpHints& asked,
                                                  const std::set<std::string>& read) {
    constexpr std::uint64_t most = 4096;  // numbers
    constexpr std::string_view of_others[] = {"layer", "head",  "dim",    "size",  "max",
                                              "num",   "width", "height", "window"};
    // a number of rows, which is no position
    constexpr std::string_view of_counts[] = {"len", "tokens", "count"};
    constexpr Usual counts[] = {Usual::sequence_rows, Usual::sequence_lengths,
                                Usual::sequence_ends};
    const bool has_sequences =
        std::ranges::any_of(std::array{Usual::sequence_ends, Usual::segments}, [&](Usual kind) {
            const auto found = tensors.first_of(kind);
            return found && found->array.size() > 2;
        });
    constexpr std::pair<Usual, const char*> known[] = {
        {Usual::position_ids, "position_ids"}, {Usual::start, "start_pos"},
        {Usual::last_ids, "seqlens_k"},        {Usual::sequence_rows, "q_seqlens"},
        {Usual::sequence_lengths, "seq_lens"}, {Usual::sequence_ends, "cu_seqlens"},
        {Usual::left_padding, "left_padding"}, {Usual::segments, "segment_ids"}};
    std::vector<NamedReading> all;
    for (const std::string& name : tensors.names_except(read)) {
        const auto is_in_name = [&](std::string_view word) {
            return lower_case(name).find(word) != std::string::npos;
        };
        if (is_usual(name) || std::ranges::any_of(of_others, is_in_name)) continue;
        const auto found = tensors.usual(name);
        if (!found || format_of(found->array.element) || found->array.size() == 0 ||
            found->array.size() > most || !are_whole(found->array, 0) ||
            largest_of(found->array) < 2)  // a switch
            continue;
        const bool is_one = found->array.size() == 1;
        if (has_sequences && is_one) continue;
        const bool is_count = is_one && std::ranges::any_of(of_counts, is_in_name);
        for (const auto& [kind, known_name] : known) {
            if (tensors.first_of(kind) || (is_count && std::ranges::count(counts, kind) == 0))
                continue;
            tensors.read_as(kind, name);
            const struct NoLonger {
                DumpTensors& of;
                ~NoLonger() { of.read_as({}, ""); }
            } no_longer{tensors};
            for (StatedPositions& one : stated_positions(tensors, asked))
                if (one.read.contains(found->name) || (one.ids && one.ids->name == found->name))
                    all.push_back({std::move(one), printable(name, 100), known_name});
        }
    }
    return all;
}

std::optional<StatedPositions> text_of_a_batch(const StatedPositions& stated, std::uint64_t axes) {
    const Array& ids = stated.ids->array;
    const Shape& shape = ids.shape;
    if (shape.size() != 2 || (shape[0] != axes && shape[1] != axes)) return std::nullopt;
    std::vector<double> on_axes;
    for (std::uint64_t axis = 0; axis < axes; ++axis)
        std::ranges::copy(ids.values(), std::back_inserter(on_axes));
    StatedPositions text = stated;
    text.is_on_one_axis = false;
    text.ids = made(*stated.ids, {axes, shape[0], shape[1]}, std::move(on_axes));
    return text;
}

}  // namespace rope::io
