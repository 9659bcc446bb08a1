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
    const BigReal first = d.number(attended(1, in_order));
    const BigReal last = d.number(attended(1, shuffled));
    d.conclude(absolute(first - last) < rounding_residue());
    const BigReal masked = d.number(attended(1, std::span(in_order).first(1)));
    d.conclude(absolute(masked - last) > real(1));
}

void derive_multiplicative(Derivation& d) {
    const BigReal of_difference = d.number(cosine(real(1)));
    const BigReal of_both = d.number(cosine(real(2)) * cosine(real(1)));
    const auto alternating = [](int m) { return m % 2 == 0 ? 1 : -1; };
    double obeyed = 0;
    for (int m = -5; m <= 5; ++m)
        for (int n = -5; n <= 5; ++n)
            obeyed += alternating(m - n) == alternating(m) * alternating(n) ? 1 : 0;
    const double all = d.number(obeyed);
    const BigReal apart =
        distance(rotation(real(2)) * transposed(rotation(real(1))), rotation(real(1)));
    d.conclude(apart < rounding_residue() && absolute(of_difference - of_both) > real(0.1) &&
               all == 121);
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
    const double weathers = d.number(places_of("weather").size());
    const auto shanghai = places_of("Shanghai"), temperature = places_of("temperature");
    const double first = d.number(temperature[0] - shanghai[0]);
    const double second = d.number(temperature[1] - shanghai[1]);
    d.conclude(weathers == 1 && first == second);
}

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
    const BigReal det = d.number(determinant(printed));
    const BigReal defect = d.number(dot(turned, turned) - dot(v, v));
    const BigReal at_zero = d.number((v * printed_map(real(0))).y);
    d.conclude(absolute(det - 1.0) > real(0.1) && absolute(defect) > real(0.1) &&
               !(at_zero == v.y));
}

void derive_transpose(Derivation& d) {
    const BigReal theta = real(1);
    const BigReal apart = d.number(distance(transposed(rotation(theta)), rotation(-1.0 * theta)));
    d.conclude(apart == real(0));
}

void derive_composition(Derivation& d) {
    const BigReal one = real(1), two = real(2);
    const Matrix2 both = rotation(one) * rotation(two);
    d.number(both.a);
    d.number(cosine(one + two));
    d.conclude(distance(both, rotation(one + two)) < rounding_residue());
}

void derive_relative_rotation(Derivation& d) {
    const Matrix2 both = rotation(real(7)) * transposed(rotation(real(5)));
    d.number(both.a);
    const Row2 q{real(1), real(2)}, k{real(3), real(-1)};
    const BigReal score = dot(q * rotation(real(7)), k * rotation(real(5)));
    d.number(score);
    d.conclude(distance(both, rotation(real(2))) < rounding_residue() &&
               absolute(score - dot(q * rotation(real(2)), k)) < rounding_residue() &&
               absolute(score - dot(q * rotation(real(1007)), k * rotation(real(1005)))) <
                   rounding_residue());
}

void derive_four_lanes(Derivation& d) {
    const Row2 v{real(1), real(2)};
    const Row2 right = v * rotation(real(2)), printed = v * printed_map(real(1));
    const BigReal wanted = d.number(right.x);
    const BigReal found = d.number(printed.x);
    d.number(right.y);
    d.number(printed.y);
    d.conclude(absolute(wanted - found) > real(1));
}

// Article 000, §4: the torch module.

using enum PairLayout;

void derive_rotate_half(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), half = vector_of({-3, -4, 1, 2});
    const Vector wanted = rotated(q, plan, half_split, 1);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal& theta = plan.pairs[i % 2].inv_freq;
        apart = apart + absolute(q[i] * cosine(theta) + half[i] * sine(theta) - wanted[i]);
    }
    d.number(wanted[0]);
    d.number(wanted[2]);
    d.conclude(apart < rounding_residue());
}

void derive_inv_freq(Derivation& d) {
    const FrequencyPlan plan = base_rope(6);
    const BigReal first = d.number(plan.pairs[0].inv_freq);
    const BigReal second = d.number(plan.pairs[1].inv_freq);
    const BigReal third = d.number(plan.pairs[2].inv_freq);
    d.conclude(absolute(third * first - second * second) < real(1e-15));
}

void derive_layouts(Derivation& d) {
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const auto score = [&](const Vector& x, const Vector& y, PairLayout layout) {
        return dot(rotated(x, plan, layout, 3), rotated(y, plan, layout, 1));
    };
    const BigReal halves = d.number(score(q, k, half_split));
    const BigReal moved = d.number(score(interleaved_lanes(q), interleaved_lanes(k), interleaved));
    d.conclude(absolute(halves - moved) < rounding_residue());
    const BigReal plain = d.number(score(q, k, interleaved));
    d.conclude(absolute(plain - halves) > real(0.1));
}

void derive_product(Derivation& d) {
    const auto worst = [](const AngleRounding& rounding, std::uint64_t last) {
        return worst_angle_error(128, 1e4, rounding, 0, last);
    };
    using enum Format;
    const double float32_error = d.number(worst({}, 2048));
    const double tf32_error = d.number(worst({tf32, tf32, float32}, 2048));
    d.number(worst({tf32, tf32, float32}, 4096));
    const AngleRounding autocast{bfloat16, bfloat16, bfloat16};
    d.number(worst(autocast, 2048));
    d.number(worst(autocast, 4096));
    d.conclude(float32_error < 2e-4);
    d.conclude(tf32_error > 0.4);
}

void derive_table(Derivation& d) {
    const double listed = d.number(worst_table_error(6, 1e4, 1023));
    const double wide = d.number(worst_table_error(128, 1e4, 1023));
    d.number(worst_table_error(128, 1e4, 2047));
    d.conclude(listed < 0x1p-9 && wide < 0x1p-9);
}

void derive_cached_offset(Derivation& d) {
    const FrequencyPlan plan = base_rope(6);
    const BigReal wanted = d.number(2.0 * cosine_sum(plan, real(2)));
    const Vector ones = vector_of({1, 1, 1, 1, 1, 1});
    const auto at = [&](double row) { return rotated(ones, plan, half_split, row); };
    d.conclude(absolute(dot(at(7), at(5)) - wanted) < rounding_residue());
    const BigReal found = d.number(dot(at(0), at(5)));
    d.conclude(absolute(wanted - found) > real(1));
}

void derive_cache_length(Derivation& d) {
    const Shape taken = cut({1024, 6}, 0, 1025), one = cut({1, 6}, 0, 1025);
    d.number(taken[0]);
    d.conclude(!broadcast({1025, 6}, taken) && broadcast({1024, 6}, taken).has_value());
    const Vector q = vector_of({1, 2, 3, 4, 5, 6});
    const Vector turned = rotated(q, base_rope(6), half_split, 0);
    BigReal moved = real(0);
    for (std::size_t i = 0; i < q.size(); ++i) moved = moved + absolute(turned[i] - q[i]);
    const BigReal change = d.number(moved);
    d.conclude(broadcast({1025, 6}, one) == Shape{1025, 6} && change == real(0));
}

// Columns of cat(freqs, freqs), freqs for arange(0, dim, 2).
std::uint64_t table_width(std::uint64_t dim) {
    std::uint64_t frequencies = 0;
    for (std::uint64_t i = 0; i < dim; i += 2) ++frequencies;
    return 2 * frequencies;
}

void derive_odd_width(Derivation& d) {
    d.number(table_width(6));
    d.number(table_width(7));
    d.conclude(broadcast({3, 6}, {3, table_width(6)}).has_value());
    d.conclude(!broadcast({3, 7}, {3, table_width(7)}));
}

constexpr Computation computations[] = {
    {"000-equivariance", derive_equivariance},
    {"000-multiplicative", derive_multiplicative},
    {"000-example", derive_sentence},
    {"000-rotation-sign", derive_sign},
    {"000-transpose", derive_transpose},
    {"000-composition", derive_composition},
    {"000-relative-score", derive_relative_rotation},
    {"000-four-lanes", derive_four_lanes},
    {"000-inv-freq", derive_inv_freq},
    {"000-rotate-half", derive_rotate_half},
    {"000-layouts", derive_layouts},
    {"000-product", derive_product},
    {"000-table", derive_table},
    {"000-cached-offset", derive_cached_offset},
    {"000-cache-length", derive_cache_length},
    {"000-odd-width", derive_odd_width},
};

}  // namespace

std::span<const Computation> article_000() { return computations; }

}  // namespace rope::ledger
