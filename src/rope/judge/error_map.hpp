// How large the errors of a subject are, over position and pair: what a picture of them shows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rope/comparison/check.hpp"
#include "rope/judge/position_parts.hpp"
#include "rope/report/report.hpp"

namespace rope {

// Where a cell's largest error is: the subject's component and the exact one.
struct ErrorPlace {
    double error = -1;  // |got − want|, infinite after NaN; −1 where the subject has no position
    double position = 0;
    std::uint32_t pair = 0;
    bool is_sine = false;
    double got = 0, want = 0;
};
void exchange(Archive& archive, ErrorPlace& place);

struct ErrorMap {
    // What is asked for. Rows are of as many pairs each as that takes.
    std::size_t most_parts = 1520, most_rows = 384;
    bool keeps_places = false;

    PositionParts positions = {};
    std::uint32_t pairs = 0, pairs_per_row = 1;
    // rows × columns: the largest |ẑ − a·z| of a component; infinite after NaN, −1 where the
    // subject has no position.
    std::vector<float> worst = {};
    std::vector<ErrorPlace> places = {};  // of the same cells, where they are kept

    std::size_t columns() const { return positions.edges.empty() ? 0 : positions.edges.size() - 1; }
    std::size_t rows() const {
        const std::size_t across = columns();
        return across == 0 ? 0 : worst.size() / across;
    }
    float at(std::size_t row, std::size_t column) const { return worst[row * columns() + column]; }
};

// A report and the errors that were mapped while it was made.
struct MappedReport {
    std::string label;  // "llama-3.1-8b, hf-fp32"
    Report report;
    ErrorMap errors;
};

// Empty cells for the subject.
void lay_out(ErrorMap& map, const Comparison& comparison);

// Fills them as a check does that has seen every row; report_to() writes to the map, which must
// outlive it.
std::unique_ptr<RowCheck> make_error_map(ErrorMap& map, const Comparison& comparison,
                                         PairRange pairs);

}  // namespace rope
