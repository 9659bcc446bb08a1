#include "rope/subject/exactness.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "rope/kernels/kernels.hpp"
#include "rope/subject/arithmetic.hpp"

namespace rope {

double table_rounding(Format format, double amplitude, Format library) {
    const double factor = amplitude == 1 ? 0 : 2 * half_spacing(library, amplitude);
    return half_spacing(format, amplitude) + 2 * unit_roundoff(library) * amplitude + factor;
}

double rotation_rounding(Format format, double amplitude, Format library) {
    return 2 * std::numbers::sqrt2 * unit_roundoff(format) * amplitude +
           2 * half_spacing(format, amplitude) + table_rounding(library, amplitude, library);
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
    exactness.table = pipeline ? pipeline->table : format;
    exactness.rounding = table_rounding(exactness.table, plan.attention_factor);
    return exactness;
}

Exactness rotation_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                             const Pipeline* pipeline) {
    Exactness exactness = make_of(spec, plan, pipeline);
    exactness.rounding = rotation_rounding(format, plan.attention_factor);
    exactness.table = pipeline ? pipeline->table : format;
    if (pipeline) exactness.rounding += half_spacing(pipeline->table, plan.attention_factor);
    exactness.recovery = 0x1p-48;
    return exactness;
}

Exactness frequency_exactness(const Spec& spec, const FrequencyPlan& plan,
                              const Pipeline* pipeline) {
    Exactness exactness = make_of(spec, plan, pipeline);
    // cos and sin are our own, and their product with the attention factor is rounded
    exactness.rounding = cos_sin_error * std::abs(plan.attention_factor) +
                         half_spacing(Format::float64, plan.attention_factor);
    exactness.recovery = 0x1p-48;
    return exactness;
}

TellingNorm telling_norm(const RotatedDump& dump, std::size_t head_dim) {
    const double normal = std::ldexp(1, smallest_exponent(dump.format) + 1);
    double largest = 0;
    std::vector<double> x(head_dim);
    for (std::size_t row = 0; row < dump.positions.size(); ++row) {
        dump.before.read(row, 0, static_cast<std::uint32_t>(head_dim), x.data());
        for (const double lane : x)
            if (!(std::abs(lane) <= largest)) largest = std::abs(lane);
        if (!(largest < normal)) return {normal, 1};
    }
    if (largest == 0) return {normal, 1};
    return {largest / 4, normal / (largest / 4)};
}

}  // namespace rope
