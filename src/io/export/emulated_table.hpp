// A table as an implementation computes it, roundings and faults included.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "io/export/export.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope::io {

// `count` rows from `first` on.
using TableRows = std::function<RotaryTable(std::uint64_t first, std::uint64_t count)>;

struct EmulatedTable {
    TableRows rows;
    std::optional<std::vector<double>> inv_freq;  // where they are not the Spec's
};
// Of request.pipeline, at whole positions from 0. Throws InputError at others.
EmulatedTable emulated_table(const ExportRequest& request);

}  // namespace rope::io
