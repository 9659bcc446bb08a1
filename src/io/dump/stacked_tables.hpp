// Several tables one after the other in the rows of one array.
#pragma once

#include <vector>

#include "rope/subject/dump.hpp"
#include "rope/subject/row_source.hpp"

namespace rope::io {

// The dump in the parts that start at position 0 each, or alone where it is one table. Its
// positions must be 0, 1, 2, …: vLLM keeps longrope's short and long table so, and those of several
// linear factors.
std::vector<TableDump> stacked_tables(const TableDump& dump);

}  // namespace rope::io
