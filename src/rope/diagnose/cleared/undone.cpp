#include "rope/diagnose/cleared/undone.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

using Vector = std::vector<double>;

// Of its lanes, where the norm is that of x.
double root_mean_square(const Vector& x) {
    double squares = 0;
    for (const double each : x) squares += each * each;
    return std::sqrt(squares / static_cast<double>(x.size()));
}

double tolerance(const RotatedDump& dump, const Vector& x) {
    return 32 * half_spacing(dump.format, 1) * root_mean_square(x);
}

bool keeps_pairs(const Spec& spec, const RotatedDump& dump, const SampledVector& one) {
    const double factor = root_mean_square(one.after) / root_mean_square(one.before);
    const double allowed = tolerance(dump, one.before);
    for (std::size_t i = 0; i < spec.rotary_dim / 2; ++i) {
        const Lanes read = lanes_of_pair(spec, i), written = written_lanes_of_pair(spec, i);
        const double x = std::hypot(one.before[read.first], one.before[read.second]);
        const double y = std::hypot(one.after[written.first], one.after[written.second]);
        if (!(std::abs(y / factor - x) <= allowed)) return false;
    }
    return true;
}

void leave_out_small_pairs(const Spec& spec, SampledVector& one) {
    constexpr double small = 0.25;
    const double least = small * root_mean_square(one.before);
    for (std::size_t i = 0; i < spec.rotary_dim / 2; ++i) {
        const Lanes read = lanes_of_pair(spec, i), written = written_lanes_of_pair(spec, i);
        if (!(std::hypot(one.before[read.first], one.before[read.second]) < least)) continue;
        one.before[read.first] = one.before[read.second] = 0;
        one.after[written.first] = one.after[written.second] = 0;
    }
}

}  // namespace

bool keeps_pairs_undone(const Spec& spec, const RotatedDump& dump, const Undo& undo) {
    constexpr std::size_t least = 4;
    std::vector<SampledVector> sampled = sampled_vectors(JoinedHeads(dump));
    const auto keeps = [&](const SampledVector& each) { return keeps_pairs(spec, dump, each); };
    // at position 0 a rotation keeps everything
    const auto kept = std::ranges::count_if(sampled, keeps);
    if (sampled.size() < least || 2 * kept > std::ssize(sampled)) return false;
    return std::ranges::all_of(sampled, [&](SampledVector& each) {
        undo(each);
        return keeps(each);
    });
}

Cleared undone(const Spec& spec, const RotatedDump& dump, const Undo& undo, NamedMistake mistake) {
    const JoinedHeads rows(dump);
    const std::vector<std::size_t> passed = passed_lanes(spec);
    Vector before(dump.before.size()), after(dump.before.size());
    for (std::size_t row = 0; row < dump.positions.size(); ++row) {
        SampledVector one = rows.read(row);
        undo(one);
        const double allowed = tolerance(dump, one.before);
        leave_out_small_pairs(spec, one);
        for (const std::size_t lane : passed)
            if (std::abs(one.after[lane] - one.before[lane]) <= allowed)
                one.after[lane] = one.before[lane];
        rows.write(row, one.before, before);
        rows.write(row, one.after, after);
    }
    RotatedDump changed = dump;
    changed.before = StridedRows(std::move(before), spec.head_dim);
    changed.after = StridedRows(std::move(after), spec.head_dim);
    return {std::move(mistake), std::move(changed), 16};
}

}  // namespace rope
