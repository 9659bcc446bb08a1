#include "rope/subject/exactness.hpp"

#include <numbers>

#include "rope/subject/arithmetic.hpp"

namespace rope {

double table_rounding(Format format, double amplitude) {
    const double factor = amplitude == 1 ? 0 : 2 * half_spacing(Format::float32, amplitude);
    return half_spacing(format, amplitude) + 2 * 0x1p-24 * amplitude + factor;
}

double rotation_rounding(Format format, double amplitude) {
    return 2 * std::numbers::sqrt2 * unit_roundoff(format) * amplitude +
           2 * half_spacing(format, amplitude) + table_rounding(Format::float32, amplitude);
}

namespace {

Exactness make_of(const Spec& spec, const FrequencyPlan& plan, const Pipeline* pipeline) {
    return pipeline ? expected_exactness(spec, *pipeline, plan)
                    : Exactness{angle_k(least_exact, spec, plan), true, 0, 0};
}

}  // namespace

Exactness table_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                          const Pipeline* pipeline) {
    Exactness exactness = make_of(spec, plan, pipeline);
    exactness.rounding = table_rounding(pipeline ? pipeline->table : format, plan.attention_factor);
    return exactness;
}

Exactness rotation_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                             const Pipeline* pipeline) {
    Exactness exactness = make_of(spec, plan, pipeline);
    exactness.rounding = rotation_rounding(format, plan.attention_factor);
    if (pipeline) exactness.rounding += half_spacing(pipeline->table, plan.attention_factor);
    exactness.recovery = 0x1p-48;
    return exactness;
}

Exactness frequency_exactness(const Spec& spec, const FrequencyPlan& plan,
                              const Pipeline* pipeline) {
    Exactness exactness = make_of(spec, plan, pipeline);
    // cos, sin and their product with the attention factor, each rounded
    exactness.rounding = 4 * half_spacing(Format::float64, plan.attention_factor);
    exactness.recovery = 0x1p-48;
    return exactness;
}

}  // namespace rope
