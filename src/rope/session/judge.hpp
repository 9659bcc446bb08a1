// Checks a subject against a Spec and returns the Report of verify, compare and audit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tasks.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/report.hpp"
#include "rope/rows/row_source.hpp"

namespace rope {

struct ErrorMap;

struct JudgeOptions {
    std::uint64_t seed = 1;         // seed of the random q and k
    std::vector<std::string> only;  // check ids; empty means all
    bool claims = true;             // false: only laws and conformance (if `only` is empty)
    // Tolerance of one cos or sin value, absolute; max-error fails above it.
    std::optional<double> max_error = {};
    bool digest = false;                 // compute the digest of a pipeline's cos and sin
    unsigned threads = 0;                // 0: chosen automatically; has no effect on the report
    TaskCount* tasks = nullptr;          // progress is added to it
    std::vector<ErrorMap*> errors = {};  // filled with the largest error of each cell
};

// Sets the report's attention factor and inv_freq.
void add_frequencies(Report& report, const FrequencyPlan& plan);

// Throws InputError if `only` has an unknown id.
Report judge(const Spec& spec, const RowSource& subject, const JudgeOptions& options);

// Merges the checks of blocks, which may end in any order, in the order of the blocks. Only as many
// wait as threads are ahead of the slowest one.

using RowChecks = std::vector<std::unique_ptr<RowCheck>>;

class OrderedMerge {
  public:
    // Takes the finished checks of block k, the same checks for every block. Thread-safe.
    void add(std::uint64_t k, RowChecks checks);
    // Requires that every block has been added.
    RowChecks take() { return std::move(merged_); }

  private:
    std::mutex mutex_;
    std::uint64_t next_ = 0;
    std::map<std::uint64_t, RowChecks> waiting_;
    RowChecks merged_;
};

// Returns the table of all checks in report order: laws and conformance, then claims.
std::span<const Check> checks();
// Throws InputError with the known checks if there is none with this id.
const Check& find_check(std::string_view id);
// Aliases of checks: He & Xu's (c3) in its readings R5 and R6.
inline constexpr std::pair<std::string_view, std::string_view> other_check_names[] = {
    {"c3-R5", "score-decay"}, {"c3-R6", "roformer-decay"}};
// Returns the id of the check with this id or alias; an unknown name is returned unchanged.
std::string_view check_named(std::string_view name);
// Returns the finding of a check with these values; without values not_applicable. Empty texts: the
// check's.
Finding finding_of(std::string_view check, const WorstCase& worst = {},
                   std::string_view statement = {}, std::string_view source = {});
// A check that holds at position 0 only is not applicable.
void withhold(Finding& finding);

}  // namespace rope
