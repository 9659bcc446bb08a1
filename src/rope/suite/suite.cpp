// The tolerances are derived as those of the checks (checks/accuracy.cpp, rows/dump.hpp).
#include "rope/suite/suite.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "rope/rows/dump.hpp"
#include "rope/rows/golden_vectors.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

// From here on float32 rounds integer positions by up to 2^-24 relative, which adds 1 to K.
constexpr double first_rounded_position = 0x1p24;

double rounded_up(double x) {
    const double nearest = round_to(Format::float32, x);
    return nearest < x ? round_to(Format::float32, x * (1 + 0x1p-23)) : nearest;
}

// What the cases of all layouts have in common.
struct SuiteForm {
    std::string_view id;      // "dynamic-long"
    void (*set)(Spec& spec);  // changes the Spec of a head of 16 dimensions
    bool is_thin = false;  // whether only every third position is kept, as in groups of many cases
};

Scaling scaled(std::string_view rope_type, double factor) {
    Scaling scaling;
    scaling.rope_type = rope_type;
    scaling.factor = factor;
    return scaling;
}

void extend(Spec& spec, Scaling scaling, std::uint64_t original, std::uint64_t longest) {
    spec.scaling = std::move(scaling);
    spec.scaling.original_max_position_embeddings = original;
    spec.max_position_embeddings = longest;
}

void set_longrope(Spec& spec, std::uint64_t length) {
    Scaling scaling;
    scaling.rope_type = "longrope";
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        scaling.short_factor.push_back(1 + i * 0.0625);
        scaling.long_factor.push_back(1 + i * 4.5);
    }
    extend(spec, std::move(scaling), 4096, 131072);
    spec.seq_len = length;
}

constexpr SuiteForm forms[] = {
    // rope types
    {"default", [](Spec&) {}},
    {"linear", [](Spec& spec) { spec.scaling = scaled("linear", 4); }},
    {"dynamic-short",
     [](Spec& spec) {
         spec.scaling = scaled("dynamic", 2);
         spec.seq_len = 2048;
     }},
    {"dynamic-long",
     [](Spec& spec) {
         spec.scaling = scaled("dynamic", 2);
         spec.seq_len = 8192;
     }},
    {"ntk", [](Spec& spec) { spec.scaling = scaled("ntk", 4); }},
    {"qwen_ntk",
     [](Spec& spec) {
         spec.scaling.rope_type = "qwen_ntk";
         spec.seq_len = 8192;
     }},
    {"ntk_mixed",
     [](Spec& spec) {
         spec.scaling = scaled("ntk_mixed", 4);
         spec.scaling.mixed_b = 0.625;
     }},
    {"yarn", [](Spec& spec) { extend(spec, scaled("yarn", 16), 4096, 65536); }},
    {"yarn-mscale",
     [](Spec& spec) {
         extend(spec, scaled("yarn", 40), 4096, 163840);
         spec.scaling.mscale = 0.707;
         spec.scaling.mscale_all_dim = 1;
         spec.scaling.truncate = false;
     }},
    {"yarn_paper", [](Spec& spec) { extend(spec, scaled("yarn_paper", 16), 4096, 65536); }},
    {"longrope-short", [](Spec& spec) { set_longrope(spec, 4096); }},
    {"longrope-long", [](Spec& spec) { set_longrope(spec, 131072); }},
    {"llama3",
     [](Spec& spec) {
         extend(spec, scaled("llama3", 8), 8192, 131072);
         spec.scaling.low_freq_factor = 1;
         spec.scaling.high_freq_factor = 4;
         spec.rope_theta = 500000;
     }},
    {"proportional",
     [](Spec& spec) {
         spec.scaling.rope_type = "proportional";
         spec.scaling.partial_rotary_factor = 0.5;
     }},
    {"he_xu", [](Spec& spec) { spec.scaling.rope_type = "he_xu"; }},
    {"resonance", [](Spec& spec) { spec.scaling.rope_type = "resonance"; }},
    {"given",
     [](Spec& spec) {
         spec.scaling.rope_type = "given";
         for (std::uint32_t i = 0; i < spec.pairs(); ++i)
             spec.scaling.given_inv_freq.push_back(1 - i * 0.09375);
     }},
    // axes
    {"sectioned", [](Spec& spec) { spec.axes = {AxisScheme::sectioned, {2, 3, 3}}; }, true},
    {"thw", [](Spec& spec) { spec.axes = {AxisScheme::interleaved, {4, 2, 2}}; }, true},
    {"thw4", [](Spec& spec) { spec.axes = {AxisScheme::interleaved4, {3, 2, 2, 1}}; }, true},
    {"axial", [](Spec& spec) { spec.axes = {AxisScheme::axial, {}}; }, true},
    {"halves", [](Spec& spec) { spec.axes = {AxisScheme::halves, {}}; }, true},
    {"blocks", [](Spec& spec) { spec.axes = {AxisScheme::blocks, {2, 3, 3}}; }, true},
    {"even_odd", [](Spec& spec) { spec.axes = {AxisScheme::even_odd, {}}; }, true},
    {"alternating", [](Spec& spec) { spec.axes = {AxisScheme::alternating, {}}; }, true},
    {"hwt", [](Spec& spec) { spec.axes = {AxisScheme::height_width_time, {3, 3, 2}}; }, true},
    // 8 of 16 dimensions, at the beginning and at the end of the head
    {"partial", [](Spec& spec) { spec.rotary_dim = 8; }},
    {"partial-end", [](Spec& spec) { spec.rotary_dim = spec.rotary_offset = 8; }},
    {"reverse",
     [](Spec& spec) {
         spec.head_dim = spec.rotary_dim = 8;
         spec.direction = Direction::reverse;
     }},
};

// Around the largest integers that bfloat16, float16 and TF32 represent without gaps, float16's
// overflow, the ends of usual contexts, and the last 32-bit integer.
constexpr double positions[] = {0,    1,    255,   256,    257,     2047,      2048,
                                2049, 4096, 65519, 131071, 1048575, 2147483647};

using enum PairLayout;
constexpr std::pair<PairLayout, std::string_view> layouts[] = {
    {half_split, "half"},
    {interleaved, "interleaved"},
    {interleaved_to_half_split, "interleaved-to-half"},
};

// Axis a has the list rotated by 3a places, so that all axes differ.
PositionsByAxis positions_below(double end, std::uint32_t axes) {
    std::vector<double> below;
    for (const double m : positions)
        if (m < end) below.push_back(m);
    PositionsByAxis all(axes);
    for (std::size_t axis = 0; axis < axes; ++axis)
        for (std::size_t r = 0; r < below.size(); ++r)
            all[axis].push_back(below[(r + 3 * axis) % below.size()]);
    return all;
}

Spec spec_of(std::uint32_t head_dim, PairLayout layout) {
    Spec spec;
    spec.head_dim = spec.rotary_dim = head_dim;
    spec.layout = layout;
    return spec;
}

void add(std::vector<SuiteCase>& cases, std::string id, Spec spec) {
    validate(spec);
    const double end = spec.seq_len ? static_cast<double>(*spec.seq_len) : HUGE_VAL;
    PositionsByAxis at = positions_below(end, axis_count(spec.axes));
    cases.push_back({std::move(id), std::move(spec), std::move(at)});
}

void thin(SuiteCase& one) {
    for (std::vector<double>& axis : one.positions) {
        std::vector<double> kept;
        for (std::size_t r = 0; r < axis.size(); r += 3) kept.push_back(axis[r]);
        axis = std::move(kept);
    }
}

void add_forms(std::vector<SuiteCase>& cases) {
    for (const SuiteForm& form : forms)
        for (const auto& [layout, name] : layouts) {
            Spec spec = spec_of(16, layout);
            form.set(spec);
            add(cases, std::string(form.id) + "-" + std::string(name), std::move(spec));
            if (form.is_thin) thin(cases.back());
        }
}

// Keys before the query: distances, and caches that count backwards.
SuiteCase negative_positions() {
    SuiteCase one{"negative-positions", spec_of(16, half_split), {{}}};
    for (const double m : {-1, -2, -255, -257, -2049, -4096, -65519, -131071, 1, 257})
        one.positions[0].push_back(m);
    return one;
}

// Usual head sizes and bases, including d that is no power of two.
void add_sizes(std::vector<SuiteCase>& cases) {
    const std::tuple<std::uint32_t, PairLayout, double> sizes[] = {
        {2, half_split, 10000},    {8, interleaved, 1000000}, {24, half_split, 10000},
        {64, interleaved, 500000}, {80, half_split, 10000},   {128, half_split, 1000000},
    };
    for (const auto& [head_dim, layout, base] : sizes) {
        Spec spec = spec_of(head_dim, layout);
        spec.rope_theta = base;
        add(cases, "head_dim-" + std::to_string(head_dim), std::move(spec));
        if (head_dim >= 64) thin(cases.back());
    }
}

constexpr std::string_view outputs[] = {"q_rot", "k_rot", "dx"};
constexpr std::string_view inputs[] = {"q", "k", "dy"};

std::size_t index_of(SuiteOutput output) { return static_cast<std::size_t>(output); }

// Normal numbers in bfloat16, large enough that float16 rounds neither them nor their products.
std::vector<double> random_vectors(std::uint64_t seed, std::size_t count) {
    std::vector<double> x = golden_normals(seed, 0, count, Format::bfloat16);
    for (double& value : x) value = std::copysign(std::max(std::abs(value), 0x1p-6), value);
    return x;
}

// R(m)ᵀ rotates backwards and reads the dimensions that R(m) writes. For interleaved_to_half_split,
// R(m) = P·R'(m) with R' interleaved, so R(m)ᵀ = R'(m)ᵀ·Pᵀ.
struct Transposed {
    Spec spec;
    std::vector<double> x;
};

Transposed transposed(const Spec& spec, const std::vector<double>& x) {
    Transposed back{spec, x};
    back.spec.direction =
        spec.direction == Direction::forward ? Direction::reverse : Direction::forward;
    if (spec.layout != PairLayout::interleaved_to_half_split) return back;
    for (std::size_t row = 0; row < x.size(); row += spec.head_dim)
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const Dimensions from = written_dimensions_of_pair(spec, i),
                             to = dimensions_of_pair(spec, i);
            back.x[row + to.first] = x[row + from.first];
            back.x[row + to.second] = x[row + from.second];
        }
    back.spec.layout = PairLayout::interleaved;
    return back;
}

double ratio_of(double error, double allowed) {
    if (error == 0) return 0;
    const double ratio = error / allowed;
    return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

}  // namespace

std::vector<double> angle_tolerances(const SuiteCase& suite_case, const FrequencyPlan& plan,
                                     Arithmetic arithmetic) {
    const std::vector<double> k = angle_k(arithmetic, suite_case.spec, plan);
    const std::vector<SuitePair> pairs = suite_pairs(suite_case.spec);
    std::vector<double> allowed;
    for (std::size_t r = 0; r < suite_case.rows(); ++r)
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const double m = std::abs(suite_case.positions[pairs[i].axis][r]);
            const bool is_rounded = m > first_rounded_position && arithmetic != Arithmetic::exact;
            const double angle =
                (k[i] + is_rounded) * 0x1p-24 * m * plan.pairs[i].inv_freq.to_double();
            allowed.push_back(rounded_up(plan.attention_factor * std::min(2.0, angle)));
        }
    return allowed;
}

// Programs compute products and sums of 16-bit formats in float32 or in the 16-bit format; the
// tolerance of the latter, which is wider, covers both.
double rounding_tolerance(Format format, double amplitude) {
    const Format library = format == Format::float64 ? Format::float64 : Format::float32;
    return rotation_rounding(format, amplitude, library) + unit_roundoff(format) * amplitude;
}

std::vector<SuiteCase> suite_cases() {
    std::vector<SuiteCase> cases;
    add_forms(cases);
    cases.push_back(negative_positions());
    add_sizes(cases);
    return cases;
}

std::string_view to_string(SuiteOutput output) { return outputs[index_of(output)]; }
std::string_view input_of(SuiteOutput output) { return inputs[index_of(output)]; }

SuiteValues::SuiteValues(const SuiteCase& suite_case, std::uint64_t place)
    : case_(suite_case), plan_(plan_frequencies(suite_case.spec, exact_precision)) {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        inputs_[i] =
            random_vectors(place * inputs_.size() + i + 1, case_.rows() * case_.spec.head_dim);
}

const std::vector<double>& SuiteValues::input(SuiteOutput output) const {
    return inputs_[index_of(output)];
}

std::vector<double> SuiteValues::answer(SuiteOutput output, Format format) const {
    const std::vector<double>& x = input(output);
    if (output != SuiteOutput::dx)
        return GoldenRows(case_.spec, format).rotated(case_.positions, x);
    const Transposed back = transposed(case_.spec, x);
    return GoldenRows(back.spec, format).rotated(case_.positions, back.x);
}

std::vector<SuitePair> suite_pairs(const Spec& spec) {
    const std::vector<std::uint32_t> axes = axis_of_pairs(spec.axes, spec.pairs());
    std::vector<SuitePair> pairs;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const Dimensions from = dimensions_of_pair(spec, i),
                         to = written_dimensions_of_pair(spec, i);
        pairs.push_back({{from.first, from.second}, {to.first, to.second}, axes[i]});
    }
    return pairs;
}

SuiteWorst SuiteTest::worst(std::span<const double> got, Arithmetic arithmetic) const {
    const std::vector<double> angle = angle_tolerances(case_, values_.plan(), arithmetic);
    const double rounding = rounding_tolerance(format_, values_.plan().attention_factor);
    const std::vector<SuitePair> pairs = suite_pairs(case_.spec);
    const std::vector<double>& x = values_.input(output_);
    const std::size_t width = case_.spec.head_dim;
    std::vector<double> allowed(width);
    SuiteWorst worst;
    for (std::size_t row = 0; row < case_.rows(); ++row) {
        std::fill(allowed.begin(), allowed.end(), 0.0);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            auto [from, to] = std::pair(pairs[i].reads, pairs[i].writes);
            if (output_ == SuiteOutput::dx) std::swap(from, to);
            const double a = x[row * width + from[0]], b = x[row * width + from[1]];
            const double norm = std::sqrt(a * a + b * b);
            for (const std::size_t dimension : to)
                allowed[dimension] = norm * (angle[row * pairs.size() + i] + rounding);
        }
        for (std::size_t dimension = 0; dimension < width; ++dimension) {
            const std::size_t k = row * width + dimension;
            const double ratio = ratio_of(std::abs(got[k] - want_[k]), allowed[dimension]);
            if (ratio > worst.ratio)
                worst = {ratio, row, dimension, got[k], want_[k], allowed[dimension]};
        }
    }
    return worst;
}

}  // namespace rope
