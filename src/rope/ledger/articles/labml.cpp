// Article 002, §1: labml's module, and the article's statements about it.
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/tensor_shape.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

using enum PairLayout;

void derive_relative(Derivation& d) {
    d.say(
        "Two lanes as a complex number: rotating by mθ multiplies by e^{imθ}. The score of q at m "
        "and k at n is Re(q·k̄·e^{i(m−n)θ}). Take d = 2, q = (1, 2), k = (3, −1).");
    const FrequencyPlan plan = base_rope(2);
    const auto score = [&](double m, double n) {
        return dot(rotated(vector_of({1, 2}), plan, half_split, m),
                   rotated(vector_of({3, -1}), plan, half_split, n));
    };
    const BigReal near = d.number("score at (m, n) = (7, 5)", score(7, 5), "-6.781228824326914255");
    const BigReal far =
        d.number("score at (1007, 1005)", score(1007, 1005), "-6.781228824326914255");
    d.confirm("It depends on m − n alone.", absolute(near - far) < real(0x1p-280));
}

void derive_pairing(Derivation& d) {
    d.say(
        "The text says that the paper pairs lanes i and i + 1. For even i alone, that is (2i, "
        "2i + 1): each lane in one pair. d = 8.");
    int of_even = 0, of_all = 0;
    for (int i = 0; i + 1 < 8; ++i) {
        ++of_all;
        if (i % 2 == 0) ++of_even;
    }
    const double even = d.number("pairs for even i", of_even, "4", "pairs");
    d.confirm("They are the d/2 pairs of the paper.", even == 4);
    d.say("Now take every i.");
    const double all = d.number("pairs for every i", of_all, "7", "pairs");
    d.refute("For every i they overlap, and there are d − 1.", all > even);
}

void derive_cache_index(Derivation& d) {
    d.say(
        "Row m of the cache is [mθ_0, …, mθ_{d/2−1}] twice. The comment in the listing counts to "
        "θ_{d/2}; the text below it stops right, but leaves out a cos. d = 4.");
    int named = 0;
    for (int i = 0; i <= 4 / 2; ++i) ++named;
    const double columns = d.number("columns that the comment names", 2.0 * named, "6");
    d.refute("The cache has d = 4 columns.", columns > 4);
}

void derive_example(Derivation& d) {
    d.say(
        "labml's test has rows (1, 2, 3, 4), (4, 5, 6, 7) and (7, 8, 9, 10) with d = 4, "
        "θ = (1, 1/100). Row 0 is not turned. Row 1, at m = 1, pairs 4 with 6 and 5 with 7.");
    const Vector row = rotated(vector_of({4, 5, 6, 7}), base_rope(4), half_split, 1);
    d.number("lane 0, 4·cos 1 − 6·sin 1", row[0], "-2.887616685374820");
    d.number("lane 1, 5·cos 0.01 − 7·sin 0.01", row[1], "4.929751168744160");
    d.number("lane 2, 6·cos 1 + 4·sin 1", row[2], "6.607697774440424");
    d.number("lane 3, 7·cos 0.01 + 5·sin 0.01", row[3], "7.049649169587490");
    d.confirm("The square of its length stays 4² + 5² + 6² + 7² = 126.",
              absolute(dot(row, row) - real(126)) < real(0x1p-290));
}

void derive_neg_half(Derivation& d) {
    d.say(
        "_neg_half(x) is (−x_{d/2}, …, −x_{d−1}, x_0, …, x_{d/2−1}). Multiplied by sin and added "
        "to x·cos it is the rotation of the pairs (i, i + d/2). At m = 1, d = 4, x = (4, 5, 6, "
        "7):");
    const FrequencyPlan plan = base_rope(4);
    const Vector x = vector_of({4, 5, 6, 7}), neg_half = vector_of({-6, -7, 4, 5});
    const Vector wanted = rotated(x, plan, half_split, 1);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal& theta = plan.pairs[i % 2].inv_freq;
        const BigReal lane = d.number("lane " + std::string(1, static_cast<char>('0' + i)),
                                      x[i] * cosine(theta) + neg_half[i] * sine(theta),
                                      i == 0   ? "-2.887616685374820"
                                      : i == 1 ? "4.929751168744160"
                                      : i == 2 ? "6.607697774440424"
                                               : "7.049649169587490");
        apart = apart + absolute(lane - wanted[i]);
    }
    d.confirm("It is.", apart < real(0x1p-290));
}

// What RotaryPEMultiHeadAttention rotates by default: int(d_k·0.5) lanes.
std::uint64_t default_rotary_lanes(std::uint64_t d_k) { return d_k / 2; }

void derive_pass_through(Derivation& d) {
    d.say(
        "The text says that x_pass is normally empty. RotaryPEMultiHeadAttention's default "
        "rope_percentage is 0.5.");
    const double passing =
        d.number("lanes of 64 that pass through by default",
                 static_cast<double>(64 - default_rotary_lanes(64)), "32", "lanes");
    d.refute("By default half of them do.", passing > 0);
}

void derive_odd_part(Derivation& d) {
    d.say("The module must get an even width. int(d_k·0.5) is that if d_k is a multiple of 4.");
    const auto columns = [](std::uint64_t width) { return 2 * ((width + 1) / 2); };
    const std::uint64_t even = default_rotary_lanes(64), odd = default_rotary_lanes(6);
    d.number("columns for d_k = 64, of 32 lanes", static_cast<double>(columns(even)), "32");
    d.number("columns for d_k = 6, of 3 lanes", static_cast<double>(columns(odd)), "4");
    d.confirm("For d_k = 64 the table fits.", broadcast({8, even}, {8, columns(even)}).has_value());
    d.refute("For d_k = 6 it has a column too many, and torch raises an error.",
             !broadcast({8, odd}, {8, columns(odd)}));
}

constexpr Entry labml_module_entries[] = {
    {"002-relative-score", "§1", "Rotated queries and keys score by their relative position.",
     Status::theorem, derive_relative},
    {"002-pairing", "§1", "The paper pairs lanes i and i + 1.", Status::on_a_range, derive_pairing},
    {"002-cache-index", "§1, _build_cache", "A cached row is mθ_0, mθ_1, …, mθ_{d/2}, twice.",
     Status::false_as_stated, derive_cache_index},
    {"002-neg-half", "§1, forward",
     "x·cos + _neg_half(x)·sin is the rotation of pairs (i, i + d/2).", Status::theorem,
     derive_neg_half},
    {"002-pass-through", "§1, forward", "x_pass is normally empty.", Status::false_as_stated,
     derive_pass_through},
    {"002-odd-width", "§1, rope_percentage", "int(d_k·rope_percentage) lanes rotate.",
     Status::on_a_range, derive_odd_part},
    {"002-labml-example", "§1, _test_rotary",
     "The test's rows are rotated at positions 0, 1 and 2.", Status::theorem, derive_example},
};

}  // namespace

std::span<const Entry> labml_module() { return labml_module_entries; }

}  // namespace rope::ledger
