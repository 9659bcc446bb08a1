// The proved search for bases that hold, as tasks: from base 1 up to the infimum, islands above it,
// and round bases. Idle threads and ranks continue with islands before the infimum is known, as far
// as they will be asked for in any case.
#pragma once

#include "base/task_source.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/base_bound/base_parts.hpp"

namespace rope {

class BaseSearch : public TaskSource {
  public:
    // What is found is the same for any number of workers.
    BaseSearch(const BaseQuestion& question, unsigned workers);

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
    std::optional<Bytes> next_spare();
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
