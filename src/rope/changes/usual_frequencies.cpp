#include <cmath>
#include <iterator>
#include <numbers>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

// "−2i/40" for each ladder, or "−2i/16, −2i/56, −2i/56"
std::string of_ladders(const std::string& prefix, std::vector<double> divisors) {
    if (std::ranges::count(divisors, divisors[0]) == std::ssize(divisors)) divisors.resize(1);
    return join(divisors, [&](double divisor) { return prefix + decimal(divisor); });
}

std::vector<double> widths_of(const Spec& asked) {
    const auto widths = ladder_widths(asked.axes, asked.pairs());
    return {widths.begin(), widths.end()};
}

std::string within_axes(const Spec& asked) {
    return frequency_restarts(asked.axes) > 1 ? "within each axis, " : "";
}

// Applies the Spec's scaling to another unscaled θ: multiplies it by the pair's scaled θ / unscaled
// θ; llama3's factor depends on θ.
double scaled(const Spec& asked, const Frequencies& plan, const Frequencies& plain, double theta,
              std::size_t i) {
    const Scaling& scaling = asked.scaling;
    if (scaling.rope_type != "llama3")
        return plain.theta[i] == 0 ? 0 : theta * (plan.theta[i] / plain.theta[i]);
    const double low = *scaling.low_freq_factor, high = *scaling.high_freq_factor;
    const double factor = *scaling.factor;
    const auto length = static_cast<double>(*scaling.original_max_position_embeddings);
    const double turns = length * theta / (2 * std::numbers::pi);
    if (turns < low) return theta / factor;
    if (turns > high || high == low) return theta;
    const double smooth = (turns - low) / (high - low);
    return (1 - smooth) * theta / factor + smooth * theta;
}

// Adds θ_i = 1/base^e, where e = exponent(step) and base^e is rounded to `timescale`.
template <class Exponent>
void add_exponents(FrequencySet& list, const Spec& asked, const Frequencies& plan,
                   NamedMistake named, const Exponent& exponent,
                   Format timescale = Format::float64) {
    const Frequencies plain = frequencies_of(unscaled(asked));
    // these follow a power law with the exponents −2i/d
    const bool power = has_type(asked, {"default", "ntk", "dynamic"});
    const Frequencies& law = power ? plan : plain;
    const auto steps = frequency_steps(asked.axes, asked.pairs());
    const auto second = std::ranges::find(steps, 1, &FrequencyStep::index);
    if (second == steps.end()) return;
    const double next = law.theta[static_cast<std::size_t>(second - steps.begin())];
    if (!(law.theta[0] > 0) || !(next > 0)) return;
    const double log_base = portable::log(law.theta[0] / next) * second->width / 2;
    add_changed_candidate(list, plan, std::move(named), [&](std::size_t i) {
        const double times = portable::exp(log_base * exponent(steps[i]));
        const double theta = law.theta[0] / round_to(timescale, times);
        return power ? theta : scaled(asked, plan, plain, theta, i);
    });
}

// Angles in the unit of another function. These scales are outside the range in which positions are
// searched, or have too many digits.
void add_units(FrequencySet& list, const Frequencies& plan) {
    const auto add = [&](const char* unit, double scale) {
        add_changed_candidate(list, plan,
                              named("position-scale", {{"scale", scale}}, {{"unit", unit}}),
                              [&](std::size_t i) { return plan.theta[i] * scale; });
    };
    add("180/π: angles are in degrees", 180 / std::numbers::pi);
    add("2π: turns were converted to radians twice", 2 * std::numbers::pi);
    add("π: cospi and sinpi were given radians", std::numbers::pi);
    add("π/180: radians were taken for degrees", std::numbers::pi / 180);
    add("1/2π: angles are in turns", 0.5 / std::numbers::pi);
}

// divisor = scale·width + offset, for a ladder of `width` dimensions
struct Divisor {
    double scale, offset;
    double operator()(double width) const { return scale * width + offset; }
};

// The width of the head, of all rotating dimensions or of one ladder, a wrong multiple of the
// width, or two dimensions more or fewer.
std::vector<Divisor> divisors_for(const Spec& asked) {
    const double whole = asked.head_dim;
    std::vector<Divisor> all{{0, whole},     {0, static_cast<double>(asked.rotary_dim)},
                             {2, 0},         {0.5, 0},
                             {1, -2},        {1, 2},
                             {0, whole - 2}, {0, whole + 2}};
    for (const double width : widths_of(asked)) all.push_back({0, width});
    return all;
}

void add_divisors(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    const std::vector<double> widths = widths_of(asked);
    std::vector<std::vector<double>> known{widths};
    for (const Divisor& divisor : divisors_for(asked)) {
        std::vector<double> divisors;
        std::ranges::transform(widths, std::back_inserter(divisors), divisor);
        if (std::ranges::count(known, divisors) > 0 || std::ranges::min(divisors) <= 0) continue;
        known.push_back(divisors);
        const auto own = [&](const FrequencyStep& step) {
            return 2.0 * step.index / divisor(step.width);
        };
        add_exponents(list, asked, plan, divisor_mistake(asked, divisors), own);
    }
}

// The frequencies are right but belong to other pairs.
void add_orders(FrequencySet& list, const Frequencies& plan) {
    const std::size_t n = plan.theta.size();
    const auto add = [&](const char* order, const auto& place) {
        add_changed_candidate(list, plan, named("frequency-order", {{"order", order}}),
                              [&](std::size_t i) { return plan.theta[place(i)]; });
    };
    add("reversed", [&](std::size_t i) { return n - 1 - i; });
    add("2i", [&](std::size_t i) { return 2 * i % n; });
    add("i/2", [](std::size_t i) { return i / 2; });
    add("i-1", [&](std::size_t i) { return (i + n - 1) % n; });
    add("i+1", [&](std::size_t i) { return (i + 1) % n; });
    add("first", [](std::size_t) { return std::size_t{0}; });
}

void add_starts(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    for (const double first : exponent_starts) {
        const auto own = [&](const FrequencyStep& step) {
            return 2 * (step.index + first) / step.width;
        };
        add_exponents(list, asked, plan, start_mistake(asked, first), own);
    }
}

// The first dimensions rotate by the frequencies of their number, as a view of the dump cannot
// show if another mistake changes the rest. In half_split pairs these are other pairs.
void add_narrow_widths(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    if (asked.layout != PairLayout::interleaved || !is_one_ladder(asked.axes)) return;
    for (const std::uint32_t quarters : {1u, 2u, 3u}) {
        Spec other = asked;
        other.rotary_dim = asked.rotary_dim * quarters / 4;
        if (other.rotary_dim % 2 != 0 || !is_sound(other)) continue;
        const std::vector<double> own = frequencies_of(other).theta;
        add_changed_candidate(list, plan,
                              named("rotary-dim", {{"rotary_dim", std::uint64_t{other.rotary_dim}}},
                                    {{"asked", std::uint64_t{asked.rotary_dim}}}),
                              [&](std::size_t i) { return i < own.size() ? own[i] : 0; });
    }
}

// p-RoPE instead of partial rotary or the reverse: zero frequencies in a tail of the pairs, or the
// exponent over the whole head instead of a part.
void add_partial_mistakes(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    const bool proportional = asked.scaling.rope_type == "proportional";
    const std::size_t n = plan.theta.size();
    if (proportional) {
        const auto zero = std::find(plan.theta.begin(), plan.theta.end(), 0.0);
        const auto turning = static_cast<double>(zero - plan.theta.begin());
        const double d = asked.rotary_dim;
        const double step = portable::pow(asked.rope_theta, -1 / turning);
        add_changed_candidate(
            list, plan, named("exponent-divisor", {{"divisor", 2 * turning}}, {{"whole", d}}),
            [&](std::size_t i) {
                return plan.theta[i] == 0 ? 0 : portable::pow(step, static_cast<double>(i));
            });
        return;
    }
    add_narrow_widths(list, asked, plan);
    for (const double one_mistake : {0.25, 0.5, 0.75}) {
        const auto turning = static_cast<std::size_t>(one_mistake * static_cast<double>(n));
        // the other axes at position 0 have the same angles
        const bool is_first_axis =
            asked.axes.scheme == AxisScheme::sectioned && asked.axes.sections.front() == turning;
        if (turning == 0 || is_first_axis) continue;
        add_changed_candidate(
            list, plan,
            named("rotary-dim", {parameter(&Scaling::partial_rotary_factor, one_mistake)},
                  {{"rotating", turning}, {"pairs", n}}),
            [&](std::size_t i) { return i < turning ? plan.theta[i] : 0; });
    }
}

void add_scaling_mistakes(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    if (!is_scaled(asked)) return;
    const std::string type = asked.scaling.rope_type;
    const Frequencies plain = frequencies_of(unscaled(asked));
    const Parameters which{{"rope_type", type}};
    add_candidate(list, named("scaling-missing", which), unscaled(asked));
    add_changed_candidate(list, plan, named("scaling-doubled", which), [&](std::size_t i) {
        return plain.theta[i] == 0 ? 0 : plan.theta[i] * plan.theta[i] / plain.theta[i];
    });
    add_changed_candidate(list, plan, named("scaling-inverted", which), [&](std::size_t i) {
        return plain.theta[i] == 0 ? 0 : plain.theta[i] * plain.theta[i] / plan.theta[i];
    });
}

// Returns the Spec with another rope_type, with the factor and original length that it uses.
Spec with_type(const Spec& asked, std::string_view type, double factor, std::uint64_t original) {
    Spec other = unscaled(asked);
    Scaling& scaling = other.scaling;
    scaling.rope_type = type;
    scaling.factor = factor;
    if (type == "yarn" || type == "llama3") scaling.original_max_position_embeddings = original;
    if (type == "llama3") {
        constexpr FrequencyFactors usual;
        scaling.low_freq_factor = usual.low;
        scaling.high_freq_factor = usual.high;
    }
    if (type == "he_xu") scaling = {.rope_type = "he_xu"};
    return other;
}

// The factor that another rope_type would take from the same config.
std::optional<double> factor_of(const Spec& spec) {
    if (spec.scaling.factor) return spec.scaling.factor;
    if (spec.scaling.original_max_position_embeddings &&
        *spec.scaling.original_max_position_embeddings > 0)
        return static_cast<double>(spec.max_position_embeddings) /
               static_cast<double>(*spec.scaling.original_max_position_embeddings);
    return std::nullopt;
}

// `names_length`: whether the sentence names the original length.
void add_type(FrequencySet& list, const Spec& asked, std::string_view type, double factor,
              std::uint64_t original, bool names_length) {
    Parameters parameters{{"rope_type", std::string(type)}, parameter(&Scaling::factor, factor)};
    if (names_length)
        parameters.push_back(parameter(&Scaling::original_max_position_embeddings, original));
    Parameters context;
    if (is_scaled(asked)) context.emplace_back("asked", asked.scaling.rope_type);
    add_candidate(list, named("scaling-type", std::move(parameters), context),
                  with_type(asked, type, factor, original));
}

void add_type_mistakes(FrequencySet& list, const Spec& asked) {
    const auto factor = factor_of(asked);
    if (!is_scaled(asked) || !factor) return;
    const std::uint64_t original =
        asked.scaling.original_max_position_embeddings.value_or(asked.max_position_embeddings);
    for (const std::string_view type : {"linear", "ntk", "yarn", "llama3"}) {
        if (type == asked.scaling.rope_type) continue;
        add_type(list, asked, type, *factor, original, false);
    }
}

// The base b·k instead of ntk's b·k^(d/(d − 2)).
void add_plain_ntk(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    const double d = asked.rotary_dim;
    if ((asked.scaling.rope_type != "ntk" && asked.scaling.rope_type != "dynamic") ||
        !is_one_ladder(asked.axes) || d <= 2)
        return;
    const double base = portable::pow(plan.theta[0] / plan.theta[1], d / 2);
    const double times = few_digits(portable::pow(base / asked.rope_theta, (d - 2) / d), 1e-9);
    if (times == 1) return;
    add_candidate(list, named("scaling-parameter", {{"exponent", 1.0}}, {{"times", times}}),
                  with_base(unscaled(asked), asked.rope_theta * times));
}

// The bases of sequences of up to L, 2L, 4L, … positions.
void add_qwen_lengths(FrequencySet& list, const Spec& asked) {
    constexpr int most_doublings = 10;
    if (asked.scaling.rope_type != "qwen_ntk") return;
    Parameters context;
    if (asked.seq_len) context.emplace_back("asked", *asked.seq_len);
    Spec other = asked;
    other.seq_len = asked.max_position_embeddings;
    for (int k = 0; k <= most_doublings; ++k, *other.seq_len *= 2)
        add_candidate(list, named("scaling-parameter", {{"seq_len", *other.seq_len}}, context),
                      other);
}

// vLLM's dynamic base: for the sequence length factor·L at every position.
void add_dynamic_mistakes(FrequencySet& list, const Spec& asked) {
    if (asked.scaling.rope_type != "dynamic" || !asked.scaling.factor) return;
    Spec other = asked;
    other.seq_len = static_cast<std::uint64_t>(static_cast<double>(asked.max_position_embeddings) *
                                               *asked.scaling.factor);
    add_candidate(list,
                  named("scaling-parameter", {{"seq_len", *other.seq_len}}, {{"is_static", 1.0}}),
                  other);
}

void add_longrope_mistakes(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    if (asked.scaling.rope_type != "longrope") return;
    for (const bool is_long : {true, false}) {
        Spec other = asked;
        const auto& factors = is_long ? asked.scaling.long_factor : asked.scaling.short_factor;
        other.scaling.long_factor = other.scaling.short_factor = factors;
        const std::string name(name_of(is_long ? &Scaling::long_factor : &Scaling::short_factor));
        Frequencies one = frequencies_of(other);
        if (one.theta == plan.theta) continue;
        add_candidate(list, named("scaling-parameter", {{"factors", name}}), other);
    }
}

// For a Spec without scaling, or with a rope_type without factor.
void add_unasked_scalings(FrequencySet& list, const Spec& asked) {
    const std::uint64_t length = asked.max_position_embeddings;
    add_candidate(list, named("scaling-type", {{"rope_type", "he_xu"}}, {{"n", length}}),
                  with_type(asked, "he_xu", 1, length));
    for (const double factor : {2.0, 4.0, 8.0, 16.0, 32.0, 40.0, 64.0, 128.0}) {
        std::vector<std::uint64_t> lengths{2048, 4096, 8192, 16384, 32768, 65536, length};
        const auto shorter = static_cast<std::uint64_t>(static_cast<double>(length) / factor);
        if (shorter > 0) lengths.push_back(shorter);
        if (const auto own = asked.scaling.original_max_position_embeddings)
            lengths.push_back(*own);
        std::sort(lengths.begin(), lengths.end());
        lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
        // for unscaled frequencies, linear and ntk are another scale or base
        if (is_scaled(asked))
            for (const std::string_view added : {"linear", "ntk"})
                add_type(list, asked, added, factor, length, false);
        for (const std::uint64_t original : lengths)
            for (const std::string_view added : {"yarn", "llama3"})
                add_type(list, asked, added, factor, original, true);
    }
}

constexpr std::size_t most_lists = 64;  // of a hundred candidates each, in a cache

// Another base or another exponent.
void add_exponent_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    // the bases of well-known models may be a port's default or come from another config
    for (const double base : usual_bases) add_base_candidate(list, asked, base);
    add_divisors(list, asked, plan);
    add_starts(list, asked, plan);
    add_orders(list, plan);
    if (plan.theta.size() > 1)
        add_changed_candidate(list, plan, named("exponent-sign"), [&](std::size_t i) {
            return plan.theta[i] == 0 ? 0 : 1 / plan.theta[i];
        });
}

}  // namespace

std::set<double> usual_factors(const Spec& asked) {
    std::set<double> factors{2, 4, 8, 16, 32, 40};
    Spec lengths = asked;
    lengths.scaling.factor.reset();
    if (const auto ratio = factor_of(lengths); ratio && *ratio > 1) factors.insert(*ratio);
    return factors;
}

NamedMistake divisor_mistake(const Spec& asked, const std::vector<double>& divisors) {
    const bool is_one = std::ranges::count(divisors, divisors[0]) == std::ssize(divisors);
    return named("exponent-divisor",
                 {{"divisor", is_one ? FieldValue(divisors[0]) : FieldValue(join(divisors))}},
                 {{"within", within_axes(asked)},
                  {"own", of_ladders("−2i/", divisors)},
                  {"asked", of_ladders("−2i/", widths_of(asked))}});
}

NamedMistake start_mistake(const Spec& asked, double first) {
    const bool restarts = frequency_restarts(asked.axes) > 1;
    const std::string over = (first > 0 ? "" : "−") + decimal(std::abs(2 * first)) + "/";
    return named("exponent-start", {{"first", first}},
                 {{"start", restarts ? of_ladders(over, widths_of(asked)) : over + "d"},
                  {"within", within_axes(asked)}});
}

// inv_freq of exponents 2i/d, or of base^(2i/d), in 16 bits.
void add_rounded_exponents(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    for (const Format format : {Format::bfloat16, Format::float16})
        for (const bool is_exponent : {true, false}) {
            const auto exponent = [&](const FrequencyStep& step) {
                const double own = 2.0 * step.index / step.width;
                return is_exponent ? round_to(format, own) : own;
            };
            add_exponents(
                list, asked, plan,
                named("inv-freq-precision", {{"format", std::string(to_string(format))},
                                             {"rounded", is_exponent ? "2i/d" : "base^(2i/d)"}}),
                exponent, is_exponent ? Format::float64 : format);
        }
}

FrequencySet usual_frequencies(const Spec& asked) {
    thread_local BySpec<FrequencySet> lists(most_lists);
    return lists.of(asked, [&] {
        FrequencySet list;
        const Frequencies plan = frequencies_of(asked);
        list.push_back(plan);
        add_scaling_mistakes(list, asked, plan);
        add_exponent_candidates(list, asked, plan);
        add_type_mistakes(list, asked);
        add_dynamic_mistakes(list, asked);
        add_plain_ntk(list, asked, plan);
        add_parts_mistakes(list, asked);
        add_longrope_mistakes(list, asked, plan);
        add_qwen_lengths(list, asked);
        add_partial_mistakes(list, asked, plan);
        add_units(list, plan);
        return list;
    });
}

FrequencySet unusual_frequencies(const Spec& asked) {
    thread_local BySpec<FrequencySet> lists(most_lists);
    return lists.of(asked, [&] {
        FrequencySet list;
        add_rounded_exponents(list, asked, frequencies_of(asked));
        add_unusual_parts(list, asked);
        if (!asked.scaling.factor) add_unasked_scalings(list, asked);
        // lines do not determine the factor if positions are far apart, or too few for slow pairs
        for (const double factor : usual_factors(asked))
            if (asked.scaling.factor && factor != asked.scaling.factor)
                add_factor_candidate(list, asked, factor);
        return list;
    });
}

}  // namespace rope
