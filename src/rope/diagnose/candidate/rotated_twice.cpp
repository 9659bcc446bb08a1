// Frequencies of vectors that are rotated twice: R(m)·R(m) = a²·R(2m).
#include <algorithm>
#include <utility>

#include "rope/diagnose/candidate/further_changes.hpp"

namespace rope {
namespace {

const NamedMistake twice{
    "rotated-twice", {}, "every vector is rotated twice: by 2m·θ in place of m·θ"};

std::vector<double> doubled(std::vector<double> theta) {
    for (double& one : theta) one *= 2;
    return theta;
}

}  // namespace

bool Frequencies::are_twice() const {
    return mistake == twice.mistake || std::ranges::any_of(also, [](const Further& one) {
               return one.mistake.mistake == twice.mistake;
           });
}

Frequencies rotated_twice(const Frequencies& once, const Frequencies& plan) {
    Frequencies both = once;
    both.theta = doubled(once.theta);
    both.amplitude *= both.amplitude;
    ++both.cost;
    if (once.mistake.empty()) {
        both.mistake = twice.mistake;
        both.what = twice.what;
        return both;
    }
    both.without = doubled(once.without.empty() ? plan.theta : once.without);
    for (Frequencies::Further& one : both.also) one.without = doubled(std::move(one.without));
    both.also.push_back({twice, once.theta});
    return both;
}

std::vector<PhaseLine> halved(const std::vector<PhaseLine>& lines) {
    std::vector<PhaseLine> halves = lines;
    for (PhaseLine& line : halves) {
        line.theta /= 2;
        line.offset /= 2;
        line.error /= 2;
        line.modulo /= 2;
        line.angle_error /= 2;
    }
    return halves;
}

}  // namespace rope
