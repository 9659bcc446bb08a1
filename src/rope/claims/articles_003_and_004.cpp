// Article 003, §1 and §2: the formulas in one and two dimensions.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace {

using enum PairLayout;

void derive_one_angle(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const BigReal first = d.number(plan.pairs[0].inv_freq);
    const BigReal second = d.number(plan.pairs[1].inv_freq);
    d.conclude(first > second * 2.0);
}

void derive_sparse(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), swapped = vector_of({-2, 1, -4, 3});
    const Vector wanted = rotated(q, plan, interleaved, 2);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal angle = 2.0 * plan.pairs[i / 2].inv_freq;
        apart = apart + absolute(q[i] * cosine(angle) + swapped[i] * sine(angle) - wanted[i]);
    }
    d.number(wanted[0]);
    d.number(wanted[3]);
    d.conclude(apart < rounding_residue());
}

void derive_tensor_product(Derivation& d) {
    const Shape tensor = matrix_product({4, 1}, {1, 4}).value();
    const Shape by_lane = broadcast({4}, {4}).value();
    const double entries = d.number(numbers_in(tensor));
    const double lanes = d.number(numbers_in(by_lane));
    d.conclude(entries > lanes);
}

// q at (x, y): the first half of the lanes turns by x, the second by y.
Vector placed(const Vector& q, double x, double y) {
    const auto middle = q.begin() + static_cast<std::ptrdiff_t>(q.size() / 2);
    const FrequencyPlan plan = base_rope(static_cast<std::uint32_t>(q.size() / 2));
    Vector turned = rotated(Vector(q.begin(), middle), plan, interleaved, x);
    for (const BigReal& lane : rotated(Vector(middle, q.end()), plan, interleaved, y))
        turned.push_back(lane);
    return turned;
}

void derive_relative_axes(Derivation& d) {
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const BigReal near = d.number(dot(placed(q, 7, 3), placed(k, 5, 2)));
    const BigReal far = d.number(dot(placed(q, 1007, 503), placed(k, 1005, 502)));
    d.conclude(absolute(near - far) < real(0x1p-280));
}

void derive_unswapped(Derivation& d) {
    const BigReal c = cosine(real(1)), s = sine(real(1));
    const BigReal x = c - s, y = 2.0 * (c + s);
    const BigReal printed = d.number(x * x + y * y);
    const Row2 right = Row2{real(1), real(2)} * rotation(real(1));
    const BigReal wanted = d.number(dot(right, right));
    d.conclude(absolute(printed - wanted) > real(1));
}

void derive_labels(Derivation& d) {
    const double labels = d.number(4.0 * 4.0);
    const double lanes = d.number(8);
    d.conclude(labels > lanes);
}

// Article 003, §3: the listing by complex numbers, in one and two dimensions.

void derive_complex(Derivation& d) {
    const Vector turned = rotated(vector_of({1, 2}), base_rope(2), PairLayout::interleaved, 3);
    const BigReal re = d.number(turned[0]);
    const BigReal im = d.number(turned[1]);
    d.conclude(absolute(re * re + im * im - real(5)) < real(1e-15));
}

void derive_listed_exponent(Derivation& d) {
    const double code = d.number(4.0 * 31 / 128);
    const double formula = d.number(2.0 * 31 / 64);
    BigReal apart = real(0);
    for (int j = 0; j < 32; ++j) {
        const BigReal own = pow(real(100), real(-4.0 * j) / 128.0);
        apart =
            apart + absolute(own - base_rope(64, 100).pairs[static_cast<std::size_t>(j)].inv_freq);
    }
    d.conclude(code == formula && apart < real(0x1p-290));
}

// Complex columns for x and y: those of arange(0, dim, 4), cut to dim/4.
double columns(int dim) { return 2 * std::min((dim + 3) / 4, dim / 4); }

void derive_divisible(Derivation& d) {
    const double whole = d.number(columns(128)), six = d.number(columns(6));
    const double ten = d.number(columns(10));
    d.conclude(whole == 64 && broadcast({2, 196, 64}, {196, 64}).has_value());
    d.conclude(six < 3 && ten < 5 && !broadcast({2, 196, 3}, {196, 2}) &&
               !broadcast({2, 196, 5}, {196, 4}));
}

void derive_heads(Derivation& d) {
    d.number(broadcast({2, 196, 64}, {196, 64}).value()[1]);
    d.conclude(broadcast({2, 196, 64}, {196, 64}) == Shape{2, 196, 64});
    const FrequencyPlan plan = base_rope(4);
    const BigReal got = d.number(2.0 * cosine_sum(plan, real(0)));
    const BigReal right = d.number(2.0 * cosine_sum(plan, real(3)));
    d.conclude(!broadcast({2, 196, 4, 64}, {196, 64}) &&
               broadcast({2, 4, 4, 64}, {4, 64}) == Shape{2, 4, 4, 64} &&
               absolute(got - right) > real(1));
}

void derive_base_10(Derivation& d) {
    const FrequencyPlan plan = base_rope(128, 10);
    const BigReal wavelength = d.number(2.0 * exact_pi() / plan.pairs.back().inv_freq);
    const BigReal turns = d.number(195.0 / wavelength);
    const Extremes found = extremes(plan, 1, 195);
    const BigReal alike = d.number(mean_score(plan, found.greatest_at));
    d.conclude(alike < real(0.95));
    d.conclude(turns > real(1));
}

void derive_base_100(Derivation& d) {
    const FrequencyPlan plan = base_rope(64, 100);
    const BigReal wavelength = d.number(2.0 * exact_pi() / plan.pairs.back().inv_freq);
    double slow = 0;
    for (const PlannedFrequency& pair : plan.pairs)
        if (!(13.0 * pair.inv_freq > exact_pi())) ++slow;
    const double half = d.number(slow);
    d.conclude(wavelength > real(28) && half > 0);
}

void derive_cells(Derivation& d) {
    std::set<std::pair<int, int>> cells;
    for (int t = 0; t < 14 * 14; ++t) cells.insert({t % 14, t / 14});
    const double found = d.number(cells.size());
    d.conclude(found == 14.0 * 14);
}

// Article 004: the outline before §1, and the two classes of §2.

using enum PairLayout;

void derive_outline(Derivation& d) {
    const Shape x{2, 3, 5, 8};
    d.number(numbers_in(x));
    d.number(numbers_in({2, 3, 5, 8 / 2}));
    d.conclude(!can_view(x, {2, 3, 5, 4}) && can_view(x, {2, 3, 5, 4, 2}));
}

void derive_missing_position(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const Vector ones = vector_of({1, 1, 1, 1});
    const auto score = [&](double m, double n) {
        return dot(rotated(ones, plan, interleaved, m), rotated(ones, plan, interleaved, n));
    };
    const BigReal printed = d.number(score(1, 1));
    const BigReal meant = d.number(score(5, 0));
    d.conclude(absolute(printed - meant) > real(1));
}

void derive_shapes(Derivation& d) {
    const Shape left{1, 2}, right = matrix_product({2, 2}, {2, 1}).value();
    d.number(left[0]);
    d.number(right[0]);
    d.conclude(left != right);
}

void derive_class_neighbours(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const Vector x = vector_of({1, 2, 3, 4}), y = rotated(x, plan, interleaved, 1);
    d.number(y[0]);
    d.number(y[1]);
    d.number(y[3]);
    const BigReal score = dot(y, rotated(x, plan, interleaved, 8));
    const BigReal other =
        dot(rotated(x, plan, interleaved, 101), rotated(x, plan, interleaved, 108));
    d.conclude(absolute(score - other) < real(0x1p-290) &&
               absolute(dot(y, y) - dot(x, x)) < real(0x1p-290));
}

void derive_ignored_base(Derivation& d) {
    const BigReal got = d.number(base_rope(128).pairs[1].inv_freq);
    const BigReal wanted = d.number(base_rope(128, 5e5).pairs[1].inv_freq);
    d.conclude(absolute(got - wanted) > real(0.01));
}

void derive_longer_cache(Derivation& d) {
    const Shape cache{16, 2, 2}, view{1, 1, 8, 2, 2};
    d.number(numbers_in(view));
    d.conclude(can_view(cut(cache, 0, 8), view));
    d.number(numbers_in(cache));
    d.conclude(!can_view(cache, view));
}

void derive_halves(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const Vector x = vector_of({1, 2, 3, 4}), y = rotated(x, plan, half_split, 1);
    const BigReal lane = d.number(y[0]);
    d.number(y[1]);
    const BigReal printed = 1.0 * cosine(real(1)) - 3.0 * sine(real(1));
    d.conclude(absolute(lane - printed) < real(1e-14) &&
               absolute(dot(y, y) - dot(x, x)) < real(0x1p-290));
}

void derive_default_positions(Derivation& d) {
    const double bytes = 2.0 * 151643 * 128 * 4;
    const double mebibytes = d.number(bytes / (1024 * 1024));
    const double needed = d.number(2.0 * 4096 * 128 * 4 / (1024 * 1024));
    d.conclude(mebibytes > 10 * needed);
}

void derive_one_row(Derivation& d) {
    const double rows = d.number(cut({151643, 128}, 0, 1)[0]);
    const double last = d.number(7);
    d.conclude(last >= rows);
}

// Article 004, §1: the kinds of position encodings.

void derive_lane_order(Derivation& d) {
    const std::vector<double> in_order{1, 2, 3}, shuffled{3, 1, 2};
    const BigReal before = d.number(attended(3, in_order));
    const BigReal after = d.number(attended(3, shuffled));
    d.conclude(absolute(before - after) < rounding_residue());
    const BigReal first = d.number(attended(in_order[0], in_order));
    const BigReal moved = d.number(attended(shuffled[0], shuffled));
    d.conclude(absolute(first - moved) > real(0.1));
}

void derive_binary(Derivation& d) {
    double states = 1;
    for (int bit = 0; bit < 10; ++bit) states *= 2;
    const double found = d.number(states);
    d.conclude(found == 1024);
}

void derive_sum_of_angles(Derivation& d) {
    const BigReal product = sine(real(1)) * cosine(real(2)) + cosine(real(1)) * sine(real(2));
    const BigReal sum = d.number(product);
    d.number(sine(real(3)));
    d.conclude(absolute(sum - sine(real(3))) < real(1e-18));
}

void derive_linear(Derivation& d) {
    const BigReal pi = exact_pi();
    const BigReal same = d.number(sine(pi - 1.0) - sine(real(1)));
    const BigReal one = d.number(sine(real(3))), other = d.number(sine(pi - -1.0));
    d.conclude(absolute(same) < rounding_residue() && absolute(one - other) > real(0.1));
    const auto shifted = [](double p) {
        const BigReal c = cosine(real(2)), s = sine(real(2));
        return c * sine(real(p)) + s * cosine(real(p));
    };
    const BigReal at_5 = d.number(shifted(5));
    d.number(sine(real(7)));
    const BigReal at_9 = d.number(shifted(9));
    d.number(sine(real(11)));
    d.conclude(absolute(at_5 - sine(real(7))) < real(1e-15) &&
               absolute(at_9 - sine(real(11))) < real(1e-15));
}

void derive_shifted_pair(Derivation& d) {
    const BigReal printed = d.number(sine(real(1)) + real(2));
    const BigReal meant = d.number(sine(real(3)));
    d.conclude(printed > real(1) && absolute(meant) < real(1));
}

void derive_slopes(Derivation& d) {
    const std::vector<BigReal> slopes = alibi_slopes(8);
    bool falls = true, rises = true;
    BigReal before = real(1), before_in_text = real(0);
    for (int i = 1; i <= 8; ++i) {
        const BigReal right = d.number(slopes[static_cast<std::size_t>(i - 1)]);
        const BigReal wrong = d.number(pow(real(2), real(-8) / static_cast<double>(i)));
        falls = falls && right < before;
        rises = rises && wrong > before_in_text;
        before = right, before_in_text = wrong;
    }
    d.conclude(falls && rises);
}

void derive_penalty(Derivation& d) {
    const BigReal slope = alibi_slopes(8).front();
    const BigReal unit = d.number(1.0 / (real(1) + exponential(real(1))));
    d.conclude(unit > real(0));
    const BigReal logit = d.number(-1.0 * slope);
    const BigReal weight = d.number(1.0 / (real(1) + exponential(slope)));
    const BigReal printed = d.number(real(0.5) - 1.0);
    d.conclude(weight > real(0) && printed < real(0) && !(logit == real(-1)));
}

void derive_one_dimension(Derivation& d) {
    std::set<int> positions;
    for (int y = 0; y < 14; ++y)
        for (int x = 0; x < 14; ++x) positions.insert(14 * y + x);
    const double distinct = d.number(positions.size());
    const BigReal right = d.number(mean_score(base_rope(), 1));
    const BigReal below = d.number(mean_score(base_rope(), 14));
    d.conclude(distinct == 196 && below < right);
}

void derive_polar(Derivation& d) {
    const BigReal re = d.number(cosine(real(3))), im = d.number(sine(real(3)));
    d.conclude(absolute(re * re + im * im - 1.0) < rounding_residue() && re < real(0));
}

void derive_unit_interval(Derivation& d) {
    const BigReal short_step = d.number(real(1) / 511.0), long_step = d.number(real(1) / 2047.0);
    d.conclude(short_step > 2.0 * long_step);
}

void derive_all_advantages(Derivation& d) {
    const Vector x = vector_of({1, 2, 3, 4}), far = rotated(x, base_rope(4), interleaved, 1e6);
    d.number(BigReal(dot(far, far), Precision{280}));
    d.conclude(absolute(dot(far, far) - dot(x, x)) < real(0x1p-280));
    d.conclude(d.number(64 - full_turns(base_rope(), 4096)) > 0);
}

void derive_llama_pairing(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const auto in_halves = [](const Vector& x) { return Vector{x[0], x[2], x[1], x[3]}; };
    const auto score = [&](const Vector& a, const Vector& b, PairLayout layout) {
        return d.number(dot(rotated(a, plan, layout, 3), rotated(b, plan, layout, 1)));
    };
    const BigReal meta = score(q, k, interleaved);
    const BigReal permuted = score(in_halves(q), in_halves(k), half_split);
    d.conclude(absolute(meta - permuted) < rounding_residue());
    const BigReal ported = score(q, k, half_split);
    d.conclude(absolute(meta - ported) > real(1));
}

void derive_falcon(Derivation& d) {
    constexpr std::pair<std::string_view, bool> configs[] = {
        // tiiuae's config.json, key alibi
        {"falcon-7b", false},  {"falcon-40b", false},  {"falcon-180B", false},
        {"falcon-11B", false}, {"falcon-rw-1b", true}, {"falcon-rw-7b", true}};
    const auto biased =
        std::ranges::count(configs, true, &std::pair<std::string_view, bool>::second);
    const double alibi = d.number(biased), rope = d.number(6 - biased);
    d.conclude(alibi > 0);
    d.conclude(rope > alibi);
}

void derive_theta_dtype(Derivation& d) {
    const FrequencyPlan exact = base_rope();
    const auto rounded = [](const BigReal& x) {
        return real(round_to(Format::bfloat16, x.to_double()));
    };
    double at_512 = 0, at_4096 = 0;
    for (std::size_t i = 0; i < exact.pairs.size(); ++i) {
        const BigReal exponent = rounded(real(2.0 * static_cast<double>(i)) / 128.0);
        const BigReal theta = rounded(1.0 / rounded(pow(rounded(real(10000)), exponent)));
        const BigReal off = absolute(theta - exact.pairs[i].inv_freq);
        at_512 = std::max(at_512, (off * 511.0).to_double());
        at_4096 = std::max(at_4096, (off * 4095.0).to_double());
    }
    const double near = d.number(at_512), far = d.number(at_4096);
    d.conclude(near > 1 && far > 7 * near);
}

constexpr Computation computations[] = {
    {"003-one-angle", derive_one_angle},
    {"003-sparse-form", derive_sparse},
    {"003-tensor-product", derive_tensor_product},
    {"003-relative", derive_relative_axes},
    {"003-unswapped-pair", derive_unswapped},
    {"003-labels", derive_labels},
    {"003-complex", derive_complex},
    {"003-base-10", derive_base_10},
    {"003-heads", derive_heads},
    {"003-cells", derive_cells},
    {"003-exponent", derive_listed_exponent},
    {"003-divisible", derive_divisible},
    {"003-base-100", derive_base_100},
    {"004-outline", derive_outline},
    {"004-missing-position", derive_missing_position},
    {"004-shapes", derive_shapes},
    {"004-neighbours", derive_class_neighbours},
    {"004-ignored-base", derive_ignored_base},
    {"004-longer-cache", derive_longer_cache},
    {"004-halves", derive_halves},
    {"004-default-positions", derive_default_positions},
    {"004-one-row", derive_one_row},
    {"004-permutation", derive_lane_order},
    {"004-binary", derive_binary},
    {"004-sum-of-angles", derive_sum_of_angles},
    {"004-non-linear", derive_linear},
    {"004-shifted-pair", derive_shifted_pair},
    {"004-alibi-slopes", derive_slopes},
    {"004-alibi-penalty", derive_penalty},
    {"003-one-dimension", derive_one_dimension},
    {"003-polar", derive_polar},
    {"004-unit-interval", derive_unit_interval},
    {"004-all-advantages", derive_all_advantages},
    {"004-llama-halves", derive_llama_pairing},
    {"004-alibi-models", derive_falcon},
    {"004-theta-dtype", derive_theta_dtype},
};

}  // namespace

std::span<const Computation> articles_003_and_004() { return computations; }

}  // namespace rope::ledger
