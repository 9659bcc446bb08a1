#include "rope/diagnose/restarts.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "rope/diagnose/explain/damage.hpp"
#include "rope/diagnose/explain/explain.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {
namespace {

// The rows of groups, each at the position of some row of its own group.
class Rows {
  public:
    Rows(const DumpReading& reading, const DumpPart& part)
        : part_(part),
          replay_(part.dump, part.rows, reading.arrangement ? &*reading.arrangement : nullptr,
                  reading.samples, as_asked_and_stored(reading)) {}

    // Whether a row of the group is where the row of a number belongs.
    bool is_at(std::size_t group, std::uint64_t index, std::uint64_t place) {
        const std::size_t there = part_.rows.row(group, place);
        if (part_.rows.position(there) != static_cast<double>(place)) return false;
        const double error = replay_.error_at(part_.rows.row(group, index), there);
        if (!(error <= 1)) return false;
        worst_ = std::max(worst_, error);
        return true;
    }

    // The rows at which the group starts over; none where a row is elsewhere.
    std::optional<std::vector<std::uint64_t>> starts(std::size_t group) {
        std::vector<std::uint64_t> all;
        std::uint64_t next = 0;
        for (std::uint64_t index = 0; index < part_.rows.length(); ++index) {
            if (!is_at(group, index, next)) {
                if (!is_at(group, index, 0)) return std::nullopt;
                all.push_back(index);
                next = 0;
            }
            ++next;
        }
        return all;
    }

    bool start_at(std::size_t group, const std::vector<std::uint64_t>& starts) {
        auto start = starts.begin();
        std::uint64_t first = 0;
        for (std::uint64_t index = 0; index < part_.rows.length(); ++index) {
            if (start != starts.end() && *start == index) first = *start++;
            if (!is_at(group, index, index - first)) return false;
        }
        return true;
    }

    double worst() const { return worst_; }

  private:
    const DumpPart& part_;
    RowReplay replay_;
    double worst_ = 0;
};

}  // namespace

std::optional<PartFinding> find_restarts(const std::shared_ptr<const std::vector<DumpReading>>& all,
                                         const DumpPart& part) {
    const DumpReading& reading = all->front();
    if (!reading.mistakes.empty() || reading.samples.positions.size() > 1) return std::nullopt;
    Rows rows(reading, part);
    const auto starts = rows.starts(part.groups.front());
    // of a few rows each, many rules are as simple
    if (!starts || starts->empty() || 3 * starts->size() > part.rows.length()) return std::nullopt;
    for (const std::size_t group : part.groups)
        if (group != part.groups.front() && !rows.start_at(group, *starts)) return std::nullopt;
    const std::string at = ranges(*starts, 8);
    Explanation one = explanation_of({"position-source",
                                      {{"starts", at}},
                                      std::string("positions start over from 0 at row") +
                                          (starts->size() == 1 ? " " : "s ") + at},
                                     asked_misfit(reading), rows.worst());
    one.advice =
        "several sequences are packed into one, or padding precedes it: that is right where "
        "attention keeps them apart; give compare their position_ids, or pass the rotation those "
        "of one sequence";
    return PartFinding{
        {one}, [all, &part, starts](const std::vector<std::size_t>& groups) {
            Rows others(all->front(), part);
            std::vector<GroupErrors> errors;
            for (const std::size_t group : groups)
                errors.push_back({.wrong = others.start_at(group, *starts) ? 0U : 1U});
            return errors;
        }};
}

}  // namespace rope
