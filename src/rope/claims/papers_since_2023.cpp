// Papers since 2023 on context extension, as far as they can be checked without trained weights.
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "rope/base_bound/base_bound.hpp"
#include "rope/checks/decay.hpp"
#include "rope/claims/ledger.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/format.hpp"
#include "rope/exact/phase.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {
namespace {

// d/(8 ln b)·(s − s1)(s2 − s)·max|h| at the middle of a step, (s − s1)(s2 − s) = ¼
BigReal stated_bound(std::uint32_t dim, double base) {
    return real(dim) / (8.0 * natural_log(real(base))) / 4.0;
}

// Σθ_i² = (1 − b^−2)/(1 − b^{−4/d})
BigReal sum_of_squares(const FrequencyPlan& plan) {
    return sum_over(plan, [](const BigReal& theta) { return theta * theta; });
}

// |a(½) − (a(0) + a(1))/2| for h_j = e^{−iθ_j/2}: Σ(1 − cos(θ_j/2))
BigReal deviation(const FrequencyPlan& plan) {
    return static_cast<double>(plan.pairs.size()) - cosine_sum(plan, real(0.5));
}

// Peng et al., YaRN, §3: NTK-aware scaling, the ramp by parts, and the temperature.

BigReal ntk_base(double s) { return 1e4 * pow(real(s), real(128) / 126.0); }

BigReal temperature(double s) { return 0.1 * natural_log(real(s)) - -1.0; }

// The paper's ramp: γ is linear in the number of turns r = L/λ, from α = 1 to β = 32.
BigReal paper_frequency(const BigReal& theta, double length, double s) {
    const BigReal turns = length * theta / (2.0 * exact_pi());
    BigReal kept = (turns - 1.0) / 31.0;
    if (kept < real(0)) kept = real(0);
    if (kept > real(1)) kept = real(1);
    return (1.0 - kept) * theta / s + kept * theta;
}

// Returns the plan with only the pairs first … first + count − 1.
FrequencyPlan part_of(FrequencyPlan plan, std::size_t first, std::size_t count) {
    const auto begin = plan.pairs.begin() + static_cast<std::ptrdiff_t>(first);
    plan.pairs = {begin, begin + static_cast<std::ptrdiff_t>(count)};
    return plan;
}

// Dynamic NTK (YaRN, §3.3), L = 2048 and factor 2, with cached rotated keys.

FrequencyPlan dynamic_rope(std::uint64_t length) {
    Spec spec{.max_position_embeddings = 2048, .seq_len = length};
    spec.scaling = {.rope_type = "dynamic", .factor = 2};
    return plan_frequencies(spec, exact_precision);
}

// Returns the mean score of equal tokens, with the query at m in one plan and the key at n in
// another.
BigReal mixed_score(const FrequencyPlan& of_query, double m, const FrequencyPlan& of_key,
                    double n) {
    BigReal sum = real(0);
    for (std::size_t i = 0; i < of_query.pairs.size(); ++i)
        sum = sum + cosine(m * of_query.pairs[i].inv_freq - n * of_key.pairs[i].inv_freq);
    return sum / static_cast<double>(of_query.pairs.size());
}

// STRING, 2502.02562; ComRoPE, 2506.03737; LieRE, 2406.10322

// exp of the skew matrix of v = (x, y, z), by Rodrigues: I + sin s/s·L + (1 − cos s)/s²·L², s = |v|
Matrix turned_about(double x, double y, double z) {
    const BigReal s = root(real(x * x + y * y + z * z));
    const Matrix l = vector_of({0, -z, y, z, 0, -x, -y, x, 0}), square = l * l;
    Matrix r = vector_of({1, 0, 0, 0, 1, 0, 0, 0, 1});
    for (std::size_t k = 0; k < 9; ++k)
        r[k] = r[k] + sine(s) / s * l[k] + (1.0 - cosine(s)) / (s * s) * square[k];
    return r;
}

}  // namespace

void papers_since_2023(Computations& compute) {
    static const FrequencyPlan& base = base_rope();
    compute["pi-theorem"] = [](Derivation& d) {
        bool exceeds = true;
        for (const auto& [dim, b] : std::initializer_list<std::pair<std::uint32_t, double>>{
                 {128, 1e4}, {64, 1e4}, {128, 5e5}}) {
            const auto [off, bound] = d.number(deviation(base_rope(dim, b)), stated_bound(dim, b));
            exceeds = exceeds && off > bound;
        }
        d.number(100.0 * (deviation(base) / stated_bound(128, 1e4) - 1.0));
        d.conclude(exceeds);
    };
    compute["pi-corrected"] = [](Derivation& d) {
        const BigReal squares = d.number(sum_of_squares(base));
        const BigReal closed =
            (1.0 - pow(real(1e4), real(-2))) / (1.0 - pow(real(1e4), real(-4) / 128.0));
        const auto [bound, off] = d.number(squares / 8.0, deviation(base));
        d.conclude(!(off > bound) && same(squares, closed));
    };
    compute["pi-600"] = [](Derivation& d) {
        const auto ratio = [](double s, const BigReal& bound) {
            return 128.0 * abel_bound(base, real(s)) / bound;
        };
        const BigReal stated = stated_bound(128, 1e4), corrected = sum_of_squares(base) / 8.0;
        const BigReal ln_b = natural_log(real(1e4));
        d.number(32.0 * ln_b);
        const BigReal all = d.number(64.0 * ln_b);
        const std::vector<double> curve = decay_curves(base, 65536).roformer;
        const auto is_below = [](double a) { return a < 2; };
        const auto below = std::ranges::find_if(curve, is_below);
        const double last = d.number(below - curve.begin() - 1);
        d.conclude(!(ratio(last, stated) < all) && same(all, 256.0 / stated));
        const auto least = [&](auto end) {
            return static_cast<double>(std::ranges::min_element(curve.begin(), end) -
                                       curve.begin());
        };
        const BigReal far = d.number(ratio(least(curve.end()), stated));
        d.number(100.0 * static_cast<double>(std::count_if(below, curve.end(), is_below)) /
                 static_cast<double>(curve.end() - below));
        const BigReal right = d.number(ratio(least(below), corrected));
        d.conclude(far < real(400) && right < all);
    };
    compute["pi-lower-bound"] = [](Derivation& d) {
        const std::vector<double> curve = decay_curves(base, 65536).roformer;
        const auto is_below = [](double a) { return a < 2; };
        const auto below = std::ranges::find_if(curve, is_below);
        const double first = d.number(below - curve.begin());
        d.conclude(!(abel_bound(base, real(first - 1)) < real(2)));
        d.number(std::count_if(below, curve.end(), is_below));
        const auto least = std::ranges::min_element(curve) - curve.begin();
        d.conclude(d.number(abel_bound(base, real(static_cast<double>(least))) / 2.0) < real(1));
    };
    compute["ntk-endpoints"] = [](Derivation& d) {
        bool exact = true;
        for (const double s : {2, 4, 8, 16, 32}) {
            const BigReal slowest = pow(d.number(ntk_base(s)), real(-126) / 128.0);
            exact = exact && same(slowest * s, base.pairs.back().inv_freq);
        }
        d.conclude(exact);
    };
    compute["ntk-plain-base"] = [](Derivation& d) {
        const auto [factor, right] =
            d.number(pow(real(4), real(-126) / 128.0), pow(ntk_base(4) / 1e4, real(-126) / 128.0));
        d.conclude(factor > right * 1.01);
    };
    compute["ntk-dynamic"] = [](Derivation& d) {
        const double s = d.number(2 * 8192.0 / 2048 - 1);
        const BigReal b = d.number(ntk_base(s));
        d.conclude(same(pow(b, real(-126) / 128.0), dynamic_rope(8192).pairs.back().inv_freq));
    };
    compute["yarn-temperature"] = [](Derivation& d) {
        bool grows = true;
        for (const double s : {2, 4, 8, 16, 32})
            grows = d.number(temperature(s)) > temperature(s / 2) && grows;
        const BigReal logits = temperature(16) * temperature(16);
        d.number(logits, exponential(logits));
        d.conclude(grows);
    };
    compute["yarn-two-ramps"] = [](Derivation& d) {
        Spec spec{.max_position_embeddings = 65536};
        spec.scaling = {
            .rope_type = "yarn", .factor = 16, .original_max_position_embeddings = 4096};
        const FrequencyPlan code = plan_frequencies(spec, exact_precision);
        d.number(full_turn_pairs(128, 1e4, 4096.0 / 32), full_turn_pairs(128, 1e4, 4096));
        Vector paper, relative;
        for (std::size_t i = 0; i < 64; ++i) {
            paper.push_back(paper_frequency(base.pairs[i].inv_freq, 4096, 16));
            relative.push_back(code.pairs[i].inv_freq / paper[i]);
        }
        d.number(paper[30], code.pairs[30].inv_freq);
        d.conclude(d.number(distance(relative, Vector(64, real(1)))) > real(1));
    };
    // Ding et al., LongRoPE.
    compute["longrope-factor"] = [](Derivation& d) {
        const BigReal factor =
            d.number(root(natural_log(real(32)) / natural_log(real(4096)) - -1.0));
        Spec spec{.head_dim = 4, .rotary_dim = 4, .max_position_embeddings = 131072};
        spec.scaling = {.rope_type = "longrope",
                        .original_max_position_embeddings = 4096,
                        .short_factor = {1, 1},
                        .long_factor = {1, 1}};
        const double planned = plan_frequencies(spec, exact_precision).attention_factor;
        d.conclude(absolute(factor - real(planned)) < real(1e-14));
    };
    // Wang et al., Resonance RoPE: wavelengths are rounded to integers.
    compute["resonance-periods"] = [](Derivation& d) {
        std::vector<std::uint64_t> whole;  // wavelengths
        for (const PlannedFrequency& pair : base.pairs)
            whole.push_back(
                static_cast<std::uint64_t>(nearest_whole(wavelength(pair)).to_double()));
        const std::uint64_t joint =
            std::accumulate(whole.begin(), whole.begin() + 16, std::uint64_t{1},
                            std::lcm<std::uint64_t, std::uint64_t>);
        d.number(whole[0], BigReal::whole(joint, exact_precision));
        d.conclude(std::ranges::all_of(whole, [](std::uint64_t period) {
            const TurnRate rate{.numerator = 1, .denominator = period};
            return phase_at(rate, 5 + period) == phase_at(rate, 5);
        }));
        const BigReal step = 2.0 * exact_pi() / static_cast<double>(whole.back());
        const auto slow = std::ranges::count_if(whole, [](std::uint64_t w) { return w > 4096; });
        const auto [new_angles, longest, trained, later] =
            d.number(slow, whole.back(), step * 4095.0, step * 5000.0);
        d.conclude(new_angles > 0 && later > trained);
    };
    compute["resonance-change"] = [](Derivation& d) {
        const auto change = [](const PlannedFrequency& pair) {
            const BigReal own = wavelength(pair);
            return absolute(own / nearest_whole(own) - real(1));
        };
        const auto most = [&](const FrequencyPlan& plan) {
            return std::ranges::max_element(plan.pairs, std::less<>{}, change);
        };
        const FrequencyPlan larger = base_rope(128, 5e5);
        const auto pair = most(base);
        d.number(pair - base.pairs.begin());
        d.number(wavelength(*pair), nearest_whole(wavelength(*pair)));
        const auto [worst, other] = d.number(100.0 * change(*pair), 100.0 * change(*most(larger)));
        d.conclude(worst < real(5) && other > real(5));
    };
    compute["dynamic-cached-keys"] = [](Derivation& d) {
        const FrequencyPlan now = dynamic_rope(4096), then = dynamic_rope(2101);
        const auto [right, cached] =
            d.number(mixed_score(now, 4095, now, 2100), mixed_score(now, 4095, then, 2100));
        d.conclude(absolute(right - cached) > real(0.1));
        const auto [first, first_cached] =
            d.number(mixed_score(now, 4095, now, 0), mixed_score(now, 4095, dynamic_rope(2048), 0));
        d.conclude(first == first_cached);
    };
    // TAPA, arXiv 2509.12635, Theorems 2.1 and 2.2
    compute["tapa-near-range"] = [](Derivation& d) {
        const auto reach = [](double b) { return root(root(real(b))) / 8.0; };
        const auto [small, large] = d.number(reach(1e4), reach(5e5));
        d.conclude(large > real(3) && large < real(4));
        d.conclude(small < real(2));
    };
    compute["tapa-independence"] = [](Derivation& d) {
        d.conclude(same(d.number(base.pairs[16].inv_freq / base.pairs[32].inv_freq), real(10)));
    };
    // Xiong et al., Effective Long-Context Scaling, appendix B
    compute["abf-granularity"] = [](Derivation& d) {
        const BigReal abf = 1.0 / natural_log(real(5e5)), pi = 0.25 / natural_log(real(1e4));
        const BigReal exact_abf = apart(base_rope(128, 5e5), 1), exact_pi = apart(base, 0.25);
        d.number(abf, pi, abf / pi, exact_abf, exact_pi, exact_abf / exact_pi);
        d.conclude(abf > pi && exact_abf / exact_pi > abf / pi);
    };
    // LongRoPE2, (7)
    compute["longrope2-dimension"] = [](Derivation& d) {
        const BigReal longest = wavelength(base_rope(96).pairs[47]);
        const auto [phi, llama, last, covered] =
            d.number(full_turn_pairs(96, 1e4, 2048), full_turn_pairs(128, 5e5, 8192), longest,
                     204800.0 / longest);
        d.conclude(whole_above(phi) == real(31) && whole_above(llama) == real(35) &&
                   covered < real(5));
    };
    // Phase modulation, 2602.10959
    compute["phase-base-limits"] = [](Derivation& d) {
        const auto [slowest, stated] = d.number(wavelength(base.pairs.back()), 2e4 * exact_pi());
        const FrequencyPlan slow = part_of(base_rope(128, 1e12), 63, 1);
        const StoredRows far = stored_rows(slow, 131071, Format::float32);
        const auto [distinct, distinct_cos, in_bfloat16] =
            d.number(far.distinct, far.distinct_cos,
                     stored_rows(base_rope(128, 5e5), 8191, Format::bfloat16).distinct);
        d.conclude(slowest < stated && distinct == 131072 && in_bfloat16 == 8192);
    };
    // The logarithmic decay of B̂, from the sum as an integral
    compute["log-decay"] = [](Derivation& d) {
        BigReal gamma = real(0);
        mpfr_const_euler(gamma.raw(), MPFR_RNDN);
        const BigReal ln_b = natural_log(real(1e4));
        d.number(100.0 * natural_log(real(2)) / ln_b);
        bool near = true;
        for (const unsigned first : {64U, 256U, 1024U}) {
            BigReal scores = real(0), law = real(0);
            for (unsigned s = first; s < 2 * first; ++s) {
                scores = scores + mean_score(base, s);
                law = law + (natural_log(real(1e4) / static_cast<double>(s)) - gamma) / ln_b;
            }
            const auto [mean, stated] =
                d.number(scores / static_cast<double>(first), law / static_cast<double>(first));
            near = near && absolute(mean - stated) < real(0.01);
        }
        d.conclude(near);
    };
    // HoPE (high-frequency), 2410.21216, and FoPE, 2412.17739: slow pairs do not rotate
    compute["hope-still-pairs"] = [](Derivation& d) {
        const auto first_negative = [&](double b, double length) {
            const FrequencyPlan plan = base_rope(128, b);
            const std::size_t turning = full_turns(plan, length), still = 64 - turning;
            const FrequencyPlan turned = part_of(plan, 0, turning);
            const CosineSum sum(turned, static_cast<std::uint32_t>(still));
            const BaseScan scan = scan_sum(sum, 1 << 20, 1 << 20);
            const double of_turned = static_cast<double>(turning) / 64, of_still = 1 - of_turned;
            d.number(still, of_still, scan.least_position,
                     mean_score(turned, scan.least_position) * of_turned + real(of_still));
            return scan.first_negative;
        };
        d.conclude(!first_negative(5e5, 8192));
        d.conclude(d.number(first_negative(1e4, 4096).value()) > 18 * 4096);
    };
    // HoPE (hyperbolic), 2509.05218
    compute["hope-hyperbolic"] = [](Derivation& d) {
        const auto score = [](double a, double theta, double s) {
            return 0.5 * (exponential(real((theta - a) * s)) + exponential(real(-(theta + a) * s)));
        };
        const auto [equal_5, equal_50] = d.number(score(0.125, 0.125, 5), score(0.125, 0.125, 50));
        d.conclude(equal_50 < equal_5 && equal_50 > real(0.5));
        const auto [near, far, least] =  // tanh θs = a/θ = ½ at e^{2θs} = 3
            d.number(score(0.05, 0.1, 5), score(0.05, 0.1, 10), 5.0 * natural_log(real(3)));
        d.conclude(far > near && least > real(5));
    };
    // VideoRoPE, 2502.05173: the sections (16, 24, 24) of Qwen2-VL, base 1000000
    compute["videorope-time"] = [](Derivation& d) {
        const FrequencyPlan plan = base_rope(128, 1e6);
        const FrequencyPlan time = part_of(plan, 0, 16), last = part_of(plan, 48, 16);
        const std::uint64_t again = extremes(time, 161, 2000).greatest_at;
        d.number(wavelength(time.pairs.front()), wavelength(time.pairs.back()), again);
        const auto [returned, lowest, slow] =
            d.number(mean_score(time, again), mean_score(time, extremes(time, 1, 2000).least_at),
                     mean_score(last, 2000));
        d.conclude(returned > real(0.4) && lowest < real(0) && !first_rise(last, 2000));
    };
    // Position (x, y) rotates by exp(xL₁ + yL₂), where L₁ is about the first axis and L₂ about the
    // second or the first.
    compute["string-commuting"] = [](Derivation& d) {
        const auto at = [](double x, double y, bool commute) {
            return commute ? turned_about(x + 2 * y, 0, 0) : turned_about(x, y, 0);
        };
        const auto off = [&](bool commute) {  // R(1, 0)ᵀR(0, 1) − R(−1, 1); R(p)ᵀ = R(−p)
            return distance(at(-1, 0, commute) * at(0, 1, commute), at(-1, 1, commute));
        };
        d.conclude(same(d.number(BigReal(off(true), Precision{280})), real(0)));
        d.conclude(d.number(off(false)) > real(0.1));
    };
    // GRAPE, 2512.07805: exp(sJ) in a plane
    compute["grape-exponential"] = [](Derivation& d) {
        const BigReal s = real(2), linear = sine(s) / s, square = (1.0 - cosine(s)) / (s * s);
        const BigReal a = 1.0 - square * (s * s), b = linear * s;  // L = sJ, L² = −s²I
        const Matrix form{a, b, -1.0 * b, a};
        d.number(form[0], form[1]);
        d.conclude(same(form, rotation(s)));
    };
    // DRoPE, 2503.15029
    compute["drope-headings"] = [](Derivation& d) {
        const BigReal turn = 2.0 * exact_pi();
        const auto [rope, unit] = d.number(cosine_sum(base, turn) / 64.0, cosine(turn));
        d.conclude(rope < real(1) && same(unit, real(1)));
    };
    // Rotary offset features, 2503.01832
    compute["offset-partial-cycles"] = [](Derivation& d) {
        const auto [llama_2, llama_3] =
            d.number(full_turns(base, 4096), full_turns(base_rope(128, 5e5), 8192));
        d.number(64 - llama_2, 64 - llama_3);
        d.conclude(llama_2 == 46 && llama_3 == 35);
    };
    // Selective RoPE, 2511.17388; PaTH, 2505.16381: φ_m is a sum of steps chosen by the tokens
    compute["selective-relative"] = [](Derivation& d) {
        const auto relative = [](double first, double second) {  // from m to m + 2
            return rotation(real(first) + real(second) + real(1)) * transposed(rotation(real(1)));
        };
        const auto [one, other] = d.number(relative(0.25, 0.5)[0], relative(0.25, 1)[0]);
        d.conclude(same(relative(0.25, 0.5), rotation(real(0.75))));
        d.conclude(absolute(one - other) > real(0.1));
    };
}

}  // namespace rope::ledger
