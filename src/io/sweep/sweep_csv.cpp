#include "base/csv.hpp"
#include "base/decimal.hpp"
#include "io/sweep/sweep_table.hpp"

namespace rope::io {
namespace {

std::string field(const std::string& text) { return csv_cell(text); }
std::string field(const std::optional<std::uint64_t>& n) { return n ? decimal(*n) : ""; }
std::string field(const std::optional<double>& x) {
    if (!x) return "";
    return *x == *x ? decimal(*x) : "nan";
}

template <typename... Values>
std::string record(const Values&... values) {
    std::string line;
    ((line += (line.empty() ? "" : ",") + field(values)), ...);
    return line + "\r\n";
}

}  // namespace

std::string sweep_csv(const SweepTable& table) {
    std::string csv =
        "model,layers,pipeline,context,K,worst_error,worst_error_position,worst_error_pair,"
        "first_beyond_1e_3,verdict,reason\r\n";
    for (std::size_t k = 0; k < table.cells.size(); ++k) {
        const SweepCell& cell = table.cells[k];
        const SweepRow& row = *table.rows[k];
        const bool judged = cell.pipeline != nullptr;
        csv += record(cell.model, cell.layers, std::string(judged ? cell.pipeline->name : ""),
                      judged ? std::optional(cell.context) : std::nullopt, row.k, row.worst_error,
                      row.worst_position, row.worst_pair, row.first_beyond,
                      std::string(to_string(row.verdict)), row.reason);
    }
    return csv;
}

}  // namespace rope::io
