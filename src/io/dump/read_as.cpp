#include "io/dump/read_as.hpp"

#include <algorithm>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {
namespace {

std::string range_of(const std::vector<double>& positions) {
    const auto [least, most] = std::ranges::minmax(positions);
    return least == most ? decimal(least) : decimal(least) + " … " + decimal(most);
}

}  // namespace

Assumption rows_read(std::uint64_t rows, const NamedArray& array) {
    return {"rows", decimal(rows), "shape " + shape_text(array.array.shape)};
}

Assumption positions_read(const std::vector<double>& positions,
                          const std::vector<std::vector<double>>& more_positions,
                          const std::optional<NamedArray>& from) {
    std::string text = range_of(positions);
    for (const auto& on_axis : more_positions) text += ", " + range_of(on_axis);
    return {"positions", text,
            from ? from->name + ", shape " + shape_text(from->array.shape)
                 : "row numbers: there are no position_ids"};
}

Assumption& assumption_named(std::vector<Assumption>& all, const std::string& what) {
    return *std::ranges::find(all, what, &Assumption::what);
}

}  // namespace rope::io
