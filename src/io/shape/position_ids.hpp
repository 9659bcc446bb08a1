// Which position each row of a dump belongs to, on one axis or on several.
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

// What a file states of its rows' positions, one way to read it.
struct StatedPositions {
    StatedPositions() = default;
    StatedPositions(std::nullopt_t) {}
    StatedPositions(NamedArray all) : ids(std::move(all)) {}
    StatedPositions(std::optional<NamedArray> all) : ids(std::move(all)) {}

    std::optional<NamedArray> ids;     // [L], [B, L], or with an axis for several positions
    std::optional<NamedArray> starts;  // of rows that count on from there: one number, or [B]
    std::optional<NamedArray> kept;    // [L] or [B, L], 0 where a row is padding
    std::string from;                  // where ids were worked out, from what
    std::vector<std::string> differing = {};  // arrays that say otherwise
    std::set<std::string> read = {};          // names of the other arrays that were read
    bool is_derived = false;                  // from an array that may be of other rows than these
    bool counts_padding = false;  // row numbers although there is a mask: of q and k, or of neither
};

// Positions on several axes: time, height and width, or x and y.

// One array an axis where positions are [A, L], [A, B, L], [L, A] or [B, L, A], else the array
// itself. A > 1 is the Spec's, or without one 2 to 4 if the rest fits `rows`, the shape of the rows
// at these positions, and [B, L] does not or there is no batch. Where the first axis and the last
// could be it, the first is. Of [4, B, L] beside a Spec of three axes the first are the text's own,
// which turn nothing.
std::vector<NamedArray> positions_by_axis(const NamedArray& positions, const DumpHints& asked,
                                          const std::vector<std::uint64_t>& rows);

// Which position each row of a dump belongs to.

std::string shape_text(const std::vector<std::uint64_t>& shape);  // [1, 9, 128]

// Throws InputError unless both hold floats of one shape, and are not empty.
void require_one_shape(const NamedArray& first, const NamedArray& second);
// And of one format.
void require_alike(const NamedArray& first, const NamedArray& second);

// Rows of one dump: what it takes to put them in order is more than the rows themselves where
// these are narrow. Throws InputError beyond.
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
// Whether all sequences have the same positions: then a table of one sequence may serve them.
bool are_equal(const PositionIds& ids);
PositionIds counting_positions(std::uint64_t length);  // 0 … length − 1

// A position for each row of a table on each axis, `rows` being its shape without the columns; a
// table that is kept for each axis has rows as positions has values. Throws InputError when they
// do not fit.
std::vector<std::vector<double>> table_positions(const NamedArray& table,
                                                 const std::vector<std::uint64_t>& rows,
                                                 const std::optional<NamedArray>& positions,
                                                 const DumpHints& asked);

}  // namespace rope::io
