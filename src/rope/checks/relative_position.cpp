#include "rope/checks/relative_position.hpp"

#include "rope/checks/checks.hpp"
#include "rope/checks/pair_columns.hpp"

namespace rope {

RelativePosition::RelativePosition(const Trial& trial)
    : trial_(trial), worst_(trial.spec.pairs()) {}
RelativePosition::~RelativePosition() = default;

void RelativePosition::observe(const Tile& tile) {
    if (!columns_ || columns_->pairs().first != tile.pairs.first) {
        settle();
        columns_ = std::make_unique<PairColumns>(trial_, tile.pairs);
    }
    columns_->observe(tile);
    tally_.add_samples(tile.positions.size() * tile.pairs.count);
}

void RelativePosition::settle() {
    if (!columns_) return;
    for (std::uint32_t i = 0; i < columns_->pairs().count; ++i) {
        const std::uint32_t pair = columns_->pairs().first + i;
        for (const PrefixWorst& prefix : columns_->settle(i)) {
            const double epsilon = trial_.own_allowance(prefix.last_position, pair);
            worst_[pair] = prefix.worst;
            tally_.add(prefix.worst.error, 2 * epsilon + epsilon * epsilon, [&] {
                return Witness{{prefix.worst.m, prefix.worst.n}, pair, prefix.worst.error, 0};
            });
        }
    }
    columns_.reset();
}

const std::vector<WorstPair>& RelativePosition::worst_pairs() {
    settle();
    return worst_;
}

void RelativePosition::report_to(Finding& finding) {
    settle();
    tally_.report_to(finding);
    const std::uint64_t rows = trial_.subject.rows();
    finding.fields.emplace_back("position_pairs", rows * rows);
}

std::unique_ptr<RowCheck> make_relative_position(const Trial& trial) {
    return std::make_unique<RelativePosition>(trial);
}

}  // namespace rope
