// Article 002, §1: labml's module, and the article's statements about it.
#include <cmath>

#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace {

using enum PairLayout;

void derive_relative(Derivation& d) {
    d.say(
        "Two dimensions as a complex number: rotating by mθ multiplies by e^{imθ}. The score of q "
        "at m "
        "and k at n is Re(q·k̄·e^{i(m−n)θ}). Take d = 2, q = (1, 2), k = (3, −1).");
    const FrequencyPlan plan = base_rope(2);
    const auto score = [&](double m, double n) {
        return dot(rotated(vector_of({1, 2}), plan, half_split, m),
                   rotated(vector_of({3, -1}), plan, half_split, n));
    };
    const BigReal near = d.number("score at (m, n) = (7, 5)", score(7, 5), "-6.781228824326914255");
    const BigReal far =
        d.number("score at (1007, 1005)", score(1007, 1005), "-6.781228824326914255");
    d.confirm("It depends on m − n alone.", absolute(near - far) < real(0x1p-280));
}

void derive_pairing(Derivation& d) {
    d.say(
        "The text says that the paper pairs dimensions i and i + 1. For even i alone, that is (2i, "
        "2i + 1): each dimension in one pair. d = 8.");
    int of_even = 0, of_all = 0;
    for (int i = 0; i + 1 < 8; ++i) {
        ++of_all;
        if (i % 2 == 0) ++of_even;
    }
    const double even = d.number("pairs for even i", of_even, "4", "pairs");
    d.confirm("They are the d/2 pairs of the paper.", even == 4);
    d.say("Now take every i.");
    const double all = d.number("pairs for every i", of_all, "7", "pairs");
    d.refute("For every i they overlap, and there are d − 1.", all > even);
}

void derive_cache_index(Derivation& d) {
    d.say(
        "Row m of the cache is [mθ_0, …, mθ_{d/2−1}] twice. The comment in the listing counts to "
        "θ_{d/2}; the text below it stops right, but leaves out a cos. d = 4.");
    int named = 0;
    for (int i = 0; i <= 4 / 2; ++i) ++named;
    const double columns = d.number("columns that the comment names", 2.0 * named, "6");
    d.refute("The cache has d = 4 columns.", columns > 4);
}

void derive_example(Derivation& d) {
    d.say(
        "labml's test has rows (1, 2, 3, 4), (4, 5, 6, 7) and (7, 8, 9, 10) with d = 4, "
        "θ = (1, 1/100). Row 0 is not turned. Row 1, at m = 1, pairs 4 with 6 and 5 with 7.");
    const Vector row = rotated(vector_of({4, 5, 6, 7}), base_rope(4), half_split, 1);
    d.number("dimension 0, 4·cos 1 − 6·sin 1", row[0], "-2.887616685374820");
    d.number("dimension 1, 5·cos 0.01 − 7·sin 0.01", row[1], "4.929751168744160");
    d.number("dimension 2, 6·cos 1 + 4·sin 1", row[2], "6.607697774440424");
    d.number("dimension 3, 7·cos 0.01 + 5·sin 0.01", row[3], "7.049649169587490");
    d.confirm("The square of its length stays 4² + 5² + 6² + 7² = 126.",
              absolute(dot(row, row) - real(126)) < real(0x1p-290));
}

void derive_neg_half(Derivation& d) {
    d.say(
        "_neg_half(x) is (−x_{d/2}, …, −x_{d−1}, x_0, …, x_{d/2−1}). Multiplied by sin and added "
        "to x·cos it is the rotation of the pairs (i, i + d/2). At m = 1, d = 4, x = (4, 5, 6, "
        "7):");
    const FrequencyPlan plan = base_rope(4);
    const Vector x = vector_of({4, 5, 6, 7}), neg_half = vector_of({-6, -7, 4, 5});
    const Vector wanted = rotated(x, plan, half_split, 1);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal& theta = plan.pairs[i % 2].inv_freq;
        const BigReal lane = d.number("dimension " + std::string(1, static_cast<char>('0' + i)),
                                      x[i] * cosine(theta) + neg_half[i] * sine(theta),
                                      i == 0   ? "-2.887616685374820"
                                      : i == 1 ? "4.929751168744160"
                                      : i == 2 ? "6.607697774440424"
                                               : "7.049649169587490");
        apart = apart + absolute(lane - wanted[i]);
    }
    d.confirm("It is.", apart < real(0x1p-290));
}

// What RotaryPEMultiHeadAttention rotates by default: int(d_k·0.5) lanes.
std::uint64_t default_rotary_lanes(std::uint64_t d_k) { return d_k / 2; }

void derive_pass_through(Derivation& d) {
    d.say(
        "The text says that x_pass is normally empty. RotaryPEMultiHeadAttention's default "
        "rope_percentage is 0.5.");
    const double passing =
        d.number("dimensions of 64 that pass through by default",
                 static_cast<double>(64 - default_rotary_lanes(64)), "32", "dimensions");
    d.refute("By default half of them do.", passing > 0);
}

void derive_odd_part(Derivation& d) {
    d.say("The module must get an even width. int(d_k·0.5) is that if d_k is a multiple of 4.");
    const auto columns = [](std::uint64_t width) { return 2 * ((width + 1) / 2); };
    const std::uint64_t even = default_rotary_lanes(64), odd = default_rotary_lanes(6);
    d.number("columns for d_k = 64, of 32 dimensions", static_cast<double>(columns(even)), "32");
    d.number("columns for d_k = 6, of 3 dimensions", static_cast<double>(columns(odd)), "4");
    d.confirm("For d_k = 64 the table fits.", broadcast({8, even}, {8, columns(even)}).has_value());
    d.refute("For d_k = 6 it has a column too many, and torch raises an error.",
             !broadcast({8, odd}, {8, columns(odd)}));
}

constexpr Entry labml_module_entries[] = {
    {"002-relative-score", "§1", "Rotated queries and keys score by their relative position.",
     Status::theorem, derive_relative},
    {"002-pairing", "§1", "The paper pairs dimensions i and i + 1.", Status::on_a_range,
     derive_pairing},
    {"002-cache-index", "§1, _build_cache", "A cached row is mθ_0, mθ_1, …, mθ_{d/2}, twice.",
     Status::false_as_stated, derive_cache_index},
    {"002-neg-half", "§1, forward",
     "x·cos + _neg_half(x)·sin is the rotation of pairs (i, i + d/2).", Status::theorem,
     derive_neg_half},
    {"002-pass-through", "§1, forward", "x_pass is normally empty.", Status::false_as_stated,
     derive_pass_through},
    {"002-odd-width", "§1, rope_percentage", "int(d_k·rope_percentage) dimensions rotate.",
     Status::on_a_range, derive_odd_part},
    {"002-labml-example", "§1, _test_rotary",
     "The test's rows are rotated at positions 0, 1 and 2.", Status::theorem, derive_example},
};

}  // namespace

std::span<const Entry> labml_module() { return labml_module_entries; }

namespace {

// Article 002, §2: ChatGLM-6B's cache in half precision.

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
        "the worst |computed − mθ| grows with m. ChatGLM-6B turns 64 dimensions for each of two "
        "axes.");
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
        "dimensions. Take q at 3 and k at 1, d = 4.");
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

namespace {

// Article 002, §3: GLM-4-9B's module.

void derive_exponent(Derivation& d) {
    d.say(
        "The comment gives θ_i = 10000^{2(i−1)/d}, i from 1 to d/2; the code has 1/base^{…}. "
        "d = 64.");
    const BigReal exponent = real(2.0 * 31) / 64.0;
    const BigReal code =
        d.number("θ of the last pair, code", pow(real(10000), -1.0 * exponent), "1.33352143e-4");
    const BigReal comment =
        d.number("θ of the last pair, comment", pow(real(10000), exponent), "7498.94", "rad");
    d.refute("The exponent's sign is lost: the last pair would turn 1193 times per position.",
             comment > real(1) && code < real(1));
}

void derive_ratio(Derivation& d) {
    d.say("forward_impl multiplies the base by rope_ratio, 500 for GLM-4-9B-chat.");
    const double base = d.number("base", 10000.0 * 500, "5000000");
    const FrequencyPlan plan = base_rope(64, base);
    const BigReal last = plan.pairs.back().inv_freq;
    const BigReal turn =
        d.number("wavelength of pair 31", exact_pi() * 2.0 / last, "1.9400e7", "positions");
    d.number("wavelength of pair 31 with base 10000",
             exact_pi() * 2.0 / base_rope(64).pairs.back().inv_freq, "4.7117e4", "positions");
    d.confirm("The slowest pairs turn more slowly than any context is long, 131072.",
              turn > real(131072));
}

void derive_buffer(Derivation& d) {
    d.say(
        "The registered inv_freq is computed with base 10000; the cache uses base·rope_ratio. The "
        "buffer serves for its dtype and device alone.");
    const BigReal own = base_rope(64).pairs[1].inv_freq,
                  used = base_rope(64, 5e6).pairs[1].inv_freq;
    const BigReal buffer = d.number("pair 1 in the buffer", own, "0.749894");
    const BigReal cached = d.number("pair 1 in the cache", used, "0.617529");
    d.say("Under bfloat16 the buffer is computed in 8 bits besides.");
    BigReal worst = real(0);
    constexpr Precision to_bfloat16{8};
    for (int i = 0; i < 32; ++i) {
        const BigReal exponent = BigReal(2.0 * i, to_bfloat16) / BigReal(64, to_bfloat16);
        const BigReal stored = 1.0 / pow(BigReal(10000, to_bfloat16), exponent);
        const BigReal exact = base_rope(64).pairs[static_cast<std::size_t>(i)].inv_freq;
        const BigReal off = absolute(stored - exact) / exact;
        if (off > worst) worst = off;
    }
    d.number("largest relative error of it in bfloat16", 100.0 * worst, "0.42", "%");
    d.refute("Who reads the base from this buffer gets 10000 where the model has 5000000.",
             absolute(buffer - cached) > real(0.1));
}

void derive_offset(Derivation& d) {
    d.say(
        "forward(max_seq_len, offset=0) passes max_seq_len on, and nothing else: seq_idx is "
        "arange(seq_len). With offset = 5 the first row is still that of position 0.");
    const FrequencyPlan plan = base_rope(64, 5e6);
    const BigReal got = d.number("cos of pair 0 in the first row", cosine(real(0)), "1");
    const BigReal wanted = d.number("cos of pair 0 at position 5",
                                    cosine(5.0 * plan.pairs.front().inv_freq), "0.283662185463226");
    d.refute("The offset is ignored.", absolute(got - wanted) > real(0.1));
}

void derive_cache_rank(Derivation& d) {
    d.say(
        "forward returns [seq, rotary_dim/2, 2]; apply_rotary_pos_emb is documented for a batch "
        "axis before it. It cuts `rope_cache[:, :sq]`, which is then the pairs. With 8 rows, 32 "
        "pairs and sq = 8 the view is (−1, 1, 8, 32, 2).");
    const Shape as_returned{8, 32, 2}, with_batch{1, 8, 32, 2}, view{0, 1, 8, 32, 2};
    d.number("numbers left after the cut", numbers_in(cut(as_returned, 1, 8)), "128");
    d.number("numbers of one view", numbers_in({1, 8, 32, 2}), "512");
    d.refute("128 is no multiple of 512: torch raises an error. cache[None] is what fits.",
             !can_view(cut(as_returned, 1, 8), view) && can_view(cut(with_batch, 1, 8), view));
}

void derive_same_logic(Derivation& d) {
    using enum PairLayout;
    d.say(
        "§3 calls the logic that of chatglm-6b. Rotate (1, 2, 3, 4) at m = 1, d = 4, by each: "
        "chatglm-6b in halves, glm-4 neighbours.");
    const Vector x = vector_of({1, 2, 3, 4});
    const Vector halves = rotated(x, base_rope(4), half_split, 1);
    const Vector neighbours = rotated(x, base_rope(4), interleaved, 1);
    const BigReal a =
        d.number("dimension 0, halves: cos 1 − 3·sin 1", halves[0], "-1.984110648555550");
    const BigReal b =
        d.number("dimension 0, neighbours: cos 1 − 2·sin 1", neighbours[0], "-1.142639663747653");
    d.refute(
        "They pair different dimensions. The base differs as well, and glm-4 turns the first half "
        "of the dimensions alone.",
        absolute(a - b) > real(0.1));
}

void derive_half_of_the_lanes(Derivation& d) {
    d.say(
        "The module is built with dim = rotary_dim // 2 and the rest passes through: of 128 "
        "dimensions "
        "64 turn. At any distance the pass-through dimensions add 1 each to the score of q = k = "
        "1.");
    const FrequencyPlan plan = base_rope(64, 5e6);
    const double turning = d.number(
        "dimensions that turn", 2.0 * static_cast<double>(plan.pairs.size()), "64", "dimensions");
    const BigReal score =
        d.number("B(131071) of the 32 pairs that turn", cosine_sum(plan, real(131071)), "3.25218");
    d.confirm(
        "32 pairs that stand still keep the sum ≥ 0 at every distance, since 32 cosines are "
        "at least −32.",
        turning == 64 && score + real(32) > real(0));
}

constexpr Entry glm4_module_entries[] = {
    {"002-glm4-exponent", "§3, comment", "Θ = {10000^{2(i−1)/d}}.", Status::false_as_stated,
     derive_exponent},
    {"002-rope-ratio", "§3", "rope_ratio multiplies the base.", Status::theorem, derive_ratio,
     "rope-check explain --model glm-4-9b"},
    {"002-inv-freq-buffer", "§3, __init__", "The inv_freq buffer has the model's frequencies.",
     Status::false_as_stated, derive_buffer},
    {"002-ignored-offset", "§3, forward", "forward takes an offset of the first position.",
     Status::false_as_stated, derive_offset},
    {"002-cache-rank", "§3, apply_rotary_pos_emb", "The cache fits as forward returns it.",
     Status::false_as_stated, derive_cache_rank},
    {"002-same-logic", "§3", "GLM-4 rotates by the same logic as ChatGLM-6B.",
     Status::false_as_stated, derive_same_logic},
    {"002-half-of-the-lanes", "§3, rot_dim",
     "Half of the dimensions rotate, the others pass through.", Status::theorem,
     derive_half_of_the_lanes},
};

}  // namespace

std::span<const Entry> glm4_module() { return glm4_module_entries; }

}  // namespace rope::ledger
