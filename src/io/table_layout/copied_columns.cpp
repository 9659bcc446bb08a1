// Do the columns of a table hold every value twice?
#include <cmath>
#include <cstring>

#include "io/table_layout/table_layout.hpp"

namespace rope::io {
namespace {

// NaNs are equal, whatever their payloads.
bool is_same(Element element, const std::byte* a, const std::byte* b) {
    return std::memcmp(a, b, bytes_of(element)) == 0 ||
           (std::isnan(number_at(element, a)) && std::isnan(number_at(element, b)));
}

template <class Word>
bool neighbours_are_same(const std::byte* row, std::uint64_t columns) {
    bool same = true;
    for (std::uint64_t j = 0; j < columns; j += 2) {
        Word pair[2];
        std::memcpy(pair, row + j * sizeof(Word), sizeof pair);
        same &= pair[0] == pair[1];
    }
    return same;
}

bool is_row_copied(const std::byte* row, std::uint64_t columns, Element element, Copies copies) {
    const std::size_t bytes = bytes_of(element);
    if (copies == Copies::halves)
        return std::memcmp(row, row + columns / 2 * bytes, columns / 2 * bytes) == 0;
    if (bytes == 4) return neighbours_are_same<std::uint32_t>(row, columns);
    if (bytes == 2) return neighbours_are_same<std::uint16_t>(row, columns);
    return neighbours_are_same<std::uint64_t>(row, columns);
}

}  // namespace

std::optional<CopyDifference> copy_difference(const Array& table, Copies copies) {
    const std::uint64_t columns = table.shape.back();
    const std::size_t bytes = bytes_of(table.element);
    for (std::uint64_t row = 0; row < table.size() / columns; ++row) {
        const std::byte* at = table.bytes.data() + row * columns * bytes;
        if (is_row_copied(at, columns, table.element, copies)) continue;
        for (std::uint64_t pair = 0; pair < columns / 2; ++pair) {
            const bool halves = copies == Copies::halves;
            const std::uint64_t first = halves ? pair : 2 * pair;
            const std::uint64_t second = halves ? pair + columns / 2 : 2 * pair + 1;
            if (!is_same(table.element, at + first * bytes, at + second * bytes))
                return CopyDifference{row, first, second};
        }
    }
    return std::nullopt;
}

}  // namespace rope::io
