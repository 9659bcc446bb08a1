// B at many distances of one base, 64 at a time. The distances m ± (b + ½) of a centre m share
// their products:
//   P = Σ cos(mθ)·cos((b+½)θ),  Q = Σ sin(mθ)·sin((b+½)θ),  B(m ± (b+½)) = P ∓ Q
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/cosine_sum/cosine_sum.hpp"
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

}  // namespace rope
