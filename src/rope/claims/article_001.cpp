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
    BigReal sum = real(0), all = real(0);
    for (const double x : {1.0, 2.0, 3.0}) sum = sum + exponential(real(x));
    for (int i = 0; i < 3; ++i) all = all + d.number(exponential(real(i + 1.0)) / sum);
    d.conclude(absolute(all - real(1)) < real(1e-14));
}

void derive_root(Derivation& d) {
    double squares = 0;
    for (unsigned signs = 0; signs < 256; ++signs) {
        int r = 0;
        for (unsigned c = 0; c < 4; ++c) r += ((signs >> c ^ signs >> (c + 4)) & 1U) != 0 ? -1 : 1;
        squares += r * r;
    }
    const double variance = d.number(squares / 256);
    d.number(root(real(width)));
    d.conclude(variance == 4);
}

void derive_index_set(Derivation& d) {
    int even = 0, printed = 1;
    for (int t = 0; t < width; t += 2) ++even;
    for (int t = 2; t <= width - 2; t += 4) ++printed;  // 0, then 2, 6, 10, …
    const double wanted = d.number(even);
    const double found = d.number(printed);
    d.conclude(found < wanted);
}

void derive_token_index(Derivation& d) {
    int count = 0;
    for (int i = 0; i <= length; ++i) ++count;
    const double named = d.number(count);
    d.conclude(named > length);
}

void derive_transposed_vector(Derivation& d) {
    const Shape column{2, 1}, row{1, 2}, a{2, 2};
    d.number(column[1]);
    d.number(a[0]);
    d.conclude(!matrix_product(column, a) && matrix_product(row, a) == row);
}

void derive_range_exponent(Derivation& d) {
    d.number(frequency(2));
    const BigReal last = d.number(frequency(126));
    d.conclude(absolute(last * pow(real(10000), real(126) / 128.0) - real(1)) < real(0x1p-300));
    const BigReal effective = d.number(1.0 / pow(frequency(1), real(width / 2.0)));
    d.conclude(effective < real(101));
}

// Article 001, §3: which maps satisfy (c1) and (c2), in the article's row vectors.

Row2 query() { return {real(1), real(2)}; }
Row2 key() { return {real(3), real(-1)}; }

void derive_c1(Derivation& d) {
    const Matrix2 turn = rotation(real(1));
    const BigReal kept = d.number(dot(query() * turn, key() * turn));
    const Matrix2 grown{1.1 * turn.a, 1.1 * turn.b, 1.1 * turn.c, 1.1 * turn.d};
    const BigReal changed = d.number(dot(query() * grown, key() * grown));
    d.conclude(absolute(kept - dot(query(), key())) < rounding_residue() &&
               absolute(changed - kept) > real(0.2));
}

void derive_not_identity(Derivation& d) {
    const BigReal apart = d.number(distance(rotation(real(0)), identity2()));
    d.conclude(apart == real(0));
}

void derive_reflections(Derivation& d) {
    const Matrix2 turn = rotation(real(1)), f1 = reflection(real(1)), f3 = reflection(real(3));
    const auto is_orthogonal = [](const Matrix2& m) {
        return distance(m * transposed(m), identity2()) < rounding_residue();
    };
    d.number(BigReal(determinant(turn), Precision{280}));
    d.conclude(is_orthogonal(turn));
    const BigReal det = d.number(BigReal(determinant(f1), Precision{280}));
    const Matrix2 both = f1 * transposed(f3);
    d.number(both.a);
    d.conclude(is_orthogonal(f1) && det == real(-1) &&
               distance(both, rotation(real(2))) < rounding_residue());
}

void derive_c2(Derivation& d) {
    const Row2 q = query(), k = key();
    const auto score = [&](double angle_i, double angle_j) {
        return dot(q * rotation(real(angle_i)), k * rotation(real(angle_j)));
    };
    const BigReal near = d.number(score(1, 0));
    const BigReal far = d.number(score(2, 1));
    d.conclude(absolute(near - far) < rounding_residue());
    const BigReal square_near = d.number(score(1, 0));
    const BigReal square_far = d.number(score(4, 1));
    d.conclude(absolute(square_near - square_far) > real(1));
}

void derive_blocks(Derivation& d) {
    const BigReal slow = real(1) / 100.0;
    const Matrix2 first = rotation(real(7)) * transposed(rotation(real(5)));
    const Matrix2 second = rotation(slow * 7.0) * transposed(rotation(slow * 5.0));
    d.number(first.a);
    d.number(second.a);
    d.conclude(distance(first, rotation(real(2))) < rounding_residue() &&
               distance(second, rotation(slow * 2.0)) < rounding_residue());
}

// Article 001, (c3): "the further apart, the smaller", literally and in the readings that look at
// each pair. s* is the first distance at which a reading fails.

double first_failure(const FrequencyPlan& plan, PairQuantity quantity) {
    constexpr std::uint64_t last = 1 << 16;
    return static_cast<double>(first_violation(plan, quantity, last).value().distance);
}

void derive_literal(Derivation& d) {
    const BigReal base = d.number(1.0 - mean_score(base_rope(), 1));
    const BigReal scaled = d.number(1.0 - mean_score(scaled_rope(), 1));
    d.conclude(base > real(0) && scaled > real(0));
}

template <PairQuantity quantity>
void derive_reading(Derivation& d) {
    const double base = d.number(first_failure(base_rope(), quantity));
    const double scaled = d.number(first_failure(scaled_rope(), quantity));
    d.conclude(scaled > 2048);
    d.conclude(base <= 2048);
}

// Article 001, (c3): the readings that look at whole vectors, R5 to R10. d = 128, base 10000.

void derive_literal_from_one(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const BigReal b1 = d.number(1.0 - mean_score(base, 1));
    const BigReal b2 = d.number(1.0 - mean_score(base, 2));
    const BigReal s1 = d.number(1.0 - mean_score(scaled, 1));
    const BigReal s2 = d.number(1.0 - mean_score(scaled, 2));
    d.conclude(b2 > b1 && s2 > s1);
}

void derive_sum(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const BigReal u = d.number(first_minimum(base));
    const double base_rise = d.number(first_rise(base, 100).value());
    const BigReal stretched = d.number(u * 2.0 / exact_pi());
    const double s = d.number(first_rise(scaled, 8 * 2048).value());
    d.number(mean_score(scaled, 7327));
    d.conclude(s > 2048 && real(s - 2) < stretched * 2048.0 && stretched * 2048.0 < real(s + 1));
    d.conclude(base_rise <= 12);
}

void derive_abel(Derivation& d) {
    const double base = d.number(first_bound_rise(base_rope(), 2048).value());
    const double scaled = d.number(first_bound_rise(scaled_rope(), 8 * 2048).value());
    d.conclude(scaled > 2048);
    d.conclude(base <= 2048);
}

// r̂(s) per pair for k = 1 and q turned by r: it is best at s = r.
BigReal peaked(const FrequencyPlan& plan, std::uint64_t s, std::uint64_t r) {
    return mean_score(plan, s > r ? s - r : r - s);
}

void derive_any_vectors(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const BigReal b0 = d.number(peaked(base, 0, 5));
    const BigReal b1 = d.number(peaked(base, 1, 5));
    const BigReal b5 = d.number(peaked(base, 5, 5));
    const BigReal s0 = d.number(1.0 - peaked(scaled, 0, 5));
    const BigReal s1 = d.number(1.0 - peaked(scaled, 1, 5));
    d.conclude(b1 > b0 && b5 > b1 && s1 < s0);
}

void derive_phases(Derivation& d) {
    const BigReal turned = scaled_rope().pairs.front().inv_freq * 2048.0;
    const BigReal falling = d.number(exact_pi() - turned);
    const BigReal modulus = d.number(exact_pi() / 2.0 - turned);
    const BigReal growing = d.number((exact_pi() - turned) / exact_pi());
    const BigReal base = d.number(exact_pi() - 4.0);
    d.conclude(modulus == real(0) && falling < exact_pi() && base < real(0) && growing < real(1));
}

void derive_mean_square(Derivation& d) {
    const auto squares = [](const FrequencyPlan& plan, double s) {
        BigReal sum = real(0);
        for (const PlannedFrequency& pair : plan.pairs) {
            const Matrix2 r = rotation(s * pair.inv_freq);
            sum = sum + r.a * r.a + r.b * r.b + r.c * r.c + r.d * r.d;
        }
        return BigReal(sum, Precision{280});  // the residue of 64 sums is cut off
    };
    const BigReal near = d.number(squares(base_rope(), 1));
    const BigReal far = d.number(squares(base_rope(), 2048));
    const BigReal scaled = d.number(squares(scaled_rope(), 2048));
    d.conclude(near == far && far == scaled);
}

void derive_rms(Derivation& d) {
    const auto ratio = [](const FrequencyPlan& plan) {
        return root(2.0 * (1.0 - mean_score(plan, 2048)));
    };
    const BigReal scaled = d.number(ratio(scaled_rope()));
    const BigReal base = d.number(ratio(base_rope()));
    const double s = d.number(first_rise(scaled_rope(), 8 * 2048).value());
    d.conclude(s > 2048 && scaled < base);
    d.conclude(s < 4 * 2048);
}

void derive_same_size(Derivation& d) {
    const Shape whole = matrix_product({2048, width}, {width, 2048}).value();
    const Shape newest = matrix_product({1, width}, {width, 2048}).value();
    d.number(whole[0]);
    d.conclude(whole == Shape{2048, 2048});
    d.number(newest[0]);
    d.conclude(newest == Shape{1, 2048});
}

void derive_gloss(Derivation& d) {
    const auto row = [&](const FrequencyPlan& plan) {
        const BigReal near = d.number(mean_score(plan, 1)), far = d.number(mean_score(plan, 2048));
        d.number(1.0 - near);
        d.number(1.0 - far);
        return far < near;
    };
    const bool base = row(base_rope());
    const bool scaled = row(scaled_rope());
    d.conclude(base && scaled);
}

constexpr Computation computations[] = {
    {"001-softmax", derive_softmax},
    {"001-scaled-scores", derive_root},
    {"001-token-index", derive_token_index},
    {"001-transposed-vector", derive_transposed_vector},
    {"001-index-set", derive_index_set},
    {"001-exponent", derive_range_exponent},
    {"001-c1", derive_c1},
    {"001-not-identity", derive_not_identity},
    {"001-reflections", derive_reflections},
    {"001-c2", derive_c2},
    {"001-block-matrix", derive_blocks},
    {"001-c3-R0", derive_literal},
    {"001-c3-R1", derive_reading<PairQuantity::angle>},
    {"001-c3-R2", derive_reading<PairQuantity::cosine>},
    {"001-c3-R3", derive_reading<PairQuantity::modulus>},
    {"001-c3-R4", derive_reading<PairQuantity::cosine>},
    {"001-c3-R0-from-1", derive_literal_from_one},
    {"001-c3-R5", derive_sum},
    {"001-c3-R6", derive_abel},
    {"001-c3-R7", derive_any_vectors},
    {"001-c3-R8", derive_phases},
    {"001-c3-R9", derive_mean_square},
    {"001-c3-R10", derive_rms},
    {"001-same-size", derive_same_size},
    {"001-c3-gloss", derive_gloss},
};

}  // namespace

std::span<const Computation> article_001() { return computations; }

}  // namespace rope::ledger
