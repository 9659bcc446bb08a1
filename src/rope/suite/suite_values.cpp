#include <algorithm>
#include <cmath>

#include "rope/spec/lanes.hpp"
#include "rope/suite/suite.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope {
namespace {

constexpr std::string_view outputs[] = {"q_rot", "k_rot", "dx"};
constexpr std::string_view inputs[] = {"q", "k", "dy"};

std::size_t index_of(SuiteOutput output) { return static_cast<std::size_t>(output); }

// Normal numbers of bfloat16, none so small that float16 would have to round it or a product of it.
std::vector<double> random_vectors(std::uint64_t seed, std::size_t count) {
    std::vector<double> x = golden_normals(seed, 0, count, Format::bfloat16);
    for (double& value : x) value = std::copysign(std::max(std::abs(value), 0x1p-6), value);
    return x;
}

// R(m)ᵀ turns back, and reads where R(m) writes. Of interleaved_to_half_split, R(m) = P·R'(m) with
// R' interleaved: R(m)ᵀ = R'(m)ᵀ·Pᵀ.
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
            const Lanes from = written_lanes_of_pair(spec, i), to = lanes_of_pair(spec, i);
            back.x[row + to.first] = x[row + from.first];
            back.x[row + to.second] = x[row + from.second];
        }
    back.spec.layout = PairLayout::interleaved;
    return back;
}

}  // namespace

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
        const Lanes from = lanes_of_pair(spec, i), to = written_lanes_of_pair(spec, i);
        pairs.push_back({{from.first, from.second}, {to.first, to.second}, axes[i]});
    }
    return pairs;
}

}  // namespace rope
