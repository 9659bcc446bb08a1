// B of one base at many distances, 64 at a time. The distances m ± (b + ½) around a centre m share
// their products:
//   P = Σ cos(mθ)·cos((b+½)θ),  Q = Σ sin(mθ)·sin((b+½)θ),  B(m ± (b+½)) = P ∓ Q
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/base_bound/cosine_sum.hpp"
#include "rope/exact/memory.hpp"

namespace rope {

class CosineScan {
  public:
    static constexpr std::size_t size = 64;
    static constexpr std::size_t run_size = 32 * size;  // distances that share a seed

    explicit CosineScan(const CosineSum& sum);

    const CosineSum& sum() const { return sum_; }

    // Writes B at first … first + 63 for a multiple `first` of 64. Returns the least.
    double fill(std::uint64_t first, double* values);

    // Returns a lower bound of these values from float32 sums, near_values() without the passing
    // pairs, which differ from B by at most near_error().
    double lower_bound(std::uint64_t first);
    const std::array<float, size>& near_values() const { return near_values_; }
    double near_error() const;

    // Returns the least float32 sum over the rotating pairs at a block's distances, given cos and
    // sin of its centre, padded with zeros to a multiple of 16.
    double least_about(const float* cosine, const float* sine);

  private:
    static constexpr std::size_t half = size / 2;
    static constexpr std::size_t rows = run_size / size;  // centres computed from one seed

    // cos and sin of one or several angles for each pair
    struct Angles {
        AlignedVector<double> cosine, sine;
        void resize(std::size_t n) { cosine.resize(n), sine.resize(n); }
    };

    template <class Number>
    AlignedVector<Number> offsets_of(std::size_t pairs) const;
    void prepare_rows();
    void seed(std::uint64_t first, std::uint64_t twice_centre);
    const Angles& centre_of(std::uint64_t first);

    const CosineSum& sum_;
    AlignedVector<double> offsets_;  // cos of (b + ½)θ, then sin, for one pair after another
    Angles rows_, seed_, centre_;    // rows: centres relative to the seed
    std::uint64_t seeded_ = ~std::uint64_t{0};

    std::size_t fast_ = 0;                          // the pairs from here on are slow
    AlignedVector<float> slow_, turned_;            // of NearPairs
    AlignedVector<float> near_offsets_;             // of the fast pairs, in float32
    AlignedVector<float> near_cosine_, near_sine_;  // of the centre
    std::array<float, size> near_values_;
};

// Returns the first s ≤ last with B(s) < 0.
std::optional<std::uint64_t> first_negative(const CosineSum& sum, std::uint64_t last);

// Returns whether B(s) < 0 for some s ≤ last. Searches from the end, where bases that nearly hold
// fail.
bool is_ever_negative(const CosineSum& sum, std::uint64_t last);

// A block of 64 distances, rated by how negative B may be in it.
struct RatedBlock {
    std::uint64_t first;
    double low;    // lower bound of B
    double merit;  // the larger, the better
};

enum class Merit {
    depth,  // −B
    reach,  // −B/s² if B < 0; else −B, which is smaller
};

struct BestBlocks {
    std::vector<RatedBlock> blocks;  // best first; at most `count`, or a few less
    bool has_all;                    // whether B > 0 at all other distances up to the context
    std::uint64_t seen;              // number of blocks examined or skipped before the end
};

BestBlocks best_blocks(const CosineSum& sum, std::uint64_t context, std::size_t count, Merit merit);

// The blocks with the lowest B at one base; slightly smaller bases mostly fail in one of them.

class LowBlocks {
  public:
    LowBlocks(PairCounts pairs, std::uint64_t context, double base);

    // Returns whether B > 0 at all other distances at the base given to the constructor.
    bool has_all() const { return has_all_; }

    // Returns, for a base at most that of the call before, the distance with B < 0 in these blocks
    // whose root lies furthest below the base by Newton's method.
    std::optional<std::uint64_t> furthest(double base);

  private:
    struct Block {
        std::uint64_t first;
        double low, base;  // B ≥ low at `base`
    };
    PairCounts pairs_;
    std::uint64_t context_;
    std::vector<Block> blocks_;
    bool has_all_;
};

// Finds the blocks with low B in order; long stretches with high B are skipped in one step.
//
// Within h of a centre m, a slow pair hardly changes: with c, s = cos mθ, sin mθ
//     cos(xθ) ≥ min(c, c·cos hθ) − |s|·sin hθ,   |x − m| ≤ h,  hθ ≤ π/2
// A fast pair counts as −1. A stretch that this does not exclude is divided by eight, down to
// single blocks.

struct LowBlock {
    std::uint64_t first;
    double low;  // lower bound of B
};

class LowStretches {
  public:
    static constexpr unsigned log_longest = 15, log_parts = 3;
    static constexpr std::uint64_t longest = 1 << log_longest;  // length in distances

    explicit LowStretches(CosineScan& scan);

    // Returns the first block in [first, end) whose `low` is at most `limit`, first being a
    // multiple of 64; B exceeds the limit in all blocks before it. With P pairs, `low` is below the
    // least B by up to 2P(1.5·P + 46)·2^-24. Fastest when called for one block after another.
    std::optional<LowBlock> next(std::uint64_t first, std::uint64_t end, double limit);

  private:
    struct Rows {
        AlignedVector<float> c, s;
    };
    // All stretches of one length.
    struct Level {
        Rows centres;               // relative to the centre of the next longer stretch
        Rows reach;                 // cos and sin of hθ; 0 for a fast pair
        AlignedVector<float> slow;  // 1 for a slow pair, 0 for a fast one

        std::uint64_t number = ~std::uint64_t{0};  // of the current stretch
        Rows centre;
        double low = 0;  // lower bound of B in it
    };

    void prepare();
    Rows rows_of(const std::vector<Phase>& twice_distances) const;
    void enter(std::size_t depth, std::uint64_t number);
    std::uint64_t end_of_high(std::uint64_t first, double limit);

    CosineScan& scan_;
    const std::vector<Phase>& half_rate_;
    double constant_;              // number of passing pairs minus the rounding error
    std::array<Level, 4> levels_;  // longest first
    Rows seed_;                    // centre of a longest stretch, not relative
    bool is_prepared_ = false;
};

}  // namespace rope
