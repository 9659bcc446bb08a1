// Article 001 by He & Xu.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "rope/checks/decay.hpp"
#include "rope/claims/ledger.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/exact/random.hpp"
#include "rope/rows/exact_rows.hpp"

namespace rope::ledger {
namespace {

constexpr int width = 128;    // n6 of LLAMA-7B
constexpr int length = 2048;  // n3 of the article, any value

// 10000^(−t/n6)
BigReal frequency(double t) { return pow(real(10000), real(-t) / width); }

// Article 001, §3: which maps satisfy (c1) and (c2), with row vectors as in the article.

Vector query() { return vector_of({1, 2}); }
Vector key() { return vector_of({3, -1}); }
Matrix identity() { return vector_of({1, 0, 0, 1}); }

// Article 001, (c3): "the further apart, the smaller", literally and in the readings for each pair.
// s* is the first distance at which a reading fails.

std::uint64_t first_failure(const FrequencyPlan& plan, PairQuantity quantity) {
    return first_violation(plan, quantity, 1 << 16).value().distance;
}

template <PairQuantity quantity>
void derive_reading(Derivation& d) {
    const auto [base, scaled] =
        d.number(first_failure(base_rope(), quantity), first_failure(scaled_rope(), quantity));
    d.conclude(scaled > 2048);
    d.conclude(base <= 2048);
}

// r̂(s)/pairs for k = 1 and q rotated by r, which has its maximum at s = r.
BigReal peaked(const FrequencyPlan& plan, std::uint64_t s, std::uint64_t r) {
    return mean_score(plan, s > r ? s - r : r - s);
}

BigReal modulo_turn(const BigReal& angle) {
    const BigReal turn = exact_pi() * 2.0;
    return angle - whole_below(angle / turn) * turn;
}

// [[cos, sin], [sin, −cos]]
Matrix reflection(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, s, -1.0 * c};
}

// Returns the first position at which some cos is not 1.
std::uint64_t first_cos_below_one(const FrequencyPlan& plan, Format format) {
    const BigReal one(1, exact_precision);
    for (std::uint64_t m = 1;; ++m)
        for (const PlannedFrequency& pair : plan.pairs)
            if (rounded_cos(pair.inv_freq * static_cast<double>(m), one, format) != 1) return m;
}

// Shares of random vectors for which the readings of (c3) hold.

// Shares of draws for which a quantity is monotone over all steps from distance 0 on.
struct Shares {
    double falling;          // r̂ decreases
    double modulus_falling;  // |r̂| decreases
    double growing_apart;    // |r̂ − r| increases
};

// Draws q and k with independent normal entries (SplitMix64, seed 1) and tests the distances 0,
// step, …, last.
Shares monotone_shares(const FrequencyPlan& plan, std::uint64_t draws, std::uint64_t last,
                       std::uint64_t step) {
    const std::size_t pairs = plan.pairs.size(), rows = last / step + 1;
    const ExactRows exact(turn_rates(plan.pairs));
    std::vector<double> cos(rows * pairs), sin = cos, a(pairs), b = a;
    for (std::size_t row = 0; row < rows; ++row)
        exact.fill_row(row * step, &cos[row * pairs], &sin[row * pairs]);
    // r̂(s) = Σ a_i·cos sθ_i + b_i·sin sθ_i
    const auto score = [&](std::size_t row) {
        double sum = 0;
        for (std::size_t i = 0; i < pairs; ++i)
            sum += a[i] * cos[row * pairs + i] + b[i] * sin[row * pairs + i];
        return sum;
    };
    Random random(1);
    Shares shares{0, 0, 0};
    std::vector<double> r(rows);
    for (std::uint64_t n = 0; n < draws; ++n) {
        for (std::size_t i = 0; i < pairs; ++i) {
            const double q1 = random.normal(), q2 = random.normal();
            const double k1 = random.normal(), k2 = random.normal();
            a[i] = q1 * k1 + q2 * k2;
            b[i] = q1 * k2 - q2 * k1;
        }
        for (std::size_t row = 0; row < rows; ++row) r[row] = score(row);
        const auto share = [&](const auto& of) {  // 1/draws if of(r) decreases
            const auto rise = std::ranges::adjacent_find(r, std::ranges::less_equal{}, of);
            return rise == r.end() ? 1.0 / static_cast<double>(draws) : 0;
        };
        shares.falling += share([](double x) { return x; });
        shares.modulus_falling += share([](double x) { return std::abs(x); });
        shares.growing_apart += share([&](double x) { return -std::abs(x - r[0]); });
    }
    return shares;
}

}  // namespace

void article_001(Computations& compute) {
    static const FrequencyPlan &base = base_rope(), &scaled = scaled_rope();
    compute["001-softmax"] = [](Derivation& d) {
        BigReal sum = real(0), all = real(0);
        for (const double x : {1.0, 2.0, 3.0}) sum = sum + exponential(real(x));
        for (int i = 0; i < 3; ++i) all = all + d.number(exponential(real(i + 1.0)) / sum);
        d.conclude(same(all, real(1)));
    };
    compute["001-scaled-scores"] = [](Derivation& d) {
        double squares = 0;
        for (unsigned signs = 0; signs < 256; ++signs) {
            int r = 0;
            for (unsigned c = 0; c < 4; ++c)
                r += ((signs >> c ^ signs >> (c + 4)) & 1U) != 0 ? -1 : 1;
            squares += r * r;
        }
        const double variance = d.number(squares / 256);
        d.number(root(real(width)));
        d.conclude(variance == 4);
    };
    compute["001-index-set"] = [](Derivation& d) {
        const auto [wanted, found] = d.number(width / 2, 1 + width / 4);  // 0, then 2, 6, …, 126
        d.conclude(found < wanted);
    };
    compute["001-token-index"] = [](Derivation& d) { d.conclude(d.number(length + 1) > length); };
    compute["001-transposed-vector"] = [](Derivation& d) {
        const Shape column{2, 1}, row{1, 2}, a{2, 2};
        d.number(column[1], a[0]);
        d.conclude(!matrix_product(column, a) && matrix_product(row, a) == row);
    };
    compute["001-exponent"] = [](Derivation& d) {
        d.number(frequency(2));
        const BigReal last = d.number(frequency(126));
        d.conclude(same(last * pow(real(10000), real(126) / 128.0), real(1)));
        d.conclude(d.number(1.0 / pow(frequency(1), real(width / 2.0))) < real(101));
    };
    compute["001-c1"] = [](Derivation& d) {
        const Matrix turn = rotation(real(1));
        const BigReal kept = d.number(dot(query() * turn, key() * turn));
        const Matrix grown = turn * Matrix{real(1.1), real(0), real(0), real(1.1)};
        const BigReal changed = d.number(dot(query() * grown, key() * grown));
        d.conclude(same(kept, dot(query(), key())) && absolute(changed - kept) > real(0.2));
    };
    compute["001-not-identity"] = [](Derivation& d) {
        d.conclude(d.number(distance(rotation(real(0)), identity())) == real(0));
    };
    compute["001-reflections"] = [](Derivation& d) {
        const Matrix turn = rotation(real(1)), f1 = reflection(real(1)), f3 = reflection(real(3));
        const auto is_orthogonal = [](const Matrix& m) {
            return same(m * transposed(m), identity());
        };
        d.number(BigReal(determinant(turn), Precision{280}));
        d.conclude(is_orthogonal(turn));
        const Matrix both = f1 * transposed(f3);
        const auto [det, first] = d.number(BigReal(determinant(f1), Precision{280}), both[0]);
        d.conclude(is_orthogonal(f1) && det == real(-1) && same(both, rotation(real(2))));
    };
    compute["001-c2"] = [](Derivation& d) {
        const Vector q = query(), k = key();
        const auto score = [&](double angle_i, double angle_j) {
            return dot(q * rotation(real(angle_i)), k * rotation(real(angle_j)));
        };
        const auto [near, far] = d.number(score(1, 0), score(2, 1));
        d.conclude(same(near, far));
        const auto [square_near, square_far] = d.number(score(1, 0), score(4, 1));
        d.conclude(absolute(square_near - square_far) > real(1));
    };
    compute["001-block-matrix"] = [](Derivation& d) {
        const BigReal slow = real(1) / 100.0;
        const Matrix first = rotation(real(7)) * transposed(rotation(real(5)));
        const Matrix second = rotation(slow * 7.0) * transposed(rotation(slow * 5.0));
        d.number(first[0], second[0]);
        d.conclude(same(first, rotation(real(2))) && same(second, rotation(slow * 2.0)));
    };
    compute["001-c3-R0"] = [](Derivation& d) {
        const auto [near, scaled_near] =
            d.number(1.0 - mean_score(base, 1), 1.0 - mean_score(scaled, 1));
        d.conclude(near > real(0) && scaled_near > real(0));
    };
    // Article 001, (c3): the readings for whole vectors, R5 to R10. d = 128, base near 10000.
    compute["001-c3-R0-from-1"] = [](Derivation& d) {
        const auto [b1, b2, s1, s2] =
            d.number(1.0 - mean_score(base, 1), 1.0 - mean_score(base, 2),
                     1.0 - mean_score(scaled, 1), 1.0 - mean_score(scaled, 2));
        d.conclude(b2 > b1 && s2 > s1);
    };
    compute["001-c3-R5"] = [](Derivation& d) {
        const BigReal u = d.number(first_minimum(base));
        const auto [base_rise, stretched, s] = d.number(
            first_rise(base, 100).value(), u * 2.0 / exact_pi(), first_rise(scaled, 16384).value());
        d.number(mean_score(scaled, 7327));
        d.conclude(s > 2048 && real(s - 2) < stretched * 2048.0 &&
                   stretched * 2048.0 < real(s + 1));
        d.conclude(base_rise <= 12);
    };
    compute["001-c3-R6"] = [](Derivation& d) {
        const auto [b, s] =
            d.number(first_bound_rise(base, 2048).value(), first_bound_rise(scaled, 16384).value());
        d.conclude(s > 2048);
        d.conclude(b <= 2048);
    };
    compute["001-c3-R7"] = [](Derivation& d) {
        const auto [b0, b1, b5, s0, s1] =
            d.number(peaked(base, 0, 5), peaked(base, 1, 5), peaked(base, 5, 5),
                     1.0 - peaked(scaled, 0, 5), 1.0 - peaked(scaled, 1, 5));
        d.conclude(b1 > b0 && b5 > b1 && s1 < s0);
    };
    compute["001-c3-R8"] = [](Derivation& d) {
        const BigReal turned = scaled.pairs.front().inv_freq * 2048.0;
        const auto [falling, modulus, growing, base_width] =
            d.number(exact_pi() - turned, exact_pi() / 2.0 - turned,
                     (exact_pi() - turned) / exact_pi(), exact_pi() - 4.0);
        d.conclude(modulus == real(0) && base_width < real(0) && growing < real(1));
    };
    compute["001-c3-R9"] = [](Derivation& d) {
        const auto squares = [](const FrequencyPlan& plan, double s) {
            const BigReal sum = sum_over(plan, [&](const BigReal& theta) {
                const Matrix r = rotation(s * theta);
                return dot(r, r);
            });
            return BigReal(sum, Precision{280});  // removes the rounding error of 64 sums
        };
        const auto [near, far, far_scaled] =
            d.number(squares(base, 1), squares(base, 2048), squares(scaled, 2048));
        d.conclude(near == far && far == far_scaled);
    };
    compute["001-c3-R10"] = [](Derivation& d) {
        const auto ratio = [](const FrequencyPlan& plan) {
            return root(2.0 * (1.0 - mean_score(plan, 2048)));
        };
        const auto [little, much, s, early] =
            d.number(ratio(scaled), ratio(base), first_rise(scaled, 16384).value(),
                     first_rise(base, 2048).value());
        d.conclude(s > 2048 && little < much);
        d.conclude(s < 4 * 2048 && early < 2048);
    };
    compute["001-same-size"] = [](Derivation& d) {
        const Shape whole = matrix_product({2048, width}, {width, 2048}).value();
        const Shape newest = matrix_product({1, width}, {width, 2048}).value();
        d.number(whole[0]);
        d.conclude(whole == Shape{2048, 2048});
        d.number(newest[0]);
        d.conclude(newest == Shape{1, 2048});
    };
    compute["001-c3-gloss"] = [](Derivation& d) {
        bool falls = true;
        for (const FrequencyPlan* plan : {&base, &scaled}) {
            const BigReal near = mean_score(*plan, 1), far = mean_score(*plan, 2048);
            d.number(near, far, 1.0 - near, 1.0 - far);
            falls = falls && far < near;
        }
        d.conclude(falls);
    };
    compute["001-c3-R1"] = derive_reading<PairQuantity::angle>;
    compute["001-c3-R2"] = derive_reading<PairQuantity::cosine>;
    compute["001-c3-R3"] = derive_reading<PairQuantity::modulus>;
    compute["001-c3-R4"] = derive_reading<PairQuantity::cosine>;
    compute["001-figure-1"] = [](Derivation& d) {
        const auto [six, seven] = d.number(modulo_turn(real(6)), modulo_turn(real(7)));
        d.conclude(seven < six);
    };
    compute["001-figure-2"] = [](Derivation& d) {
        const auto [angle, first] = d.number(scaled.pairs.front().inv_freq * 2048.0,
                                             first_failure(scaled, PairQuantity::angle));
        d.conclude(first == 8192);
        const auto [none, one] = d.number(1.0 - mean_score(scaled, 0), 1.0 - mean_score(scaled, 1));
        d.conclude(one > none);
    };
    compute["001-angle-difference"] = [](Derivation& d) {
        const auto [right, written] = d.number(real(-6), 6.0 * pow(real(1e4), real(-1) / 128.0));
        d.conclude(absolute(right) == real(6) && absolute(written - 6.0) > real(0.1));
    };
    compute["001-changed-equation"] = [](Derivation& d) {
        const auto [scale, n_3000, n_4096] =
            d.number(exact_pi() / 4096.0, exact_pi() / 6000.0, exact_pi() / 8192.0);
        d.conclude(scale < real(1));
    };
    // Article 001, §4: the cost of scaling θ by π/(2n) for scores. d = 128, base 10000, n = 2048.
    compute["001-cost-frequencies"] = [](Derivation& d) {
        const BigReal slow = base.pairs.back().inv_freq, last = scaled.pairs.back().inv_freq;
        d.number(base.pairs.front().inv_freq, scaled.pairs.front().inv_freq, slow, last);
        const auto [turned, unscaled] = d.number(last * 2048.0, slow * 2048.0);
        d.conclude(turned < real(1e-3) && unscaled > 1e3 * turned);
    };
    compute["001-cost-interpolation"] = [](Derivation& d) {
        const BigReal f = d.number(4096.0 / exact_pi());
        const BigReal end = d.number(2048.0 / f);
        d.conclude(same(cosine_sum(scaled, real(700)), cosine_sum(base, real(700) / f)));
        d.conclude(end < real(1.571));
    };
    compute["001-cost-scores"] = [](Derivation& d) {
        for (const unsigned at : {1U, 2U, 7U, 512U, 1024U, 2047U, 2048U, 4096U, 8192U, 16384U})
            d.number(mean_score(base, at), mean_score(scaled, at));
        d.number(100.0 * (1.0 - mean_score(base, 2048)));
        d.conclude(d.number(100.0 * (1.0 - mean_score(scaled, 2048))) < real(7));
    };
    compute["001-cost-neighbours"] = [](Derivation& d) {
        const auto [far, near] = d.number(apart(base, 1), apart(scaled, 1));
        const BigReal closer = d.number(far / near);
        const auto [b, s] = d.number(1.0 - mean_score(base, 1), 1.0 - mean_score(scaled, 1));
        const BigReal ratio = d.number(nearest_whole(b / s));
        const auto [odd, scaled_odd] =
            d.number(sum_over(base, sine) / 64.0, sum_over(scaled, sine) / 64.0);
        d.number(odd / scaled_odd);
        d.conclude(nearest_whole(closer) == real(1273) && same(closer * closer, b / s) &&
                   ratio > real(1.6e6));
    };
    compute["001-cost-softmax"] = [](Derivation& d) {
        const auto weight = [](const FrequencyPlan& plan, std::uint64_t s) {
            return exponential(root(real(128)) * (1.0 - mean_score(plan, s)));
        };
        d.number(weight(base, 1), weight(scaled, 1));
        const auto [base_far, far] = d.number(weight(base, 2048), weight(scaled, 2048));
        const BigReal fastest = cosine(2048.0 * scaled.pairs.front().inv_freq);
        const BigReal in_pair_0 = d.number(exponential(root(real(128)) * (1.0 - fastest)));
        const auto needed = [](const FrequencyPlan& plan) {
            return root(real(128)) / (1.0 - cosine(plan.pairs.front().inv_freq));
        };
        const auto [little, huge] = d.number(needed(base), needed(scaled));
        d.conclude(huge > 1e6 * little && far < real(3) && in_pair_0 > base_far);
    };
    compute["001-c3-lengths"] = [](Derivation& d) {
        bool beyond = true, as_said = true;
        for (const unsigned n : {2048U, 3000U, 4096U}) {
            const FrequencyPlan plan = scaled_rope(128, 1e4, n);
            const auto [r1, r2, r3] = d.number(first_failure(plan, PairQuantity::angle),
                                               first_failure(plan, PairQuantity::cosine),
                                               first_failure(plan, PairQuantity::modulus));
            beyond = beyond && r1 > n && r2 > n && r3 > n;
            as_said = as_said && r1 == 4 * n && r2 == 2 * n + 1 && r3 == n + 1;
        }
        d.conclude(beyond);
        d.conclude(as_said);
    };
    compute["001-c3-R5-dimensions"] = [](Derivation& d) {
        BigReal before = real(0);
        bool grows = true, ends = true;
        constexpr std::pair<std::uint32_t, double> heads[] = {
            {2, 1e4}, {4, 1e4}, {16, 1e4}, {32, 1e4}, {64, 1e4}, {64, 5e5}, {96, 1e4}, {128, 5e5}};
        for (const auto& [dim, b] : heads) {
            const FrequencyPlan plan = base_rope(dim, b);
            const BigReal minimum = first_minimum(plan);
            const auto [u, s, contexts] =
                d.number(minimum, first_rise(plan, 64).value(), minimum * 2.0 / exact_pi());
            ends = ends && contexts > real(1.9999) && contexts < real(4);
            if (b == 1e4) grows = grows && u > before, before = u;
        }
        d.conclude(grows);
        d.conclude(ends);
    };
    compute["001-c3-R5-rises"] = [](Derivation& d) {
        const auto rise = [](const FrequencyPlan& plan) { return *first_rise(plan, 40000); };
        const auto [n, narrow, large] =
            d.number(rise(scaled_rope(128, 1e4, 4096)), rise(scaled_rope(64, 1e4, 2048)),
                     rise(scaled_rope(128, 5e5, 8192)));
        d.conclude(n > 4096 && narrow > 2048 && large > 8192);
        d.conclude(n < 4 * 4096 && narrow < 4 * 2048 && large < 4 * 8192);
    };
    compute["001-c3-pairs"] = [](Derivation& d) {
        const BigReal half_turn = exact_pi(), quarter = half_turn / 2.0;
        const double folded = d.number(slow_pairs(base, half_turn, 2048));
        d.number(slow_pairs(base, half_turn, 4096), slow_pairs(base, quarter, 2048),
                 slow_pairs(base, quarter, 4096), full_turns(base, 2048), full_turns(base, 4096));
        d.conclude(folded > 0);
    };
    compute["001-c3-random"] = [](Derivation& d) {
        constexpr std::uint64_t draws = 20000;
        const Shares shares = monotone_shares(scaled, draws, 2048, 8);
        const Shares others = monotone_shares(base, draws, 2048, 8);
        const auto [falling, modulus, apart] = d.number(
            100 * shares.falling, 100 * shares.modulus_falling, 100 * shares.growing_apart);
        const auto [error, none] =
            d.number(100 * std::sqrt(shares.falling * (1 - shares.falling) / draws),
                     100 * (others.falling + others.modulus_falling + others.growing_apart));
        d.conclude(std::abs(falling - 31.8) <= 0.7 && std::abs(modulus - 27.1) <= 0.7 &&
                   std::abs(apart - 64.0) <= 0.7 && none == 0);
    };
    // Article 001, §4: the effect of scaled θ in 16-bit tables, beyond the context, and at another
    // length.
    compute["001-cost-first-change"] = [](Derivation& d) {
        const auto [unscaled, b, h, f] = d.number(first_cos_below_one(base, Format::bfloat16),
                                                  first_cos_below_one(scaled, Format::bfloat16),
                                                  first_cos_below_one(scaled, Format::float16),
                                                  first_cos_below_one(scaled, Format::float32));
        d.conclude(b > 64 && h > 16);
    };
    compute["001-cost-distinct-rows"] = [](Derivation& d) {
        const auto rows = [](std::uint64_t n, Format format) {
            return stored_rows(scaled_rope(128, 1e4, n), n, format);
        };
        const StoredRows own = rows(2048, Format::bfloat16), far = rows(32768, Format::bfloat16);
        d.number(own.distinct, own.distinct_cos);
        d.conclude(own.distinct == 2049);
        d.number(rows(4096, Format::bfloat16).distinct, rows(8192, Format::bfloat16).distinct,
                 far.distinct, far.equal_neighbours, rows(32768, Format::float16).distinct);
        d.conclude(far.distinct < 32769);
    };
    compute["001-cost-total-rotation"] = [](Derivation& d) {
        const auto below = [](double angle) { return slow_pairs(scaled, real(angle), 2048); };
        const auto [some, dead, still, least] =
            d.number(below(0.1), below(0.01), below(0x1p-9), below(0.001));
        d.conclude(dead > still && still > 0);
    };
    compute["001-cost-beyond"] = [](Derivation& d) {
        const FrequencyPlan pair = scaled_rope(2);
        const TurnRate rate = turn_rate(pair.pairs.front());
        const auto [after, phase, near] =
            d.number(cosine(pair.pairs.front().inv_freq * 2049.0), turns(phase_at(rate, 8192)),
                     2.0 * absolute(sine(real(355))));
        d.conclude(phase == 0 && after < real(0) && near > real(0));
    };
    compute["001-cost-two-lengths"] = [](Derivation& d) {
        const FrequencyPlan longer = scaled_rope(128, 1e4, 4096);
        const auto [own, other] = d.number(mean_score(scaled, 512), mean_score(longer, 1024));
        d.conclude(same(own, other));
        d.conclude(d.number(mean_score(longer, 512)) > own);
    };
    compute["001-example"] = [](Derivation& d) {
        const auto between = [](double s) {  // angle between the two directions, in [0, π]
            const BigReal angle = modulo_turn(real(s)), back = exact_pi() * 2.0 - angle;
            return angle < back ? angle : back;
        };
        const auto score = [](double s) { return cosine(real(s)); };
        const auto [six, seven, score_6, score_7] =
            d.number(between(6), between(7), score(6), score(7));
        const auto [change_6, change_7] = d.number(1.0 - score_6, 1.0 - score_7);
        d.conclude(six < seven && score_6 > score_7 && change_6 < change_7);
        const auto [three, four, score_3, score_4] =
            d.number(between(3), between(4), score(3), score(4));
        d.conclude(three > four && score_3 < score_4 && between(1) < between(2) &&
                   between(2) < three);
    };
}

}  // namespace rope::ledger
