// Sun et al., A Length-Extrapolatable Transformer: xPos multiplies pair i's score by ζ_i^{s/512},
// ζ_i = (2i/d + 0.4)/1.4.
#include <cmath>
#include <vector>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope::ledger {
namespace {

BigReal decay_base(std::size_t i) { return (real(static_cast<double>(i)) / 64.0 - -0.4) / 1.4; }

// The mean of ζ_i^{s/512}·cos sθ_i.
BigReal xpos_score(const FrequencyPlan& plan, std::uint64_t distance) {
    const BigReal s = real(static_cast<double>(distance));
    BigReal sum = real(0);
    for (std::size_t i = 0; i < plan.pairs.size(); ++i)
        sum = sum + pow(decay_base(i), s / 512.0) * cosine(s * plan.pairs[i].inv_freq);
    return sum / static_cast<double>(plan.pairs.size());
}

struct Course {
    double first_rise = 0, rises = 0, first_negative = 0;  // 0: none
};

// Of the sum of decay_i^s·cos sθ_i, s = 0 … last; decay 1 is RoPE.
Course course(const FrequencyPlan& plan, const std::vector<double>& decay, std::uint64_t last) {
    const std::vector<TurnRate> rates = turn_rates(plan.pairs);
    const ExactRows rows(rates);
    std::vector<double> cos(rates.size()), sin = cos, weight(rates.size(), 1.0);
    Course found;
    double before = HUGE_VAL;
    for (std::uint64_t s = 0; s <= last; ++s) {
        rows.fill_row(s, cos.data(), sin.data());
        double sum = 0;
        for (std::size_t i = 0; i < rates.size(); ++i) {
            sum += weight[i] * cos[i];
            weight[i] *= decay[i];
        }
        const auto at = static_cast<double>(s);
        if (sum > before) {
            ++found.rises;
            if (found.first_rise == 0) found.first_rise = at;
        }
        if (sum < 0 && found.first_negative == 0) found.first_negative = at;
        before = sum;
    }
    return found;
}

Course xpos_course() {
    std::vector<double> decay;
    for (std::size_t i = 0; i < 64; ++i)
        decay.push_back(pow(decay_base(i), real(1) / 512.0).to_double());
    return course(base_rope(), decay, 8192);
}

struct Score {
    std::uint64_t s;
    const char* value;
};

void derive_decay(Derivation& d) {
    d.say("The mean of ζ_i^{s/512}·cos sθ_i, d = 128, base 10000.");
    const FrequencyPlan plan = base_rope();
    for (const Score& one : {Score{512, "0.22069"}, Score{1024, "0.16897"}, Score{2048, "0.098035"},
                             Score{4096, "0.041866"}, Score{8192, "0.0032006"}})
        d.number("score at " + decimal(one.s), xpos_score(plan, one.s), one.value);
    const double negative =
        d.number("first negative s to 8192 (0: none)", xpos_course().first_negative, "0");
    const double plain = d.number("first negative s of plain RoPE",
                                  course(plan, std::vector(64, 1.0), 8192).first_negative, "1707");
    d.confirm("Its score fades without turning negative, where RoPE's does.",
              negative == 0 && plain > 0);
}

void derive_monotone_decay(Derivation& d) {
    const Course xpos = xpos_course();
    d.say("Count the steps at which that mean rises.");
    const double first = d.number("first s at which it rises", xpos.first_rise, "12");
    d.number("rises among 8192 steps", xpos.rises, "1662");
    d.number("rises of plain RoPE", course(base_rope(), std::vector(64, 1.0), 8192).rises, "4029");
    d.refute("It rises from s = 11 to 12: less often than RoPE, but not never.", first == 12);
}

void derive_absolute(Derivation& d) {
    d.say(
        "k is multiplied by ζ^{−m/512} at its position m, most in pair 0, where ζ = 0.4/1.4. "
        "Without a centre that overflows where m·ln 3.5/512 exceeds the logarithm of the format's "
        "largest number.");
    const auto overflow = [](double largest) {
        return whole_above(512.0 * natural_log(real(largest)) / natural_log(real(3.5)));
    };
    const BigReal single = d.number("first m in float32", overflow(0x1.ffffffp127), "36261");
    const BigReal half = d.number("first m in float16", overflow(65520), "4533");
    d.refute(
        "float16 overflows within 4533 positions: scale must be taken from the middle of the "
        "sequence.",
        half < single);
}

constexpr Entry xpos_decay_entries[] = {
    {"xpos-decay", "xPos", "xPos' score decays with distance, without oscillating below 0.",
     Status::empirical, derive_decay},
    {"xpos-monotone", "xPos", "xPos' score decays monotonically.", Status::false_as_stated,
     derive_monotone_decay},
    {"xpos-absolute", "scaled q and k", "q and k can be scaled by their absolute positions.",
     Status::false_as_stated, derive_absolute},
};

}  // namespace

std::span<const Entry> xpos_decay() { return xpos_decay_entries; }

}  // namespace rope::ledger
