// Proved search for bases that keep B(s) ≥ 0: its tasks, the parts of the range of bases, and the
// conclusions from the answers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "base/task_source.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/base_bound/exclusion.hpp"

namespace rope {

// Settings shared by all tasks: B(s) at 0 ≤ s ≤ N, and the ratio of neighbouring tried bases.
struct BoundScope {
    PairCounts pairs;
    std::uint64_t context;
    double ratio;
};

// One task. It depends only on its numbers, so that threads, ranks and later runs can perform it.
struct BoundTask {
    enum Kind : std::uint64_t {
        rise,   // Ascent from `from` to the first base that holds, if it is at most `to`
        test,   // which of `count` bases hold: from, from·ratio, from·ratio², …
        end,    // IslandEnd of the island around `from`, below the failing base `to`
        round,  // least base with `count` digits in [from, to) that holds
    };
    static constexpr bool has_no_padding = true;
    std::uint64_t kind;
    double from, to;
    std::uint64_t count;
};
static_assert(sizeof(BoundTask) == 32);

Bytes perform(const BoundScope& scope, const BoundTask& task);

// Convert the results of the four kinds of task.
Ascent ascent_of(const Bytes& result);
std::vector<char> holding_of(const Bytes& result);  // 1 for each base that holds
IslandEnd island_end_of(const Bytes& result);
std::optional<double> round_base_of(const Bytes& result);

// Priority of a task.
enum class Urgency {
    first,  // other tasks follow from it
    usual,
    last,     // fills the time while other answers are awaited
    closing,  // nothing follows from it
};

// The answers known so far, and the queue of tasks to be performed.
class BoundAnswers {
  public:
    bool was_asked(const BoundTask& task) const { return answers_.contains(to_bytes(task)); }

    // Returns the answer, or nullptr if it is not known yet; a new task is put into the queue.
    const Bytes* ask(const BoundTask& task, Urgency urgency = Urgency::usual) {
        const auto [answer, is_new] = answers_.try_emplace(to_bytes(task));
        if (is_new) waiting_[static_cast<std::size_t>(urgency)].push_back(answer->first);
        return answer->second ? &*answer->second : nullptr;
    }

    // Returns the first queued task of the highest priority, which must be at least `least`.
    std::optional<Bytes> next(Urgency least) {
        for (std::size_t k = 0; k <= static_cast<std::size_t>(least); ++k) {
            std::deque<Bytes>& queue = waiting_[k];
            if (queue.empty()) continue;
            Bytes task = std::move(queue.front());
            queue.pop_front();
            return task;
        }
        return std::nullopt;
    }

    void take(const Bytes& task, const Bytes& answer) { answers_[task] = answer; }

  private:
    std::unordered_map<Bytes, std::optional<Bytes>> answers_;
    std::array<std::deque<Bytes>, 4> waiting_;
};

// Divides the bases from 1 to largest_base into parts of equal ratio that are searched separately:
// the results of a part depend only on its ends and on whether the first base of the next part
// holds.
//
// A part is searched, with proof, up to its first base that holds. Above it, bases in steps of
// the ratio are tried: the island ends below the first that fails, and the search goes on above it.

class BaseParts {
  public:
    BaseParts(const BoundScope& scope, BoundAnswers& answers);

    std::size_t size() const { return starts_.size() - 1; }
    double start(std::size_t k) const { return starts_[k]; }  // the end for k = size()
    std::size_t part_of(double base) const;

    // Returns the first base of part k that holds, or nothing while it is unknown; the missing
    // tasks are queued. With `probably_holds`, the first base of the part is tried first.
    std::optional<Ascent> first(std::size_t k, bool probably_holds);

    // Returns the islands of part k up to `last`, or nothing while unknown. An island that
    // continues in the next part, or reaches `last`, ends there without a position.
    std::optional<std::vector<Island>> islands(std::size_t k, double last);

  private:
    struct Tried {
        double base;
        bool holds;
    };
    using Bases = std::vector<Tried>;
    struct Found;

    BoundTask rise_through(std::size_t k) const {
        return {BoundTask::rise, start(k), start(k + 1), 0};
    }
    std::optional<Ascent> ascent(const BoundTask& rise, Urgency urgency);
    std::optional<Bases> tried(std::size_t k, double above, double below);
    Bases::const_iterator next_island(std::size_t k, const Bases& bases,
                                      Bases::const_iterator fails, Found& found);
    std::optional<IslandEnd> end_of_part(std::size_t k, double holds, double last);
    std::optional<IslandEnd> island_end(double holds, double fails);

    BoundScope scope_;
    BoundAnswers& answers_;
    std::vector<double> starts_;
};

// Search for bases that hold, as tasks: from base 1 to the infimum, then islands above it, then
// round bases. Idle threads and ranks work on islands before the infimum is known, as far as these
// will certainly be needed.

class BaseSearch : public TaskSource {
  public:
    explicit BaseSearch(const BaseQuestion& question);

    std::optional<Bytes> next() override;
    void take(const Bytes& task, const Bytes& result) override;
    Bytes perform(const Bytes& task) const override;

    // Returns the result; requires that no task is left.
    BaseBound bound();

  private:
    double searched_to() const;
    void note_what_holds(const BoundTask& task, const Bytes& result);
    void find_infimum();
    void ask_about(std::size_t part);
    bool open_part();
    bool open_round();
    double round_start() const { return is_proved_ ? infimum_->base : 1; }
    BoundTask round_task(std::size_t k) const;
    std::optional<std::optional<double>> first_round();

    BaseQuestion question_;
    BoundScope scope_;
    BoundAnswers answers_;
    BaseParts parts_;
    std::size_t opened_ = 0;  // number of parts that were begun
    std::size_t lowest_ = 0;  // first part that may have a base that holds
    double least_holding_;    // least base found so far that holds
    std::optional<IslandEnd> infimum_;
    bool is_proved_ = true;  // whether no base below the infimum holds
    std::size_t rounds_ = 0, rounds_failed_ = 0;
};

}  // namespace rope
