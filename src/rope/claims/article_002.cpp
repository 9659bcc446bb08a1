// Article 002, §1: labml's module, and the article's statements about it.
#include <cmath>

#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace {

using enum PairLayout;

void derive_relative(Derivation& d) {
    const FrequencyPlan plan = base_rope(2);
    const auto score = [&](double m, double n) {
        return dot(rotated(vector_of({1, 2}), plan, half_split, m),
                   rotated(vector_of({3, -1}), plan, half_split, n));
    };
    const BigReal near = d.number(score(7, 5));
    const BigReal far = d.number(score(1007, 1005));
    d.conclude(absolute(near - far) < real(0x1p-280));
}

void derive_pairing(Derivation& d) {
    int of_even = 0, of_all = 0;
    for (int i = 0; i + 1 < 8; ++i) {
        ++of_all;
        if (i % 2 == 0) ++of_even;
    }
    const double even = d.number(of_even);
    d.conclude(even == 4);
    const double all = d.number(of_all);
    d.conclude(all > even);
}

void derive_cache_index(Derivation& d) {
    int named = 0;
    for (int i = 0; i <= 4 / 2; ++i) ++named;
    const double columns = d.number(2.0 * named);
    d.conclude(columns > 4);
}

void derive_example(Derivation& d) {
    const Vector row = rotated(vector_of({4, 5, 6, 7}), base_rope(4), half_split, 1);
    d.number(row[0]);
    d.number(row[1]);
    d.number(row[2]);
    d.number(row[3]);
    d.conclude(absolute(dot(row, row) - real(126)) < real(0x1p-290));
}

void derive_neg_half(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const Vector x = vector_of({4, 5, 6, 7}), neg_half = vector_of({-6, -7, 4, 5});
    const Vector wanted = rotated(x, plan, half_split, 1);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal& theta = plan.pairs[i % 2].inv_freq;
        const BigReal lane = d.number(x[i] * cosine(theta) + neg_half[i] * sine(theta));
        apart = apart + absolute(lane - wanted[i]);
    }
    d.conclude(apart < real(0x1p-290));
}

// What RotaryPEMultiHeadAttention rotates by default: int(d_k·0.5) lanes.
std::uint64_t default_rotary_lanes(std::uint64_t d_k) { return d_k / 2; }

void derive_pass_through(Derivation& d) {
    const double passing = d.number(64 - default_rotary_lanes(64));
    d.conclude(passing > 0);
}

void derive_odd_part(Derivation& d) {
    const auto columns = [](std::uint64_t width) { return 2 * ((width + 1) / 2); };
    const std::uint64_t even = default_rotary_lanes(64), odd = default_rotary_lanes(6);
    d.number(columns(even));
    d.number(columns(odd));
    d.conclude(broadcast({8, even}, {8, columns(even)}).has_value());
    d.conclude(!broadcast({8, odd}, {8, columns(odd)}));
}

// Article 002, §2: ChatGLM-6B's cache in half precision.

using enum Format;

double distinct(Format format, std::uint64_t last) {
    return static_cast<double>(distinct_positions(format, last));
}

void derive_positions(Derivation& d) {
    const double kept = d.number(distinct(float16, 2047));
    d.conclude(kept == 2048);
    double lost = 0;
    while (round_to(float16, lost) == lost) ++lost;
    d.number(lost);
    const double collapsed = d.number(distinct(float16, 4096));
    d.number(distinct(float16, 65519));
    double last = 65000;
    while (std::isfinite(round_to(float16, last))) ++last;
    d.number(last);
    d.number(distinct(bfloat16, 511));
    d.conclude(collapsed < 4097);
}

void derive_cache(Derivation& d) {
    const AngleRounding half{float16, float16, float16};
    const auto worst = [&](std::uint32_t dim, std::uint64_t positions) {
        return worst_angle_error(dim, 1e4, half, 0, positions - 1);
    };
    const double at_512 = d.number(worst(64, 512));
    d.number(worst(64, 1024));
    const double at_2048 = d.number(worst(64, 2048));
    d.number(worst(128, 2048));
    d.conclude(at_512 > 0.1 && at_2048 > at_512);
}

void derive_precision_argument(Derivation& d) {
    const AngleRounding half{float16, float16, float16}, exact_product{float16, float16, float32};
    const double widened = d.number(worst_angle_error(64, 1e4, half, 0, 2047));
    const double before = d.number(worst_angle_error(64, 1e4, exact_product, 0, 2047));
    const double fixed = d.number(worst_angle_error(64, 1e4, {}, 0, 2047));
    d.conclude(widened > 0.8 && before > 0.3 && fixed < 1e-3);
}

void derive_permutation(Derivation& d) {
    using enum PairLayout;
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const auto score = [&](PairLayout of_q, PairLayout of_k) {
        const Vector& own_q = of_q == half_split ? q : interleaved_lanes(q);
        const Vector& own_k = of_k == half_split ? k : interleaved_lanes(k);
        return dot(rotated(own_q, plan, of_q, 3), rotated(own_k, plan, of_k, 1));
    };
    const BigReal halves = d.number(score(half_split, half_split));
    const BigReal both = d.number(score(interleaved, interleaved));
    d.conclude(absolute(halves - both) < real(0x1p-290));
    const BigReal mixed = d.number(score(half_split, interleaved));
    d.conclude(absolute(mixed - halves) > real(0.1));
}

// Article 002, §3: GLM-4-9B's module.

void derive_exponent(Derivation& d) {
    const BigReal exponent = real(2.0 * 31) / 64.0;
    const BigReal code = d.number(pow(real(10000), -1.0 * exponent));
    const BigReal comment = d.number(pow(real(10000), exponent));
    d.conclude(comment > real(1) && code < real(1));
}

void derive_ratio(Derivation& d) {
    const double base = d.number(10000.0 * 500);
    const FrequencyPlan plan = base_rope(64, base);
    const BigReal last = plan.pairs.back().inv_freq;
    const BigReal turn = d.number(exact_pi() * 2.0 / last);
    d.number(exact_pi() * 2.0 / base_rope(64).pairs.back().inv_freq);
    d.conclude(turn > real(131072));
}

void derive_buffer(Derivation& d) {
    const BigReal own = base_rope(64).pairs[1].inv_freq,
                  used = base_rope(64, 5e6).pairs[1].inv_freq;
    const BigReal buffer = d.number(own);
    const BigReal cached = d.number(used);
    BigReal worst = real(0);
    constexpr Precision to_bfloat16{8};
    for (int i = 0; i < 32; ++i) {
        const BigReal exponent = BigReal(2.0 * i, to_bfloat16) / BigReal(64, to_bfloat16);
        const BigReal stored = 1.0 / pow(BigReal(10000, to_bfloat16), exponent);
        const BigReal exact = base_rope(64).pairs[static_cast<std::size_t>(i)].inv_freq;
        const BigReal off = absolute(stored - exact) / exact;
        if (off > worst) worst = off;
    }
    d.number(100.0 * worst);
    d.conclude(absolute(buffer - cached) > real(0.1));
}

void derive_offset(Derivation& d) {
    const FrequencyPlan plan = base_rope(64, 5e6);
    const BigReal got = d.number(cosine(real(0)));
    const BigReal wanted = d.number(cosine(5.0 * plan.pairs.front().inv_freq));
    d.conclude(absolute(got - wanted) > real(0.1));
}

void derive_cache_rank(Derivation& d) {
    const Shape as_returned{8, 32, 2}, with_batch{1, 8, 32, 2}, view{0, 1, 8, 32, 2};
    d.number(numbers_in({1, 8, 32, 2}));
    d.conclude(can_view(cut(with_batch, 1, 8), view));
    d.number(numbers_in(cut(as_returned, 1, 8)));
    d.conclude(!can_view(cut(as_returned, 1, 8), view));
}

void derive_same_logic(Derivation& d) {
    using enum PairLayout;
    const Vector x = vector_of({1, 2, 3, 4});
    const Vector halves = rotated(x, base_rope(4), half_split, 1);
    const Vector neighbours = rotated(x, base_rope(4), interleaved, 1);
    const BigReal a = d.number(halves[0]);
    const BigReal b = d.number(neighbours[0]);
    d.conclude(absolute(a - b) > real(0.1));
}

void derive_half_of_the_lanes(Derivation& d) {
    const FrequencyPlan plan = base_rope(64, 5e6);
    const double turning = d.number(2.0 * static_cast<double>(plan.pairs.size()));
    const BigReal score = d.number(cosine_sum(plan, real(131071)));
    d.conclude(turning == 64 && score + real(32) > real(0));
}

void derive_labml_exponent(Derivation& d) {
    const FrequencyPlan plan = base_rope(64);
    const auto stated = [](double i) { return pow(real(1e4), real(-2 * (i - 1)) / 64.0); };
    const BigReal first = d.number(stated(1)), last = d.number(stated(32));
    d.conclude(first == plan.pairs.front().inv_freq &&
               absolute(last - plan.pairs.back().inv_freq) < rounding_residue());
}

constexpr Computation computations[] = {
    {"002-relative-score", derive_relative},
    {"002-pairing", derive_pairing},
    {"002-cache-index", derive_cache_index},
    {"002-neg-half", derive_neg_half},
    {"002-pass-through", derive_pass_through},
    {"002-odd-width", derive_odd_part},
    {"002-labml-example", derive_example},
    {"002-half-positions", derive_positions},
    {"002-half-cache", derive_cache},
    {"002-precision-argument", derive_precision_argument},
    {"002-permutation", derive_permutation},
    {"002-glm4-exponent", derive_exponent},
    {"002-rope-ratio", derive_ratio},
    {"002-inv-freq-buffer", derive_buffer},
    {"002-ignored-offset", derive_offset},
    {"002-cache-rank", derive_cache_rank},
    {"002-same-logic", derive_same_logic},
    {"002-half-of-the-lanes", derive_half_of_the_lanes},
    {"002-labml-exponent", derive_labml_exponent},
};

}  // namespace

std::span<const Computation> article_002() { return computations; }

}  // namespace rope::ledger
