// What lasts longest of a judgement, as tasks: each claim, and runs of blocks of rows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/task_source.hpp"
#include "base/tasks.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/judge/ordered_merge.hpp"

namespace rope {

struct ErrorMap;

// A check that a judgement performs.
struct Running {
    const Check* check;
    std::unique_ptr<RowCheck> rows;
    Finding finding;
};

class JudgeTasks final : public TaskSource {
  public:
    // `errors` may be null, as may `count`, to which they are added. `workers` perform them at a
    // time.
    JudgeTasks(const Comparison& comparison, std::span<Running> running, ErrorMap* errors,
               unsigned workers, TaskCount* count);

    std::optional<Bytes> next() override;
    void take(const Bytes& task, const Bytes& result) override;
    Bytes perform(const Bytes& task) const override;
    bool has_outcome() const override { return true; }
    Bytes outcome() override;
    void take_outcome(const Bytes& bytes) override;

    // When all have been performed: what is running gets its rows, and the map its errors.
    void finish();

  private:
    using Run = std::array<std::uint64_t, 2>;  // of claims, and blocks after them: first and end

    RowChecks checks_of(PairRange pairs) const;
    RowChecks observe(const Block& block) const;
    void exchange(Archive& archive);

    const Comparison& comparison_;
    ErrorMap* errors_;
    TaskCount* count_;
    std::vector<Running*> claims_, of_rows_;
    Blocks blocks_;
    std::uint64_t next_ = 0, end_, longest_run_;
    OrderedMerge merge_;
    RowChecks merged_;
};

}  // namespace rope
