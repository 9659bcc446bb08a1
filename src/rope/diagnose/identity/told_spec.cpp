#include "rope/diagnose/identity/told_spec.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "base/decimal.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {
namespace {

std::uint64_t length_of(const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump)) return context_of(table->positions);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        return context_of(vectors->positions);
    return 0;
}

}  // namespace

Spec plain_spec(const Dump& dump) {
    Spec spec;
    if (const auto* table = std::get_if<TableDump>(&dump))
        spec.head_dim = 2 * table->pairs;
    else if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        spec.head_dim = static_cast<std::uint32_t>(
            vectors->before.size() / std::max<std::size_t>(1, vectors->positions.size()));
    else
        spec.head_dim =
            static_cast<std::uint32_t>(2 * std::get<FrequencyDump>(dump).inv_freq.size());
    spec.rotary_dim = spec.head_dim;
    spec.max_position_embeddings = std::max<std::uint64_t>(2048, length_of(dump));
    return spec;
}

Spec spec_of(const Replay& replay) {
    Spec spec = *replay.frequencies.spec;
    spec.head_dim = replay.reading->asked.head_dim;
    spec.layout = replay.reading->asked.layout;
    const auto is_said = [](const auto& parameter, std::string_view name, std::string_view value) {
        return parameter.first == name && parameter.second == FieldValue(std::string(value));
    };
    for (const NamedMistake& one : replay.reading->mistakes)
        for (const auto& parameter : one.parameters) {
            if (is_said(parameter, "lanes", "suffix"))
                spec.rotary_offset = spec.head_dim - spec.rotary_dim;
            if (is_said(parameter, "before", to_string(PairLayout::interleaved)))
                spec.layout = PairLayout::interleaved_to_half_split;
        }
    if (replay.amplitude != replay.frequencies.amplitude && replay.frequencies.takes_any_amplitude)
        spec.scaling.attention_factor = replay.amplitude;
    if (replay.positions && replay.positions->mistake == "position-scale" &&
        spec.scaling.rope_type == "default" && replay.positions->map.offset == 0 &&
        replay.positions->map.scale < 1 &&
        is_linear_factor(few_digits(1 / replay.positions->map.scale, 1e-6))) {
        spec.scaling.rope_type = "linear";
        spec.scaling.factor = few_digits(1 / replay.positions->map.scale, 1e-6);
    }
    return spec;
}

bool is_linear_factor(double x) {
    return 4 * x == std::round(4 * x) || 10 * x == std::round(10 * x);
}

bool is_told(const Replay& replay) {
    const auto of_the_reading = static_cast<int>(replay.reading->mistakes.size());
    const bool is_linear =
        spec_of(replay).scaling.rope_type != replay.frequencies.spec->scaling.rope_type;
    const bool is_its_factor = replay.fitted_amplitude && replay.frequencies.takes_any_amplitude;
    return replay.cost ==
           of_the_reading + replay.frequencies.cost + (is_linear ? 1 : 0) + (is_its_factor ? 1 : 0);
}

std::size_t digits_of(double x) {
    int exponent;
    return std::frexp(x, &exponent) == 0.5 ? 1 : decimal(x).find_last_not_of('0') + 1;
}

std::size_t digits_of(const Spec& spec) {
    const Scaling& scaling = spec.scaling;
    return digits_of(spec.rope_theta) + digits_of(scaling.factor.value_or(1)) +
           digits_of(scaling.low_freq_factor.value_or(1)) +
           digits_of(scaling.high_freq_factor.value_or(1));
}

int rank_of_type(const Spec& spec) {
    if (spec.scaling.rope_type == "default") return digits_of(spec.rope_theta) <= 3 ? 0 : 2;
    return spec.scaling.rope_type == "ntk" ? 1 : 3;
}

}  // namespace rope
