#include "rope/judge/judge_tasks.hpp"

#include <algorithm>

#include "rope/checks/error_map.hpp"
#include "rope/judge/registry.hpp"
#include "rope/report/report.hpp"

namespace rope {

JudgeTasks::JudgeTasks(const Comparison& comparison, std::span<Running> running, ErrorMap* errors,
                       unsigned workers, TaskCount* count)
    : comparison_(comparison), errors_(errors), count_(count), blocks_(comparison) {
    for (Running& run : running) {
        if (run.check->is<JudgeClaim>()) claims_.push_back(&run);
        if (run.check->is<MakeRowCheck>()) of_rows_.push_back(&run);
    }
    const bool has_rows = errors != nullptr || !of_rows_.empty();
    end_ = claims_.size() + (has_rows ? blocks_.size() : 0);
    // few enough that none waits long at the end, and as few messages as that allows
    longest_run_ = std::clamp<std::uint64_t>(blocks_.size() / workers / 16, 1, 16);
    if (count != nullptr) count->all += end_;
}

// Claims first: they last longest and wait for nothing.
std::optional<Bytes> JudgeTasks::next() {
    if (next_ == end_) return std::nullopt;
    Run run{next_, next_ + 1};
    if (next_ >= claims_.size()) run[1] = std::min(end_, next_ + longest_run_);
    next_ = run[1];
    return to_bytes(run);
}

RowChecks JudgeTasks::checks_of(PairRange pairs) const {
    RowChecks checks;
    for (const Running* run : of_rows_)
        checks.push_back(std::get<MakeRowCheck>(run->check->run)(comparison_, pairs));
    if (errors_ != nullptr) checks.push_back(make_error_map(*errors_, comparison_, pairs));
    return checks;
}

RowChecks JudgeTasks::observe(const Block& block) const {
    RowChecks checks = checks_of(block.pairs);
    Sweep(comparison_, block.pairs).run(block.rows, [&](const Tile& tile) {
        for (const auto& check : checks) check->observe(tile);
    });
    for (const auto& check : checks) check->finish();
    return checks;
}

Bytes JudgeTasks::perform(const Bytes& task) const {
    const auto [first, end] = value_of<Run>(task);
    if (first < claims_.size()) {
        const Check& check = *claims_[first]->check;
        Finding finding = finding_of(check);
        std::get<JudgeClaim>(check.run)(comparison_, finding);
        return archived(std::move(finding));
    }
    Archive archive;
    for (std::uint64_t k = first; k < end; ++k)
        for (const auto& check : observe(blocks_[k - claims_.size()])) check->exchange(archive);
    return archive.bytes();
}

void JudgeTasks::take(const Bytes& task, const Bytes& result) {
    const auto [first, end] = value_of<Run>(task);
    if (count_ != nullptr) count_->ended += end - first;
    if (first < claims_.size()) {
        claims_[first]->finding = read_archived<Finding>(result);
        return;
    }
    Archive archive(result);
    for (std::uint64_t k = first - claims_.size(); k < end - claims_.size(); ++k) {
        RowChecks checks = checks_of(blocks_[k].pairs);
        for (const auto& check : checks) check->exchange(archive);
        merge_.add(k, std::move(checks));
    }
}

void JudgeTasks::exchange(Archive& archive) {
    for (Running* claim : claims_) archive(claim->finding);
    for (const auto& check : merged_) check->exchange(archive);
}

Bytes JudgeTasks::outcome() {
    merged_ = merge_.take();
    Archive archive;
    exchange(archive);
    return archive.bytes();
}

void JudgeTasks::take_outcome(const Bytes& bytes) {
    if (end_ > claims_.size()) merged_ = checks_of(blocks_[0].pairs);
    Archive archive(bytes);
    exchange(archive);
}

void JudgeTasks::finish() {
    if (merged_.empty()) merged_ = merge_.take();
    if (errors_ != nullptr && !merged_.empty()) {
        Finding none;
        merged_.back()->report_to(none);
        merged_.pop_back();
    }
    for (std::size_t c = 0; c < merged_.size(); ++c) of_rows_[c]->rows = std::move(merged_[c]);
}

}  // namespace rope
