// Spec and subject in, Report out: verify, compare and audit are this on different RowSources.
#pragma once

#include <array>
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
#include "rope/checks/sweep.hpp"
#include "rope/report/report.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

struct ErrorMap;

struct JudgeOptions {
    std::uint64_t seed = 1;         // of the random q and k
    std::vector<std::string> only;  // check ids; empty means all
    bool claims = true;             // else laws and conformance alone, where `only` is empty
    // Of a component of cos and sin, absolute: beyond it max-error is violated.
    std::optional<double> max_error = {};
    unsigned threads = 0;                // 0: as many as help; a report is the same for any
    TaskCount* tasks = nullptr;          // what it does is added to these
    std::vector<ErrorMap*> errors = {};  // where the largest error of each cell goes
};

// Throws InputError on an unknown id in `only`.
Report judge(const Spec& spec, const RowSource& subject, const JudgeOptions& options);

// Checks of blocks that end in any order, merged in the order of the blocks as soon as can be: as
// many wait as threads are ahead of the slowest, however many blocks there are.

using RowChecks = std::vector<std::unique_ptr<RowCheck>>;

class OrderedMerge {
  public:
    // The finished checks of block k, the same ones for every block. From any thread.
    void add(std::uint64_t k, RowChecks checks);
    // When every block has been added.
    RowChecks take() { return std::move(merged_); }

  private:
    std::mutex mutex_;
    std::uint64_t next_ = 0;
    std::map<std::uint64_t, RowChecks> waiting_;
    RowChecks merged_;
};

// The explicit table of all checks.

// In report order: laws and conformance, then claims.
std::span<const Check> checks();
// Throws InputError naming the known checks when there is not one of that id.
const Check& find_check(std::string_view id);
// Other names of checks: He & Xu's (c3) in its readings R5 and R6.
inline constexpr std::pair<std::string_view, std::string_view> other_check_names[] = {
    {"c3-R5", "score-decay"}, {"c3-R6", "roformer-decay"}};
// The id of the check that has this id or other name; an unknown name as it is.
std::string_view check_named(std::string_view name);
// Not applicable as yet.
Finding finding_of(const Check& check);

}  // namespace rope
