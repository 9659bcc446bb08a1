#include "rope/diagnose/misread/table_reads.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "base/decimal.hpp"

namespace rope {
namespace {

std::int64_t width_of(Stored stored, std::int64_t columns) {
    return stored == Stored::apart     ? columns
           : stored == Stored::doubled ? 4 * columns
                                       : 2 * columns;
}

const char* order_of(Stored stored) {
    return stored == Stored::pairs    ? "c0 s0 c1 s1 …"
           : stored == Stored::halves ? "c0 c1 … s0 s1 …"
                                      : "c0 c1 … c0 c1 … s0 s1 … s0 s1 …";
}

ReadEntry entry_at(Stored stored, std::uint32_t columns, std::int64_t value, bool of_sines) {
    const std::int64_t width = width_of(stored, columns), h = columns;
    const std::int64_t position = (value >= 0 ? value : value - width + 1) / width;
    const std::int64_t at = value - position * width;
    if (stored == Stored::pairs) return {position, static_cast<std::uint32_t>(at / 2), at % 2 == 1};
    return {position, static_cast<std::uint32_t>(at % h),
            stored == Stored::apart ? of_sines : at >= width / 2};
}

bool is_right(const TableRead& read, std::uint32_t columns, std::uint32_t pairs) {
    if (pairs != columns) return false;
    for (const std::int64_t m : {1, 2})
        for (const std::uint32_t pair : {0U, pairs - 1})
            if (read_cos(read, columns, m, pair) != ReadEntry{m, pair, false} ||
                read_sin(read, columns, m, pair) != ReadEntry{m, pair, true})
                return false;
    return true;
}

std::int64_t padded(std::int64_t width) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(width)));
}

std::string values(std::int64_t count) {
    return decimal(static_cast<std::uint64_t>(count)) + (count == 1 ? " value" : " values");
}

std::string one_of(const char* of, const char* what, std::int64_t by) {
    return std::string("sin of ") + of + " " + what + (by > 0 ? " + 1" : " − 1") +
           " goes with cos of " + what;
}

}  // namespace

ReadEntry read_cos(const TableRead& read, std::uint32_t columns, std::int64_t position,
                   std::uint32_t pair) {
    return entry_at(read.stored, columns,
                    position * read.stride + read.cos_from + read.step * std::int64_t{pair}, false);
}

ReadEntry read_sin(const TableRead& read, std::uint32_t columns, std::int64_t position,
                   std::uint32_t pair) {
    return entry_at(read.stored, columns,
                    position * read.stride + read.sin_from + read.step * std::int64_t{pair}, true);
}

std::vector<TableRead> wrong_reads(const Spec& asked, std::uint32_t pairs) {
    const std::int64_t h = asked.pairs(), w = 2 * h, head = asked.head_dim, own = pairs;
    std::vector<TableRead> all;
    for (const std::int64_t by : {h, -h, std::int64_t{1}, std::int64_t{-1}})
        all.push_back({Stored::apart, h, 0, by, 1});
    for (const std::int64_t from : {std::int64_t{0}, h})
        all.push_back({Stored::halves, w, from, from, 1});
    for (const Stored stored : {Stored::halves, Stored::pairs, Stored::doubled}) {
        const std::int64_t width = width_of(stored, h);
        for (const std::int64_t stride :
             {width, 2 * own, head, width / 2, 2 * width, 2 * head, padded(width)}) {
            all.push_back({stored, stride, 0, 1, 2});
            for (const std::int64_t sin :
                 {own, h, head / 2, head, padded(w) / 2, width / 2, width, h + 1, h - 1})
                all.push_back({stored, stride, 0, sin, 1});
        }
    }
    std::set<TableRead> tried;
    std::erase_if(all, [&](const TableRead& one) {
        return is_right(one, asked.pairs(), pairs) || !tried.insert(one).second;
    });
    return all;
}

std::string words_of(const TableRead& read, std::uint32_t columns, std::uint32_t pairs) {
    const std::int64_t h = columns, width = width_of(read.stored, h);
    if (read.stored == Stored::apart)
        return std::abs(read.sin_from) == h ? one_of("position", "m", read.sin_from)
                                            : one_of("pair", "i", read.sin_from);
    std::string words;
    if (pairs != columns)
        words =
            decimal(2 * pairs) + " lanes are turned by a table for " + decimal(2 * columns) + ": ";
    if (read.stored == Stored::halves && read.cos_from == read.sin_from)
        return words + (read.cos_from == 0 ? "cos is read for sin" : "sin is read for cos");
    words += std::string("a row of the table is ") + order_of(read.stored) + ", " + values(width) +
             ", and is read as ";
    words += read.step == 2
                 ? order_of(Stored::pairs)
                 : "cos from value " + decimal(static_cast<std::uint64_t>(read.cos_from)) +
                       " and sin from value " + decimal(static_cast<std::uint64_t>(read.sin_from)) +
                       " on";
    if (read.stride != width) words += ", rows " + values(read.stride) + " apart";
    return words;
}

}  // namespace rope
