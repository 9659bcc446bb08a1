// The positions of a dump's rows, on one axis or on several.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/shape/dump_hints.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {

// One way to read the positions that a file states for its rows.
struct StatedPositions {
    StatedPositions() = default;
    StatedPositions(std::nullopt_t) {}
    StatedPositions(NamedArray all) : ids(std::move(all)) {}
    StatedPositions(std::optional<NamedArray> all) : ids(std::move(all)) {}

    std::optional<NamedArray> ids;            // [L], [B, L], or with an axis for several positions
    std::optional<NamedArray> starts;         // added to row numbers: one number, or [B]
    std::optional<NamedArray> kept;           // [L] or [B, L], 0 where a row is padding
    std::string from;                         // the array that ids were derived from, and how
    std::vector<std::string> differing = {};  // arrays that give other positions
    std::set<std::string> read = {};          // names of the other arrays that were read
    bool is_derived = false;                  // ids come from an array that may be about other rows
    bool counts_padding = false;  // row numbers although there is a mask, in q and k alike
};

// The positions on each axis (time, height and width, or x and y): one array an axis where
// positions are [A, L], [A, B, L], [L, A] or [B, L, A], else the array itself. The Spec gives
// A > 1; without one A is 2 to 4 if the rest fits `rows`, the shape of the rows at these positions,
// and [B, L] does not or there is no batch. The first axis comes before the last. In [4, B, L]
// with a Spec of three axes the first are positions of the text, which rotate nothing.
std::vector<NamedArray> positions_by_axis(const NamedArray& positions, const DumpHints& asked,
                                          const Shape& rows);

std::string shape_text(const Shape& shape);  // [1, 9, 128]

// Throws InputError "q.npy: shape [2, 3] WHAT".
[[noreturn]] void refuse_shape(const NamedArray& array, const std::string& what);

// Throws InputError unless both hold floats of one shape, and are not empty.
void require_one_shape(const NamedArray& first, const NamedArray& second);
// And of one format.
void require_alike(const NamedArray& first, const NamedArray& second);

// The most rows of a dump: sorting narrow rows takes more memory than the rows. Throws InputError.
inline constexpr std::uint64_t max_dump_rows = std::uint64_t{1} << 24;
void require_rows(const NamedArray& dump, std::uint64_t rows);

// One row of positions for all sequences, or one each: [L], [1, L] or [B, L].
struct PositionIds {
    std::uint64_t sequences = 1;
    std::uint64_t length = 0;
    std::vector<double> values;  // sequences × length

    double at(std::uint64_t sequence, std::uint64_t index) const {
        return values[(sequences == 1 ? 0 : sequence) * length + index];
    }
};

// Throws InputError when a value is not between −2^32 and 2^32.
PositionIds position_ids(const NamedArray& positions);
// Whether all sequences have the same positions, so that a table of one sequence serves them.
bool are_equal(const PositionIds& ids);
PositionIds counting_positions(std::uint64_t length);  // 0 … length − 1

// The positions of a table's rows on each axis. `rows` is the table's shape without its columns. A
// table with a row for every value of `positions` has rows for each axis. Throws InputError where
// the shapes do not fit.
std::vector<std::vector<double>> table_positions(const NamedArray& table, const Shape& rows,
                                                 const std::optional<NamedArray>& positions,
                                                 const DumpHints& asked);

}  // namespace rope::io
