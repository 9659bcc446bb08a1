// Which keys of a batch entry are of one sequence, by a mask of attention scores.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "io/dump/derived_positions.hpp"

namespace rope::io {
namespace {

// The last keys that a row may attend, without gaps.
struct Keys {
    std::uint64_t first, last;
    bool has_others;  // before a gap
};

struct ScoreMask {
    const Array& values;
    std::uint64_t entries, rows, columns;
    bool is_0_allowed = false;  // else other values are

    bool allows(std::uint64_t entry, std::uint64_t row, std::uint64_t key) const {
        return (values.at((entry * rows + row) * columns + key) == 0) == is_0_allowed;
    }

    std::optional<Keys> keys_of(std::uint64_t entry, std::uint64_t row) const {
        std::uint64_t end = columns;
        while (end > 0 && !allows(entry, row, end - 1)) --end;
        if (end == 0) return std::nullopt;
        std::uint64_t first = end - 1;
        while (first > 0 && allows(entry, row, first - 1)) --first;
        std::uint64_t gap = first;
        while (gap > 0 && !allows(entry, row, gap - 1)) --gap;
        return Keys{first, end - 1, gap > 0};
    }

    struct CausalRows {
        std::int64_t past = 0;  // keys before that of row 0
        std::vector<Keys> keys;
    };

    // The rows that attend keys up to their own, which most rows do. Rows of padding may attend
    // none, all, or those of other rows.
    CausalRows causal_rows(std::uint64_t entry) const {
        std::vector<std::pair<std::int64_t, Keys>> all;  // by how far a row's key is from the row
        std::map<std::int64_t, std::size_t> counts;
        for (std::uint64_t row = 0; row < rows; ++row)
            if (const auto keys = keys_of(entry, row)) {
                const auto apart =
                    static_cast<std::int64_t>(keys->last) - static_cast<std::int64_t>(row);
                all.emplace_back(apart, *keys);
                ++counts[apart];
            }
        CausalRows causal;
        if (all.empty()) return causal;
        causal.past =
            std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
        for (const auto& [apart, keys] : all)
            if (apart == causal.past) causal.keys.push_back(keys);
        return causal;
    }

    std::size_t count_causal_rows() const {
        std::size_t count = 0;
        for (std::uint64_t entry = 0; entry < entries; ++entry)
            count += causal_rows(entry).keys.size();
        return count;
    }

    // The number of the sequence of each key. A sequence starts at a row that attends none before
    // it. Earlier keys that lie before an attention window belong to the window's sequence. If rows
    // skip keys, as in a tree of tokens, the keys that the last row attends are one sequence.
    std::vector<double> sequences(std::uint64_t entry) const {
        std::vector<double> numbers(columns, 0);
        const auto [past, all] = causal_rows(entry);
        if (std::ranges::any_of(all, &Keys::has_others)) {
            for (std::uint64_t key = 0; key < columns; ++key)
                numbers[key] = allows(entry, rows - 1, key) ? 1 : 0;
            return numbers;
        }
        double number = 0;
        bool has_window = false;
        for (std::size_t k = 0; k < all.size(); ++k) {
            const bool is_new = k == 0 || all[k].first > all[k - 1].last;
            has_window = has_window || (!is_new && all[k].first > all[k - 1].first);
            number += is_new ? 1 : 0;
            for (std::uint64_t key = is_new ? all[k].first : all[k - 1].last + 1;
                 key <= all[k].last; ++key)
                numbers[key] = number;
        }
        for (std::uint64_t key = 0; has_window && key < all[0].first; ++key)
            if (static_cast<std::int64_t>(key) < past) numbers[key] = 1;
        return numbers;
    }
};

}  // namespace

std::optional<NamedArray> sequences_of_keys(const NamedArray& mask) {
    Shape shape = mask.array.shape;
    if (shape.size() == 4 && shape[1] == 1) shape.erase(shape.begin() + 1);
    const bool is_square = shape.size() == 2 && shape[0] == shape[1] && shape[0] > 1;
    if (is_square) shape.insert(shape.begin(), 1);
    if (shape.size() != 3 || mask.array.size() == 0) return std::nullopt;
    // 0 is allowed in masks that are added to scores, and in those that are 1 where torch's
    // attn_mask or Megatron's attention_mask forbids: then more rows attend the keys up to their
    // own
    ScoreMask scores{mask.array, shape[0], shape[1], shape[2]};
    ScoreMask other = scores;
    other.is_0_allowed = true;
    const auto is_negative = [&](std::uint64_t k) { return mask.array.at(k) < 0; };
    scores.is_0_allowed =
        std::ranges::any_of(std::views::iota(std::uint64_t{0}, mask.array.size()), is_negative) ||
        other.count_causal_rows() > scores.count_causal_rows();
    for (std::uint64_t row = 0; is_square && row < shape[1]; ++row) {
        const auto keys = scores.keys_of(0, row);
        if (!keys || keys->last < row) return std::nullopt;  // [B, L] with as many entries as rows
    }
    if (is_square) {
        const ScoreMask::CausalRows causal = scores.causal_rows(0);
        if (causal.past != 0 || causal.keys.size() < 2) return std::nullopt;
    }
    std::vector<double> numbers;
    for (std::uint64_t entry = 0; entry < shape[0]; ++entry) {
        const std::vector<double> own = scores.sequences(entry);
        numbers.insert(numbers.end(), own.begin(), own.end());
    }
    return made(mask, {shape[0], shape[2]}, std::move(numbers));
}

}  // namespace rope::io
