// Article 001: indices and exponents as they are printed.
#include "rope/exact/functions.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/tensor_shape.hpp"

namespace rope::ledger {
namespace {

constexpr int width = 128;    // n6 of LLAMA-7B
constexpr int length = 2048;  // n3, say

// 10000^(−t/n6)
BigReal frequency(double t) { return pow(real(10000), real(-t) / width); }

void derive_index_set(Derivation& d) {
    d.say("The index t of θ̄_t is to run over the even numbers below n6 = 128: one for each pair.");
    int even = 0, printed = 1;
    for (int t = 0; t < width; t += 2) ++even;
    for (int t = 2; t <= width - 2; t += 4) ++printed;  // 0, then 2, 6, 10, …
    const double wanted = d.number("pairs of a head", even, "64", "pairs");
    const double found = d.number("indices in 0, 2, 6, …, 126 as printed", printed, "33", "pairs");
    d.refute("Read literally, 31 pairs have no angle.", found < wanted);
}

void derive_token_index(Derivation& d) {
    d.say("A sequence of n3 tokens has vectors q_0 to q_{n3−1}. The text counts i from 0 to n3.");
    int count = 0;
    for (int i = 0; i <= length; ++i) ++count;
    const double named = d.number("vectors named for n3 = 2048", count, "2049", "vectors");
    d.refute("That is one more than the rows of Q.", named > length);
}

void derive_transposed_vector(Derivation& d) {
    d.say("§2 has vectors as rows, and f(q) = qA. §3 then writes q = (q0, q1)ᵀ, a column.");
    const Shape column{2, 1}, row{1, 2}, a{2, 2};
    d.number("columns of q as written", static_cast<double>(column[1]), "1");
    d.number("rows of A", static_cast<double>(a[0]), "2");
    d.refute("The product of a 2×1 and a 2×2 matrix does not exist; without the ᵀ it does.",
             !matrix_product(column, a) && matrix_product(row, a) == row);
}

void derive_exponent(Derivation& d) {
    d.say("(5) is RoFormer's 10000^(−2i/d) if t = 2i is the index of the first lane of pair i.");
    d.number("θ̄₂, pair 1", frequency(2), "0.865964323360065352");
    const BigReal last = d.number("θ̄₁₂₆, pair 63", frequency(126), "1.15478198468945818e-4");
    d.confirm("With t = 0, 2, …, 126 the angles are RoFormer's.",
              absolute(last * pow(real(10000), real(126) / 128.0) - real(1)) < real(0x1p-300));
    d.say(
        "Read as the index of a pair, t = 0, 1, …, 63, the exponent is half of it: then the base "
        "is the square root.");
    const BigReal effective = d.number("effective base, θ̄₁^(−d/2)",
                                       1.0 / pow(frequency(1), real(width / 2.0)), "100.000000000");
    d.refute("That would be base 100.", effective < real(101));
}

void derive_difference(Derivation& d) {
    d.say(
        "The text has θ_ij = θ_i − θ_j in (4), so θ_ij = (i − j)θ̄. §4 writes (j − i)θ̄₁: the "
        "other sign, and an index that the even t never takes.");
    const BigReal right = d.number("(i − j)θ̄₀ for j − i = 6", real(-6), "-6", "rad");
    const BigReal written =
        d.number("(j − i)θ̄₁ for j − i = 6, t = 1", 6.0 * frequency(1), "5.583432246", "rad");
    d.refute(
        "Figure 1's value at 6 is 6, in size that of (i − j)θ̄₀: neither sign nor index is as "
        "written.",
        absolute(right) == real(6) && absolute(written - 6.0) > real(0.1));
}

void derive_changed_equation(Derivation& d) {
    d.say(
        "§4 proposes to change equation (4) to θ̄_t = π/(2n₉)·10000^(−t/n₆). (4) is r̂_ij; what "
        "defines θ̄_t is (5). The change multiplies (5) by a constant.");
    const BigReal scale = d.number("π/(2·2048)", exact_pi() / 4096.0, "7.66990393942820614859e-4");
    d.number("θ̄₀ for n₉ = 3000", exact_pi() / 6000.0, "5.23598775598298873e-4");
    d.number("θ̄₀ for n₉ = 4096", exact_pi() / 8192.0, "3.83495196971410307e-4");
    d.refute("No θ̄_t stands in (4); in (5) the change takes θ̄₀ from 1 to π/(2n₉).",
             scale < real(1));
}

constexpr Entry entries[] = {
    {"001-token-index", "§3, before (1)", "A token's index i runs over 0, 1, …, n₃.",
     Status::false_as_stated, derive_token_index},
    {"001-transposed-vector", "§3, n₆ = 2", "q = (q0, q1)ᵀ and f(q) = qA.", Status::false_as_stated,
     derive_transposed_vector},
    {"001-index-set", "§3, (5)", "The pairs' indices are t = 0, 2, 6, …, n₆ − 2.",
     Status::false_as_stated, derive_index_set},
    {"001-exponent", "§3, (5)", "θ̄_t = 10000^(−t/n₆).", Status::on_a_range, derive_exponent},
    {"001-angle-difference", "§4", "The angle difference is θ_ij = (j − i)θ̄₁.",
     Status::false_as_stated, derive_difference},
    {"001-changed-equation", "§4", "The proposal changes equation (4).", Status::false_as_stated,
     derive_changed_equation},
};

}  // namespace

std::span<const Entry> index_ranges() { return entries; }

}  // namespace rope::ledger
