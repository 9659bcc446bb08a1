// Peng et al., YaRN, §3: NTK-aware scaling, the ramp by parts, and the temperature.
#include <string>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {
namespace {

struct Factor {
    double s;
    const char* value;
};

BigReal ntk_base(double s) { return 1e4 * pow(real(s), real(128) / 126.0); }

void derive_endpoints(Derivation& d) {
    d.say(
        "The base b' = b·s^{d/(d−2)} leaves θ_0 = 1, and gives the last pair "
        "b'^{−(d−2)/d} = b^{−(d−2)/d}/s. d = 128, b = 10000.");
    bool exact = true;
    const BigReal last = base_rope().pairs.back().inv_freq;
    for (const Factor& one : {Factor{2, "20221.2616897379"}, Factor{4, "40889.9424324862"},
                              Factor{8, "82684.6226405622"}, Factor{16, "167198.739213204"},
                              Factor{32, "338096.945982444"}}) {
        const BigReal base = d.number("b', s = " + decimal(one.s), ntk_base(one.s), one.value);
        const BigReal scaled = pow(base, real(-126) / 128.0);
        exact = exact && absolute(scaled * one.s / last - real(1)) < real(1e-12);
    }
    d.confirm("The last frequency is divided by exactly s, the first kept.", exact);
}

void derive_plain_base(Derivation& d) {
    d.say("Multiplying the base by s itself divides the last frequency by s^{(d−2)/d}. s = 4.");
    const BigReal factor =
        d.number("factor of the last frequency, b·s", pow(real(4), real(-126) / 128.0), "0.2555");
    const BigReal right = d.number("factor with b·s^{d/(d−2)}",
                                   pow(ntk_base(4) / 1e4, real(-126) / 128.0), "0.250000000000");
    d.refute("It falls short of a quarter.", factor > right * 1.01);
}

void derive_dynamic(Derivation& d) {
    d.say(
        "The dynamic form lets s grow with the sequence: s = f·n/L − (f − 1). f = 2, L = 2048, "
        "n = 8192.");
    const BigReal s = d.number("s", 2.0 * real(8192) / 2048.0 - 1.0, "7");
    const BigReal base = d.number("b'", 1e4 * pow(s, real(128) / 126.0), "72195.8600865094");
    Spec spec{.max_position_embeddings = 2048, .seq_len = 8192};
    spec.scaling = {.rope_type = "dynamic", .factor = 2};
    const BigReal own = plan_frequencies(spec, exact_precision).pairs.back().inv_freq;
    d.confirm("It is what the dynamic rope_type plans with.",
              absolute(pow(base, real(-126) / 128.0) / own - real(1)) < real(1e-12));
}

BigReal temperature(double s) { return 0.1 * natural_log(real(s)) - -1.0; }

void derive_temperature(Derivation& d) {
    d.say("cos and sin are multiplied by √(1/t) = 0.1·ln s + 1, the logits by its square.");
    BigReal before = real(1);
    bool grows = true;
    for (const Factor& one :
         {Factor{2, "1.0693147181"}, Factor{4, "1.1386294361"}, Factor{8, "1.2079441542"},
          Factor{16, "1.2772588722"}, Factor{32, "1.3465735903"}}) {
        const BigReal t = d.number("√(1/t), s = " + decimal(one.s), temperature(one.s), one.value);
        grows = grows && t > before;
        before = t;
    }
    const BigReal logits = temperature(16) * temperature(16);
    d.number("factor of the logits, s = 16", logits, "1.63139");
    d.say("A gap of 1 between two logits becomes one of 1.63: softmax prefers the larger by:");
    d.number("e^1.63139 in place of e, s = 16", exponential(logits), "5.11098");
    d.confirm("Logits grow with s, which the paper found by fitting perplexities.", grows);
}

// The paper's ramp: γ is linear in the turns r = L/λ from α = 1 to β = 32.
BigReal paper_frequency(const BigReal& theta, double length, double s) {
    const BigReal turns = length * theta / (2.0 * exact_pi());
    BigReal kept = (turns - 1.0) / 31.0;
    if (kept < real(0)) kept = real(0);
    if (kept > real(1)) kept = real(1);
    return (1.0 - kept) * theta / s + kept * theta;
}

void derive_ramps(Derivation& d) {
    d.say(
        "The paper blends θ/s and θ by a ramp that is linear in the turns L/λ, from 1 to 32. The "
        "code's is linear in the pair's index, between the pairs with 32 and 1 turns. d = 128, "
        "b = 10000, L = 4096, s = 16.");
    Spec spec{.max_position_embeddings = 65536};
    spec.scaling = {.rope_type = "yarn", .factor = 16, .original_max_position_embeddings = 4096};
    const FrequencyPlan code = plan_frequencies(spec, exact_precision), plain = base_rope();
    const auto pair_with = [](double turns) {
        return 64.0 * natural_log(real(4096) / (2.0 * turns * exact_pi())) / natural_log(real(1e4));
    };
    d.number("index with 32 turns, ⌊…⌋ in the code", pair_with(32), "20.94");
    d.number("index with 1 turn, ⌈…⌉ in the code", pair_with(1), "45.03");
    BigReal worst = real(0);
    for (std::size_t i = 0; i < 64; ++i) {
        const BigReal paper = paper_frequency(plain.pairs[i].inv_freq, 4096, 16);
        const BigReal off = absolute(code.pairs[i].inv_freq - paper) / paper;
        if (off > worst) worst = off;
    }
    d.number("θ'_30, paper", paper_frequency(plain.pairs[30].inv_freq, 4096, 16),
             "3.935988590684745e-3");
    d.number("θ'_30, code", code.pairs[30].inv_freq, "8.526843772967408e-3");
    const BigReal apart = d.number("largest relative difference of a pair", worst, "2.0414");
    d.refute("A pair's frequency differs by a factor of up to 3: the code uses a different ramp.",
             apart > real(1));
}

constexpr Entry ntk_entries[] = {
    {"ntk-endpoints", "NTK-aware", "b' = b·s^{d/(d−2)} keeps θ_0 and divides the last θ by s.",
     Status::theorem, derive_endpoints, "rope-check plot-spectrum --rope-type ntk --factor 4"},
    {"ntk-plain-base", "NTK-aware", "Multiplying the base by s divides the last θ by s.",
     Status::false_as_stated, derive_plain_base},
    {"ntk-dynamic", "dynamic scaling", "Dynamic NTK takes the s of the current length.",
     Status::theorem, derive_dynamic},
};
constexpr Entry yarn_entries[] = {
    {"yarn-temperature", "temperature", "√(1/t) = 0.1·ln s + 1.", Status::empirical,
     derive_temperature},
    {"yarn-two-ramps", "NTK-by-parts", "The published code blends by the paper's ramp.",
     Status::false_as_stated, derive_ramps,
     "rope-check plot-spectrum --model yarn-llama-2-70b-32k"},
};

}  // namespace

std::span<const Entry> ntk_aware() { return ntk_entries; }
std::span<const Entry> yarn_ramps() { return yarn_entries; }

}  // namespace rope::ledger
