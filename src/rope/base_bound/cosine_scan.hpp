// B at many distances of one base, 64 at a time. The distances m ± (b + ½) of a centre m share
// their products:
//   P = Σ cos(mθ)·cos((b+½)θ),  Q = Σ sin(mθ)·sin((b+½)θ),  B(m ± (b+½)) = P ∓ Q
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/base_bound/cosine_sum.hpp"
#include "rope/number/memory.hpp"

namespace rope {

class CosineScan {
  public:
    static constexpr std::size_t size = 64;
    static constexpr std::size_t run_size = 32 * size;  // cheapest from its first block on

    explicit CosineScan(const CosineSum& sum);

    const CosineSum& sum() const { return sum_; }

    // B at first … first + 63, `first` a multiple of 64. Returns the least.
    double fill(std::uint64_t first, double* values);

    // At most each of these, by sums in float32: less than the least by up to 2P(1.01·P + 10)·2^-24
    // of P pairs.
    double lower_bound(std::uint64_t first);

    // The least of the sums of the rotating pairs in float32 at a block's distances, from cosines
    // and sines of its centre.
    double least_about(const float* cosine, const float* sine);

  private:
    static constexpr std::size_t half = size / 2;
    static constexpr std::size_t rows = run_size / size;  // centres that are turned from one seed

    void prepare_rows();
    void prepare_near_offsets();
    void prepare_floats();
    void seed(std::uint64_t first, std::uint64_t twice_centre);
    std::size_t row_of(std::uint64_t first);

    // of (b + ½)θ for one pair
    template <class Number>
    struct Offsets {
        Number cosine[half], sine[half];
    };
    // of an angle for each pair, or of several, one after the other
    template <class Number>
    struct Angles {
        AlignedVector<Number> cosine, sine;
        void resize(std::size_t n) { cosine.resize(n), sine.resize(n); }
    };

    const CosineSum& sum_;
    AlignedVector<Offsets<double>> offsets_;
    Angles<double> rows_, seed_, centre_;  // rows: 0, and centres as seen from the seed
    std::uint64_t seeded_ = ~std::uint64_t{0};

    AlignedVector<Offsets<float>> near_offsets_;  // the same in float32
    Angles<float> none_;                          // turns nothing
    Angles<float> near_rows_, near_seed_;
    bool is_near_seed_ = false;
};

// The first s ≤ last with B(s) < 0.
std::optional<std::uint64_t> first_negative(const CosineSum& sum, std::uint64_t last);

// Whether there is one; the late ones, which fail a base that nearly holds, are looked for first.
bool is_ever_negative(const CosineSum& sum, std::uint64_t last);

// The blocks of a CosineScan that are the most promising where B is to be negative.

struct RatedBlock {
    std::uint64_t first;
    double low;    // B is at least this
    double merit;  // the greater, the better
};

enum class Merit {
    depth,  // −B
    reach,  // −B/s² where B < 0; −B elsewhere, which is less than any of these
};

struct BestBlocks {
    std::vector<RatedBlock> blocks;  // the best first; those of `most`, or somewhat fewer
    bool has_all;                    // B > 0 at all other distances to the context
    std::uint64_t seen;              // blocks, or passed over: a look ends where no better can be
};

BestBlocks best_blocks(const CosineSum& sum, std::uint64_t context, std::size_t most, Merit merit);

// The blocks of distances that a base fails at first, just below one at which B is known.

class LowBlocks {
  public:
    // Those at which B is least. What fails a base just below is among them, mostly.
    LowBlocks(PairCounts pairs, std::uint64_t context, double base);

    // Whether B > 0 at all other distances, at the base that it was made for.
    bool has_all() const { return has_all_; }

    // At this base, at most that of the call before: the negative distance of these blocks whose
    // root is furthest below it by Newton's method.
    std::optional<std::uint64_t> furthest(double base);

  private:
    struct Block {
        std::uint64_t first;
        double low, base;  // B ≥ low at this base
    };
    PairCounts pairs_;
    std::uint64_t context_;
    std::vector<Block> blocks_;
    bool has_all_;
};

// The blocks of a CosineScan at which B is low, in order; stretches of many at which it is not are
// passed over in one step.
//
// Within h of a centre m a slow pair has hardly turned: with c, s = cos mθ, sin mθ
//     cos(xθ) ≥ min(c, c·cos hθ) − |s|·sin hθ,   |x − m| ≤ h,  hθ ≤ π/2
// A fast one counts as −1. What this does not exclude of a stretch is divided by eight, down to the
// blocks.

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
