// Article 002, §2: ChatGLM-6B's cache in half precision.
#include <cmath>

#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/angle_error.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

using enum Format;

double distinct(Format format, std::uint64_t last) {
    return static_cast<double>(distinct_positions(format, last));
}

void derive_positions(Derivation& d) {
    d.say(
        "t = arange(seq_len, dtype=inv_freq.dtype) is float16, which has 11 significant bits: "
        "whole numbers are exact up to 2048.");
    const double kept =
        d.number("different positions of 0 … 2047 in float16", distinct(float16, 2047), "2048");
    d.confirm("Below 2048 all positions are their own.", kept == 2048);
    d.say("Beyond 2048 the spacing is 2, then 4, 8, …, and the largest number is 65504.");
    double lost = 0;
    while (round_to(float16, lost) == lost) ++lost;
    d.number("first whole number that float16 lacks", lost, "2049");
    const double collapsed =
        d.number("different positions of 0 … 4096", distinct(float16, 4096), "3073");
    d.number("different positions of 0 … 65519", distinct(float16, 65519), "7168");
    double last = 65000;
    while (std::isfinite(round_to(float16, last))) ++last;
    d.number("first position that overflows to infinity", last, "65520");
    d.say("bfloat16 has 8 bits.");
    d.number("different positions of 0 … 511 in bfloat16", distinct(bfloat16, 511), "385");
    d.refute("Beyond, neighbours share a position; from 65520 on cos is that of infinity, NaN.",
             collapsed < 4097);
}

void derive_cache(Derivation& d) {
    d.say(
        "inv_freq, t and their product are float16. Each rounding is relative, so "
        "the worst |computed − mθ| grows with m. ChatGLM-6B turns 64 lanes for each of two axes.");
    const AngleRounding half{float16, float16, float16};
    const auto worst = [&](std::uint32_t dim, std::uint64_t positions) {
        return worst_angle_error(dim, 1e4, half, 0, positions - 1);
    };
    const double at_512 = d.number("below 512, d = 64", worst(64, 512), "0.21", "rad");
    d.number("below 1024, d = 64", worst(64, 1024), "0.41", "rad");
    const double at_2048 = d.number("below 2048, d = 64", worst(64, 2048), "0.82", "rad");
    d.number("below 2048, d = 128", worst(128, 2048), "0.98", "rad");
    d.refute(
        "The angles are wrong by a fifth of a radian within 512 positions. The model was "
        "trained with these; a port must round alike.",
        at_512 > 0.1 && at_2048 > at_512);
}

void derive_precision_argument(Derivation& d) {
    d.say(
        "With precision = bfloat16 the angles become float32 before cos and sin: after the "
        "product in float16, which has lost its bits by then.");
    const AngleRounding half{float16, float16, float16}, exact_product{float16, float16, float32};
    const double widened = d.number("worst error below 2048, d = 64, widened after the product",
                                    worst_angle_error(64, 1e4, half, 0, 2047), "0.82", "rad");
    const double before =
        d.number("the same, widened before the product",
                 worst_angle_error(64, 1e4, exact_product, 0, 2047), "0.325", "rad");
    const double fixed = d.number("the same, float32 throughout",
                                  worst_angle_error(64, 1e4, {}, 0, 2047), "7.2e-5", "rad");
    d.refute("Widening the angle mends nothing; inv_freq itself must be float32.",
             widened > 0.8 && before > 0.3 && fixed < 1e-3);
}

void derive_permutation(Derivation& d) {
    using enum PairLayout;
    d.say(
        "cat((freqs, freqs)) pairs i with i + d/2, unlike the paper: another order of the same "
        "lanes. Take q at 3 and k at 1, d = 4.");
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const auto score = [&](PairLayout of_q, PairLayout of_k) {
        const Vector& own_q = of_q == half_split ? q : interleaved_lanes(q);
        const Vector& own_k = of_k == half_split ? k : interleaved_lanes(k);
        return dot(rotated(own_q, plan, of_q, 3), rotated(own_k, plan, of_k, 1));
    };
    const BigReal halves =
        d.number("score, both in halves", score(half_split, half_split), "3.570765");
    const BigReal both =
        d.number("score, both in the paper's order", score(interleaved, interleaved), "3.570765");
    d.confirm("If both q and k are permuted, the scores are the same.",
              absolute(halves - both) < real(0x1p-290));
    d.say("Now permute k alone.");
    const BigReal mixed = d.number("score, q in halves and k in the paper's order",
                                   score(half_split, interleaved), "18.886722");
    d.refute("If only one is, they are not.", absolute(mixed - halves) > real(0.1));
}

constexpr Entry chatglm_cache_entries[] = {
    {"002-half-positions", "§2, forward", "Positions may be kept in float16.", Status::on_a_range,
     derive_positions},
    {"002-half-cache", "§2, inv_freq.half()", "The cache of cos and sin is right in float16.",
     Status::false_as_stated, derive_cache, "rope-check verify --dim 64 --pipeline chatglm-fp16"},
    {"002-precision-argument", "§2, precision", "precision = bfloat16 makes the angles exact.",
     Status::false_as_stated, derive_precision_argument},
    {"002-permutation", "§2, cat", "Another permutation obtains the same calculation.",
     Status::on_a_range, derive_permutation},
};

}  // namespace

std::span<const Entry> chatglm_cache() { return chatglm_cache_entries; }

}  // namespace rope::ledger
