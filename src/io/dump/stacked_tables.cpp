#include "io/dump/stacked_tables.hpp"

#include <algorithm>
#include <complex>
#include <numeric>

#include "base/decimal.hpp"
#include "io/dump/read_as.hpp"
#include "rope/subject/dump.hpp"

namespace rope::io {
namespace {

constexpr std::size_t most_tables = 16;

// cos = a > 0, sin = 0 in every pair
bool is_identity(const TableDump& dump, std::uint64_t row) {
    const std::uint32_t last = dump.pairs - 1;
    const double a = dump.cos.at(row, last);
    if (dump.sin.at(row, last) != 0 || !(a > 0)) return false;
    for (std::uint32_t pair = 0; pair < dump.pairs; ++pair)
        if (dump.cos.at(row, pair) != a || dump.sin.at(row, pair) != 0) return false;
    return true;
}

bool are_alike(const TableDump& dump, std::uint64_t a, std::uint64_t b) {
    for (std::uint32_t pair = 0; pair < dump.pairs; ++pair)
        if (dump.sin.at(a, pair) != dump.sin.at(b, pair)) return false;
    return true;
}

// a·e^{imθ}, of the amplitude a of an identity row
std::complex<double> rotation_at(const TableDump& dump, std::uint64_t row, std::uint32_t pair) {
    return {dump.cos.at(row, pair), dump.sin.at(row, pair)};
}

// Whether rows m − 1 and m + k are k + 1 positions apart by the table that starts at `start`:
// R(m + k) = R(m − 1)·R(1)^{k+1}, to a tenth of a radian, which is beyond any rounding.
bool are_apart(const TableDump& dump, std::uint64_t start, std::uint64_t m, int k) {
    const double a = dump.cos.at(start, 0);
    for (std::uint32_t pair = 0; pair < dump.pairs; ++pair) {
        std::complex<double> expected = rotation_at(dump, m - 1, pair) / a;
        const std::complex<double> step = rotation_at(dump, start + 1, pair) / a;
        for (int n = 0; n <= k; ++n) expected *= step;
        const auto found = rotation_at(dump, m + static_cast<std::uint64_t>(k), pair) / a;
        if (!(std::abs(found - expected) <= 0.1)) return false;
    }
    return true;
}

// Whether rows after an identity row count on from those before it: then it alone is wrong, while
// behind a start they count 1, 2, 3, …; not even a document of one row is followed by such rows.
bool goes_on(const TableDump& dump, std::uint64_t start, std::uint64_t row) {
    const auto left = static_cast<int>(std::min<std::uint64_t>(3, dump.positions.size() - 1 - row));
    for (int k = 1; k <= left; ++k)
        if (are_apart(dump, start, row, k)) return true;
    return false;
}

// Whether a table starts here: position 0, and then by other frequencies than from the
// last start on, or after as many rows as the first table has. Else a table wraps around.
bool is_start(const TableDump& dump, std::uint64_t row, const std::vector<std::uint64_t>& starts) {
    // several rows of position 0 begin no table each
    if (!is_identity(dump, row) || is_identity(dump, row - 1) || is_identity(dump, row + 1))
        return false;
    const std::uint64_t last = starts.back();
    if (goes_on(dump, last, row)) return false;
    return !are_alike(dump, row + 1, last + 1) || (last > 0 && row - last == starts[1]);
}

TableDump part(const TableDump& dump, std::uint64_t begin, std::uint64_t end) {
    TableDump one = dump;
    one.positions.resize(end - begin);
    std::iota(one.positions.begin(), one.positions.end(), 0.0);
    one.cos = dump.cos.from(begin);
    one.sin = dump.sin.from(begin);
    one.read_as.resize(dump.read_as.size() - std::min<std::size_t>(dump.read_as.size(), 2));
    one.read_as.push_back({"rows", decimal(end - begin),
                           "rows " + decimal(begin) + " … " + decimal(end - 1) + " of " +
                               decimal(dump.positions.size()) + ", which start over"});
    one.read_as.push_back(positions_read(one.positions, {}, std::nullopt));
    return one;
}

}  // namespace

std::vector<TableDump> stacked_tables(const TableDump& dump) {
    const std::uint64_t rows = dump.positions.size();
    std::vector<std::uint64_t> starts{0};
    if (rows >= 4 && dump.pairs > 0 && dump.more_positions.empty() && is_identity(dump, 0))
        for (std::uint64_t row = 2; row + 1 < rows; ++row)
            if (is_start(dump, row, starts)) starts.push_back(row);
    if (starts.size() == 1 || starts.size() > most_tables) return {dump};
    starts.push_back(rows);
    std::vector<TableDump> tables;
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
        tables.push_back(part(dump, starts[k], starts[k + 1]));
    return tables;
}

}  // namespace rope::io
