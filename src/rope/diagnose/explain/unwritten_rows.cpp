#include "rope/diagnose/explain/unwritten_rows.hpp"

#include <algorithm>

#include "rope/diagnose/explain/parts.hpp"
#include "rope/diagnose/explain/row_values.hpp"

namespace rope {
namespace {

struct Unwritten {
    std::vector<std::size_t> rows;
    std::size_t right = 0;
    bool zero = true;
    double after = 0;
};

std::optional<Unwritten> unwritten(const DumpPart& part, RowReplay& asked) {
    Unwritten found;
    RowValues values(part.dump);
    const bool is_else_right = every_row(part, [&](std::size_t row) {
        values.read(row);
        if (const double error = asked.error(row); error <= 1) {
            found.after = std::max(found.after, error);
            ++found.right;
            return true;
        }
        found.rows.push_back(row);
        found.zero = found.zero && values.is_zero();
        return values.is_finite() && !values.says_nothing() && values.is_memory();
    });
    if (!is_else_right || found.rows.empty() || found.right < found.rows.size())
        return std::nullopt;
    return found;
}

}  // namespace

std::optional<Explanation> unwritten_rows(const DumpPart& part, RowReplay& asked, double before) {
    const auto found = unwritten(part, asked);
    if (!found) return std::nullopt;
    const std::string at = positions_of(found->rows, part.rows);
    const bool is_one = std::ranges::all_of(found->rows, [&](std::size_t row) {
        return part.rows.position(row) == part.rows.position(found->rows.front());
    });
    const std::string what = found->zero ? "zero" : "no rotations";
    return explanation_of(
        {"uninitialised",
         {{"rows", found->zero ? std::string("zero") : std::string("memory")}, {"positions", at}},
         (is_one ? "the rows at position " : "rows at positions ") + at + " are " + what +
             "; all others match the Spec",
         advice_on_unwritten_rows(part.dump)},
        before, found->after);
}

}  // namespace rope
