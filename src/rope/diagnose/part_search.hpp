// What turns the truth into a part of a dump, proved on every row of it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rope/changes/reading.hpp"
#include "rope/diagnose/search/search.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {

struct PartFinding {
    std::vector<Explanation> explanations;
    // Holds other groups against it; nothing where only these rows can be. Refers to the part,
    // which must outlive it.
    std::function<std::vector<GroupErrors>(const std::vector<std::size_t>& groups)> sweep = {};
    std::optional<Spec> spec = {};  // of the replay, where a Spec plans its frequencies
};

// None where nothing explains every row. `all` are the part's readings.
std::optional<PartFinding> find_in_part(const Spec& asked, const DumpPart& part,
                                        const std::shared_ptr<const std::vector<DumpReading>>& all);
// The same, by rows at the number of their head alone.
std::optional<PartFinding> find_along_heads(
    const Spec& asked, const DumpPart& part,
    const std::shared_ptr<const std::vector<DumpReading>>& all);
// The same of frequencies alone.
std::vector<Explanation> find_in_frequencies(const Spec& asked,
                                             const std::vector<DumpReading>& all);

}  // namespace rope
