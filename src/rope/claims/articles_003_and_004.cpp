// Articles 003 (position encodings in one and two dimensions) and 004.
#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "rope/claims/ledger.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace {

using enum PairLayout;

// q at (x, y): the first half of the dimensions is rotated by x, the second by y.
Vector placed(const Vector& q, double x, double y) {
    const auto middle = q.begin() + static_cast<std::ptrdiff_t>(q.size() / 2);
    Vector turned = rotated(Vector(q.begin(), middle), interleaved, x);
    for (const BigReal& dimension : rotated(Vector(middle, q.end()), interleaved, y))
        turned.push_back(dimension);
    return turned;
}

// Number of complex columns for x and y: len(arange(0, dim, 4)), at most dim/4 each.
double columns(int dim) { return 2 * std::min((dim + 3) / 4, dim / 4); }

}  // namespace

void articles_003_and_004(Computations& compute) {
    static const FrequencyPlan& base = base_rope();
    compute["003-one-angle"] = [](Derivation& d) {
        const FrequencyPlan plan = base_rope(4);
        const auto [first, second] = d.number(plan.pairs[0].inv_freq, plan.pairs[1].inv_freq);
        d.conclude(first > second * 2.0);
    };
    compute["003-sparse-form"] = [](Derivation& d) {
        const Vector q = vector_of({1, 2, 3, 4}), wanted = rotated(q, interleaved, 2);
        const Vector sparse = sparse_form(q, vector_of({-2, 1, -4, 3}), interleaved, 2);
        d.number(sparse[0], wanted[0], sparse[3], wanted[3]);
        d.conclude(same(sparse, wanted));
    };
    compute["003-tensor-product"] = [](Derivation& d) {
        const auto [entries, dimensions] =
            d.number(numbers_in(*matrix_product({4, 1}, {1, 4})), numbers_in(*broadcast({4}, {4})));
        d.conclude(entries > dimensions);
    };
    compute["003-relative"] = [](Derivation& d) {
        const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
        const auto [near, far] = d.number(dot(placed(q, 7, 3), placed(k, 5, 2)),
                                          dot(placed(q, 1007, 503), placed(k, 1005, 502)));
        d.conclude(same(near, far));
    };
    compute["003-unswapped-pair"] = [](Derivation& d) {
        const BigReal c = cosine(real(1)), s = sine(real(1));
        const Vector as_printed{c - s, 2.0 * (c + s)},
            right = vector_of({1, 2}) * rotation(real(1));
        const auto [printed, wanted] = d.number(dot(as_printed, as_printed), dot(right, right));
        d.conclude(absolute(printed - wanted) > real(1));
    };
    compute["003-labels"] = [](Derivation& d) {
        const auto [labels, dimensions] = d.number(4.0 * 4.0, 8);
        d.conclude(labels > dimensions);
    };
    // Article 003, §3: the code with complex numbers, in one and two dimensions.
    compute["003-complex"] = [](Derivation& d) {
        const Vector turned = rotated(vector_of({1, 2}), interleaved, 3);
        const auto [re, im] = d.number(turned[0], turned[1]);
        d.conclude(same(re * re + im * im, real(5)));
    };
    compute["003-exponent"] = [](Derivation& d) {
        const auto [code, formula] = d.number(4.0 * 31 / 128, 2.0 * 31 / 64);
        Vector by_code, by_formula;
        for (const PlannedFrequency& pair : base_rope(64, 100).pairs) {
            by_code.push_back(
                pow(real(100), real(-4.0 * static_cast<double>(by_code.size())) / 128.0));
            by_formula.push_back(pair.inv_freq);
        }
        d.conclude(code == formula && same(by_code, by_formula));
    };
    compute["003-divisible"] = [](Derivation& d) {
        const auto [whole, six, ten] = d.number(columns(128), columns(6), columns(10));
        d.conclude(whole == 64 && broadcast({2, 196, 64}, {196, 64}).has_value());
        d.conclude(six < 3 && ten < 5 && !broadcast({2, 196, 3}, {196, 2}) &&
                   !broadcast({2, 196, 5}, {196, 4}));
    };
    compute["003-heads"] = [](Derivation& d) {
        d.number(broadcast({2, 196, 64}, {196, 64}).value()[1]);
        d.conclude(broadcast({2, 196, 64}, {196, 64}) == Shape{2, 196, 64});
        const FrequencyPlan plan = base_rope(4);
        const auto [got, right] =
            d.number(2.0 * cosine_sum(plan, real(0)), 2.0 * cosine_sum(plan, real(3)));
        d.conclude(!broadcast({2, 196, 4, 64}, {196, 64}) &&
                   broadcast({2, 4, 4, 64}, {4, 64}) == Shape{2, 4, 4, 64} &&
                   absolute(got - right) > real(1));
    };
    compute["003-base-10"] = [](Derivation& d) {
        const FrequencyPlan plan = base_rope(128, 10);
        const BigReal longest = wavelength(plan.pairs.back());
        d.number(longest);
        const auto [turns, alike] =
            d.number(195.0 / longest, mean_score(plan, extremes(plan, 1, 195).greatest_at));
        d.conclude(alike < real(0.95));
        d.conclude(turns > real(1));
    };
    compute["003-base-100"] = [](Derivation& d) {
        const FrequencyPlan plan = base_rope(64, 100);
        const auto [longest, slow] =
            d.number(wavelength(plan.pairs.back()), slow_pairs(plan, exact_pi(), 13));
        d.conclude(longest > real(28) && slow > 0);
    };
    compute["003-cells"] = [](Derivation& d) {
        std::set<std::pair<int, int>> cells;
        for (int t = 0; t < 14 * 14; ++t) cells.insert({t % 14, t / 14});
        d.conclude(d.number(cells.size()) == 14 * 14);
    };
    compute["004-outline"] = [](Derivation& d) {
        const Shape x{2, 3, 5, 8};
        d.number(numbers_in(x), numbers_in({2, 3, 5, 8 / 2}));
        d.conclude(!can_view(x, {2, 3, 5, 4}) && can_view(x, {2, 3, 5, 4, 2}));
    };
    compute["004-missing-position"] = [](Derivation& d) {
        const Vector ones = vector_of({1, 1, 1, 1});
        const auto score = [&](double m, double n) {
            return dot(rotated(ones, interleaved, m), rotated(ones, interleaved, n));
        };
        const auto [printed, meant] = d.number(score(1, 1), score(5, 0));
        d.conclude(absolute(printed - meant) > real(1));
    };
    compute["004-shapes"] = [](Derivation& d) {
        const Shape left{1, 2}, right = matrix_product({2, 2}, {2, 1}).value();
        d.number(left[0], right[0]);
        d.conclude(left != right);
    };
    compute["004-neighbours"] = [](Derivation& d) {
        const Vector x = vector_of({1, 2, 3, 4}), y = rotated(x, interleaved, 1);
        d.number(y[0], y[1], y[3]);
        const BigReal score = dot(y, rotated(x, interleaved, 8));
        const BigReal other = dot(rotated(x, interleaved, 101), rotated(x, interleaved, 108));
        d.conclude(same(score, other) && same(dot(y, y), dot(x, x)));
    };
    compute["004-docstring"] = [](Derivation& d) {
        const Vector x = vector_of({1, 2}), as_row = x * transposed(rotation(real(1)));
        const Vector code = rotated(x, interleaved, 1);
        d.number(as_row[0], as_row[1], code[0], code[1]);
        d.conclude(same(as_row, x * rotation(real(-1))) && !same(as_row, code));
    };
    compute["004-ignored-base"] = [](Derivation& d) {
        const auto [got, wanted] =
            d.number(base.pairs[1].inv_freq, base_rope(128, 5e5).pairs[1].inv_freq);
        d.conclude(absolute(got - wanted) > real(0.01));
    };
    compute["004-longer-cache"] = [](Derivation& d) {
        const Shape cache{16, 2, 2}, view{1, 1, 8, 2, 2};
        d.number(numbers_in(view));
        d.conclude(can_view(cut(cache, 0, 8), view));
        d.number(numbers_in(cache));
        d.conclude(!can_view(cache, view));
    };
    compute["004-halves"] = [](Derivation& d) {
        const Vector x = vector_of({1, 2, 3, 4}), y = rotated(x, half_split, 1);
        d.number(y[0], y[1]);
        d.conclude(same(y[0], cosine(real(1)) - 3.0 * sine(real(1))) && same(dot(y, y), dot(x, x)));
    };
    compute["004-default-positions"] = [](Derivation& d) {
        const auto mebibytes = [](double rows) { return 2 * rows * 128 * 4 / (1024 * 1024); };
        const auto [held, needed] = d.number(mebibytes(151643), mebibytes(32768));
        d.conclude(held > 4 * needed);
    };
    compute["004-one-row"] = [](Derivation& d) {
        const auto [rows, last] = d.number(cut({151643, 128}, 0, 1)[0], 7);
        d.conclude(last >= rows);
    };
    // Article 004, §1: kinds of position encodings.
    compute["004-permutation"] = [](Derivation& d) {
        const std::vector<double> in_order{1, 2, 3}, shuffled{3, 1, 2};
        const auto [before, after] = d.number(attended(3, in_order), attended(3, shuffled));
        d.conclude(same(before, after));
        const auto [first, moved] = d.number(attended(1, in_order), attended(3, shuffled));
        d.conclude(absolute(first - moved) > real(0.1));
    };
    compute["004-binary"] = [](Derivation& d) { d.conclude(d.number(1 << 10) == 1024); };
    compute["004-sum-of-angles"] = [](Derivation& d) {
        const auto [product, sum] = d.number(
            sine(real(1)) * cosine(real(2)) + cosine(real(1)) * sine(real(2)), sine(real(3)));
        d.conclude(same(product, sum));
    };
    compute["004-non-linear"] = [](Derivation& d) {
        const BigReal pi = exact_pi();
        const auto [apart, one, other] =
            d.number(sine(pi - 1.0) - sine(real(1)), sine(real(3)), sine(pi - -1.0));
        d.conclude(same(apart, real(0)) && absolute(one - other) > real(0.1));
        const auto shifted = [](double p) {
            const BigReal c = cosine(real(2)), s = sine(real(2));
            return c * sine(real(p)) + s * cosine(real(p));
        };
        const auto [at_5, sine_7, at_9, sine_11] =
            d.number(shifted(5), sine(real(7)), shifted(9), sine(real(11)));
        d.conclude(same(at_5, sine_7) && same(at_9, sine_11));
    };
    compute["004-shifted-pair"] = [](Derivation& d) {
        const auto [printed, meant] = d.number(sine(real(1)) + real(2), sine(real(3)));
        d.conclude(printed > real(1) && absolute(meant) < real(1));
    };
    compute["004-alibi-slopes"] = [](Derivation& d) {
        const std::vector<BigReal> slopes = alibi_slopes(8);
        Vector printed;
        for (std::size_t i = 0; i < 8; ++i) {
            d.number(slopes[i]);
            printed.push_back(d.number(pow(real(2), real(-8) / static_cast<double>(i + 1))));
        }
        d.conclude(std::ranges::is_sorted(slopes, std::greater<>{}) &&
                   std::ranges::is_sorted(printed, std::less<>{}));
    };
    compute["004-alibi-penalty"] = [](Derivation& d) {
        const BigReal slope = alibi_slopes(8).front();
        d.conclude(d.number(1.0 / (real(1) + exponential(real(1)))) > real(0));
        const auto [logit, weight, printed] =
            d.number(-1.0 * slope, 1.0 / (real(1) + exponential(slope)), real(0.5) - 1.0);
        d.conclude(weight > real(0) && printed < real(0) && !(logit == real(-1)));
    };
    compute["003-one-dimension"] = [](Derivation& d) {
        std::set<int> positions;
        for (int cell = 0; cell < 14 * 14; ++cell) positions.insert(14 * (cell / 14) + cell % 14);
        const auto [distinct, right, below] =
            d.number(positions.size(), mean_score(base, 1), mean_score(base, 14));
        d.conclude(distinct == 196 && below < right);
    };
    compute["003-polar"] = [](Derivation& d) {
        const auto [re, im] = d.number(cosine(real(3)), sine(real(3)));
        d.conclude(same(re * re + im * im, real(1)) && re < real(0));
    };
    compute["004-unit-interval"] = [](Derivation& d) {
        const auto [short_step, long_step] = d.number(real(1) / 511.0, real(1) / 2047.0);
        d.conclude(short_step > 2.0 * long_step);
    };
    compute["004-all-advantages"] = [](Derivation& d) {
        const Vector x = vector_of({1, 2, 3, 4}), far = rotated(x, interleaved, 1e6);
        d.number(BigReal(dot(far, far), Precision{280}));
        d.conclude(same(dot(far, far), dot(x, x)));
        d.conclude(d.number(64 - full_turns(base, 4096)) > 0);
    };
    compute["004-llama-halves"] = [](Derivation& d) {
        const auto [meta, permuted] =
            d.number(sample_score(interleaved), sample_score(half_split, true));
        d.conclude(same(meta, permuted));
        d.conclude(absolute(meta - d.number(sample_score(half_split))) > real(1));
    };
    compute["004-alibi-models"] = [](Derivation& d) {
        // whether config.json has alibi, for falcon-7b, 40b, 180B, 11B, rw-1b and rw-7b
        constexpr bool configs[] = {false, false, false, false, true, true};
        const auto biased = std::ranges::count(configs, true);
        const auto [alibi, rope] = d.number(biased, 6 - biased);
        d.conclude(alibi > 0);
        d.conclude(rope > alibi);
    };
    compute["004-theta-dtype"] = [](Derivation& d) {
        const auto rounded = [](const BigReal& x) {
            return real(round_to(Format::bfloat16, x.to_double()));
        };
        BigReal off = real(0);
        for (std::size_t i = 0; i < base.pairs.size(); ++i) {
            const BigReal exponent = rounded(real(2.0 * static_cast<double>(i)) / 128.0);
            const BigReal theta = rounded(1.0 / rounded(pow(rounded(real(10000)), exponent)));
            off = std::max(off, absolute(theta - base.pairs[i].inv_freq), std::less<>{});
        }
        const auto [near, far] = d.number(511.0 * off, 4095.0 * off);
        d.conclude(near > real(1) && far > 7.0 * near);
    };
}

}  // namespace rope::ledger
