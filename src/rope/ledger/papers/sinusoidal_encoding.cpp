// Vaswani et al., Attention Is All You Need, §3.5: PE(p) has sin pθ_i and cos pθ_i.
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

Vector encoding(const FrequencyPlan& plan, double p) {
    Vector lanes;
    for (const PlannedFrequency& pair : plan.pairs) {
        lanes.push_back(cosine(p * pair.inv_freq));
        lanes.push_back(sine(p * pair.inv_freq));
    }
    return lanes;
}

void derive_shift(Derivation& d) {
    d.say(
        "(cos(p + k)θ, sin(p + k)θ) is (cos pθ, sin pθ) turned by kθ. So PE(p + k) = M_k·PE(p), "
        "where M_k is RoPE's rotation by k, whatever p is. d = 128, base 10000, k = 7.");
    const FrequencyPlan plan = base_rope();
    BigReal worst = real(0);
    for (const double p : {0.0, 5.0, 2041.0}) {
        const Vector shifted = rotated(encoding(plan, p), plan, PairLayout::interleaved, 7);
        const Vector wanted = encoding(plan, p + 7);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (const BigReal off = absolute(shifted[i] - wanted[i]); off > worst) worst = off;
    }
    d.number("entries of M_k that are not 0", 4 * static_cast<double>(plan.pairs.size()), "256");
    d.number("cos 7θ_1, an entry of M_7", cosine(7.0 * plan.pairs[1].inv_freq), "0.975583");
    d.confirm("M_7·PE(p) is PE(p + 7) at p = 0, 5 and 2041, in every lane.",
              worst < real(0x1p-280));
}

void derive_product(Derivation& d) {
    d.say(
        "⟨PE(p), PE(p + k)⟩ = Σ(cos pθ·cos(p + k)θ + sin pθ·sin(p + k)θ) = Σcos kθ_i = B(k), the "
        "score that RoPE gives q = k = 1, halved.");
    const FrequencyPlan plan = base_rope();
    const BigReal ahead =
        d.number("⟨PE(100), PE(107)⟩/64", dot(encoding(plan, 100), encoding(plan, 107)) / 64.0,
                 "0.731591104281689000");
    const BigReal behind =
        d.number("⟨PE(100), PE(93)⟩/64", dot(encoding(plan, 100), encoding(plan, 93)) / 64.0,
                 "0.731591104281689000");
    d.confirm("It depends on the distance alone, B̂(7).",
              absolute(ahead - mean_score(plan, 7)) < real(0x1p-280));
    d.refute("It is even in k: the product does not tell before from after.",
             absolute(ahead - behind) < real(0x1p-280));
}

constexpr Entry sinusoidal_encoding_entries[] = {
    {"sinusoidal-shift", "§3.5", "PE(p + k) is a linear function of PE(p).", Status::theorem,
     derive_shift},
    {"sinusoidal-product", "§3.5", "The product of two encodings tells their relative position.",
     Status::on_a_range, derive_product},
};

}  // namespace

std::span<const Entry> sinusoidal_encoding() { return sinusoidal_encoding_entries; }

}  // namespace rope::ledger
