#include "rope/checks/pair_block.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "rope/columns/pair_columns.hpp"

namespace rope {

std::vector<double> PairBlock::largest_norms() const {
    std::vector<double> norms(pairs.count);
    for (const Octave& octave : octaves)
        for (std::size_t i = 0; i < octave.norm.size(); ++i)
            norms[i] = std::max(norms[i], octave.norm[i]);
    return norms;
}

void PairBlock::merge(const PairBlock& later) {
    octaves.resize(std::max(octaves.size(), later.octaves.size()));
    for (std::size_t j = 0; j < later.octaves.size(); ++j) {
        if (later.octaves[j].square.empty()) continue;
        Octave& octave = octaves[j];
        octave.last_position = later.octaves[j].last_position;
        octave.square.resize(pairs.count);
        octave.norm.resize(pairs.count);
        for (std::uint32_t i = 0; i < pairs.count; ++i) {
            octave.square[i] = std::max(octave.square[i], later.octaves[j].square[i]);
            octave.norm[i] = std::max(octave.norm[i], later.octaves[j].norm[i]);
        }
    }
}

void exchange(Archive& archive, Octave& octave) {
    archive(octave.last_position, octave.square, octave.norm);
}

void exchange(Archive& archive, PairBlock& block) {
    archive(block.pairs.first, block.pairs.count, block.octaves, block.prefixes, block.whole);
}

Prefixes search_prefixes(const Comparison& comparison, const PairBlock& block,
                         std::uint32_t first) {
    const std::uint32_t count = std::min(searched_together, block.pairs.count - first);
    PairColumns columns(comparison, {block.pairs.first + first, count});
    columns.read_all();
    const std::vector<double> norms = block.largest_norms();
    return columns.worst_by_prefix(std::span(norms).subspan(first, count));
}

void keep(PairBlock& block, std::uint32_t first, Prefixes found) {
    for (std::size_t j = 0; j < found.size(); ++j) {
        block.prefixes[first + j] = std::move(found[j]);
        block.whole[first + j] = 1;
    }
}

double pair_allowance(const Comparison& comparison, double position, std::uint32_t pair) {
    const double epsilon = comparison.effective_allowance(position, pair);
    return 2 * epsilon + epsilon * epsilon;
}

void add_to(WorstCase& worst_case, const Comparison& comparison, const PairBlock& block,
            std::uint32_t i) {
    const std::uint32_t pair = block.pairs.first + i;
    for (const PrefixWorst& prefix : block.prefixes[i]) {
        const WorstPair& worst = prefix.worst;
        worst_case.add(worst.error, pair_allowance(comparison, prefix.last_position, pair),
                       [&] { return Witness{{worst.m, worst.n}, pair, worst.error, 0}; });
    }
}

}  // namespace rope
