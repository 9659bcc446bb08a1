// What a check may know, and the four shapes a check can have.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "rope/comparison/comparison.hpp"
#include "rope/comparison/sample.hpp"
#include "rope/frequency/frequency.hpp"
#include "rope/report/report.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// Up to 32 rows of some pairs: the subject, the truth, and the exact rows of the subject's own
// frequencies. rows × pairs.count values each, row-major.
struct Tile {
    std::span<const std::uint64_t> positions;
    PairRange pairs;
    const double* cos;
    const double* sin;
    const double* true_cos;  // without the attention factor
    const double* true_sin;
    const double* own_cos;
    const double* own_sin;
};

// A check over every row, made for one range of pairs and one run of rows. Runs may be observed
// side by side; they are merged in order, so that a report does not depend on who observed what.
class RowCheck {
  public:
    virtual ~RowCheck() = default;
    // Tiles of its pairs in ascending positions.
    virtual void observe(const Tile& tile) = 0;
    // After the last tile of the run.
    virtual void settle() {}
    // Takes over what `next` saw, which the same function made for the next rows or pairs.
    virtual void merge(RowCheck& next) = 0;
    virtual void report_to(Finding& finding) = 0;
};

// One row of the explicit table of all checks. Exactly one of the four functions is set:
//   make     over every row and pair
//   probe    over the probe's rows, with the probe's vectors
//   settle   a claim about the Spec alone
//   answers  over all that an audited program answered; such a check is no part of other reports
struct Check {
    std::string_view id;
    Kind kind;
    std::string_view statement;
    std::string_view source;
    std::unique_ptr<RowCheck> (*make)(const Trial& trial, PairRange pairs) = nullptr;
    void (*probe)(const Trial& trial, const Probe& probe, Finding& finding) = nullptr;
    void (*settle)(const Trial& trial, Finding& finding) = nullptr;
    void (*answers)(const Trial& trial, const Answers& answers, Finding& finding) = nullptr;
};

}  // namespace rope
