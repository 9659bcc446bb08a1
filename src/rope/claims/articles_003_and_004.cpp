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
    d.say(
        "The example with four dimensions has one θ in both blocks; the general formula below it "
        "has "
        "θ_0 and θ_1. With base 10000 and d = 4 these are:");
    const FrequencyPlan plan = base_rope(4);
    const BigReal first = d.number("θ_0", plan.pairs[0].inv_freq, "1");
    const BigReal second = d.number("θ_1", plan.pairs[1].inv_freq, "0.010000000000");
    d.refute("The two blocks turn at different speeds.", first > second * 2.0);
}

void derive_sparse(Derivation& d) {
    d.say(
        "The sparse form multiplies dimension by dimension: q·(cos mθ_0, cos mθ_0, cos mθ_1, …) "
        "plus "
        "(−q_1, q_0, −q_3, q_2, …)·(sin mθ_0, sin mθ_0, …). Take q = (1, 2, 3, 4) at m = 2.");
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), swapped = vector_of({-2, 1, -4, 3});
    const Vector wanted = rotated(q, plan, interleaved, 2);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal angle = 2.0 * plan.pairs[i / 2].inv_freq;
        apart = apart + absolute(q[i] * cosine(angle) + swapped[i] * sine(angle) - wanted[i]);
    }
    d.number("dimension 0, cos 2 − 2·sin 2", wanted[0], "-2.234741690198506");
    d.number("dimension 3, 4·cos 0.02 + 3·sin 0.02", wanted[3], "4.059196");
    d.confirm("It is the product with the matrix.", apart < rounding_residue());
}

void derive_tensor_product(Derivation& d) {
    d.say(
        "⊗ is the sign of the tensor product, which of two vectors of d dimensions has d² entries. "
        "RoFormer prints ⊗, too; the product dimension by dimension, ⊙, is meant. d = 4.");
    const Shape tensor = matrix_product({4, 1}, {1, 4}).value();
    const Shape by_lane = broadcast({4}, {4}).value();
    const double entries = d.number("entries of a tensor product", numbers_in(tensor), "16");
    const double lanes =
        d.number("entries of the product dimension by dimension", numbers_in(by_lane), "4");
    d.refute("Read as it is printed, the result has too many entries.", entries > lanes);
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
    d.say(
        "R_xy is a diagonal of R(xθ_j) and R(yθ_j), so R_xyᵀR_x'y' has R((x' − x)θ_j) and "
        "R((y' − y)θ_j). Take q = (1, 2, 3, 4) at (7, 3) and k = (2, −1, 1, 3) at (5, 2).");
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const BigReal near = d.number("score", dot(placed(q, 7, 3), placed(k, 5, 2)), "7.765402");
    const BigReal far = d.number("score 1000 columns and 500 rows on",
                                 dot(placed(q, 1007, 503), placed(k, 1005, 502)), "7.765402");
    d.confirm("The score depends on the two differences alone.",
              absolute(near - far) < real(0x1p-280));
}

void derive_unswapped(Derivation& d) {
    d.say(
        "In the second vector of the two-dimensional sparse form some pairs read "
        "(−q_even, q_odd), where (−q_odd, q_even) is needed. A pair (a, b) then becomes "
        "(a(cosθ − sinθ), b(cosθ + sinθ)). Take (1, 2) and θ = 1.");
    const BigReal c = cosine(real(1)), s = sine(real(1));
    const BigReal x = c - s, y = 2.0 * (c + s);
    const BigReal printed = d.number("square of its length, a²(1 − sin 2θ) + b²(1 + sin 2θ)",
                                     x * x + y * y, "7.727892280477045");
    const Row2 right = Row2{real(1), real(2)} * rotation(real(1));
    const BigReal wanted = d.number("with the pair swapped", dot(right, right), "5.0000000000000");
    d.refute("A rotation keeps the length.", absolute(printed - wanted) > real(1));
}

void derive_labels(Derivation& d) {
    d.say(
        "The dimensions are labelled q_{0,0} to q_{d/2−1,d/2−1}, differently in the two displays. "
        "Two "
        "indices below d/2 name (d/2)² things. d = 8.");
    const double labels = d.number("labels with two indices below 4", 4.0 * 4.0, "16");
    const double lanes = d.number("dimensions", 8, "8");
    d.refute(
        "q has d dimensions, q_0 to q_{d−1}: x and y are positions, not indices of a dimension.",
        labels > lanes);
}

constexpr Entry two_dimensions_entries[] = {
    {"003-one-angle", "§1", "A query of four dimensions turns by one θ in both pairs.",
     Status::false_as_stated, derive_one_angle},
    {"003-sparse-form", "§1", "The sparse product equals the product with the matrix.",
     Status::theorem, derive_sparse},
    {"003-tensor-product", "§1 and §2", "The sparse form is q ⊗ cos + q' ⊗ sin.",
     Status::false_as_stated, derive_tensor_product},
    {"003-relative", "§2", "R_xy, one rotation per direction, encodes both differences.",
     Status::theorem, derive_relative_axes},
    {"003-unswapped-pair", "§2, sparse form", "The second vector has −q_{·,d/4−2}, q_{·,d/4−1}, ….",
     Status::false_as_stated, derive_unswapped},
    {"003-labels", "§2", "The dimensions are q_{0,0}, …, q_{d/2−1,d/2−1}.", Status::false_as_stated,
     derive_labels},
};

}  // namespace

std::span<const Entry> two_dimensions() { return two_dimensions_entries; }

namespace {

// Article 003, §3: the listing by complex numbers, in one and two dimensions.

void derive_complex(Derivation& d) {
    d.say(
        "(q0 + i·q1)(cos mθ + i·sin mθ) has the real part q0·cos − q1·sin and the imaginary part "
        "q0·sin + q1·cos. Take (1, 2) and mθ = 3.");
    const Vector turned = rotated(vector_of({1, 2}), base_rope(2), PairLayout::interleaved, 3);
    const BigReal re = d.number("real part, cos 3 − 2·sin 3", turned[0], "-1.272232512720180");
    const BigReal im = d.number("imaginary part, sin 3 + 2·cos 3", turned[1], "-1.838864985141024");
    d.confirm("It is the rotation of neighbouring dimensions, and |1 + 2i|² = 5 is kept.",
              absolute(re * re + im * im - real(5)) < real(1e-15));
}

void derive_listed_exponent(Derivation& d) {
    d.say(
        "arange(0, dim, 4)/dim is 4j/dim for j = 0, 1, …, which is 2j/(dim/2): that of a "
        "one-dimensional encoding of dim/2 dimensions, as each direction has. dim = 128.");
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

namespace {

// Article 004: the outline before §1, and the two classes of §2.

using enum PairLayout;

void derive_outline(Derivation& d) {
    d.say(
        "The outline reshapes X of [2, 3, 5, 8] to (batch, heads, seq, dim // 2), and then indexes "
        "[..., 0] and [..., 1]. `theta` and `rope_cache` are never defined there, either.");
    const Shape x{2, 3, 5, 8};
    d.number("numbers of X", numbers_in(x), "240");
    d.number("numbers of that shape", numbers_in({2, 3, 5, 8 / 2}), "120");
    d.refute("torch refuses the shape; it lacks a last axis of 2.",
             !can_view(x, {2, 3, 5, 4}) && can_view(x, {2, 3, 5, 4, 2}));
}

void derive_missing_position(Derivation& d) {
    d.say(
        "The formula turns pair i by θ_i, with no position in it: then all tokens turn alike, and "
        "the score of two equal tokens is the same at any distance. d = 4, q = k = 1.");
    const FrequencyPlan plan = base_rope(4);
    const Vector ones = vector_of({1, 1, 1, 1});
    const auto score = [&](double m, double n) {
        return dot(rotated(ones, plan, interleaved, m), rotated(ones, plan, interleaved, n));
    };
    const BigReal printed =
        d.number("score at distance 5 as printed", score(1, 1), "4.00000000000");
    const BigReal meant = d.number("score at distance 5 with mθ_i", score(5, 0), "2.564825");
    d.refute("The angle must be mθ_i.", absolute(printed - meant) > real(1));
}

void derive_shapes(Derivation& d) {
    d.say(
        "The left side is printed as a row (e'_{2i}, e'_{2i+1}), the right side is a matrix times "
        "a column.");
    const Shape left{1, 2}, right = matrix_product({2, 2}, {2, 1}).value();
    d.number("rows on the left", static_cast<double>(left[0]), "1");
    d.number("rows on the right", static_cast<double>(right[0]), "2");
    d.refute("A row is not a column; both sides must be one.", left != right);
}

void derive_class_neighbours(Derivation& d) {
    d.say(
        "x_out2 stacks x0·cos − x1·sin and x1·cos + x0·sin over the pairs of neighbours. Take "
        "(1, 2, 3, 4) at m = 1, d = 4.");
    const FrequencyPlan plan = base_rope(4);
    const Vector x = vector_of({1, 2, 3, 4}), y = rotated(x, plan, interleaved, 1);
    d.number("dimension 0, cos 1 − 2·sin 1", y[0], "-1.142639663747653");
    d.number("dimension 1, 2·cos 1 + sin 1", y[1], "1.922075596544176");
    d.number("dimension 3, 4·cos 0.01 + 3·sin 0.01", y[3], "4.029799501669161");
    const BigReal score = dot(y, rotated(x, plan, interleaved, 8));
    const BigReal other =
        dot(rotated(x, plan, interleaved, 101), rotated(x, plan, interleaved, 108));
    d.confirm("It is the rotation: minus sine on the even dimensions, and scores know m − n alone.",
              absolute(score - other) < real(0x1p-290) &&
                  absolute(dot(y, y) - dot(x, x)) < real(0x1p-290));
}

void derive_ignored_base(Derivation& d) {
    d.say(
        "forward_impl(…, base = 10000) computes 1/(10000 ** …): base is not used. With base = "
        "500000 and d = 128, pair 1 is:");
    const BigReal got =
        d.number("θ_1 as computed", base_rope(128).pairs[1].inv_freq, "0.865964323360065");
    const BigReal wanted =
        d.number("θ_1 with base 500000", base_rope(128, 5e5).pairs[1].inv_freq, "0.814617233857");
    d.refute("Another base has no effect.", absolute(got - wanted) > real(0.01));
}

void derive_longer_cache(Derivation& d) {
    d.say(
        "apply_rotary_pos_emb views the cache as (1, 1, seq_len, d/2, 2), with seq_len of X. Let "
        "the cache have 16 rows and X 8, d = 4. forward itself takes max_len and uses "
        "max_seq_len, a NameError.");
    const Shape cache{16, 2, 2}, view{1, 1, 8, 2, 2};
    d.number("numbers of the cache", numbers_in(cache), "64");
    d.number("numbers of the view", numbers_in(view), "32");
    d.refute("torch refuses the view: the cache has to be cut to the sequence first.",
             !can_view(cache, view) && can_view(cut(cache, 0, 8), view));
}

void derive_halves(Derivation& d) {
    d.say(
        "Q·cos + rotate_half(Q)·sin, with rotate_half = (−second half, first half). (`torch.cat` "
        "needs a tuple where the cache is made.) Take (1, 2, 3, 4) at m = 1, d = 4.");
    const FrequencyPlan plan = base_rope(4);
    const Vector x = vector_of({1, 2, 3, 4}), y = rotated(x, plan, half_split, 1);
    const BigReal lane = d.number("dimension 0, cos 1 − 3·sin 1", y[0], "-1.984110648555550");
    d.number("dimension 1, 2·cos 0.01 − 4·sin 0.01", y[1], "1.959900667496664");
    const BigReal printed = 1.0 * cosine(real(1)) - 3.0 * sine(real(1));
    d.confirm(
        "It is the rotation of the pairs (i, i + d/2).",
        absolute(lane - printed) < real(1e-14) && absolute(dot(y, y) - dot(x, x)) < real(0x1p-290));
}

void derive_default_positions(Derivation& d) {
    d.say(
        "max_positions defaults to 151643, the size of Qwen's vocabulary. The two tables have so "
        "many rows of 128 float32 numbers.");
    const double bytes = 2.0 * 151643 * 128 * 4;
    const double mebibytes =
        d.number("memory of the tables", bytes / (1024 * 1024), "148.09", "MiB");
    d.say("A context of 4096, as that of Mistral's window, takes:");
    const double needed =
        d.number("memory for 4096 rows", 2.0 * 4096 * 128 * 4 / (1024 * 1024), "4", "MiB");
    d.refute("A vocabulary is no number of positions.", mebibytes > 10 * needed);
}

void derive_one_row(Derivation& d) {
    d.say(
        "forward(X, seq_len = None) takes seq_len = 1 and returns one row; then "
        "`cos[position_ids]` looks up the positions of X, 0 to 7 say.");
    const double rows =
        d.number("rows that are returned", static_cast<double>(cut({151643, 128}, 0, 1)[0]), "1");
    const double last = d.number("the last row that is looked up", 7, "7");
    d.refute("All but the first are out of range: seq_len has to be given.", last >= rows);
}

constexpr Entry two_classes_entries[] = {
    {"004-outline", "outline", "X.reshape(batch_size, num_heads, seq_len, qk_dim // 2).",
     Status::false_as_stated, derive_outline},
    {"004-missing-position", "§2", "(e'_{2i}, e'_{2i+1}) is the pair turned by θ_i.",
     Status::false_as_stated, derive_missing_position},
    {"004-shapes", "§2", "(e'_{2i}, e'_{2i+1}) = matrix · column.", Status::false_as_stated,
     derive_shapes},
    {"004-neighbours", "§2.1", "The first class rotates neighbouring dimensions.", Status::theorem,
     derive_class_neighbours},
    {"004-ignored-base", "§2.1", "forward_impl takes the base.", Status::false_as_stated,
     derive_ignored_base},
    {"004-longer-cache", "§2.1", "A cache may be longer than the sequence.",
     Status::false_as_stated, derive_longer_cache},
    {"004-halves", "§2.2", "The second class rotates dimensions i and i + d/2.", Status::theorem,
     derive_halves},
    {"004-default-positions", "§2.2", "max_positions = 151643.", Status::false_as_stated,
     derive_default_positions},
    {"004-one-row", "§2.2, forward", "Without seq_len the cache serves the positions of X.",
     Status::false_as_stated, derive_one_row},
};

}  // namespace

std::span<const Entry> two_classes() { return two_classes_entries; }

namespace {

// Article 004, §1: the kinds of position encodings.

void derive_lane_order(Derivation& d) {
    const std::vector<double> in_order{1, 2, 3}, shuffled{3, 1, 2};
    d.say(
        "Take tokens 1, 2, 3 of one dimension, q = k = v. The newest query, 3, attends to the set "
        "of "
        "all.");
    const BigReal before =
        d.number("what query 3 gets, in order", attended(3, in_order), "2.947975");
    const BigReal after =
        d.number("what query 3 gets, shuffled", attended(3, shuffled), "2.947975");
    d.confirm("One query's result does not change: attention to its keys is invariant.",
              absolute(before - after) < rounding_residue());
    d.say("The results of all tokens move with them.");
    const BigReal first =
        d.number("first result, in order", attended(in_order[0], in_order), "2.575210");
    const BigReal moved =
        d.number("first result, shuffled", attended(shuffled[0], shuffled), "2.947975");
    d.refute("The list of results is permuted: it is equivariant, not invariant.",
             absolute(first - moved) > real(0.1));
}

void derive_binary(Derivation& d) {
    d.say("A state of n bits has 2 choices per bit.");
    double states = 1;
    for (int bit = 0; bit < 10; ++bit) states *= 2;
    const double found = d.number("states of 10 bits", states, "1024");
    d.confirm("2¹⁰ positions get a code of their own.", found == 1024);
}

void derive_sum_of_angles(Derivation& d) {
    d.say("Take x = 1 and Δx = 2: [sin 1, cos 1]·[cos 2, sin 2] = sin 1·cos 2 + cos 1·sin 2.");
    const BigReal product = sine(real(1)) * cosine(real(2)) + cosine(real(1)) * sine(real(2));
    const BigReal sum = d.number("the product", product, "0.141120008059867222");
    d.number("sin 3", sine(real(3)), "0.141120008059867222");
    d.confirm("They agree: the addition theorem.", absolute(sum - sine(real(3))) < real(1e-18));
}

void derive_linear(Derivation& d) {
    d.say(
        "PE(p) has sin pθ and cos pθ for each pair. By the addition theorem PE(p + k) = "
        "M_k·PE(p), with a matrix M_k = [[cos kθ, sin kθ], [−sin kθ, cos kθ]] that p is not in. "
        "Take θ = 1, k = 2.");
    const auto shifted = [](double p) {
        const BigReal c = cosine(real(2)), s = sine(real(2));
        return Row2{c * sine(real(p)) + s * cosine(real(p)),
                    c * cosine(real(p)) - s * sine(real(p))};
    };
    const BigReal at_5 = d.number("first dimension of M₂·PE(5)", shifted(5).x, "0.656986598718789");
    d.number("sin 7", sine(real(7)), "0.656986598718789");
    const BigReal at_9 =
        d.number("first dimension of M₂·PE(9)", shifted(9).x, "-0.999990206550703");
    d.number("sin 11", sine(real(11)), "-0.999990206550703");
    d.refute("One matrix shifts every position by k: in PE(p) the shift is linear.",
             absolute(at_5 - sine(real(7))) < real(1e-15) &&
                 absolute(at_9 - sine(real(11))) < real(1e-15));
}

void derive_shifted_pair(Derivation& d) {
    d.say("The turned pair is printed as (sin x + Δx, cos x + Δx). Take x = 1, Δx = 2.");
    const BigReal printed = d.number("sin x + Δx", sine(real(1)) + real(2), "2.841470984807897");
    const BigReal meant = d.number("sin(x + Δx)", sine(real(3)), "0.141120008059867");
    d.refute("No sine is 2.84; the brackets are missing.",
             printed > real(1) && absolute(meant) < real(1));
}

void derive_slopes(Derivation& d) {
    d.say("The paper's slopes are 2^{−8i/n} for head i of n; the text has 2^{−8/i}. For n = 8:");
    constexpr const char* paper[] = {"0.5",     "0.25",     "0.125",     "0.0625",
                                     "0.03125", "0.015625", "0.0078125", "0.00390625"};
    constexpr const char* text[] = {"0.0039", "0.0625", "0.1575", "0.25",
                                    "0.3299", "0.3969", "0.4529", "0.5"};
    const std::vector<BigReal> slopes = alibi_slopes(8);
    bool falls = true, rises = true;
    BigReal before = real(1), before_in_text = real(0);
    for (int i = 1; i <= 8; ++i) {
        const auto at = static_cast<std::size_t>(i - 1);
        const std::string head = "head " + std::string(1, static_cast<char>('0' + i));
        const BigReal right = d.number(head + ", 2^{−8i/n}", slopes[at], paper[at]);
        const BigReal wrong = d.number(head + ", 2^{−8/i} as printed",
                                       pow(real(2), real(-8) / static_cast<double>(i)), text[at]);
        falls = falls && right < before;
        rises = rises && wrong > before_in_text;
        before = right, before_in_text = wrong;
    }
    d.refute("The paper's halve from head to head; the printed ones grow, and n is not in them.",
             falls && rises);
}

void derive_penalty(Derivation& d) {
    d.say(
        "The text takes 1 off the attention weight per token of distance. ALiBi takes "
        "slope·distance "
        "off the logit, before softmax. Head 1 of 8, two tokens of equal logits at distance 0 "
        "and 1:");
    const BigReal slope = alibi_slopes(8).front();
    const BigReal logit = d.number("added to the logit at distance 1", -1.0 * slope, "-0.5");
    const BigReal weight = d.number("weight at distance 1, 1/(1 + e^0.5)",
                                    1.0 / (real(1) + exponential(slope)), "0.377540668798145");
    const BigReal printed = d.number("weight with 1 taken off ½", real(0.5) - 1.0, "-0.5");
    d.refute("A weight cannot be negative; the penalty belongs in the logit.",
             weight > real(0) && printed < real(0) && !(logit == real(-1)));
}

constexpr Entry encodings_entries[] = {
    {"004-permutation", "introduction", "Swapping tokens leaves the result of attention as it is.",
     Status::on_a_range, derive_lane_order},
    {"004-binary", "§1.1", "n bits encode 2ⁿ positions.", Status::theorem, derive_binary},
    {"004-sum-of-angles", "§1.1", "sin(x + Δx) = [sin x, cos x]·[cos Δx, sin Δx].", Status::theorem,
     derive_sum_of_angles},
    {"004-non-linear", "§1.1", "The sinusoidal encoding of a shift is non-linear.",
     Status::false_as_stated, derive_linear},
    {"004-shifted-pair", "§1.2", "A shift gives (sin x + Δx, cos x + Δx).", Status::false_as_stated,
     derive_shifted_pair},
    {"004-alibi-slopes", "§1.2", "ALiBi's slopes are 2^{−8/i}, i = 1, …, n.",
     Status::false_as_stated, derive_slopes},
    {"004-alibi-penalty", "§1.2", "ALiBi takes 1 off the attention weight per token of distance.",
     Status::false_as_stated, derive_penalty},
};

}  // namespace

std::span<const Entry> encodings() { return encodings_entries; }

}  // namespace rope::ledger
