// Explanations of parts of a dump, put together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/evidence/rows.hpp"
#include "rope/report/report.hpp"

namespace rope {

// What explains every row of some groups.
struct ExplainedPart {
    std::vector<std::size_t> groups;
    std::vector<Explanation> explanations;
    std::optional<Spec> spec = {};
};

// "head 3 of 4", "batch entries 0, 2 of 3"; empty for all.
std::string name_of_part(const std::vector<std::size_t>& groups, const RowGroups& rows);

// "5"; "(0, 0, 5)" of several axes.
std::string position_name(std::size_t row, const RowGroups& rows);
// "7–9, 12"; "(0, 0, 5), (0, 1, 0)" of several axes.
std::string positions_of(const std::vector<std::size_t>& wrong, const RowGroups& rows);

// Each mistake with the part that it is of; what all parts share, where they are all there is, said
// once.
std::vector<Explanation> joined(const std::vector<ExplainedPart>& found, const RowGroups& rows);

}  // namespace rope
