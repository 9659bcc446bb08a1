// Groups that are as asked but for a few rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/changes/reading.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {

// Whether a group of so many rows is wrong, not a few rows of it.
bool is_wrong_throughout(const GroupErrors& errors, std::uint64_t length);

class FewRows {
  public:
    // Holds every row of the part against the Spec.
    FewRows(const DumpReading& asked, const DumpPart& part);

    // In more than a few rows.
    bool is_wrong(std::size_t group) const;
    // Groups with a few wrong rows.
    const std::vector<std::size_t>& groups() const { return groups_; }

    // The same two rows of each, swapped.
    std::optional<Explanation> explanation();
    std::string observation() const;

  private:
    const DumpPart& part_;
    RowReplay replay_;
    std::vector<GroupErrors> errors_;  // of each group of the part
    std::vector<std::size_t> groups_;
    double worst_ = 0;
};

}  // namespace rope
