// Article 003, §3: the listing by complex numbers, in one and two dimensions.
#include <algorithm>
#include <set>
#include <utility>

#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/tensor_shape.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

void derive_complex(Derivation& d) {
    d.say(
        "(q0 + i·q1)(cos mθ + i·sin mθ) has the real part q0·cos − q1·sin and the imaginary part "
        "q0·sin + q1·cos. Take (1, 2) and mθ = 3.");
    const Vector turned = rotated(vector_of({1, 2}), base_rope(2), PairLayout::interleaved, 3);
    const BigReal re = d.number("real part, cos 3 − 2·sin 3", turned[0], "-1.272232512720180");
    const BigReal im = d.number("imaginary part, sin 3 + 2·cos 3", turned[1], "-1.838864985141024");
    d.confirm("It is the rotation of neighbouring lanes, and |1 + 2i|² = 5 is kept.",
              absolute(re * re + im * im - real(5)) < real(1e-15));
}

void derive_listed_exponent(Derivation& d) {
    d.say(
        "arange(0, dim, 4)/dim is 4j/dim for j = 0, 1, …, which is 2j/(dim/2): that of a "
        "one-dimensional encoding of dim/2 lanes, as each direction has. dim = 128.");
    const double code = d.number("exponent of the last j = 31, 4j/dim", 4.0 * 31 / 128, "0.96875");
    const double formula = d.number("2j/(dim/2)", 2.0 * 31 / 64, "0.96875");
    BigReal apart = real(0);
    for (int j = 0; j < 32; ++j) {
        const BigReal own = pow(real(100), real(-4.0 * j) / 128.0);
        apart =
            apart + absolute(own - base_rope(64, 100).pairs[static_cast<std::size_t>(j)].inv_freq);
    }
    d.confirm("The exponents are the same: the code is right, and dim is not a mistake for dim/2.",
              code == formula && apart < real(0x1p-290));
}

// Complex columns for x and y: those of arange(0, dim, 4), cut to dim/4.
double columns(int dim) { return 2 * std::min((dim + 3) / 4, dim / 4); }

void derive_divisible(Derivation& d) {
    d.say(
        "Each direction gets arange(0, dim, 4)[: dim // 4], ⌊dim/4⌋ columns; dim/2 are needed in "
        "all.");
    const double whole = d.number("columns for dim = 128, of 64", columns(128), "64");
    const double six = d.number("columns for dim = 6, of 3", columns(6), "2");
    const double ten = d.number("columns for dim = 10, of 5", columns(10), "4");
    d.confirm("For a dim divisible by 4 they suffice.", whole == 64);
    d.refute("Otherwise a pair is silently left out.", six < 3 && ten < 5);
}

void derive_heads(Derivation& d) {
    d.say(
        "With heads, xq_ is [batch, seq, heads, dim/2] and freqs_cis [seq, dim/2]: torch aligns "
        "the last axes, so that seq meets heads.");
    d.refute("For 196 positions and 4 heads it raises an error.",
             !broadcast({2, 196, 4, 64}, {196, 64}));
    d.say(
        "Where both are 4 it rotates by the number of the head instead of the position. Take head "
        "3 of ones at positions 1 and 4, d = 4.");
    const FrequencyPlan plan = base_rope(4);
    const BigReal got =
        d.number("score as applied, both at 3", 2.0 * cosine_sum(plan, real(0)), "4");
    const BigReal right =
        d.number("score at distance 3", 2.0 * cosine_sum(plan, real(3)), "0.0191151");
    d.refute(
        "Position is lost without an error; flatten(2) also joins the heads.",
        broadcast({2, 4, 4, 64}, {4, 64}) == Shape{2, 4, 4, 64} && absolute(got - right) > real(1));
}

void derive_base_10(Derivation& d) {
    d.say("The one-dimensional test has base 10 and 14·14 = 196 positions, dim = 128.");
    const FrequencyPlan plan = base_rope(128, 10);
    const BigReal wavelength =
        d.number("longest wavelength, 2π·10^(126/128)",
                 2.0 * exact_pi() / plan.pairs.back().inv_freq, "60.6", "positions");
    const BigReal turns =
        d.number("turns of the slowest pair over 196 positions", 196.0 / wavelength, "3.23");
    const Extremes found = extremes(plan, 1, 195);
    const BigReal alike =
        d.number("largest B̂(s), s = 1 … 195", mean_score(plan, found.greatest_at), "0.893");
    d.confirm("All pairs together still tell 196 positions apart.", alike < real(0.95));
    d.refute("No single pair does: even the slowest comes round three times.", turns > real(1));
}

void derive_base_100(Derivation& d) {
    d.say(
        "The two-dimensional form defaults to base 100; no formula says 10 or 100. Each direction "
        "has 14 positions and 32 pairs, dim = 128.");
    const FrequencyPlan plan = base_rope(64, 100);
    const BigReal wavelength =
        d.number("longest wavelength, 2π·100^(124/128)",
                 2.0 * exact_pi() / plan.pairs.back().inv_freq, "544.1", "positions");
    double slow = 0;
    for (const PlannedFrequency& pair : plan.pairs)
        if (!(14.0 * pair.inv_freq > exact_pi())) ++slow;
    const double half =
        d.number("pairs with at most half a turn over 14 positions", slow, "21", "of 32");
    d.confirm("The slow pairs order all rows and columns of the image.",
              wavelength > real(28) && half > 0);
}

void derive_cells(Derivation& d) {
    d.say("t_x = t mod 14 and t_y = ⌊t/14⌋ for t = 0 … 195.");
    std::set<std::pair<int, int>> cells;
    for (int t = 0; t < 14 * 14; ++t) cells.insert({t % 14, t / 14});
    const double found = d.number("different (x, y)", static_cast<double>(cells.size()), "196");
    d.confirm("Each cell of the image comes once, row after row.", found == 14.0 * 14);
}

constexpr Entry image_listing_entries[] = {
    {"003-complex", "§3.1", "Multiplying by e^{imθ} rotates a pair by mθ.", Status::theorem,
     derive_complex},
    {"003-base-10", "§3.1, test", "Base 10 suits 196 positions.", Status::on_a_range,
     derive_base_10},
    {"003-heads", "§3.1, apply_rotary_emb", "apply_rotary_emb serves [batch, seq, heads, dim].",
     Status::false_as_stated, derive_heads},
    {"003-cells", "§3.1, init_t_xy", "t mod x and t div x are each cell's column and row.",
     Status::theorem, derive_cells},
    {"003-exponent", "§3.1, 2-D listing", "The exponents are arange(0, dim, 4)/dim.",
     Status::theorem, derive_listed_exponent},
    {"003-divisible", "§3.1, 2-D listing", "x and y take dim/2 columns together.",
     Status::on_a_range, derive_divisible},
    {"003-base-100", "§3.1, 2-D listing", "Base 100 suits 14 × 14 positions.", Status::theorem,
     derive_base_100},
};

}  // namespace

std::span<const Entry> image_listing() { return image_listing_entries; }

}  // namespace rope::ledger
