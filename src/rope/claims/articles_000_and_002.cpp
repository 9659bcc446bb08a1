// Articles 000 and 002, which explain code.
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "rope/claims/ledger.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/rows/pipeline.hpp"

namespace rope::ledger {
namespace {

using enum Format;
using enum PairLayout;

// the article's example sentence, divided into words
constexpr std::string_view sentence =
    "今天/上海/天气/的/温度/是多少/?/请/告诉/我/上海/具体/的/温度/。";

std::vector<int> places_of(std::string_view word) {
    std::vector<int> places;
    const auto words = split(sentence, "/");
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) places.push_back(static_cast<int>(i));
    return places;
}

// (a, b) ↦ (a cosθ − b sinθ, a sinθ − b cosθ), as printed in the article
Matrix printed_map(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, -1.0 * s, -1.0 * c};
}

// Returns the number of columns of cat(freqs, freqs), with freqs for arange(0, dim, 2).
constexpr std::uint64_t table_width(std::uint64_t dim) { return (dim + 1) / 2 * 2; }

// Returns the largest error of a cos or sin in torch's float32 table, positions 0 … last.
double worst_table_error(std::uint32_t dim, std::uint64_t last) {
    const Spec spec{.head_dim = dim, .rotary_dim = dim};
    const std::vector<TurnRate> rates = turn_rates(plan_frequencies(spec, exact_precision).pairs);
    const ExactRows exact(rates);
    const auto table = emulate(spec, find_pipeline(default_pipeline), last + 1);
    const auto reader = table->read({0, spec.pairs()});
    std::vector<double> cos(rates.size()), sin = cos, exact_cos = cos, exact_sin = cos;
    double worst = 0;
    for (std::uint64_t m = 0; m <= last; ++m) {
        reader->fill({&m, 1}, cos.data(), sin.data());
        exact.fill_row(m, exact_cos.data(), exact_sin.data());
        for (std::size_t i = 0; i < rates.size(); ++i)
            worst =
                std::max({worst, std::abs(cos[i] - exact_cos[i]), std::abs(sin[i] - exact_sin[i])});
    }
    return worst;
}

constexpr AngleRounding in_float16{float16, float16, float16};

}  // namespace

void articles_000_and_002(Computations& compute) {
    compute["000-equivariance"] = [](Derivation& d) {
        const std::vector<double> in_order{1, 2, 3}, shuffled{3, 2, 1};
        const auto [first, last] = d.number(attended(1, in_order), attended(1, shuffled));
        d.conclude(same(first, last));
        const auto [alone, among] =
            d.number(attended(1, std::span(in_order).first(1)), attended(1, shuffled));
        d.conclude(absolute(alone - among) > real(1));
    };
    compute["000-multiplicative"] = [](Derivation& d) {
        const Matrix one = rotation(real(1)), two = rotation(real(2)), three = rotation(real(3));
        const Matrix both = three * one;
        d.number(both[0], two[0]);
        const auto alternating = [](int m) { return m % 2 == 0 ? 1 : -1; };
        const auto peak = [](int m) { return m == 0 ? 1 : 0; };
        double obeyed = 0, apart = 0;
        for (int m = -5; m <= 5; ++m)
            for (int n = -5; n <= 5; ++n) {
                obeyed += alternating(m - n) == alternating(m) * alternating(n) ? 1 : 0;
                apart += m != n && peak(m - n) == peak(m) * peak(n) ? 1 : 0;
            }
        const auto [all, others] = d.number(obeyed, apart);
        d.conclude(same(both, rotation(real(4))) && !same(both, two) &&
                   same(three * transposed(one), two) && all == 121 && others == 110);
    };
    compute["000-example"] = [](Derivation& d) {
        const double weathers = d.number(places_of("天气").size());
        const auto shanghai = places_of("上海"), temperature = places_of("温度");
        const auto [first, second] =
            d.number(temperature[0] - shanghai[0], temperature[1] - shanghai[1]);
        d.conclude(weathers == 1 && first == second);
    };
    compute["000-rotation-sign"] = [](Derivation& d) {
        const Vector v = vector_of({1, 2});
        const Matrix printed = printed_map(real(1));
        const Vector turned = v * printed;
        const auto [det, defect, at_zero] = d.number(
            determinant(printed), dot(turned, turned) - dot(v, v), (v * printed_map(real(0)))[1]);
        d.conclude(absolute(det - 1.0) > real(0.1) && absolute(defect) > real(0.1) &&
                   !(at_zero == v[1]));
    };
    compute["000-transpose"] = [](Derivation& d) {
        d.conclude(d.number(distance(transposed(rotation(real(1))), rotation(real(-1)))) ==
                   real(0));
    };
    compute["000-composition"] = [](Derivation& d) {
        const Matrix both = rotation(real(1)) * rotation(real(2));
        d.number(both[0], cosine(real(3)));
        d.conclude(same(both, rotation(real(3))));
    };
    compute["000-relative-score"] = [](Derivation& d) {
        const Matrix both = rotation(real(7)) * transposed(rotation(real(5)));
        const Vector q = vector_of({1, 2}), k = vector_of({3, -1});
        const auto score = [&](double i, double j) {
            return dot(q * rotation(real(i)), k * rotation(real(j)));
        };
        d.number(both[0], score(7, 5));
        d.conclude(same(both, rotation(real(2))) && same(score(7, 5), score(2, 0)) &&
                   same(score(7, 5), score(1007, 1005)));
    };
    compute["000-four-dimensions"] = [](Derivation& d) {
        const Vector v = vector_of({1, 2}), right = v * rotation(real(2)),
                     printed = v * printed_map(real(1));
        const auto [wanted, found] = d.number(right[0], printed[0]);
        d.number(right[1], printed[1]);
        d.conclude(absolute(wanted - found) > real(1));
    };
    compute["000-rotate-half"] = [](Derivation& d) {
        const Vector q = vector_of({1, 2, 3, 4}), wanted = rotated(q, half_split, 1);
        d.number(wanted[0], wanted[2]);
        d.conclude(same(sparse_form(q, vector_of({-3, -4, 1, 2}), half_split, 1), wanted));
    };
    compute["000-inv-freq"] = [](Derivation& d) {
        const FrequencyPlan plan = base_rope(6);
        const auto [first, second, third] =
            d.number(plan.pairs[0].inv_freq, plan.pairs[1].inv_freq, plan.pairs[2].inv_freq);
        d.conclude(same(third * first, second * second));
    };
    compute["000-layouts"] = [](Derivation& d) {
        const auto [halves, moved] =
            d.number(sample_score(half_split), sample_score(interleaved, true));
        d.conclude(same(halves, moved));
        d.conclude(absolute(d.number(sample_score(interleaved)) - halves) > real(0.1));
    };
    compute["000-product"] = [](Derivation& d) {
        const auto worst = [](const AngleRounding& rounding, std::uint64_t last) {
            return worst_angle_error(128, rounding, last);
        };
        using enum Format;
        const AngleRounding in_tf32{tf32, tf32, float32}, autocast{bfloat16, bfloat16, bfloat16};
        const auto [float32_error, tf32_error] = d.number(worst({}, 2047), worst(in_tf32, 2047));
        d.number(worst(in_tf32, 4095), worst(autocast, 2047), worst(autocast, 4095));
        d.conclude(float32_error < 2e-4);
        d.conclude(tf32_error > 0.4);
    };
    compute["000-table"] = [](Derivation& d) {
        const auto [listed, wide] =
            d.number(worst_table_error(6, 1023), worst_table_error(128, 1023));
        d.conclude(listed < 0x1p-9 && wide < 0x1p-9);
    };
    compute["000-cached-offset"] = [](Derivation& d) {
        const BigReal wanted = d.number(2.0 * cosine_sum(base_rope(6), real(2)));
        const Vector ones = vector_of({1, 1, 1, 1, 1, 1});
        const auto at = [&](double row) { return rotated(ones, half_split, row); };
        d.conclude(same(dot(at(7), at(5)), wanted));
        const BigReal found = d.number(dot(at(0), at(5)));
        d.conclude(absolute(wanted - found) > real(1));
    };
    compute["000-cache-length"] = [](Derivation& d) {
        const Shape taken = cut({1024, 6}, 0, 1025), one = cut({1, 6}, 0, 1025);
        d.number(taken[0]);
        d.conclude(!broadcast({1025, 6}, taken) && broadcast({1024, 6}, taken).has_value());
        const Vector q = vector_of({1, 2, 3, 4, 5, 6});
        const BigReal change = d.number(distance(rotated(q, half_split, 0), q));
        d.conclude(broadcast({1025, 6}, one) == Shape{1025, 6} && change == real(0));
    };
    compute["000-odd-width"] = [](Derivation& d) {
        d.number(table_width(6), table_width(7));
        d.conclude(broadcast({3, 6}, {3, table_width(6)}).has_value());
        d.conclude(!broadcast({3, 7}, {3, table_width(7)}) &&
                   cut({1}, 0, table_width(1)) == Shape{1});
    };
    compute["002-relative-score"] = [](Derivation& d) {
        const auto score = [](double m, double n) {
            return dot(rotated(vector_of({1, 2}), half_split, m),
                       rotated(vector_of({3, -1}), half_split, n));
        };
        const auto [near, far] = d.number(score(7, 5), score(1007, 1005));
        d.conclude(same(near, far));
    };
    compute["002-pairing"] = [](Derivation& d) {
        d.conclude(d.number(8 / 2) == 4);
        d.conclude(d.number(8 - 1) > 4);
    };
    compute["002-cache-index"] = [](Derivation& d) {
        d.conclude(d.number(2 * (4 / 2 + 1)) > 4);  // θ_0 … θ_{d/2}, twice
    };
    compute["002-labml-example"] = [](Derivation& d) {
        const Vector row = rotated(vector_of({4, 5, 6, 7}), half_split, 1);
        d.number(row[0], row[1], row[2], row[3]);
        d.conclude(same(dot(row, row), real(126)));
    };
    compute["002-neg-half"] = [](Derivation& d) {
        const Vector x = vector_of({4, 5, 6, 7}), neg_half = vector_of({-6, -7, 4, 5});
        const Vector found = sparse_form(x, neg_half, half_split, 1);
        d.number(found[0], found[1], found[2], found[3]);
        d.conclude(same(found, rotated(x, half_split, 1)));
    };
    compute["002-pass-through"] = [](Derivation& d) {
        d.conclude(d.number(64 - 64 / 2) > 0);  // int(d_k·0.5) dimensions rotate
    };
    compute["002-odd-width"] = [](Derivation& d) {
        const std::uint64_t even = 64 / 2, odd = 6 / 2;  // int(d_k·0.5)
        d.number(table_width(even), table_width(odd));
        d.conclude(broadcast({8, even}, {8, table_width(even)}).has_value());
        d.conclude(!broadcast({8, odd}, {8, table_width(odd)}));
    };
    compute["002-half-positions"] = [](Derivation& d) {
        d.conclude(d.number(distinct_positions(float16, 2047)) == 2048);
        double lost = 0;
        while (round_to(float16, lost) == lost) ++lost;
        d.number(lost);
        const double collapsed = d.number(distinct_positions(float16, 4096));
        d.number(distinct_positions(float16, 65519));
        double last = 65000;
        while (std::isfinite(round_to(float16, last))) ++last;
        d.number(last, distinct_positions(bfloat16, 511));
        d.conclude(collapsed < 4097);
    };
    compute["002-half-cache"] = [](Derivation& d) {
        const auto worst = [](std::uint32_t dim, std::uint64_t positions) {
            return worst_angle_error(dim, in_float16, positions - 1);
        };
        const auto [at_512, at_1024, at_2048, wider] =
            d.number(worst(64, 512), worst(64, 1024), worst(64, 2048), worst(128, 2048));
        d.conclude(at_512 > 0.1 && at_2048 > at_512);
    };
    compute["002-precision-argument"] = [](Derivation& d) {
        const auto worst = [](const AngleRounding& rounding) {
            return worst_angle_error(64, rounding, 2047);
        };
        const auto [widened, before, fixed] =
            d.number(worst(in_float16), worst({float16, float16, float32}), worst({}));
        d.conclude(widened > 0.8 && before > 0.3 && fixed < 1e-3);
    };
    compute["002-permutation"] = compute["000-layouts"];
    // Article 002, §3: GLM-4-9B's module.
    compute["002-glm4-exponent"] = [](Derivation& d) {
        const auto [code, comment] =
            d.number(pow(real(1e4), real(-62) / 64.0), pow(real(1e4), real(62) / 64.0));
        d.conclude(comment > real(1) && code < real(1));
    };
    compute["002-rope-ratio"] = [](Derivation& d) {
        const double b = d.number(10000.0 * 500);
        const auto [longest, without] = d.number(wavelength(base_rope(64, b).pairs.back()),
                                                 wavelength(base_rope(64).pairs.back()));
        d.conclude(longest > real(131072));
    };
    compute["002-inv-freq-buffer"] = [](Derivation& d) {
        const FrequencyPlan exact = base_rope(64);
        const auto [buffer, cached] =
            d.number(exact.pairs[1].inv_freq, base_rope(64, 5e6).pairs[1].inv_freq);
        BigReal worst = real(0), exponent(0, {8});  // 8 bits, as in bfloat16
        for (const PlannedFrequency& pair : exact.pairs) {
            const BigReal stored = 1.0 / pow(BigReal(10000, {8}), exponent / 64.0);
            worst = std::max(worst, absolute(stored / pair.inv_freq - real(1)), std::less<>{});
            exponent = exponent + BigReal(2, {8});
        }
        d.number(100.0 * worst);
        d.conclude(absolute(buffer - cached) > real(0.1));
    };
    compute["002-ignored-offset"] = [](Derivation& d) {
        const auto [got, wanted] =
            d.number(cosine(real(0)), cosine(5.0 * base_rope(64, 5e6).pairs.front().inv_freq));
        d.conclude(absolute(got - wanted) > real(0.1));
    };
    compute["002-cache-rank"] = [](Derivation& d) {
        const Shape as_returned{8, 32, 2}, with_batch{1, 8, 32, 2}, view{0, 1, 8, 32, 2};
        d.number(numbers_in({1, 8, 32, 2}));
        d.conclude(can_view(cut(with_batch, 1, 8), view));
        d.number(numbers_in(cut(as_returned, 1, 8)));
        const Shape right{32, 32, 2}, wrong{8192, 32, 2};  // by chance
        d.conclude(!can_view(cut(as_returned, 1, 8), view) && can_view(cut(wrong, 1, 8), view) &&
                   can_view(cut(right, 1, 32), {0, 1, 32, 32, 2}));
    };
    compute["002-same-logic"] = [](Derivation& d) {
        const Vector x = vector_of({1, 2, 3, 4});
        const auto [a, b] = d.number(rotated(x, half_split, 1)[0], rotated(x, interleaved, 1)[0]);
        d.conclude(absolute(a - b) > real(0.1));
    };
    compute["002-half-of-the-dimensions"] = [](Derivation& d) {
        const FrequencyPlan plan = base_rope(64, 5e6);
        const auto [turning, score] =
            d.number(2 * plan.pairs.size(), cosine_sum(plan, real(131071)));
        d.conclude(turning == 64 && score + real(32) > real(0));
    };
    compute["002-labml-exponent"] = [](Derivation& d) {
        const FrequencyPlan plan = base_rope(64);
        const auto stated = [](double i) { return pow(real(1e4), real(-2 * (i - 1)) / 64.0); };
        Vector comment, code;
        for (const PlannedFrequency& pair : plan.pairs) {
            code.push_back(pair.inv_freq);
            comment.push_back(stated(static_cast<double>(code.size())));
        }
        d.number(comment.front(), code.front(), comment.back(), code.back());
        d.conclude(same(comment, code));
    };
}

}  // namespace rope::ledger
