// The blocks of a CosineScan at which B is low, in order; stretches of many at which it is not are
// passed over in one step.
//
// Within h of a centre m a slow pair has hardly turned: with c, s = cos mθ, sin mθ
//     cos(xθ) ≥ min(c, c·cos hθ) − |s|·sin hθ,   |x − m| ≤ h,  hθ ≤ π/2
// A fast one counts as −1. What this does not exclude of a stretch is divided by eight, down to the
// blocks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/cosine_sum/cosine_scan.hpp"
#include "rope/number/memory.hpp"

namespace rope {

struct LowBlock {
    std::uint64_t first;
    double low;  // B is at least this
};

class LowStretches {
  public:
    static constexpr std::uint64_t longest = 32768;  // distances

    explicit LowStretches(CosineScan& scan);

    // The first block from `first`, a multiple of 64, to before `end` whose `low` is at most
    // `limit`; in those before it B is greater. `low` is less than the least B by up to
    // 2P(1.5·P + 33)·2^-24 of P pairs. Quickest from one block to the next.
    std::optional<LowBlock> next(std::uint64_t first, std::uint64_t end, double limit);

  private:
    struct Rows {
        AlignedVector<float> c, s;
    };
    // Stretches of one length.
    struct Level {
        std::uint64_t length = 0;
        Rows centres;               // as seen from the centre of the longer one
        Rows reach;                 // hθ; 0 of a fast pair
        AlignedVector<float> slow;  // 1; 0 of a fast pair

        std::uint64_t first = ~std::uint64_t{0};  // of the stretch entered last
        Rows centre;
        double low = 0;  // B is at least this
    };

    void prepare();
    Rows rows_of(const std::vector<Phase>& twice_distances) const;
    void enter(std::size_t depth, std::uint64_t first);
    std::uint64_t end_of_high(std::uint64_t first, double limit);

    CosineScan& scan_;
    const std::vector<Phase>& half_rate_;
    double constant_;              // passing pairs, less what rounding may add
    std::array<Level, 4> levels_;  // the longest first
    Rows seed_;                    // the centre of a longest one, itself
    bool is_prepared_ = false;
};

}  // namespace rope
