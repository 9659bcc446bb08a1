// R(m)ᵀR(n) = a²R(n − m) for every pair of positions, R turning by the subject's own frequencies.
//
// Of one pair of lanes, v_m = ẑ_m·conj(z̃_m·t)/a is 1 where row m is exact; t is a turn that all
// rows have in common, which no pair of positions shows. With w = v − 1 and r = max |w|,
//     E(m, n) = |conj(v_m)·v_n − 1| = |conj(w_m) + w_n + conj(w_m)·w_n| ≤ 2r + r²,
// so that one pass over L rows bounds the error of all L² pairs of positions. A row is to be within
// ε of its place, and a pair within 2ε + ε². ε grows with position: the rows up to each power of
// two have their own r and their own tolerance.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/checks/comparison.hpp"
#include "rope/number/memory.hpp"

namespace rope {

// t of each pair of lanes: e^{iδθ} where all rows are for the position δ beyond theirs.
class CommonTurn {
  public:
    // The direction of v in the subject's first row that has a value of the pair, which is the same
    // for all threads; 1 where that row is within its tolerance.
    CommonTurn(const Comparison& comparison, PairRange pairs);

    // The tile with z̃·t for its effective rows, valid until the next call. Values that are left out
    // keep z̃.
    Tile turned(Tile tile);

  private:
    void take(const Comparison& comparison, const Tile& tile, std::size_t row, std::uint32_t pair);

    bool is_any_ = false;
    std::vector<double> re_, im_;
    AlignedVector<double> cos_, sin_;
};

class RelativePosition final : public RowCheck {
  public:
    RelativePosition(const Comparison& comparison, PairRange pairs);

    void observe(const Tile& tile) override;
    void merge(RowCheck& next) override;
    void report_to(Finding& finding) override;

    // Octave j is the distances from 0 that are at least 2^(j−1) and below 2^j; octave 0 those
    // below 1.
    struct Octave {
        double last_position = 0;
        std::vector<double> square = {};  // the largest |w|² of each pair of lanes; empty: no rows
    };
    struct Lanes {  // of one range of pairs
        PairRange pairs;
        std::vector<Octave> octaves = {};
    };
    // The rows of a pair of lanes up to `last_position`: what no pair of positions exceeds.
    struct Bound {
        std::uint32_t pair = 0;
        double last_position = 0, error = 0, allowed = 1;
    };

  private:
    std::vector<Bound> bounds() const;

    const Comparison& comparison_;
    std::uint64_t samples_ = 0;
    std::vector<Lanes> lanes_;  // the last is being observed
    std::optional<CommonTurn> common_turn_;
};

}  // namespace rope
