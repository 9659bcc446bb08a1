#include "base/csv.hpp"

#include "base/printable.hpp"

namespace rope {

std::string csv_cell(std::string_view foreign) {
    // A spreadsheet skips tabs and line ends before a formula; printable() escapes them.
    const std::string shown = printable(foreign, foreign.size());
    std::string quoted = "\"";
    if (!shown.empty() && std::string_view("=+-@").find(shown.front()) != std::string_view::npos)
        quoted += '\'';
    for (const char c : shown) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

}  // namespace rope
