// Su et al., RoFormer, §3.4.3: by Abel's summation |Σh_i e^{isθ_i}| ≤ max|h_{i+1} − h_i|·Σ|S_j|.
#include <algorithm>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/abel_bound.hpp"
#include "rope/ledger/quantity/scores.hpp"

namespace rope::ledger {
namespace {

void derive_bound(Derivation& d) {
    d.say(
        "Write h_i = q_i·k̄_i, h_{d/2} = 0 and S_j = Σ_{i<j} e^{isθ_i}. Summation by parts gives "
        "Σh_i e^{isθ_i} = −Σ_j S_{j+1}(h_{j+1} − h_j), whence the bound. Take h_i = 1 − i/64, "
        "d = 128 and s = 100.");
    const FrequencyPlan plan = base_rope();
    BigReal re = real(0), im = real(0);
    for (std::size_t i = 0; i < 64; ++i) {
        const BigReal h = 1.0 - real(static_cast<double>(i)) / 64.0;
        re = re + h * cosine(100.0 * plan.pairs[i].inv_freq);
        im = im + h * sine(100.0 * plan.pairs[i].inv_freq);
    }
    const BigReal score = d.number("|Σh_i e^{isθ_i}|", root(re * re + im * im), "8.810817");
    const BigReal bound = d.number("max|h_{i+1} − h_i|·Σ|S_j|, here A(100)",
                                   abel_bound(plan, real(100)), "10.227329948505");
    d.confirm("The bound holds.", !(score > bound));
}

struct Point {
    std::uint64_t s;
    const char* value;
};

void derive_curve(Derivation& d) {
    d.say("A(s) = (2/d)Σ|S_j| for d = 128, base 10000.");
    constexpr Point points[] = {{0, "32.5"},
                                {1, "31.538166142658"},
                                {2, "28.955988473564"},
                                {5, "20.845357778357"},
                                {10, "17.954137137085"},
                                {20, "15.242430108722"},
                                {50, "12.629452488319"},
                                {100, "10.227329948505"},
                                {250, "6.548179031942"},
                                {1024, "4.024113380546"},
                                {2048, "3.618515443053"},
                                {4096, "4.882792191194"},
                                {100000, "6.887981584320"}};
    const FrequencyPlan plan = base_rope();
    BigReal at_start = real(0), at_end = real(0);
    for (const Point& point : points) {
        const BigReal a =
            d.number("A(" + decimal(point.s) + ")",
                     abel_bound(plan, real(static_cast<double>(point.s))), point.value);
        if (point.s == 0) at_start = a;
        if (point.s == 2048) at_end = a;
    }
    const std::vector<double> curve = abel_curve(plan, 4096);
    const auto least = std::ranges::min_element(curve);
    d.number("s of the least A(s) on [0, 4096]", static_cast<double>(least - curve.begin()),
             "3643");
    d.number("least A(s)", abel_bound(plan, real(static_cast<double>(least - curve.begin()))),
             "2.231815896034517");
    d.confirm("It falls from 32.5 to 3.6 at 2048: in trend, distant tokens have smaller bounds.",
              at_start > 8.0 * at_end);
}

// The least real u > 0.5 at which A stops falling, by its values.
BigReal first_continuous_rise(const FrequencyPlan& plan) {
    const BigReal step = real(1) / 1024.0;
    BigReal low = real(12);
    while (abel_bound(plan, low + step) < abel_bound(plan, low)) low = low + step;
    return low;
}

void derive_monotone(Derivation& d) {
    d.say("Count the steps at which A(s) rises.");
    const std::vector<double> curve = abel_curve(base_rope(), 256);
    double rises = 0;
    for (std::size_t s = 1; s <= 256; ++s) rises += curve[s] > curve[s - 1] ? 1 : 0;
    for (const auto& [dim, recorded] :
         {std::pair{64U, "12"}, std::pair{128U, "19"}, std::pair{256U, "38"}, std::pair{512U, "63"},
          std::pair{768U, "101"}})
        d.number("first s with A(s) > A(s − 1), d = " + decimal(dim),
                 static_cast<double>(first_bound_rise(base_rope(dim), 256).value_or(0)), recorded);
    d.number("first rise at a real distance, d = 128", first_continuous_rise(base_rope()), "12.16");
    const double many = d.number("rises among the first 256 steps, d = 128", rises, "115");
    d.refute("Almost half of the steps rise: no decay from one distance to the next.", many > 100);
}

void derive_vacuous(Derivation& d) {
    d.say(
        "Without any argument |Σh_i e^{isθ_i}| ≤ Σ|h_i| ≤ (d/2)·max|h|. The bound is "
        "(d/2)·A(s)·max|h_{i+1} − h_i|: better only if neighbouring h differ by less than "
        "max|h|/A(s).");
    const BigReal a = d.number("least A(s) on [0, 4096]", abel_bound(base_rope(), real(3643)),
                               "2.231815896034517");
    d.say("For h_i = (−1)^i neighbours differ by 2.");
    const BigReal bound =
        d.number("bound over the trivial one, at best", 2.0 * a, "4.463631792069");
    d.refute("For such q and k, and for unrelated entries, the bound says nothing at any distance.",
             bound > real(1));
}

constexpr Entry roformer_bound_entries[] = {
    {"roformer-abel", "§3.4.3", "|Σh_i e^{isθ_i}| ≤ max|h_{i+1} − h_i|·Σ|S_j|.", Status::theorem,
     derive_bound},
    {"roformer-decay", "§3.4.3, Figure 2", "The bound decays with the distance of two tokens.",
     Status::empirical, derive_curve, "rope-check plot-decay"},
    {"roformer-monotone", "§3.4.3", "The further apart, the smaller the bound.",
     Status::false_as_stated, derive_monotone},
    {"roformer-vacuous", "§3.4.3", "The bound says that scores of any q and k decay.",
     Status::false_as_stated, derive_vacuous},
};

}  // namespace

std::span<const Entry> roformer_bound() { return roformer_bound_entries; }

}  // namespace rope::ledger
