// Each pair's frequency compared with the unscaled one, and the difference of two Specs, pair by
// pair.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

// What sets two Specs apart, pair by pair.

// Two numbers of the same meaning; `relative` is |a − b|/max(|a|, |b|), 0 where both are 0.
struct Contrast {
    double a = 0, b = 0;
    double relative = 0;
};

// m·|θ_a − θ_b|: how far apart the two turn the same pair at position m.
struct AngleDifference {
    std::uint64_t position;
    double worst;              // radians, whole turns included
    std::uint32_t pair;        // where
    std::uint32_t pairs_lost;  // off by a quarter turn or more: there the score has no meaning left
};

struct Difference {
    Spec a, b;
    std::vector<Contrast> inv_freq;  // of the pairs that both have
    std::uint32_t worst_pair = 0;    // the first with the largest relative difference
    Contrast attention_factor;
    Contrast softmax_scale_factor;
    std::vector<AngleDifference> angles;  // at the given positions, in their order

    const Contrast& worst() const { return inv_freq[worst_pair]; }
};

// Two units in the last place of a float32: what is closer turns the same, since a float32 is what
// inv_freq is kept in (GGUF keeps the factors of llama3 and longrope so).
inline constexpr double same_in_float32 = 0x1p-22;

// inv_freq is compared at exact_precision. Requires both valid.
Difference difference(const Spec& a, const Spec& b, std::span<const std::uint64_t> positions);

// The names of what turns a vector differently: head_dim, rotary_dim, rotary_offset, layout,
// direction, axes, inv_freq and attention_factor, the last two beyond a relative `tolerance`.
// Empty: both ask for the same rotation. softmax_scale_factor turns nothing.
std::vector<std::string> differing(const Difference& difference,
                                   double tolerance = same_in_float32);

// Every pair's frequency beside the one it has without scaling: how long its turn is, and what the
// rope_type did to it.

// What a rope_type did to a pair's frequency.
//   unscaled      nothing: inv_freq = base^(-2i/d)
//   blended       less than the type's whole divisor: between the two (llama3, yarn)
//   interpolated  divided by the type's whole divisor, or by one of the pair's own (longrope, ntk)
//   still         inv_freq = 0: the pair never turns (proportional)
enum class Band { unscaled, blended, interpolated, still };

std::string_view to_string(Band band);

struct SpectralPair {
    double inv_freq;    // radians per position, correctly rounded
    double unscaled;    // base^(-2i/d), the same
    double divisor;     // unscaled/inv_freq; infinite where still
    double wavelength;  // positions to a turn, 2π/inv_freq; infinite where still
    Band band;

    double turns(double positions) const { return positions / wavelength; }
};

// All pairs of the Spec. Requires validate(spec).
std::vector<SpectralPair> spectrum(const Spec& spec);

// Neighbouring pairs of one band; least = most where one divisor is all of theirs.
struct BandRun {
    std::uint32_t first, last;  // pairs, both inside
    Band band;
    double least, most;  // divisors
};
std::vector<BandRun> band_runs(std::span<const SpectralPair> pairs);

// The lanes whose pairs come round in training; the others meet angles beyond it that they never
// saw.  (Liu et al., Scaling Laws of RoPE-based Extrapolation, arXiv 2310.05209)
struct CriticalDimension {
    std::uint64_t trained_length;
    std::vector<std::uint32_t> never_turn;  // pairs with wavelength > trained_length
    std::uint32_t counted;                  // lanes of all others
    std::optional<std::uint32_t> formula;   // where training turned by base^(-2i/d)
};

// False for a longrope of one list for any length, original_max_position_embeddings or longer: what
// a GGUF has of llama3, whose original length it does not keep.
bool has_trained_length(const Spec& spec);

// Types that keep an original_max_position_embeddings were trained unscaled over it, dynamic and
// ntk over max_position_embeddings; all others over that length as they are planned.
CriticalDimension critical_dimension(const Spec& spec, std::span<const SpectralPair> pairs);

// 2⌈(d/2)·log_b(T/2π)⌉, clamped to 0 … d, which it leaves for a small base: 134 at d = 128,
// b = 500, T = 4096.
std::uint32_t critical_dimension(std::uint32_t rotary_dim, double base, std::uint64_t length);

}  // namespace rope
