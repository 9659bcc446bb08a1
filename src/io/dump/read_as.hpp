// How a dump was read, for its report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/tensor/named_array.hpp"
#include "rope/subject/dump.hpp"

namespace rope::io {

// "9", from "shape [1, 9, 128]"
Assumption rows_read(std::uint64_t rows, const NamedArray& array);

// "0 … 2047", from "x.npz:position_ids"; of several axes each.
Assumption positions_read(const std::vector<double>& positions,
                          const std::vector<std::vector<double>>& more_positions,
                          const std::optional<NamedArray>& from);

// The one of that name, to say more of where it came from.
Assumption& assumption_named(std::vector<Assumption>& all, const std::string& what);

}  // namespace rope::io
