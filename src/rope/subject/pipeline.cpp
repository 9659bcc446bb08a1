#include "rope/subject/pipeline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/number/format.hpp"

namespace rope {
namespace {

struct Row {
    Arithmetic arithmetic;
    std::string_view name, words;
};

constexpr std::array rows{
    Row{Arithmetic::exact, "exact", "as accurate as float64"},
    Row{Arithmetic::rounded, "double", "as accurate as float64 inv_freq rounded to float32"},
    Row{Arithmetic::pow, "pow", "as accurate as a float32 power (transformers)"},
    Row{Arithmetic::exp, "exp", "as accurate as a float32 exp and log"},
    Row{Arithmetic::iterative, "iterative", "as accurate as ggml's recurrence"},
};

// The power base^(-e) of a pair, with e = 2j/d and x = e·ln base. A scaled base has a larger log.
struct Power {
    double step, e,
        x;  // step: products of ggml's recurrence before this pair, since θ last restarted
    double log_base;
    bool is_first;  // e = 0
};

// ggml's VISION mode restarts its recurrence; other orders are divisors of the usual order.
bool recurs_in_order(const Spec& spec) {
    return spec.axes.scheme == AxisScheme::axial || spec.axes.scheme == AxisScheme::halves ||
           frequency_steps(spec.axes, spec.pairs()) == frequency_steps({}, spec.pairs());
}

Power power_of(const Spec& spec, const FrequencyStep& own, double step, const BigReal& inv_freq) {
    const double e = 2.0 * own.index / own.width;
    const double theta = inv_freq.to_double();
    const double x = std::max(e * std::abs(portable::log(spec.rope_theta)),
                              theta > 0 ? std::abs(portable::log(theta)) : 0);
    return {step, e, x, e > 0 ? x / e : 0, own.index == 0};
}

bool is_power_of_two(double theta) {
    int exponent;
    return std::frexp(theta, &exponent) == 0.5;
}

// Returns the error of rounding a number to float32, in units of 2^-24; at most `magnitude`.
double rounded(double magnitude) {
    return magnitude > 0 ? half_spacing(Format::float32, magnitude) * 0x1p24 : 0;
}

// Returns the relative error of θ_i before scaling, in units of 2^-24; an ulp is at most 2.
//   pow        e rounded if d is no power of two, times ln base; base: e; pow within 2 ulp: 4;
//              reciprocal: 1
//   exp        e as above; ln base and their product rounded; exp within 2 ulp: 4; reciprocal: 1
//   iterative  base^(-2/d) rounded, j times, and j products: 2j; 2/d rounded: x; 5 as above.
//              As the last class it allows for ln base/d rounded instead, and for 4 ulp: 3x + 9
double error_of(Arithmetic arithmetic, const Power& power) {
    const bool is_exact = static_cast<float>(power.e) == power.e;
    const double exponent = is_exact ? 0 : rounded(power.e) * power.log_base;
    const double pow = exponent + power.e + 5;
    if (arithmetic == Arithmetic::pow) return pow;
    const double logarithm = power.e * rounded(power.log_base) + rounded(power.x);
    const double exp = std::max(pow, exponent + logarithm + 5);
    if (arithmetic == Arithmetic::exp) return exp;
    return std::max({exp, 2 * power.step + power.x + 5, 3 * power.x + 9});
}

}  // namespace

std::string_view to_string(Arithmetic arithmetic) {
    return std::ranges::find(rows, arithmetic, &Row::arithmetic)->name;
}

std::string_view in_words(Arithmetic arithmetic) {
    return std::ranges::find(rows, arithmetic, &Row::arithmetic)->words;
}

// K = c·(error of θ_i) + 1 + blend: c is the conditioning by scaling, 1 the product with the
// position; scaling adds two rounded steps. `rounded` rounds only θ_i and the product; `exact` has
// the error of the last class in float64, whose unit is 2^-29 as large.
std::vector<double> angle_k(Arithmetic arithmetic, const Spec& spec, const FrequencyPlan& plan) {
    const bool in_order = recurs_in_order(spec);
    const double steps = spec.scaling.rope_type == "default" && in_order ? 1 : 3;
    const auto each = frequency_steps(spec.axes, spec.pairs());
    std::vector<double> all;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const PlannedFrequency& pair = plan.pairs[i];
        const Power power = power_of(spec, each[i], in_order ? each[i].index : i, pair.inv_freq);
        double k = pair.conditioning * error_of(arithmetic, power) + steps + pair.blend_error;
        if (arithmetic == Arithmetic::exact) k *= 0x1p-29;
        if (arithmetic == Arithmetic::rounded) k = 2;
        const bool is_exact =
            arithmetic == Arithmetic::iterative ? power.step == 0 : power.is_first;
        if (is_exact && is_power_of_two(pair.inv_freq.to_double())) k = 0;
        all.push_back(k);
    }
    return all;
}

std::span<const Pipeline> pipelines() {
    using enum Format;
    using enum AngleMethod;
    // clang-format off
    static constexpr std::array table{
        //       name               angle       inv_freq  position  product   table     m/factor  who
        Pipeline{"hf-fp32",         product,    float32,  float32,  float32,  float32,  false, "transformers, flash-attn: float32 throughout", ""},
        Pipeline{"exact",           exact,      float64,  float64,  float64,  float32,  false, "the truth, rounded once to float32", ""},
        Pipeline{"ggml",            recurrence, float32,  float32,  float32,  float32,  false, "llama.cpp: θ ← θ·base^(-2/d) in float32, pair after pair", ""},
        Pipeline{"bf16-table",      product,    float32,  float32,  float32,  bfloat16, false, "transformers under bfloat16: cos and sin cast to bfloat16", ""},
        Pipeline{"fp16-table",      product,    float32,  float32,  float32,  float16,  false, "transformers under float16: cos and sin cast to float16", ""},
        Pipeline{"vllm-bf16-cache", product,    float32,  float32,  float32,  bfloat16, true,  "vLLM: a cache in the model's bfloat16; linear scaling divides positions", ""},
        Pipeline{"bf16-angles",     product,    float32,  float32,  bfloat16, bfloat16, false, "position·inv_freq, of float32 factors, rounded to bfloat16",
                 "position*inv_freq was rounded to 8 bits before cos; keep the angle in float32"},
        Pipeline{"bf16-positions",  product,    float32,  bfloat16, float32,  float32,  false, "positions made in the activations' bfloat16",
                 "position was rounded to 8 bits, so positions beyond 256 collapse; keep position_ids integer or float32"},
        Pipeline{"chatglm-fp16",    product,    float16,  float16,  float16,  float16,  false, "ChatGLM-6B: inv_freq, positions and their product in float16",
                 "inv_freq, position and their product were rounded to 11 bits before cos; build the table in float32 and cast it last"},
        Pipeline{"tf32",            product,    tf32,     tf32,     float32,  float32,  false, "a matrix product of positions and inv_freq in TF32",
                 "the outer product ran as a TF32 matrix product, which rounds both factors to 11 bits; multiply elementwise in float32"},
    };
    // clang-format on
    return table;
}

const Pipeline& find_pipeline(std::string_view name) {
    return one_of(pipelines(), &Pipeline::name, "pipeline", name);
}

Exactness expected_exactness(const Spec& spec, const Pipeline& pipeline,
                             const FrequencyPlan& plan) {
    Exactness exactness;
    switch (pipeline.method) {
        case AngleMethod::exact:
            exactness.angle_k.assign(plan.pairs.size(), 0);
            break;
        case AngleMethod::product:
            exactness.angle_k = angle_k(Arithmetic::pow, spec, plan);
            break;
        case AngleMethod::recurrence:
            exactness.angle_k = angle_k(Arithmetic::iterative, spec, plan);
            break;
    }
    const double a = plan.attention_factor;
    exactness.rounding = half_spacing(pipeline.table, a);
    if (pipeline.method == AngleMethod::exact) return exactness;
    // cos, sin and attention factor rounded to float32, their product, and the table's cast
    if (a != 1)
        exactness.rounding +=
            a * half_spacing(Format::float32, 1) + half_spacing(Format::float32, a);
    if (pipeline.table != Format::float32) exactness.rounding += half_spacing(Format::float32, a);
    return exactness;
}

}  // namespace rope
