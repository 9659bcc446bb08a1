// Article 004, §1: the kinds of position encodings.
#include <string>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/alibi.hpp"
#include "rope/ledger/quantity/attention.hpp"
#include "rope/ledger/quantity/rotation.hpp"

namespace rope::ledger {
namespace {

void derive_lane_order(Derivation& d) {
    const std::vector<double> in_order{1, 2, 3}, shuffled{3, 1, 2};
    d.say(
        "Take tokens 1, 2, 3 of one lane, q = k = v. The newest query, 3, attends to the set of "
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
    const BigReal at_5 = d.number("first lane of M₂·PE(5)", shifted(5).x, "0.656986598718789");
    d.number("sin 7", sine(real(7)), "0.656986598718789");
    const BigReal at_9 = d.number("first lane of M₂·PE(9)", shifted(9).x, "-0.999990206550703");
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
