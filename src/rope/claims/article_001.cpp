// Article 001, §2 and §3: attention, indices and exponents as they are printed.
#include <array>

#include "base/decimal.hpp"
#include "rope/checks/decay.hpp"
#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace {

constexpr int width = 128;    // n6 of LLAMA-7B
constexpr int length = 2048;  // n3, say

// 10000^(−t/n6)
BigReal frequency(double t) { return pow(real(10000), real(-t) / width); }

void derive_softmax(Derivation& d) {
    d.say("smax(x)_i = e^{x_i}/Σe^{x_j}. Take x = (1, 2, 3).");
    BigReal sum = real(0), all = real(0);
    for (const double x : {1.0, 2.0, 3.0}) sum = sum + exponential(real(x));
    constexpr const char* recorded[] = {"0.090030573170380", "0.244728471054798",
                                        "0.665240955774822"};
    for (int i = 0; i < 3; ++i)
        all =
            all + d.number("smax(x)_" + decimal(i), exponential(real(i + 1.0)) / sum, recorded[i]);
    d.confirm("They are positive and add up to 1.", absolute(all - real(1)) < real(1e-14));
}

void derive_root(Derivation& d) {
    d.say(
        "If q and k have independent entries of mean 0 and variance 1, r_ij = Σq_c k_c has the "
        "variance n₆. Enumerate all 2⁸ signs of q and k for n₆ = 4.");
    double squares = 0;
    for (unsigned signs = 0; signs < 256; ++signs) {
        int r = 0;
        for (unsigned c = 0; c < 4; ++c) r += ((signs >> c ^ signs >> (c + 4)) & 1U) != 0 ? -1 : 1;
        squares += r * r;
    }
    const double variance = d.number("mean of r_ij²", squares / 256, "4");
    d.number("√n₆ of LLAMA-7B, n₆ = 128", root(real(width)), "11.313708498984760");
    d.confirm("Divided by √n₆ the scores keep variance 1 at any width.", variance == 4);
}

void derive_index_set(Derivation& d) {
    d.say("The index t of θ̄_t is to run over the even numbers below n6 = 128: one for each pair.");
    int even = 0, printed = 1;
    for (int t = 0; t < width; t += 2) ++even;
    for (int t = 2; t <= width - 2; t += 4) ++printed;  // 0, then 2, 6, 10, …
    const double wanted = d.number("pairs of a head", even, "64", "pairs");
    const double found = d.number("indices in 0, 2, 6, …, 126 as printed", printed, "33", "pairs");
    d.refute("Read literally, 31 pairs have no angle.", found < wanted);
}

void derive_token_index(Derivation& d) {
    d.say("A sequence of n3 tokens has vectors q_0 to q_{n3−1}. The text counts i from 0 to n3.");
    int count = 0;
    for (int i = 0; i <= length; ++i) ++count;
    const double named = d.number("vectors named for n3 = 2048", count, "2049", "vectors");
    d.refute("That is one more than the rows of Q.", named > length);
}

void derive_transposed_vector(Derivation& d) {
    d.say("§2 has vectors as rows, and f(q) = qA. §3 then writes q = (q0, q1)ᵀ, a column.");
    const Shape column{2, 1}, row{1, 2}, a{2, 2};
    d.number("columns of q as written", static_cast<double>(column[1]), "1");
    d.number("rows of A", static_cast<double>(a[0]), "2");
    d.refute("The product of a 2×1 and a 2×2 matrix does not exist; without the ᵀ it does.",
             !matrix_product(column, a) && matrix_product(row, a) == row);
}

void derive_range_exponent(Derivation& d) {
    d.say(
        "(5) is RoFormer's 10000^(−2i/d) if t = 2i is the index of the first dimension of pair i.");
    d.number("θ̄₂, pair 1", frequency(2), "0.865964323360065352");
    const BigReal last = d.number("θ̄₁₂₆, pair 63", frequency(126), "1.15478198468945818e-4");
    d.confirm("With t = 0, 2, …, 126 the angles are RoFormer's.",
              absolute(last * pow(real(10000), real(126) / 128.0) - real(1)) < real(0x1p-300));
    d.say(
        "Read as the index of a pair, t = 0, 1, …, 63, the exponent is half of it: then the base "
        "is the square root.");
    const BigReal effective = d.number("effective base, θ̄₁^(−d/2)",
                                       1.0 / pow(frequency(1), real(width / 2.0)), "100.000000000");
    d.refute("That would be base 100.", effective < real(101));
}

constexpr Entry index_ranges_entries[] = {
    {"001-softmax", "§2", "smax(x) = (e^{x_0}, …)/Σe^{x_i}.", Status::theorem, derive_softmax},
    {"001-scaled-scores", "§3", "Attention is smax(QKᵀ/√n₆).", Status::theorem, derive_root},
    {"001-token-index", "§3, before (1)", "A token's index i runs over 0, 1, …, n₃.",
     Status::false_as_stated, derive_token_index},
    {"001-transposed-vector", "§3, n₆ = 2", "q = (q0, q1)ᵀ and f(q) = qA.", Status::false_as_stated,
     derive_transposed_vector},
    {"001-index-set", "§3, (5)", "The pairs' indices are t = 0, 2, 6, …, n₆ − 2.",
     Status::false_as_stated, derive_index_set},
    {"001-exponent", "§3, (5)", "θ̄_t = 10000^(−t/n₆).", Status::on_a_range, derive_range_exponent},
};

}  // namespace

std::span<const Entry> index_ranges() { return index_ranges_entries; }

namespace {

// Article 001, §3: which maps satisfy (c1) and (c2), in the article's row vectors.

Row2 query() { return {real(1), real(2)}; }
Row2 key() { return {real(3), real(-1)}; }

void derive_c1(Derivation& d) {
    d.say(
        "r̂_ii = qA(kA)ᵀ = q(AAᵀ)kᵀ. If AAᵀ = I it is qkᵀ. For the converse take unit vectors: "
        "q = e_a and k = e_b read entry (a, b) of AAᵀ, which must be that of I.");
    const Matrix2 turn = rotation(real(1));
    const BigReal kept = d.number("score of (1, 2) and (3, −1), both turned by 1 rad",
                                  dot(query() * turn, key() * turn), "1.000000000000000000");
    const Matrix2 grown{1.1 * turn.a, 1.1 * turn.b, 1.1 * turn.c, 1.1 * turn.d};
    d.say("A map that is not orthogonal changes it: a rotation times 1.1, say.");
    const BigReal changed = d.number("the same score with 1.1·R(1), 1.1²",
                                     dot(query() * grown, key() * grown), "1.210000000000000");
    d.confirm("(c1) holds just where AAᵀ = I.",
              absolute(kept - dot(query(), key())) < rounding_residue() &&
                  absolute(changed - kept) > real(0.2));
}

void derive_not_identity(Derivation& d) {
    d.say(
        "(c1) gives A_iA_iᵀ = I. Nothing in it excludes A_i = I; the article's own choice "
        "θ_i = iθ̄₀ has it at i = 0.");
    const BigReal apart =
        d.number("largest entry of A₀ − I", distance(rotation(real(0)), identity2()), "0");
    d.refute("A₀ = I, for any θ̄₀.", apart == real(0));
}

void derive_reflections(Derivation& d) {
    d.say("F(θ) = [[cosθ, sinθ], [sinθ, −cosθ]] mirrors. It is orthogonal as well, so (c1) holds.");
    const Matrix2 f1 = reflection(real(1)), f3 = reflection(real(3));
    const BigReal residue = distance(f1 * transposed(f1), identity2());
    const BigReal det =
        d.number("determinant of F(1)", BigReal(determinant(f1), Precision{280}), "-1");
    d.say(
        "Two of them make a rotation by the difference: F(1)F(3)ᵀ = R(3 − 1), so (c2) holds, too.");
    const Matrix2 both = f1 * transposed(f3);
    d.number("first entry of F(1)F(3)ᵀ, cos 2", both.a, "-0.416146836547142387");
    d.refute(
        "Orthogonal maps need not be rotations: F(1) has determinant −1 and meets (c1) and "
        "(c2).",
        residue < rounding_residue() && det == real(-1) &&
            distance(both, rotation(real(2))) < rounding_residue());
}

void derive_c2(Derivation& d) {
    d.say(
        "R(θ_i)R(θ_j)ᵀ = R(θ_i − θ_j). That depends on i − j alone only if θ_i − θ_j does, which "
        "makes θ_i = iθ̄ + const: an arithmetic progression, as the article then chooses.");
    const Row2 q = query(), k = key();
    const auto score = [&](double angle_i, double angle_j) {
        return dot(q * rotation(real(angle_i)), k * rotation(real(angle_j)));
    };
    const BigReal near =
        d.number("θ_i = i: score at (i, j) = (1, 0)", score(1, 0), "-5.349994587787136");
    const BigReal far = d.number("θ_i = i: score at (2, 1)", score(2, 1), "-5.349994587787136");
    d.confirm("With θ_i = i the score at distance 1 is the same anywhere.",
              absolute(near - far) < rounding_residue());
    d.say("Any other choice fails: θ_i = i², for one, is a rotation at each position, too.");
    const BigReal square_near =
        d.number("θ_i = i²: score at (1, 0)", score(1, 0), "-5.34999458779");
    const BigReal square_far = d.number("θ_i = i²: score at (2, 1)", score(4, 1), "-1.97783255302");
    d.refute("With θ_i = i² the score at distance 1 depends on where it is.",
             absolute(square_near - square_far) > real(1));
}

void derive_blocks(Derivation& d) {
    d.say(
        "A_i is a diagonal of 2×2 rotations, so A_iA_jᵀ is one of R((i − j)θ̄_t), block by block. "
        "Take two blocks, θ̄₀ = 1 and θ̄₂ = 1/100, at i = 7 and j = 5.");
    const BigReal slow = real(1) / 100.0;
    const Matrix2 first = rotation(real(7)) * transposed(rotation(real(5)));
    const Matrix2 second = rotation(slow * 7.0) * transposed(rotation(slow * 5.0));
    d.number("first entry of block 0, cos 2", first.a, "-0.416146836547142387");
    d.number("first entry of block 2, cos 0.02", second.a, "0.999800006666577778");
    d.confirm("Both blocks are the rotation by (i − j)θ̄, so (c1) and (c2) hold for any even width.",
              distance(first, rotation(real(2))) < rounding_residue() &&
                  distance(second, rotation(slow * 2.0)) < rounding_residue());
}

constexpr Entry orthogonal_maps_entries[] = {
    {"001-c1", "§3, (2) and (3)", "(c1) holds for all q and k exactly if A_iA_iᵀ = I.",
     Status::theorem, derive_c1},
    {"001-not-identity", "§3, (3)", "It follows from (c1) that A_i ≠ I.", Status::false_as_stated,
     derive_not_identity},
    {"001-reflections", "§3", "An orthogonal A_i is a rotation.", Status::false_as_stated,
     derive_reflections},
    {"001-c2", "§3, (4)", "Rotations by any angles θ_i satisfy (c2).", Status::on_a_range,
     derive_c2},
    {"001-block-matrix", "§3, matrix A_i", "Blocks of two keep (c1) and (c2) for any even width.",
     Status::theorem, derive_blocks},
};

}  // namespace

std::span<const Entry> orthogonal_maps() { return orthogonal_maps_entries; }

namespace {

// Article 001, (c3): "the further apart, the smaller", literally and in the readings that look at
// each pair. s* is the first distance at which a reading fails.

double first_failure(const FrequencyPlan& plan, PairQuantity quantity) {
    constexpr std::uint64_t last = 1 << 16;
    return static_cast<double>(first_violation(plan, quantity, last).value().distance);
}

void derive_literal(Derivation& d) {
    d.say(
        "By (c1) the transform leaves the score of two tokens at the same place alone: r̂ = r at "
        "distance 0, so |r̂ − r| starts at 0, and nothing is smaller.");
    const BigReal base = d.number("|r̂ − r| at s = 1 for q = k = 1, per pair, base θ",
                                  1.0 - mean_score(base_rope(), 1), "0.029786190534880865");
    const BigReal scaled =
        d.number("the same, scaled θ", 1.0 - mean_score(scaled_rope(), 1), "1.837579411356698e-8");
    d.refute(
        "From s = 0 to s = 1 it grows for base and scaled θ alike: no θ satisfies (c1) and "
        "(c3) together.",
        base > real(0) && scaled > real(0));
}

struct Reading {
    PairQuantity quantity;
    const char* why;
    const char *base_fails, *scaled_fails;
};

void derive_reading(Derivation& d, const Reading& reading) {
    d.say(reading.why);
    const double base = d.number("s*, base θ", first_failure(base_rope(), reading.quantity),
                                 reading.base_fails, "positions");
    const double scaled =
        d.number("s*, scaled θ for n = 2048", first_failure(scaled_rope(), reading.quantity),
                 reading.scaled_fails, "positions");
    d.confirm("With scaled θ it holds over the context of 2048.", scaled > 2048);
    d.refute("It fails at s* = " + decimal(scaled) + " with scaled θ, and within " + decimal(base) +
                 " positions with base θ.",
             base <= 2048);
}

void derive_angle(Derivation& d) {
    derive_reading(d, {PairQuantity::angle,
                       "Read as in the figures: sθ, less whole turns, must grow in each pair. It "
                       "stops where the fastest pair, pair 0, completes a turn: at ⌈2π/θ₀⌉.",
                       "7", "8192"});
}
void derive_cosine(Derivation& d) {
    derive_reading(d, {PairQuantity::cosine,
                       "With q = k, |r̂ − r| of a pair is |q|²(1 − cos sθ). It grows while cos sθ "
                       "falls, for half a turn of pair 0: up to ⌊π/θ₀ + ½⌋.",
                       "4", "4097"});
}
void derive_modulus(Derivation& d) {
    derive_reading(d, {PairQuantity::modulus,
                       "With q = k, |r̂| of a pair is |q|²|cos sθ|. It falls for a quarter turn of "
                       "pair 0: up to ⌊π/(2θ₀) + ½⌋, which is what the scale is made for.",
                       "3", "2049"});
}
void derive_weighted(Derivation& d) {
    derive_reading(d, {PairQuantity::cosine,
                       "With q = k, r̂ is Σ|q_i|²cos sθ_i. It falls for every q exactly where each "
                       "cosine falls: otherwise let q have only the pair that rises.",
                       "4", "4097"});
}

constexpr Entry c3_readings_entries[] = {
    {"001-c3-R0", "§3, (c3)", "|r̂ − r| falls as |i − j| grows, for all q and k.",
     Status::false_as_stated, derive_literal},
    {"001-c3-R1", "§3, (c3)", "Reading R1: the angle modulo 2π grows in every pair.",
     Status::on_a_range, derive_angle, "rope-check plot-angles"},
    {"001-c3-R2", "§3, (c3)", "Reading R2: with q = k, |r̂ − r| grows in every pair.",
     Status::on_a_range, derive_cosine},
    {"001-c3-R3", "§3, (c3)", "Reading R3: with q = k, |r̂| falls in every pair.",
     Status::on_a_range, derive_modulus},
    {"001-c3-R4", "§3, (c3)", "Reading R4: with q = k, r̂ falls for every q.", Status::on_a_range,
     derive_weighted, "rope-check plot-decay"},
};

}  // namespace

std::span<const Entry> c3_readings() { return c3_readings_entries; }

namespace {

// Article 001, (c3): the readings that look at whole vectors, R5 to R10. d = 128, base 10000.

void derive_literal_from_one(Derivation& d) {
    d.say("Leave out s = 0, where (c1) decides, and take q = k = 1. |r̂ − r| per pair is 1 − B̂(s).");
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const BigReal b1 = d.number("1 − B̂(1), base θ", 1.0 - mean_score(base, 1), "0.029786190534881");
    const BigReal b2 = d.number("1 − B̂(2), base θ", 1.0 - mean_score(base, 2), "0.103408428862129");
    const BigReal s1 =
        d.number("1 − B̂(1), scaled θ", 1.0 - mean_score(scaled, 1), "1.837579411356698e-8");
    const BigReal s2 =
        d.number("1 − B̂(2), scaled θ", 1.0 - mean_score(scaled, 2), "7.3503170277e-8");
    d.refute("It grows from s = 1 to s = 2 already, for base and scaled θ.", b2 > b1 && s2 > s1);
}

void derive_sum(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    d.say(
        "With q = k = 1, r̂ is B(s) = Σcos sθ_i. Its slope is −Σθ_i sin sθ_i, which is first 0 at "
        "u* for base θ.");
    const BigReal u =
        d.number("u*, a real distance", first_minimum(base), "5.6198237463056488324", "positions");
    d.say(
        "Base θ meets whole distances only, and the sum's tail falls on for a while. Scaled θ "
        "stretches everything by 2n/π.");
    const auto base_rise = static_cast<double>(first_rise(base, 100).value());
    d.number("s*, base θ", base_rise, "12", "positions");
    const BigReal stretched =
        d.number("u*·2n/π for n = 2048, as a multiple of n", u * 2.0 / exact_pi(), "3.5777");
    const auto rise = static_cast<double>(first_rise(scaled, 8192).value());
    const double s = d.number("s*, scaled θ", rise, "7328", "positions");
    d.number("B̂(7327), scaled θ: the least before it rises", mean_score(scaled, 7327),
             "0.735232081709718246");
    d.confirm("Scaled θ keeps B falling over its context, and up to u*·2n/π.",
              s > 2048 && real(s - 2) < stretched * 2048.0 && stretched * 2048.0 < real(s + 1));
    d.refute("Beyond, it rises; with base θ it does so within 12 positions.", base_rise <= 12);
}

void derive_abel(Derivation& d) {
    d.say(
        "RoFormer's Σ|S_j|, S_j = Σ_{l<j} e^{isθ_l}, bounds the score of any q and k up to a "
        "factor. Search for its first rise.");
    const double base =
        d.number("s*, base θ", static_cast<double>(first_bound_rise(base_rope(), 2048).value_or(0)),
                 "19", "positions");
    const double scaled = d.number(
        "rises within 2048 with scaled θ, at s (0: none)",
        static_cast<double>(first_bound_rise(scaled_rope(), 2048).value_or(0)), "0", "positions");
    d.confirm("With scaled θ it falls at each of 2048 steps.", scaled == 0);
    d.refute("With base θ it rises at s = 19.", base == 19);
}

// r̂(s) per pair for k = 1 and q turned by r: it is best at s = r.
BigReal peaked(const FrequencyPlan& plan, std::uint64_t s, std::uint64_t r) {
    return mean_score(plan, s > r ? s - r : r - s);
}

void derive_any_vectors(Derivation& d) {
    d.say(
        "Choose k as q turned by 5 positions: then the score is B̂(s − 5), which is greatest at "
        "s = 5.");
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const BigReal b0 = d.number("r̂ at s = 0, base θ", peaked(base, 0, 5), "0.737265812028750");
    const BigReal b1 = d.number("r̂ at s = 1, base θ", peaked(base, 1, 5), "0.759156726010507");
    const BigReal b5 = d.number("r̂ at s = 5, base θ", peaked(base, 5, 5), "1");
    const BigReal s0 =
        d.number("1 − r̂ at s = 0, scaled θ", 1.0 - peaked(scaled, 0, 5), "4.59394544e-7");
    const BigReal s1 =
        d.number("1 − r̂ at s = 1, scaled θ", 1.0 - peaked(scaled, 1, 5), "2.94012582e-7");
    d.refute(
        "It rises from s = 0 to s = 1, with base and scaled θ: no θ makes r̂ fall for all "
        "q and k.",
        b1 > b0 && b5 > b1 && s1 < s0);
}

void derive_phases(Derivation& d) {
    d.say(
        "In one pair r̂ = |q||k|cos(φ + sθ), with φ between q and k. It falls from 0 to N only if "
        "φ lies in [0, π − Nθ], and |r̂| only if φ lies in [0, π/2 − Nθ], modulo π.");
    const BigReal turned = scaled_rope().pairs.front().inv_freq * 2048.0;
    const BigReal falling = d.number("width for r̂, pair 0, scaled θ, N = 2048", exact_pi() - turned,
                                     "1.570796326794896619", "rad");
    const BigReal modulus = d.number("width for |r̂|", exact_pi() / 2.0 - turned, "0", "rad");
    d.say("For base θ pair 0 turns by N radians, more than π after 3 positions.");
    const BigReal base = d.number("width for r̂, pair 0, base θ, N = 4", exact_pi() - 4.0,
                                  "-0.858407346410206762", "rad");
    d.refute("|r̂| falls for one phase of all, φ = 0, and r̂ for a quarter of them at best.",
             modulus == real(0) && falling < exact_pi() && base < real(0));
}

void derive_mean_square(Derivation& d) {
    d.say(
        "Let the entries of q and k be independent with mean 0 and variance 1. Then E r̂ = 0, and "
        "E r̂² = Σ_ab R_ab², the sum of the squares of all entries of R(s).");
    const auto squares = [](const FrequencyPlan& plan, double s) {
        BigReal sum = real(0);
        for (const PlannedFrequency& pair : plan.pairs) {
            const Matrix2 r = rotation(s * pair.inv_freq);
            sum = sum + r.a * r.a + r.b * r.b + r.c * r.c + r.d * r.d;
        }
        return BigReal(sum, Precision{280});  // the residue of 64 sums is cut off
    };
    const BigReal near = d.number("E r̂² at s = 1, base θ", squares(base_rope(), 1), "128");
    const BigReal far = d.number("E r̂² at s = 2048, base θ", squares(base_rope(), 2048), "128");
    const BigReal scaled =
        d.number("E r̂² at s = 2048, scaled θ", squares(scaled_rope(), 2048), "128");
    d.refute("It is d at every distance: cos² + sin² = 1, for any θ.",
             near == far && far == scaled);
}

void derive_rms(Derivation& d) {
    d.say(
        "For such q and k the root mean square of r̂ − r over that of r is √(2(1 − B̂(s))): it "
        "grows exactly where B̂ falls.");
    const auto ratio = [](const FrequencyPlan& plan) {
        return root(2.0 * (1.0 - mean_score(plan, 2048)));
    };
    const BigReal scaled = d.number("ratio at s = 2048, scaled θ", ratio(scaled_rope()), "0.370");
    const BigReal base = d.number("ratio at s = 2048, base θ", ratio(base_rope()), "1.327");
    const auto rise = static_cast<double>(first_rise(scaled_rope(), 8192).value());
    const double s = d.number("s*, scaled θ", rise, "7328", "positions");
    d.confirm("It grows over the context of 2048 with scaled θ, though to little.",
              s > 2048 && scaled < base);
    d.refute("It is the opposite of what (c3) words, and ends at s*.", s == 7328);
}

constexpr Entry c3_sums_entries[] = {
    {"001-c3-R0-from-1", "§3, (c3)",
     "Reading R0′: |r̂ − r| falls from distance 1 on, with q = k = 1.", Status::false_as_stated,
     derive_literal_from_one},
    {"001-c3-R5", "§3, (c3)", "Reading R5: with q = k = 1, the sum r̂ over all pairs falls.",
     Status::on_a_range, derive_sum, "rope-check plot-decay"},
    {"001-c3-R6", "§3, (c3)", "Reading R6: RoFormer's bound of the score falls.",
     Status::on_a_range, derive_abel, "rope-check plot-decay"},
    {"001-c3-R7", "§3, (c3)", "Reading R7: r̂ falls for all fixed q and k.", Status::false_as_stated,
     derive_any_vectors},
    {"001-c3-R8", "§3, (c3)", "Reading R8: |r̂| falls, or |r̂ − r| grows, for all q and k.",
     Status::false_as_stated, derive_phases},
    {"001-c3-R9", "§3, (c3)", "Reading R9: on average over q and k, the score falls.",
     Status::false_as_stated, derive_mean_square},
    {"001-c3-R10", "§3, (c3)", "Reading R10: the root mean square of r̂ − r grows with distance.",
     Status::on_a_range, derive_rms},
};

}  // namespace

std::span<const Entry> c3_sums() { return c3_sums_entries; }

}  // namespace rope::ledger
