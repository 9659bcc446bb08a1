// Article 000, §1: what attention knows of order, and what it should know.
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace {

void derive_equivariance(Derivation& d) {
    const std::vector<double> in_order{1, 2, 3}, shuffled{3, 2, 1};
    d.say(
        "Take tokens 1, 2, 3 of one dimension, with q = k = v, and the same shuffled to 3, 2, 1. "
        "Without a mask a token attends to the set of all.");
    const BigReal first =
        d.number("what token 1 gets, in order", attended(1, in_order), "2.575210");
    const BigReal last = d.number("what token 1 gets, shuffled", attended(1, shuffled), "2.575210");
    d.confirm("Each token gets the same and takes it along: attention is equivariant.",
              absolute(first - last) < rounding_residue());
    d.say(
        "A decoder masks what comes later. Then token 1 sees itself alone in order, and all "
        "three when it is last.");
    const BigReal masked = d.number("what token 1 gets in order, causal mask",
                                    attended(1, std::span(in_order).first(1)), "1");
    d.refute("With a causal mask the values do depend on order.",
             absolute(masked - last) > real(1));
}

void derive_multiplicative(Derivation& d) {
    d.say(
        "For numbers, f(m − n) = f(m)·f(n) with m = n gives f(m)² = f(0) at every m: only 0, 1 "
        "and ±1 by turns are left. A cosine fails.");
    const BigReal of_difference = d.number("cos(2 − 1)", cosine(real(1)), "0.540302305868139717");
    const BigReal of_both =
        d.number("cos 2·cos 1", cosine(real(2)) * cosine(real(1)), "-0.224845095366152870");
    d.say("What is meant holds for matrices, with a transpose: R(m)R(n)ᵀ = R(m − n).");
    const BigReal apart =
        distance(rotation(real(2)) * transposed(rotation(real(1))), rotation(real(1)));
    d.refute("No score that changes with distance obeys the law as it is written.",
             apart < rounding_residue() && absolute(of_difference - of_both) > real(0.1));
}

// "What is the temperature of the weather in Shanghai today? Please tell me …", word by word.
constexpr std::array<std::string_view, 15> words{
    "today", "Shanghai", "weather",  "of",      "temperature", "how much",    "?", "please",
    "tell",  "me",       "Shanghai", "exactly", "of",          "temperature", "."};

std::vector<int> places_of(std::string_view word) {
    std::vector<int> places;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) places.push_back(static_cast<int>(i));
    return places;
}

void derive_sentence(Derivation& d) {
    d.say(
        "The example is to show 'weather' and 'temperature' at the same distance in two halves of "
        "a sentence of 15 tokens.");
    const double weathers =
        d.number("places of 'weather'", static_cast<double>(places_of("weather").size()), "1");
    d.say("'Shanghai' and 'temperature' do what is meant.");
    const auto shanghai = places_of("Shanghai"), temperature = places_of("temperature");
    const double first = d.number("their distance in the first half", temperature[0] - shanghai[0],
                                  "3", "positions");
    const double second = d.number("their distance in the second half",
                                   temperature[1] - shanghai[1], "3", "positions");
    d.refute("The second half has no 'weather' to compare.", weathers == 1 && first == second);
}

constexpr Entry word_order_entries[] = {
    {"000-equivariance", "§1.1", "Shuffling the tokens leaves each one's attention as it was.",
     Status::on_a_range, derive_equivariance},
    {"000-multiplicative", "§1.3", "f(m − n) = f(m)·f(n).", Status::false_as_stated,
     derive_multiplicative},
    {"000-example", "§1.3", "The sentence has the pair weather, temperature in both halves.",
     Status::false_as_stated, derive_sentence},
};

}  // namespace

std::span<const Entry> word_order() { return word_order_entries; }

namespace {

// Article 000, §3: the rotation of a pair, as it is written and as it is meant.

// (a, b) ↦ (a cosθ − b sinθ, a sinθ − b cosθ), the right-hand side that is printed
Matrix2 printed_map(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, -1.0 * s, -1.0 * c};
}

void derive_sign(Derivation& d) {
    const BigReal theta = real(1);
    const Row2 v{real(1), real(2)};
    const Matrix2 printed = printed_map(theta);
    const Row2 turned = v * printed;
    d.say(
        "Take θ = 1 and (a, b) = (1, 2). The matrix of the left-hand side is a rotation; the "
        "map printed on the right has −b·cosθ where the product has +b·cosθ.");
    const BigReal det = d.number("determinant of the printed map, −cos 2θ", determinant(printed),
                                 "0.416146836547142387");
    const BigReal defect = d.number("change of |(a, b)|², −2ab·sin 2θ",
                                    dot(turned, turned) - dot(v, v), "-3.637189707302726782");
    d.say("At θ = 0 nothing may turn, but the printed map negates b.");
    const BigReal at_zero = d.number("b after a turn by 0", (v * printed_map(real(0))).y, "-2");
    d.refute(
        "A rotation has determinant 1, keeps the length, and at 0 leaves b as it is: the "
        "printed map does none of these.",
        absolute(det - 1.0) > real(0.1) && absolute(defect) > real(0.1) && !(at_zero == v.y));
}

void derive_transpose(Derivation& d) {
    d.say(
        "R(θ) = [[cosθ, sinθ], [−sinθ, cosθ]]. cos is even and sin is odd, so −θ exchanges the "
        "two entries with sin, as transposing does.");
    const BigReal theta = real(1);
    const BigReal apart =
        d.number("largest entry of R(1)ᵀ − R(−1)",
                 distance(transposed(rotation(theta)), rotation(-1.0 * theta)), "0");
    d.confirm("They are the same numbers.", apart == real(0));
}

void derive_composition(Derivation& d) {
    const BigReal one = real(1), two = real(2);
    d.say(
        "The entries of R(θ₁)R(θ₂) are cosθ₁cosθ₂ − sinθ₁sinθ₂ and cosθ₁sinθ₂ + sinθ₁cosθ₂: "
        "by the addition theorems the cos and sin of θ₁ + θ₂.");
    const Matrix2 both = rotation(one) * rotation(two);
    d.number("first entry of R(1)R(2)", both.a, "-0.989992496600445457");
    d.number("cos 3", cosine(one + two), "-0.989992496600445457");
    d.confirm("R(1)R(2) = R(3) to the last of 300 bits.",
              distance(both, rotation(one + two)) < rounding_residue());
}

void derive_relative_rotation(Derivation& d) {
    d.say(
        "By transposing and composing, R(iθ)R(jθ)ᵀ = R(iθ)R(−jθ) = R((i − j)θ). Take θ = 1, "
        "i = 7 and j = 5.");
    const Matrix2 both = rotation(real(7)) * transposed(rotation(real(5)));
    d.number("first entry of R(7)R(5)ᵀ", both.a, "-0.416146836547142387");
    const Row2 q{real(1), real(2)}, k{real(3), real(-1)};
    const BigReal score = dot(q * rotation(real(7)), k * rotation(real(5)));
    d.say("So the score of q at 7 and k at 5 is that of q turned by 2 and k not turned at all.");
    d.number("⟨qR(7), kR(5)⟩ for q = (1, 2), k = (3, −1)", score, "-6.781228824326914255");
    d.confirm("Both sides agree to the last of 300 bits, and 1000 positions on it is the same.",
              distance(both, rotation(real(2))) < rounding_residue() &&
                  absolute(score - dot(q * rotation(real(2)), k)) < rounding_residue() &&
                  absolute(score - dot(q * rotation(real(1007)), k * rotation(real(1005)))) <
                      rounding_residue());
}

void derive_four_lanes(Derivation& d) {
    d.say(
        "Four dimensions at position i = 2 with θ₁ = 1: the matrix turns (a, b) by iθ₁. The result "
        "printed next to it has θ₁ without i, and −b·cosθ again.");
    const Row2 v{real(1), real(2)};
    const Row2 right = v * rotation(real(2)), printed = v * printed_map(real(1));
    const BigReal wanted =
        d.number("first dimension, a·cos 2 − b·sin 2", right.x, "-2.234741690198506");
    const BigReal found =
        d.number("first dimension as printed, a·cos 1 − b·sin 1", printed.x, "-1.142639663747653");
    d.number("second dimension, a·sin 2 + b·cos 2", right.y, "0.077003753731397");
    d.number("second dimension as printed, a·sin 1 − b·cos 1", printed.y, "-0.239133626928383");
    d.refute(
        "Neither dimension is that of the product: a factor i is lost, and a sign in each pair.",
        absolute(wanted - found) > real(1));
}

constexpr Entry rotation_formula_entries[] = {
    {"000-rotation-sign", "§3.1", "(a, b)R(θ) = (a cosθ − b sinθ, a sinθ − b cosθ).",
     Status::false_as_stated, derive_sign},
    {"000-transpose", "§3.2", "R(θ)ᵀ = R(−θ): transposing turns the other way.", Status::theorem,
     derive_transpose},
    {"000-composition", "§3.2", "R(θ₁)R(θ₂) = R(θ₁ + θ₂): two turns are one.", Status::theorem,
     derive_composition},
    {"000-relative-score", "§3.3", "R(iθ)R(jθ)ᵀ = R((i − j)θ): the score knows i − j alone.",
     Status::theorem, derive_relative_rotation},
    {"000-four-lanes", "§3.4", "(a, b, c, d) at position i becomes (a cosθ₁ − b sinθ₁, …).",
     Status::false_as_stated, derive_four_lanes},
};

}  // namespace

std::span<const Entry> rotation_formula() { return rotation_formula_entries; }

namespace {

// Article 000, §4: the torch module.

using enum PairLayout;

void derive_rotate_half(Derivation& d) {
    d.say(
        "The listing computes q·cos + rotate_half(q)·sin, where rotate_half puts −(second half) "
        "before the first half. Dimension i gets q_i·cos − q_{i+d/2}·sin, dimension i + d/2 gets "
        "q_{i+d/2}·cos + q_i·sin. Take d = 4, m = 1 and q = (1, 2, 3, 4).");
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), half = vector_of({-3, -4, 1, 2});
    const Vector wanted = rotated(q, plan, half_split, 1);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal& theta = plan.pairs[i % 2].inv_freq;
        apart = apart + absolute(q[i] * cosine(theta) + half[i] * sine(theta) - wanted[i]);
    }
    d.number("dimension 0, cos 1 − 3·sin 1", wanted[0], "-1.98411064855555");
    d.number("dimension 2, 3·cos 1 + sin 1", wanted[2], "2.46237790241232");
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
        "§3 pairs neighbouring dimensions, the code pairs i with i + d/2. Take q at 3 and k at 1, "
        "d = 4.");
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const auto score = [&](const Vector& x, const Vector& y, PairLayout layout) {
        return dot(rotated(x, plan, layout, 3), rotated(y, plan, layout, 1));
    };
    const BigReal halves =
        d.number("score, pairs (i, i + d/2)", score(q, k, half_split), "3.570765");
    const BigReal moved =
        d.number("score, neighbours, the dimensions of q and k reordered",
                 score(interleaved_lanes(q), interleaved_lanes(k), interleaved), "3.570765");
    d.confirm("With the dimensions of q and k reordered alike the scores are the same.",
              absolute(halves - moved) < rounding_residue());
    d.say("Now leave the dimensions as they are.");
    const BigReal plain = d.number("score, neighbours, the dimensions as they are",
                                   score(q, k, interleaved), "10.550506");
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
