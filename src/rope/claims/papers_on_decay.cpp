// Vaswani et al., Attention Is All You Need, §3.5: PE(p) has sin pθ_i and cos pθ_i.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/checks/decay.hpp"
#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/table/exact_rows.hpp"

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
    d.confirm("M_7·PE(p) is PE(p + 7) at p = 0, 5 and 2041, in every dimension.",
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

namespace {

// Su et al., RoFormer, §3.4.3: by Abel's summation |Σh_i e^{isθ_i}| ≤ max|h_{i+1} − h_i|·Σ|S_j|.

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

namespace {

// Sun et al., A Length-Extrapolatable Transformer: xPos multiplies pair i's score by ζ_i^{s/512},
// ζ_i = (2i/d + 0.4)/1.4.

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

namespace {

// Press et al., Train Short, Test Long: Attention with Linear Biases.

void derive_slopes(Derivation& d) {
    d.say(
        "For 12 heads take the 8 slopes of n = 8, and then every other one of n = 16: "
        "2^{−1/2}, 2^{−3/2}, ….");
    const std::vector<BigReal> slopes = alibi_slopes(12);
    d.number("number of slopes", static_cast<double>(slopes.size()), "12");
    constexpr const char* added[] = {"0.70711", "0.35355", "0.17678", "0.088388"};
    for (std::size_t h = 0; h < 4; ++h)
        d.number("slope of head " + decimal(9 + h), slopes[8 + h], added[h]);
    bool between = true;
    for (std::size_t h = 0; h < 3; ++h)
        between = between && slopes[h] < slopes[8 + h] && slopes[9 + h] < slopes[h];
    d.confirm("The added slopes fall between those of the first eight heads.", between);
}

void derive_distance(Derivation& d) {
    d.say(
        "A head forgets what is far: with equal logits the weight at distance s is "
        "e^{−slope·s} of that at 0. n = 8.");
    const std::vector<BigReal> slopes = alibi_slopes(8);
    const BigReal fast =
        d.number("weight at s = 100, head 1", exponential(-100.0 * slopes.front()), "1.92875e-22");
    const BigReal slow =
        d.number("weight at s = 100, head 8", exponential(-100.0 * slopes.back()), "0.676634");
    d.confirm("Heads differ in how far they look, and each weight falls at every step.",
              fast < slow && slow < real(1));
}

constexpr Entry alibi_heads_entries[] = {
    {"alibi-heads", "§3, get_slopes", "Slopes exist for any number of heads.", Status::theorem,
     derive_slopes},
    {"alibi-distance", "§3", "The bias prefers near tokens, by head.", Status::theorem,
     derive_distance},
};

}  // namespace

std::span<const Entry> alibi_heads() { return alibi_heads_entries; }

namespace {

// Barbero et al., Round and Round We Go! What makes Rotary Positional Encodings useful?

void derive_peak(Derivation& d) {
    d.say(
        "Let k = R^r q. Then the score at distance s is Σ|q_i|²cos((s − r)θ_i), at most |q|², "
        "which it has at s = r. Search the greatest for q of ones, d = 128, s = 0 … 2048.");
    const std::vector<double> mean = decay_curves(base_rope(), 2048).mean_cos;
    bool at_r = true;
    for (const auto& [r, recorded] : {std::pair{1U, "1"}, std::pair{5U, "5"},
                                      std::pair{100U, "100"}, std::pair{1500U, "1500"}}) {
        std::size_t best = 0;
        const auto score = [&](std::size_t s) { return mean[s > r ? s - r : r - s]; };
        for (std::size_t s = 0; s <= 2048; ++s)
            if (score(s) > score(best)) best = s;
        at_r = d.number("best distance, r = " + decimal(r), static_cast<double>(best), recorded) ==
                   r &&
               at_r;
    }
    d.confirm("RoPE can be made to attend at any distance r: it does not have to decay.", at_r);
}

void derive_gaussian(Derivation& d) {
    d.say(
        "A Gaussian k of mean 0 is as likely as −k, and the score changes its sign with k: on "
        "average it is 0 at any distance. Take q = (1, 2, 3, 4), k = ±(2, −1, 1, 3), s = 9.");
    const FrequencyPlan plan = base_rope(4);
    const auto score = [&](const Vector& k) {
        return dot(rotated(vector_of({1, 2, 3, 4}), plan, PairLayout::half_split, 9), k);
    };
    d.number("score of k", score(vector_of({2, -1, 1, 3})), "4.242069");
    const BigReal sum = d.number(
        "sum of both", score(vector_of({2, -1, 1, 3})) + score(vector_of({-2, 1, -1, -3})), "0");
    d.confirm("They cancel.", sum == real(0));
}

void derive_turning_point(Derivation& d) {
    d.say("B̂(u) = Σcos(uθ_i)/64 falls from 1 to where Σθ_i sin(uθ_i) is 0 first.");
    const FrequencyPlan plan = base_rope();
    const BigReal u = d.number("u*", first_minimum(plan), "5.6198237463056488324");
    const BigReal at = d.number("B̂(u*)", cosine_sum(plan, u) / 64.0, "0.735232082");
    const BigReal after = d.number("B̂(u* + 0.5)", cosine_sum(plan, u - -0.5) / 64.0, "0.735440");
    d.say("The distance of the rotations at s = 1, √(2(64 − B(1))):");
    d.number("D(1)", root(2.0 * (64.0 - cosine_sum(plan, real(1)))), "1.952596319894296711");
    d.refute("From u* on the score rises again; at whole distances it first does at 12.",
             after > at && u < real(6));
}

void derive_head_gap(Derivation& d) {
    d.say(
        "To prefer the token before over the token itself by a logit of 1, the fastest pair, "
        "θ_0 = 1, needs |q||k|(1 − cos 1) ≥ 1.");
    const BigReal fast = d.number("|q||k| in pair 0", 1.0 / (1.0 - cosine(real(1))), "2.1753");
    const BigReal last = base_rope().pairs.back().inv_freq;
    const BigReal slow = d.number("|q||k| in pair 63", 1.0 / (1.0 - cosine(last)), "1.49979e8");
    d.confirm("The fast pairs can make positional heads; the slow ones cannot.", slow > 1e6 * fast);
}

void derive_p_rope(Derivation& d) {
    d.say("p-RoPE turns the pairs i < p·d/2 and leaves the slow ones still. d = 256, p = 0.75.");
    double turning = 0;
    for (int i = 0; i < 128; ++i)
        if (i < 0.75 * 128) ++turning;
    const double kept = d.number("pairs that turn, of 128", turning, "96");
    d.number("pairs that carry no position", 128 - kept, "32");
    const BigReal slowest =
        d.number("wavelength of the slowest turning pair, base 10000",
                 2.0 * exact_pi() / base_rope(256).pairs[95].inv_freq, "5846.96", "positions");
    d.confirm("The still pairs match content at any distance; no wavelength beyond that is left.",
              kept == 96 && slowest < real(6000));
}

constexpr Entry round_and_round_entries[] = {
    {"barbero-peak", "Proposition 3.1", "For any q and r some k scores best at distance r.",
     Status::theorem, derive_peak},
    {"barbero-gaussian", "Proposition 3.2", "For Gaussian q and k the expected score is 0.",
     Status::theorem, derive_gaussian},
    {"barbero-decay", "common claim", "RoPE's score decays with distance.", Status::false_as_stated,
     derive_turning_point, "rope-check plot-decay"},
    {"barbero-positional-heads", "high frequencies",
     "High frequencies make positional attention heads.", Status::theorem, derive_head_gap},
    {"barbero-p-rope", "p-RoPE", "p-RoPE leaves the lowest frequencies unrotated.", Status::theorem,
     derive_p_rope},
};

}  // namespace

std::span<const Entry> round_and_round() { return round_and_round_entries; }

namespace {

// Barbero et al., Theorem 6.1: whether two positions can look alike. The angles sθ never come
// back exactly, and come as near as one likes.

// √(2(P − B(s))): how far apart the rotations of a vector of ones are.
BigReal apart(const FrequencyPlan& plan, std::uint64_t s) {
    const auto pairs = static_cast<double>(plan.pairs.size());
    return root(2.0 * pairs * (1.0 - mean_score(plan, s)));
}

void derive_injective(Derivation& d) {
    d.say(
        "θ_i = 10000^{−2i/d} is algebraic and not 0, so by Lindemann sθ_i is no multiple of 2π "
        "for s ≠ 0: each pair alone tells all positions apart. The nearest return of pair 0, "
        "θ = 1, within 2048:");
    const FrequencyPlan pair = base_rope(2);
    const auto [least, greatest] = extremes(pair, 1, 2048);
    d.number("s, 113 turns", static_cast<double>(greatest), "710");
    d.number("cos at that s", mean_score(pair, greatest), "0.9999999982");
    const BigReal near = d.number("distance |e^{is} − 1|", apart(pair, greatest), "6.0289e-5");
    d.number("s nearest to half a turn", static_cast<double>(least), "355");
    d.number("cos at that s, less −1", mean_score(pair, least) - -1.0, "4.543e-10");
    d.confirm("It is near, and not 0.", near > real(0));
}

void derive_gap(Derivation& d) {
    d.say(
        "By Dirichlet all angles sθ_i come near whole turns together at some s, so no distance "
        "between two positions is guaranteed. Search d = 128, base 10000, all s to 1048576.");
    const FrequencyPlan plan = base_rope();
    const auto [least, greatest] = extremes(plan, 1, 1 << 20);
    const double nearest = d.number("s with the largest B̂(s)", static_cast<double>(greatest), "1");
    d.number("that B̂(s)", mean_score(plan, greatest), "0.9702138095");
    d.number("distance √(2(64 − B(s)))", apart(plan, greatest), "1.9525963199");
    d.number("s with the least B̂(s)", static_cast<double>(least), "1001879");
    d.number("that least B̂(s)", mean_score(plan, least), "-0.3734446653");
    d.confirm("Within 1048576 positions none is nearer to another than its neighbour.",
              nearest == 1);
}

void derive_base_500000(Derivation& d) {
    d.say("Search d = 128, base 500000, all s to 1048576.");
    const FrequencyPlan plan = base_rope(128, 5e5);
    const auto [least, greatest] = extremes(plan, 1, 1 << 20);
    const double nearest = d.number("s with the largest B̂(s)", static_cast<double>(greatest), "1");
    d.number("that B̂(s)", mean_score(plan, greatest), "0.9779092242");
    d.number("distance √(2(64 − B(s)))", apart(plan, greatest), "1.6815526475");
    d.number("s with the least B̂(s)", static_cast<double>(least), "812104");
    d.number("that least B̂(s)", mean_score(plan, least), "-0.3657033725");
    d.confirm("The nearest is the neighbour, a little nearer than with base 10000.", nearest == 1);
}

void derive_far_returns(Derivation& d) {
    d.say("The best returns far away, d = 128, base 10000.");
    const FrequencyPlan plan = base_rope();
    const std::uint64_t near = extremes(plan, 2048, 131071).greatest_at;
    const std::uint64_t far = extremes(plan, 131072, 1 << 20).greatest_at;
    d.number("s from 2048 to 131071 with the largest B̂", static_cast<double>(near), "102806");
    const BigReal first = d.number("B̂ there", mean_score(plan, near), "0.2797016");
    d.number("s from 131072 to 1048576 with the largest B̂", static_cast<double>(far), "978796");
    const BigReal second = d.number("B̂ there, further on", mean_score(plan, far), "0.3775468");
    d.refute("A token 978796 positions away scores more than one 1024 away, 0.204.",
             second > first && second > mean_score(plan, 1024));
}

void derive_scaled(Derivation& d) {
    d.say(
        "He & Xu's scaled θ, n = 2048, s = 1 … 2048: neighbours nearly coincide, and with θ̄_0 a "
        "rational part of a turn, pair 0 has the period 8192.");
    const FrequencyPlan plan = scaled_rope();
    const auto [least, greatest] = extremes(plan, 1, 2048);
    d.number("largest B̂(s), at s = 1", mean_score(plan, greatest), "0.9999999816");
    d.number("distance of neighbours", apart(plan, greatest), "1.5337e-3");
    d.number("least B̂(s), at s = 2048", mean_score(plan, least), "0.9314394668");
    const double period = static_cast<double>(plan.pairs.front().turn->denominator);
    const double found = d.number("period of pair 0", period, "8192");
    d.confirm("Lindemann's argument is lost: pair 0 repeats exactly.", found == 8192);
}

constexpr Entry aliasing_entries[] = {
    {"aliasing-injective", "Theorem 6.1", "A pair never has the same angle at two positions.",
     Status::theorem, derive_injective},
    {"aliasing-gap", "after Theorem 6.1",
     "Distant positions do not look like near ones, to 1048576.", Status::empirical, derive_gap},
    {"aliasing-base-500000", "after Theorem 6.1",
     "Distant positions do not look like near ones with base 500000.", Status::empirical,
     derive_base_500000},
    {"aliasing-far-returns", "common claim", "The further away a token is, the less it scores.",
     Status::false_as_stated, derive_far_returns},
    {"aliasing-scaled", "after Theorem 6.1",
     "Frequencies that are rational parts of a turn repeat exactly.", Status::theorem,
     derive_scaled},
};

}  // namespace

std::span<const Entry> aliasing() { return aliasing_entries; }

}  // namespace rope::ledger
