// The proved search for bases that keep B(s) ≥ 0: its tasks, the parts of the bases that are
// searched by themselves, and what follows from the answers.
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

// What a search for bases is made of: tasks that depend on nothing but their own numbers.

// B(s) at the distances 0 to N, and the ratio of neighbouring bases that are tried.
struct BoundScope {
    PairCounts pairs;
    std::uint64_t context;
    double ratio;
};

struct BoundTask {
    enum Kind : std::uint64_t {
        rise,   // from a base up to the first that holds, if that is at most `to`: an Ascent
        test,   // `count` bases from `from` on, each `ratio` times the one before: which hold
        end,    // of the island around `from` below `to`, which fails: an IslandEnd
        round,  // the least base of `count` digits in [from, to) that holds
    };
    static constexpr bool has_no_padding = true;
    std::uint64_t kind;
    double from, to;
    std::uint64_t count;
};
static_assert(sizeof(BoundTask) == 32);

Bytes perform(const BoundScope& scope, const BoundTask& task);

// Their results.
Ascent ascent_of(const Bytes& result);
std::vector<char> holding_of(const Bytes& result);  // 1 for each base that holds
IslandEnd island_end_of(const Bytes& result);
std::optional<double> round_base_of(const Bytes& result);

// What is known of a search for bases, and what is still to be asked.

// When a task is given out.
enum class Urgency {
    first,  // others follow from it
    usual,
    last,     // it fills the time while others are waited for
    closing,  // nothing follows from it
};

class BoundAnswers {
  public:
    bool was_asked(const BoundTask& task) const { return answers_.contains(to_bytes(task)); }

    // The answer; none as yet where this is asked for the first time, or not answered.
    const Bytes* ask(const BoundTask& task, Urgency urgency = Urgency::usual) {
        const auto [answer, is_new] = answers_.try_emplace(to_bytes(task));
        if (is_new) waiting_[static_cast<std::size_t>(urgency)].push_back(answer->first);
        return answer->second ? &*answer->second : nullptr;
    }

    // Of the most urgent, `least` at least, the first that was asked and not given before.
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

// The bases from 1 to largest_base in parts of one ratio, each searched by itself: what is found in
// a part depends on its ends alone, and on whether the next one's first base holds.
//
// A part is searched up to its first base that holds, which is proved. From there on bases of a
// ratio are tried; below one that fails ends an island, and above it is searched for the next.

class BaseParts {
  public:
    BaseParts(const BoundScope& scope, BoundAnswers& answers);

    std::size_t size() const { return starts_.size() - 1; }
    double start(std::size_t k) const { return starts_[k]; }  // and of `size()`, where they end
    std::size_t part_of(double base) const;

    // The first base of part k that holds. None while it is not known; what is missing is asked.
    // `probably_holds`: its first base is tried before all others.
    std::optional<Ascent> first(std::size_t k, bool probably_holds);

    // The islands of part k up to `last`; likewise. One that continues in the next part ends at the
    // part's end and has no position, as has one that reaches `last`.
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

// The proved search for bases that hold, as tasks: from base 1 up to the infimum, islands above it,
// and round bases. Idle threads and ranks continue with islands before the infimum is known, as far
// as they will be asked for in any case.

class BaseSearch : public TaskSource {
  public:
    explicit BaseSearch(const BaseQuestion& question);

    std::optional<Bytes> next() override;
    void take(const Bytes& task, const Bytes& result) override;
    Bytes perform(const Bytes& task) const override;

    // When there is nothing left.
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
    std::size_t opened_ = 0;  // parts
    std::size_t lowest_ = 0;  // part that may have a base that holds
    double least_holding_;    // that was found so far
    std::optional<IslandEnd> infimum_;
    bool is_proved_ = true;  // that no base below holds
    std::size_t rounds_ = 0, rounds_failed_ = 0;
};

}  // namespace rope
