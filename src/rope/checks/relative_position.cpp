#include "rope/checks/relative_position.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/checks/pair_columns.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

constexpr std::uint64_t always_searched = 1024;
constexpr std::uint32_t searched_together = 8;  // pairs of one vector register

// Octave j is the positions from 2^(j−1) to 2^j − 1; 0 is position 0.
std::size_t octave_of(std::uint64_t position) {
    return static_cast<std::size_t>(std::bit_width(position));
}

// Every pair of a column whose |w|² is at most `square`, our own doubles' 2^-46 included.
double bound_of(double square) {
    const double r = std::sqrt(square);
    return (2 * r + r * r) * (1 + 0x1p-40) + 0x1p-46;
}

double allowance(double epsilon) { return 2 * epsilon + epsilon * epsilon; }

}  // namespace

RelativePosition::RelativePosition(const Trial& trial, PairRange pairs)
    : trial_(trial), parts_(1), columns_(std::make_unique<PairColumns>(trial, pairs)) {
    parts_[0].pairs = pairs;
    parts_[0].prefixes.resize(pairs.count);
    parts_[0].whole.resize(pairs.count);
}
RelativePosition::~RelativePosition() = default;

void RelativePosition::observe(const Tile& tile) {
    Part& part = parts_.back();
    const std::size_t rows = tile.positions.size(), stride = tile.pairs.count;
    samples_ += rows * stride;
    if (tile.positions[0] < always_searched) columns_->observe(tile);
    for (std::size_t begin = 0, end = 0; begin < rows; begin = end) {
        const std::size_t octave = octave_of(tile.positions[begin]);
        while (end < rows && octave_of(tile.positions[end]) == octave) ++end;
        if (part.octaves.size() <= octave) part.octaves.resize(octave + 1);
        part.octaves[octave].last_position = tile.positions[end - 1];
        part.octaves[octave].square.resize(stride);
        const std::size_t k = begin * stride;
        kernels().checks->radii(end - begin, stride, 1 / trial_.own_amplitude, tile.cos + k,
                                tile.sin + k, tile.own_cos + k, tile.own_sin + k,
                                part.octaves[octave].square.data());
    }
}

void RelativePosition::settle() {
    if (!columns_) return;
    Part& part = parts_.back();
    for (std::uint32_t i = 0; i < part.pairs.count; ++i) {
        part.prefixes[i] = columns_->settle(i);
        // a tile that reaches beyond
        std::erase_if(part.prefixes[i], [](const PrefixWorst& prefix) {
            return prefix.last_position >= always_searched;
        });
    }
    columns_.reset();
}

void RelativePosition::merge(RowCheck& other) {
    settle();
    auto& next = static_cast<RelativePosition&>(other);
    next.settle();
    samples_ += next.samples_;
    Part& part = parts_.back();
    for (Part& later : next.parts_) {
        if (later.pairs.first != part.pairs.first) {
            parts_.push_back(std::move(later));
            continue;
        }
        part.octaves.resize(std::max(part.octaves.size(), later.octaves.size()));
        for (std::size_t j = 0; j < later.octaves.size(); ++j) {
            if (later.octaves[j].square.empty()) continue;
            Octave& octave = part.octaves[j];
            octave.last_position = later.octaves[j].last_position;
            octave.square.resize(part.pairs.count);
            for (std::uint32_t i = 0; i < part.pairs.count; ++i)
                octave.square[i] = std::max(octave.square[i], later.octaves[j].square[i]);
        }
    }
}

// Per pair its most suspicious prefix, the most suspicious first.
std::vector<RelativePosition::Candidate> RelativePosition::candidates() const {
    std::vector<Candidate> found;
    for (std::size_t p = 0; p < parts_.size(); ++p)
        for (std::uint32_t i = 0; i < parts_[p].pairs.count; ++i) {
            Candidate worst{0, 1, p, i};
            double square = 0;
            for (const Octave& octave : parts_[p].octaves) {
                if (octave.square.empty()) continue;
                square = std::max(square, octave.square[i]);
                if (octave.last_position < always_searched) continue;
                const double bound = bound_of(square);
                const double allowed = allowance(
                    trial_.own_allowance(octave.last_position, parts_[p].pairs.first + i));
                if (bound * worst.allowed >= worst.bound * allowed) {
                    worst.bound = bound;
                    worst.allowed = allowed;
                }
            }
            if (worst.bound > 0) found.push_back(worst);
        }
    std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return a.bound * b.allowed > b.bound * a.allowed;
    });
    return found;
}

// Every prefix of a pair and of those beside it.
void RelativePosition::search(Part& part, std::uint32_t i) {
    const std::uint32_t first = i / searched_together * searched_together;
    const std::uint32_t count = std::min(searched_together, part.pairs.count - first);
    PairColumns columns(trial_, {part.pairs.first + first, count});
    columns.read_all();
    for (std::uint32_t j = 0; j < count; ++j) {
        part.prefixes[first + j] = columns.settle(j);
        part.whole[first + j] = true;
    }
}

void RelativePosition::tally(Tally& tally, const Part& part, std::uint32_t i) const {
    const std::uint32_t pair = part.pairs.first + i;
    for (const auto& [last_position, worst] : part.prefixes[i])
        tally.add(worst.error, allowance(trial_.own_allowance(last_position, pair)),
                  [&] { return Witness{{worst.m, worst.n}, pair, worst.error, 0}; });
}

void RelativePosition::tally_all(Tally& tally) const {
    for (const Part& part : parts_)
        for (std::uint32_t i = 0; i < part.pairs.count; ++i) this->tally(tally, part, i);
}

std::vector<WorstPair> RelativePosition::worst_pairs() {
    settle();
    std::vector<WorstPair> worst(trial_.spec.pairs());
    for (Part& part : parts_)
        for (std::uint32_t i = 0; i < part.pairs.count; ++i) {
            if (!part.whole[i]) search(part, i);
            worst[part.pairs.first + i] = part.prefixes[i].back().worst;
        }
    return worst;
}

void RelativePosition::report_to(Finding& finding) {
    settle();
    Tally found;
    tally_all(found);
    for (const Candidate& candidate : candidates()) {
        if (!found.is_worse(candidate.bound, candidate.allowed)) break;
        Part& part = parts_[candidate.part];
        if (part.whole[candidate.pair]) continue;
        search(part, candidate.pair);
        for (std::uint32_t i = 0; i < part.pairs.count; ++i)
            if (part.whole[i]) tally(found, part, i);
    }
    Tally in_order;  // of pairs and prefixes, whichever was searched first
    in_order.add_samples(samples_);
    tally_all(in_order);
    in_order.report_to(finding);
    const std::uint64_t rows = trial_.subject.rows();
    finding.fields.emplace_back("position_pairs", rows * rows);
}

std::unique_ptr<RowCheck> make_relative_position(const Trial& trial, PairRange pairs) {
    return std::make_unique<RelativePosition>(trial, pairs);
}

}  // namespace rope
