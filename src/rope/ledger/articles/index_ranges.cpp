// Article 001, §2 and §3: attention, indices and exponents as they are printed.
#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/tensor_shape.hpp"

namespace rope::ledger {
namespace {

constexpr int width = 128;    // n6 of LLAMA-7B
constexpr int length = 2048;  // n3, say

// 10000^(−t/n6)
BigReal frequency(double t) { return pow(real(10000), real(-t) / width); }

void derive_softmax(Derivation& d) {
    d.say("smax(x)_i = e^{x_i}/Σe^{x_j}. Take x = (1, 2, 3).");
    BigReal sum = real(0), all = real(0);
    for (const double x : {1.0, 2.0, 3.0}) sum = sum + exponential(real(x));
    constexpr const char* recorded[] = {"0.090030573170380", "0.244728471054798",
                                        "0.665240955774822"};
    for (int i = 0; i < 3; ++i)
        all =
            all + d.number("smax(x)_" + decimal(i), exponential(real(i + 1.0)) / sum, recorded[i]);
    d.confirm("They are positive and add up to 1.", absolute(all - real(1)) < real(1e-14));
}

void derive_root(Derivation& d) {
    d.say(
        "If q and k have independent entries of mean 0 and variance 1, r_ij = Σq_c k_c has the "
        "variance n₆. Enumerate all 2⁸ signs of q and k for n₆ = 4.");
    double squares = 0;
    for (unsigned signs = 0; signs < 256; ++signs) {
        int r = 0;
        for (unsigned c = 0; c < 4; ++c) r += ((signs >> c ^ signs >> (c + 4)) & 1U) != 0 ? -1 : 1;
        squares += r * r;
    }
    const double variance = d.number("mean of r_ij²", squares / 256, "4");
    d.number("√n₆ of LLAMA-7B, n₆ = 128", root(real(width)), "11.313708498984760");
    d.confirm("Divided by √n₆ the scores keep variance 1 at any width.", variance == 4);
}

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

void derive_range_exponent(Derivation& d) {
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

constexpr Entry index_ranges_entries[] = {
    {"001-softmax", "§2", "smax(x) = (e^{x_0}, …)/Σe^{x_i}.", Status::theorem, derive_softmax},
    {"001-scaled-scores", "§3", "Attention is smax(QKᵀ/√n₆).", Status::theorem, derive_root},
    {"001-token-index", "§3, before (1)", "A token's index i runs over 0, 1, …, n₃.",
     Status::false_as_stated, derive_token_index},
    {"001-transposed-vector", "§3, n₆ = 2", "q = (q0, q1)ᵀ and f(q) = qA.", Status::false_as_stated,
     derive_transposed_vector},
    {"001-index-set", "§3, (5)", "The pairs' indices are t = 0, 2, 6, …, n₆ − 2.",
     Status::false_as_stated, derive_index_set},
    {"001-exponent", "§3, (5)", "θ̄_t = 10000^(−t/n₆).", Status::on_a_range, derive_range_exponent},
};

}  // namespace

std::span<const Entry> index_ranges() { return index_ranges_entries; }

}  // namespace rope::ledger
