#include "rope/diagnose/frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/decimal.hpp"
#include "rope/dump_exactness.hpp"

namespace rope {
namespace {

constexpr Precision enough{96};
using Parameters = std::vector<std::pair<std::string, FieldValue>>;
using List = std::vector<Frequencies>;

std::string text(double x) { return decimal(x); }

bool is_sound(const Spec& spec) {
    try {
        validate(spec);
        return true;
    } catch (const InputError&) {
        return false;
    }
}

void add(List& list, std::string mistake, Parameters parameters, std::string what,
         const Spec& spec) {
    if (!is_sound(spec)) return;
    Frequencies one = frequencies_of(spec);
    one.mistake = std::move(mistake);
    one.cost = 1;
    one.parameters = std::move(parameters);
    one.what = std::move(what);
    list.push_back(std::move(one));
}

// The asked frequencies, each changed.
template <class Change>
void add_changed(List& list, const Frequencies& asked, std::string mistake, Parameters parameters,
                 std::string what, const Change& change) {
    Frequencies one = asked;
    one.mistake = std::move(mistake);
    one.cost = 1;
    one.parameters = std::move(parameters);
    one.what = std::move(what);
    for (std::size_t i = 0; i < one.theta.size(); ++i) one.theta[i] = change(i);
    list.push_back(std::move(one));
}

Spec unscaled(const Spec& spec) {
    Spec other = spec;
    other.scaling = {};
    return other;
}

bool is_scaled(const Spec& spec) { return spec.scaling.rope_type != "default"; }

// base^(−2i/divisor) is base'^(−2i/d) with base' = base^(d/divisor)
Spec with_divisor(const Spec& spec, double divisor) {
    Spec other = spec;
    other.rope_theta = std::pow(spec.rope_theta, spec.rotary_dim / divisor);
    return other;
}

void add_scaling_mistakes(List& list, const Spec& asked, const Frequencies& plan) {
    if (!is_scaled(asked)) return;
    const std::string type = asked.scaling.rope_type;
    const Frequencies plain = frequencies_of(unscaled(asked));
    const Parameters which{{"rope_type", type}};
    add(list, "scaling-missing", which, "the config's " + type + " scaling was not applied",
        unscaled(asked));
    add_changed(list, plan, "scaling-doubled", which, "the " + type + " scaling was applied twice",
                [&](std::size_t i) {
                    return plain.theta[i] == 0 ? 0 : plan.theta[i] * plan.theta[i] / plain.theta[i];
                });
    add_changed(list, plan, "scaling-inverted", which,
                "the " + type + " scaling was inverted: its factor multiplies where it must divide",
                [&](std::size_t i) {
                    return plan.theta[i] == 0 ? 0 : plain.theta[i] * plain.theta[i] / plan.theta[i];
                });
}

// cos of an angle that was made for a function of degrees or of turns: farther off than rows are
// looked for
void add_units(List& list, const Frequencies& plan) {
    for (const auto& [unit, scale] :
         {std::pair{"180/π: angles are in degrees", 180 / std::numbers::pi},
          std::pair{"2π: turns became radians twice", 2 * std::numbers::pi}})
        add_changed(list, plan, "position-scale", {{"scale", scale}},
                    std::string("positions are multiplied by ") + unit,
                    [&](std::size_t i) { return plan.theta[i] * scale; });
}

// The factor that a scaling of another type would take from the same config.
std::optional<double> factor_of(const Spec& spec) {
    if (spec.scaling.factor) return spec.scaling.factor;
    if (spec.scaling.original_max_position_embeddings &&
        *spec.scaling.original_max_position_embeddings > 0)
        return static_cast<double>(spec.max_position_embeddings) /
               static_cast<double>(*spec.scaling.original_max_position_embeddings);
    return std::nullopt;
}

Spec with_type(const Spec& asked, std::string_view type, double factor, std::uint64_t original) {
    Spec other = unscaled(asked);
    Scaling& scaling = other.scaling;
    scaling.rope_type = type;
    scaling.factor = factor;
    if (type == "yarn" || type == "llama3") scaling.original_max_position_embeddings = original;
    if (type == "llama3") {
        scaling.low_freq_factor = 1;
        scaling.high_freq_factor = 4;
    }
    if (type == "he_xu") scaling = {.rope_type = "he_xu"};
    return other;
}

void add_type_mistakes(List& list, const Spec& asked) {
    const auto factor = factor_of(asked);
    if (!is_scaled(asked) || !factor) return;
    const std::uint64_t original =
        asked.scaling.original_max_position_embeddings.value_or(asked.max_position_embeddings);
    for (const std::string_view type : {"linear", "ntk", "yarn", "llama3"}) {
        if (type == asked.scaling.rope_type) continue;
        add(list, "scaling-type", {{"rope_type", std::string(type)}, {"factor", *factor}},
            "it is scaled as " + std::string(type) + " with factor " + text(*factor) + ", not " +
                asked.scaling.rope_type,
            with_type(asked, type, *factor, original));
    }
}

// A dynamic base for another length, and as vLLM has it: for factor·L at every position.
void add_dynamic_mistakes(List& list, const Spec& asked) {
    if (asked.scaling.rope_type != "dynamic" || !asked.scaling.factor) return;
    Spec other = asked;
    other.seq_len = static_cast<std::uint64_t>(static_cast<double>(asked.max_position_embeddings) *
                                               *asked.scaling.factor);
    add(list, "scaling-parameter", {{"seq_len", *other.seq_len}},
        "the base is that of length factor·L = " + decimal(*other.seq_len) +
            " at every position, which is vLLM's static reading of dynamic",
        other);
}

void add_yarn_mistakes(List& list, const Spec& asked, const Frequencies& plan) {
    if (asked.scaling.rope_type != "yarn") return;
    const Scaling& scaling = asked.scaling;
    const auto changed = [&](const std::string& key, FieldValue value, const std::string& what,
                             const auto& change) {
        Spec other = asked;
        change(other.scaling);
        add(list, "scaling-parameter", {{key, std::move(value)}}, what, other);
    };
    changed("truncate", std::string(scaling.truncate.value_or(true) ? "false" : "true"),
            scaling.truncate.value_or(true)
                ? "yarn's ramp bounds were not rounded, as truncate: false has it"
                : "yarn's ramp bounds were rounded although truncate is false",
            [](Scaling& s) { s.truncate = !s.truncate.value_or(true); });
    const double fast = scaling.beta_fast.value_or(32), slow = scaling.beta_slow.value_or(1);
    Spec other = asked;
    other.scaling.beta_fast = slow;
    other.scaling.beta_slow = fast;
    add(list, "scaling-parameter", {{"beta_fast", slow}, {"beta_slow", fast}},
        "beta_fast and beta_slow were exchanged", other);
    if (fast != 32 || slow != 1) {
        other = asked;
        other.scaling.beta_fast = 32;
        other.scaling.beta_slow = 1;
        add(list, "scaling-parameter", {{"beta_fast", 32.0}, {"beta_slow", 1.0}},
            "beta_fast and beta_slow are the defaults 32 and 1, not the config's", other);
    }
    other = asked;
    other.scaling.original_max_position_embeddings = asked.max_position_embeddings;
    add(list, "scaling-parameter",
        {{"original_max_position_embeddings", asked.max_position_embeddings}},
        "original_max_position_embeddings is max_position_embeddings, " +
            decimal(asked.max_position_embeddings),
        other);
    // the ramp as the weight of extrapolation where it must be that of interpolation
    const Frequencies plain = frequencies_of(unscaled(asked));
    const double factor = scaling.factor.value_or(1);
    add_changed(list, plan, "scaling-parameter", {{"ramp", std::string("inverted")}},
                "yarn's ramp is inverted: fast pairs are interpolated and slow ones kept",
                [&](std::size_t i) { return plain.theta[i] * (1 + 1 / factor) - plan.theta[i]; });
}

void add_llama3_mistakes(List& list, const Spec& asked) {
    if (asked.scaling.rope_type != "llama3") return;
    const auto changed = [&](const std::string& key, FieldValue value, const std::string& what,
                             const auto& change) {
        Spec other = asked;
        change(other.scaling);
        add(list, "scaling-parameter", {{key, std::move(value)}}, what, other);
    };
    for (const std::uint64_t length :
         {asked.max_position_embeddings, std::uint64_t{8192}, std::uint64_t{4096},
          std::uint64_t{2048}, std::uint64_t{16384}, std::uint64_t{32768}, std::uint64_t{131072}})
        if (length != asked.scaling.original_max_position_embeddings)
            changed("original_max_position_embeddings", length,
                    "original_max_position_embeddings is " + decimal(length),
                    [&](Scaling& s) { s.original_max_position_embeddings = length; });
    for (const double low : {1.0, 0.5, 2.0, 4.0})
        for (const double high : {4.0, 1.0, 2.0, 8.0, 16.0, 32.0}) {
            if (low > high ||
                (low == asked.scaling.low_freq_factor && high == asked.scaling.high_freq_factor))
                continue;
            Spec other = asked;
            other.scaling.low_freq_factor = low;
            other.scaling.high_freq_factor = high;
            add(list, "scaling-parameter", {{"low_freq_factor", low}, {"high_freq_factor", high}},
                "low_freq_factor is " + text(low) + " and high_freq_factor is " + text(high),
                other);
        }
}

void add_longrope_mistakes(List& list, const Spec& asked, const Frequencies& plan) {
    if (asked.scaling.rope_type != "longrope") return;
    for (const bool is_long : {true, false}) {
        Spec other = asked;
        const auto& factors = is_long ? asked.scaling.long_factor : asked.scaling.short_factor;
        other.scaling.long_factor = other.scaling.short_factor = factors;
        const std::string name = is_long ? "long_factor" : "short_factor";
        Frequencies one = frequencies_of(other);
        if (one.theta == plan.theta) continue;
        add(list, "scaling-parameter", {{"factors", name}},
            "the frequencies are divided by " + name + ", which is not this length's list", other);
    }
}

void add_base_mistakes(List& list, const Spec& asked) {
    for (const double base : {10000.0, 500000.0, 1000000.0})
        if (base != asked.rope_theta) {
            Spec other = asked;
            other.rope_theta = base;
            add(list, "base", {{"rope_theta", base}},
                "rope_theta is " + text(base) + ", not " + text(asked.rope_theta), other);
        }
}

void add_exponent_mistakes(List& list, const Spec& asked, const Frequencies& plan) {
    const double d = asked.rotary_dim;
    std::vector<double> divisors{static_cast<double>(asked.head_dim), 2 * d, d / 2, d - 2, d + 2};
    for (const double divisor : divisors) {
        if (divisor == d || divisor <= 0) continue;
        add(list, "exponent-divisor", {{"divisor", divisor}},
            "the exponent is −2i/" + text(divisor) + ", not −2i/" + text(d),
            with_divisor(asked, divisor));
    }
    const double step = std::pow(asked.rope_theta, -2 / d);
    add_changed(list, plan, "exponent-start", {{"first", std::uint64_t{1}}},
                "the exponents start at 2/d, not at 0: pairs are counted from 1",
                [&](std::size_t i) { return plan.theta[i] * step; });
    const std::size_t n = plan.theta.size();
    add_changed(list, plan, "frequency-order", {{"order", std::string("reversed")}},
                "the pairs' frequencies stand in reverse order",
                [&](std::size_t i) { return plan.theta[n - 1 - i]; });
    add_changed(list, plan, "frequency-order", {{"order", std::string("2i")}},
                "pair i turns by the frequency of pair 2i mod d/2, as a repeated table read as "
                "half a table has it",
                [&](std::size_t i) { return plan.theta[2 * i % n]; });
    add_changed(list, plan, "frequency-order", {{"order", std::string("i/2")}},
                "pairs 2i and 2i + 1 turn by one frequency, that of pair i",
                [&](std::size_t i) { return plan.theta[i / 2]; });
    for (const std::size_t back : {std::size_t{1}, n - 1})
        add_changed(list, plan, "frequency-order",
                    {{"order", std::string(back == 1 ? "i-1" : "i+1")}},
                    "pair i turns by the frequency of pair i " +
                        std::string(back == 1 ? "− 1" : "+ 1") + " mod d/2",
                    [&](std::size_t i) { return plan.theta[(i + n - back) % n]; });
    add_changed(list, plan, "frequency-order", {{"order", std::string("first")}},
                "every pair turns by the first pair's frequency",
                [&](std::size_t) { return plan.theta[0]; });
    if (n > 1)
        add_changed(list, plan, "exponent-sign", {},
                    "the exponent's sign is lost: frequencies grow with the pair",
                    [&](std::size_t i) { return plan.theta[i] == 0 ? 0 : 1 / plan.theta[i]; });
}

// p-RoPE and partial rotary, taken for each other: zero frequencies of a tail of the pairs, or
// none, and the exponent over the whole head or over the part.
void add_partial_mistakes(List& list, const Spec& asked, const Frequencies& plan) {
    const bool proportional = asked.scaling.rope_type == "proportional";
    const std::size_t n = plan.theta.size();
    if (proportional) {
        const auto zero = std::find(plan.theta.begin(), plan.theta.end(), 0.0);
        const auto turning = static_cast<double>(zero - plan.theta.begin());
        const double d = asked.rotary_dim;
        const double step = std::pow(asked.rope_theta, -1 / turning);
        add_changed(list, plan, "exponent-divisor", {{"divisor", 2 * turning}},
                    "the exponent is −2i/" + text(2 * turning) + ", the part, not −2i/" + text(d) +
                        ", the whole head",
                    [&](std::size_t i) {
                        return plan.theta[i] == 0 ? 0 : std::pow(step, static_cast<double>(i));
                    });
        return;
    }
    for (const double part : {0.25, 0.5, 0.75}) {
        const auto turning = static_cast<std::size_t>(part * static_cast<double>(n));
        if (turning == 0) continue;
        add_changed(list, plan, "rotary-dim", {{"partial_rotary_factor", part}},
                    "only the first " + decimal(std::uint64_t{turning}) + " of " +
                        decimal(std::uint64_t{n}) + " pairs turn",
                    [&](std::size_t i) { return i < turning ? plan.theta[i] : 0; });
    }
}

}  // namespace

Frequencies frequencies_of(const Spec& spec) {
    const FrequencyPlan plan = plan_frequencies(spec, enough);
    Frequencies one{.mistake = "", .amplitude = plan.attention_factor, .spec = spec};
    for (const PlannedFrequency& pair : plan.pairs) one.theta.push_back(pair.inv_freq.to_double());
    one.angle_k = unknown_make_k(spec, plan);
    return one;
}

List usual_frequencies(const Spec& asked) {
    List list;
    const Frequencies plan = frequencies_of(asked);
    list.push_back(plan);
    add_scaling_mistakes(list, asked, plan);
    add_base_mistakes(list, asked);
    add_exponent_mistakes(list, asked, plan);
    add_type_mistakes(list, asked);
    add_dynamic_mistakes(list, asked);
    add_yarn_mistakes(list, asked, plan);
    add_longrope_mistakes(list, asked, plan);
    add_partial_mistakes(list, asked, plan);
    add_units(list, plan);
    return list;
}

List unusual_frequencies(const Spec& asked) {
    List list;
    add_llama3_mistakes(list, asked);
    const std::string type = asked.scaling.rope_type;
    const std::uint64_t length = asked.max_position_embeddings;
    if (type == "yarn") {
        for (const std::uint64_t original : {2048u, 4096u, 8192u, 16384u, 32768u, 131072u}) {
            Spec other = asked;
            other.scaling.original_max_position_embeddings = original;
            add(list, "scaling-parameter", {{"original_max_position_embeddings", original}},
                "original_max_position_embeddings is " + decimal(original), other);
        }
        for (const double fast : {16.0, 32.0, 64.0, 128.0})
            for (const double slow : {0.5, 1.0, 2.0, 4.0}) {
                Spec other = asked;
                other.scaling.beta_fast = fast;
                other.scaling.beta_slow = slow;
                add(list, "scaling-parameter", {{"beta_fast", fast}, {"beta_slow", slow}},
                    "beta_fast is " + text(fast) + " and beta_slow is " + text(slow), other);
            }
    }
    if (is_scaled(asked)) return list;
    add(list, "scaling-type", {{"rope_type", std::string("he_xu")}},
        "θ is scaled by π/(2n), n = " + decimal(length) + ", as He & Xu propose",
        with_type(asked, "he_xu", 1, length));
    for (const double factor : {2.0, 4.0, 8.0, 16.0, 32.0, 40.0}) {
        std::vector<std::uint64_t> lengths{4096, 8192, 2048, 32768, length};
        const auto shorter = static_cast<std::uint64_t>(static_cast<double>(length) / factor);
        if (shorter > 0) lengths.push_back(shorter);
        std::sort(lengths.begin(), lengths.end());
        lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
        for (const std::uint64_t original : lengths)
            for (const std::string_view added : {"yarn", "llama3"})
                add(list, "scaling-type",
                    {{"rope_type", std::string(added)},
                     {"factor", factor},
                     {"original_max_position_embeddings", original}},
                    "it is scaled as " + std::string(added) + " with factor " + text(factor) +
                        " and original_max_position_embeddings " + decimal(original) +
                        ", where no scaling was asked for",
                    with_type(asked, added, factor, original));
    }
    return list;
}

}  // namespace rope
