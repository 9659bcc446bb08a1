// Frequencies of each pair compared with the unscaled ones, and the differences between two Specs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

// One quantity of two Specs; `relative` is |a − b|/max(|a|, |b|), or 0 if both are 0.
struct Contrast {
    double a = 0, b = 0;
    double relative = 0;
};

// m·|θ_a − θ_b|: difference of the angles of one pair at position m.
struct AngleDifference {
    std::uint64_t position;
    double worst;              // radians, whole turns included
    std::uint32_t pair;        // the pair with the largest difference
    std::uint32_t pairs_lost;  // pairs a quarter turn or more apart, whose score is meaningless
};

struct Difference {
    Spec a, b;
    std::vector<Contrast> inv_freq;  // for the pairs of both Specs
    std::uint32_t worst_pair = 0;    // first pair with the largest relative difference
    Contrast attention_factor;
    Contrast softmax_scale_factor;
    std::vector<AngleDifference> angles;  // one for each given position, in order

    const Contrast& worst() const { return inv_freq[worst_pair]; }
};

// Two units in the last place of float32. Smaller relative differences are ignored, since inv_freq
// is stored in float32 (and so are the factors of llama3 and longrope in GGUF).
inline constexpr double same_in_float32 = 0x1p-22;

// Compares two valid Specs; inv_freq is computed at exact_precision.
Difference difference(const Spec& a, const Spec& b, std::span<const std::uint64_t> positions);

// Returns the names of the properties that make the rotations differ: head_dim, rotary_dim,
// rotary_offset, layout, direction, axes, inv_freq and attention_factor, the last two if their
// relative difference exceeds `tolerance`. softmax_scale_factor is ignored, since it rotates
// nothing.
std::vector<std::string> differing(const Difference& difference,
                                   double tolerance = same_in_float32);

// Effect of a rope_type on the frequency of a pair:
//   unscaled      none: inv_freq = base^(-2i/d)
//   blended       divided by less than the factor of the type: a blend (llama3, yarn)
//   interpolated  divided by the full factor, or by a factor of this pair (longrope, ntk)
//   still         inv_freq = 0: the pair does not rotate (proportional)
enum class Band { unscaled, blended, interpolated, still };

std::string_view to_string(Band band);

struct SpectralPair {
    double inv_freq;    // radians per position, correctly rounded
    double unscaled;    // base^(-2i/d), correctly rounded
    double divisor;     // unscaled/inv_freq; infinite if still
    double wavelength;  // positions per turn, 2π/inv_freq; infinite if still
    Band band;

    double turns(double positions) const { return positions / wavelength; }
};

// Returns all pairs of a valid Spec.
std::vector<SpectralPair> spectrum(const Spec& spec);

// A run of neighbouring pairs in one band.
struct BandRun {
    std::uint32_t first, last;  // pairs, inclusive
    Band band;
    double least, most;  // smallest and largest divisor, equal if all pairs have the same
};
std::vector<BandRun> band_runs(std::span<const SpectralPair> pairs);

// The number of dimensions whose pairs complete a turn during training. At longer lengths the
// others reach angles that they never had in training.  (Liu et al., Scaling Laws of RoPE-based
// Extrapolation, arXiv 2310.05209)
struct CriticalDimension {
    std::uint64_t trained_length;
    std::string_view length_key;            // of the config; models may be trained at less
    std::vector<std::uint32_t> never_turn;  // pairs with wavelength > trained_length
    std::uint32_t counted;                  // dimensions of all other pairs
    std::optional<std::uint32_t> formula;   // only if training used the frequencies base^(-2i/d)
};

// Returns false for a longrope with one list for all lengths, whose
// original_max_position_embeddings is max_position_embeddings. A GGUF stores llama3 so and does not
// keep its original length.
bool has_trained_length(const Spec& spec);

// Returns the critical dimension. The trained length is original_max_position_embeddings if set,
// else max_position_embeddings. Types that extend a trained model were trained unscaled; all others
// with the frequencies of the plan.
CriticalDimension critical_dimension(const Spec& spec, std::span<const SpectralPair> pairs);

// Returns 2⌈(d/2)·log_b(T/2π)⌉ for training length T, clamped to 0 … d: for a small base it exceeds
// d, e.g. 134 for d = 128, b = 500, T = 4096.
std::uint32_t critical_dimension(std::uint32_t rotary_dim, double base, std::uint64_t length);

}  // namespace rope
