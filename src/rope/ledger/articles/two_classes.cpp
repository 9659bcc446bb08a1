// Article 004: the outline before §1, and the two classes of §2.
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/tensor_shape.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

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
    d.number("lane 0, cos 1 − 2·sin 1", y[0], "-1.142639663747653");
    d.number("lane 1, 2·cos 1 + sin 1", y[1], "1.922075596544176");
    d.number("lane 3, 4·cos 0.01 + 3·sin 0.01", y[3], "4.029799501669161");
    const BigReal score = dot(y, rotated(x, plan, interleaved, 8));
    const BigReal other =
        dot(rotated(x, plan, interleaved, 101), rotated(x, plan, interleaved, 108));
    d.confirm("It is the rotation: minus sine on the even lanes, and scores know m − n alone.",
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
    const BigReal lane = d.number("lane 0, cos 1 − 3·sin 1", y[0], "-1.984110648555550");
    d.number("lane 1, 2·cos 0.01 − 4·sin 0.01", y[1], "1.959900667496664");
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
    {"004-neighbours", "§2.1", "The first class rotates neighbouring lanes.", Status::theorem,
     derive_class_neighbours},
    {"004-ignored-base", "§2.1", "forward_impl takes the base.", Status::false_as_stated,
     derive_ignored_base},
    {"004-longer-cache", "§2.1", "A cache may be longer than the sequence.",
     Status::false_as_stated, derive_longer_cache},
    {"004-halves", "§2.2", "The second class rotates lanes i and i + d/2.", Status::theorem,
     derive_halves},
    {"004-default-positions", "§2.2", "max_positions = 151643.", Status::false_as_stated,
     derive_default_positions},
    {"004-one-row", "§2.2, forward", "Without seq_len the cache serves the positions of X.",
     Status::false_as_stated, derive_one_row},
};

}  // namespace

std::span<const Entry> two_classes() { return two_classes_entries; }

}  // namespace rope::ledger
