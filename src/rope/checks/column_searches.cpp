#include "rope/checks/column_searches.hpp"

#include <algorithm>
#include <cmath>

#include "rope/comparison/sweep.hpp"

namespace rope {
namespace {

// Every pair of a column whose |w|² is at most `square` and whose |v|² is at most `norm`, our own
// doubles' 2^-46 included.
double bound_of(double square, double norm) {
    const double r = std::sqrt(square);
    return std::min(2 * r + r * r, norm + 1) * (1 + 0x1p-40) + 0x1p-46;
}

}  // namespace

ColumnSearches::ColumnSearches(const Comparison& comparison, std::vector<PairBlock>& blocks)
    : comparison_(comparison), blocks_(blocks) {
    for (std::size_t p = 0; p < blocks.size(); ++p)
        for (std::uint32_t i = 0; i < blocks[p].pairs.count; ++i) {
            add_to(found_, comparison, blocks[p], i);
            if (const auto candidate = most_suspicious_prefix(p, i))
                candidates_.push_back(*candidate);
        }
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return a.bound * b.allowed > b.bound * a.allowed;
    });
    count_found();
}

std::optional<ColumnSearches::Candidate> ColumnSearches::most_suspicious_prefix(
    std::size_t block, std::uint32_t i) const {
    Candidate worst{0, 1, block, i};
    double square = 0, norm = 0;
    for (const Octave& octave : blocks_[block].octaves) {
        if (octave.square.empty()) continue;
        square = std::max(square, octave.square[i]);
        norm = std::max(norm, octave.norm[i]);
        if (std::abs(octave.last_position) < near_positions) continue;
        const double bound = bound_of(square, norm);
        const double allowed =
            pair_allowance(comparison_, octave.last_position, blocks_[block].pairs.first + i);
        if (bound * worst.allowed >= worst.bound * allowed) {
            worst.bound = bound;
            worst.allowed = allowed;
        }
    }
    return worst.bound > 0 ? std::optional(worst) : std::nullopt;
}

ColumnSearches::Search ColumnSearches::search_of(const Candidate& candidate) {
    return {candidate.block, candidate.pair - candidate.pair % searched_together};
}

bool ColumnSearches::matters(const Candidate& candidate) const {
    return found_.is_worse(candidate.bound, candidate.allowed);
}

bool ColumnSearches::is_whole(const Candidate& candidate) const {
    return blocks_[candidate.block].whole[candidate.pair] != 0;
}

std::optional<Bytes> ColumnSearches::next() {
    for (std::size_t k = counted_; k < candidates_.size() && matters(candidates_[k]); ++k) {
        const Search search = search_of(candidates_[k]);
        if (is_whole(candidates_[k]) || !searches_.try_emplace(search).second) continue;
        return to_bytes(search);
    }
    return std::nullopt;
}

Bytes ColumnSearches::perform(const Bytes& task) const {
    const auto [block, first] = value_of<Search>(task);
    return archived(
        search_prefixes(comparison_, blocks_[block], static_cast<std::uint32_t>(first)));
}

void ColumnSearches::take(const Bytes& task, const Bytes& result) {
    searches_[value_of<Search>(task)] = read_archived<Prefixes>(result);
    count_found();
}

void ColumnSearches::count_found() {
    for (; counted_ < candidates_.size() && matters(candidates_[counted_]); ++counted_) {
        const Candidate& candidate = candidates_[counted_];
        if (is_whole(candidate)) continue;
        const Search search = search_of(candidate);
        const auto known = searches_.find(search);
        if (known == searches_.end() || !known->second) return;
        PairBlock& block = blocks_[candidate.block];
        keep(block, static_cast<std::uint32_t>(search[1]), std::move(*known->second));
        for (std::uint32_t i = 0; i < block.pairs.count; ++i)
            if (block.whole[i] != 0) add_to(found_, comparison_, block, i);
    }
}

}  // namespace rope
