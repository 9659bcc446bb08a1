#include "rope/judge/ordered_merge.hpp"

namespace rope {

void OrderedMerge::add(std::uint64_t k, RowChecks checks) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(k, std::move(checks));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; ++next_) {
        if (next_ == 0)
            merged_ = std::move(first->second);
        else
            for (std::size_t c = 0; c < merged_.size(); ++c) merged_[c]->merge(*first->second[c]);
        first = waiting_.erase(first);
    }
}

}  // namespace rope
