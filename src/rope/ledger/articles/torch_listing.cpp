// Article 000, §4: the torch module.
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/angle_error.hpp"
#include "rope/ledger/quantity/rotation.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/tensor_shape.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

using enum PairLayout;

void derive_rotate_half(Derivation& d) {
    d.say(
        "The listing computes q·cos + rotate_half(q)·sin, where rotate_half puts −(second half) "
        "before the first half. Lane i gets q_i·cos − q_{i+d/2}·sin, lane i + d/2 gets "
        "q_{i+d/2}·cos + q_i·sin. Take d = 4, m = 1 and q = (1, 2, 3, 4).");
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), half = vector_of({-3, -4, 1, 2});
    const Vector wanted = rotated(q, plan, half_split, 1);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal& theta = plan.pairs[i % 2].inv_freq;
        apart = apart + absolute(q[i] * cosine(theta) + half[i] * sine(theta) - wanted[i]);
    }
    d.number("lane 0, cos 1 − 3·sin 1", wanted[0], "-1.98411064855555");
    d.number("lane 2, 3·cos 1 + sin 1", wanted[2], "2.46237790241232");
    d.confirm(
        "That is the rotation of the pairs (i, i + d/2): the code has the sign that the "
        "formula of §3.1 lost.",
        apart < rounding_residue());
}

void derive_inv_freq(Derivation& d) {
    d.say("inv_freq = 1/10000^(arange(0, dim, 2)/dim). For dim = 6 the exponents are 0, 1/3, 2/3.");
    const FrequencyPlan plan = base_rope(6);
    const BigReal first = d.number("inv_freq[0]", plan.pairs[0].inv_freq, "1");
    const BigReal second =
        d.number("inv_freq[1], 10000^(−1/3)", plan.pairs[1].inv_freq, "0.046415888336128");
    const BigReal third =
        d.number("inv_freq[2], 10000^(−2/3)", plan.pairs[2].inv_freq, "0.002154434690032");
    d.confirm("They fall geometrically: each is the one before times the same number.",
              absolute(third * first - second * second) < real(1e-15));
}

void derive_layouts(Derivation& d) {
    d.say(
        "§3 pairs neighbouring lanes, the code pairs i with i + d/2. Take q at 3 and k at 1, "
        "d = 4.");
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const auto score = [&](const Vector& x, const Vector& y, PairLayout layout) {
        return dot(rotated(x, plan, layout, 3), rotated(y, plan, layout, 1));
    };
    const BigReal halves =
        d.number("score, pairs (i, i + d/2)", score(q, k, half_split), "3.570765");
    const BigReal moved =
        d.number("score, neighbours, the lanes of q and k reordered",
                 score(interleaved_lanes(q), interleaved_lanes(k), interleaved), "3.570765");
    d.confirm("With the lanes of q and k reordered alike the scores are the same.",
              absolute(halves - moved) < rounding_residue());
    d.say("Now leave the lanes as they are.");
    const BigReal plain =
        d.number("score, neighbours, the lanes as they are", score(q, k, interleaved), "10.550506");
    d.refute("Without that, they are not: weights trained for one layout do not fit the other.",
             absolute(plain - halves) > real(0.1));
}

void derive_product(Derivation& d) {
    d.say(
        "`t @ inv_freq` is a matrix product, which torch may compute in TF32, or in bfloat16 "
        "under autocast: t and inv_freq lose bits first. d = 128.");
    const auto worst = [](const AngleRounding& rounding, std::uint64_t last) {
        return worst_angle_error(128, 1e4, rounding, 0, last);
    };
    using enum Format;
    const double float32_error =
        d.number("worst angle error to 2048, float32", worst({}, 2048), "1.21e-4", "rad");
    const double tf32_error =
        d.number("to 2048, TF32", worst({tf32, tf32, float32}, 2048), "0.495", "rad");
    d.number("to 4096, TF32", worst({tf32, tf32, float32}, 4096), "1.85", "rad");
    const AngleRounding autocast{bfloat16, bfloat16, bfloat16};
    d.number("to 2048, bfloat16 autocast", worst(autocast, 2048), "9.68", "rad");
    d.number("to 4096, bfloat16 autocast", worst(autocast, 4096), "19.4", "rad");
    d.confirm("In float32 the table is right to about 1e-4.", float32_error < 2e-4);
    d.refute("In TF32 it is off by half a radian at 2048: compute the outer product in float32.",
             tf32_error > 0.4);
}

void derive_table(Derivation& d) {
    d.say(
        "Compare each cos and sin of the float32 table with the exact value, d = 128. What is off "
        "is the angle: m·θ is rounded to 24 bits, and θ before it.");
    const double short_table =
        d.number("worst error below position 2048", worst_table_error(128, 1e4, 2047), "1.15e-4");
    d.confirm("It is below 2⁻⁹, which a bfloat16 table loses in any case.", short_table < 0x1p-9);
}

void derive_cached_offset(Derivation& d) {
    d.say(
        "`cos_cached[:q.shape[1]]` takes the first T rows for T tokens. While decoding, q is one "
        "token, at position 7 say, and the cached k was rotated at 5: the row taken is row 0. "
        "d = 6 as in the listing, q = k = 1.");
    const FrequencyPlan plan = base_rope(6);
    const BigReal wanted =
        d.number("score at distance 2", 2.0 * cosine_sum(plan, real(2)), "3.159076");
    const BigReal found =
        d.number("score as computed, at distance 5", 2.0 * cosine_sum(plan, real(5)), "4.513589");
    d.refute("The score is that of another distance, 5 − 0: the module needs position ids.",
             absolute(wanted - found) > real(1));
}

void derive_cache_length(Derivation& d) {
    d.say("The cache has max_seq_len = 1024 rows, of which forward takes the first T.");
    const Shape taken = cut({1024, 6}, 0, 1025);
    d.number("rows that 1025 tokens get", static_cast<double>(taken[0]), "1024");
    d.refute("1024 rows do not fit 1025 tokens: torch raises an error.",
             !broadcast({1025, 6}, taken));
    d.say(
        "With max_seq_len = 1 the one row is broadcast to every token: each is rotated as "
        "position 0.");
    const Shape one = cut({1, 6}, 0, 1025);
    const Vector q = vector_of({1, 2, 3, 4, 5, 6});
    const Vector turned = rotated(q, base_rope(6), half_split, 0);
    BigReal moved = real(0);
    for (std::size_t i = 0; i < q.size(); ++i) moved = moved + absolute(turned[i] - q[i]);
    const BigReal change = d.number("change of q at any position with max_seq_len = 1", moved, "0");
    d.refute("That fails silently: q comes back as it was.",
             broadcast({1025, 6}, one) == Shape{1025, 6} && change == real(0));
}

// Columns of cat(freqs, freqs), freqs for arange(0, dim, 2).
std::uint64_t table_width(std::uint64_t dim) {
    std::uint64_t frequencies = 0;
    for (std::uint64_t i = 0; i < dim; i += 2) ++frequencies;
    return 2 * frequencies;
}

void derive_odd_width(Derivation& d) {
    d.say("arange(0, dim, 2) has ⌈dim/2⌉ entries, and the table twice as many columns.");
    d.number("columns for dim = 6", static_cast<double>(table_width(6)), "6");
    d.number("columns for dim = 7", static_cast<double>(table_width(7)), "8");
    d.confirm("For an even dim the table fits.",
              broadcast({3, 6}, {3, table_width(6)}).has_value());
    d.refute("For an odd dim it does not, and torch raises an error where q·cos is formed.",
             !broadcast({3, 7}, {3, table_width(7)}));
}

constexpr Entry torch_listing_entries[] = {
    {"000-inv-freq", "§4, __init__", "inv_freq holds the angles of the pairs.", Status::theorem,
     derive_inv_freq},
    {"000-rotate-half", "§4, rotate_half",
     "The code rotates (a, b) to (a cosθ − b sinθ, a sinθ + b cosθ).", Status::theorem,
     derive_rotate_half},
    {"000-layouts", "§3.4 and §4", "The code computes what the formulas say.", Status::on_a_range,
     derive_layouts},
    {"000-product", "§4, freqs", "t @ inv_freq gives the angles.", Status::on_a_range,
     derive_product},
    {"000-table", "§4, cos_cached", "The float32 table is accurate over its context.",
     Status::empirical, derive_table, "rope-check verify --dim 128"},
    {"000-cached-offset", "§4, forward", "The first T rows of the cache are those of T tokens.",
     Status::false_as_stated, derive_cached_offset},
    {"000-cache-length", "§4, __init__", "A cache of max_seq_len rows serves any sequence.",
     Status::false_as_stated, derive_cache_length},
    {"000-odd-width", "§4, __init__", "The table has dim columns.", Status::on_a_range,
     derive_odd_width},
};

}  // namespace

std::span<const Entry> torch_listing() { return torch_listing_entries; }

}  // namespace rope::ledger
