#include "rope/diagnose/candidate/possible_bases.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr std::size_t least_lines = 8;  // for a base, a factor and a length
constexpr std::size_t few_pairs = 4;    // for a base and a factor, where each is far better known
constexpr std::size_t least_rows = 4;
constexpr double loose = 0.01;  // a law by which a base is known to fewer than two digits

// Frequencies that fall from one pair to the next, enough of them known to a percent or a few to
// 1e-4; the slowest angle begins near 0, as it does at any offset of positions.
bool are_of_a_power(const std::vector<PhaseLine>& lines) {
    std::size_t exact = 0, very_exact = 0;
    const PhaseLine* before = nullptr;
    for (const PhaseLine& line : lines) {
        if (line.is_left_out()) continue;
        if (!line.is_known() || line.rows < least_rows) return false;
        if (before && !(line.theta < before->theta + 4 * line.error)) return false;
        exact += 8 * line.error <= 0.01 * line.theta ? 1 : 0;
        very_exact += 8 * line.error <= 1e-4 * line.theta ? 1 : 0;
        before = &line;
    }
    return (exact >= least_lines || very_exact >= few_pairs) &&
           std::abs(std::remainder(before->offset, 2 * std::numbers::pi)) < 0.5;
}

// The lines, and what they would be without either of longrope's lists.
std::vector<std::vector<PhaseLine>> without_lists(const Spec& asked,
                                                  const std::vector<PhaseLine>& lines) {
    std::vector<std::vector<PhaseLine>> all{lines};
    for (const auto* factors : {&asked.scaling.short_factor, &asked.scaling.long_factor}) {
        if (asked.scaling.rope_type != "longrope" || factors->size() != lines.size()) continue;
        all.push_back(lines);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            all.back()[i].theta *= (*factors)[i];
            all.back()[i].error *= (*factors)[i];
        }
    }
    std::erase_if(all, [](const std::vector<PhaseLine>& some) { return !are_of_a_power(some); });
    return all;
}

// What the fastest pairs follow, which no scaling by parts changes, and the slowest, which it
// divides by one factor: ln θ_i = ln scale − (2i/d)·ln base over all pairs, or part of them.
void add_laws_of_parts(std::vector<PowerLaw>& laws, const std::vector<PhaseLine>& lines) {
    const auto follows = [&](const PowerLaw& law, std::size_t i) {
        const double theta =
            law.scale *
            portable::pow(law.base, -static_cast<double>(i) / static_cast<double>(lines.size()));
        return std::abs(lines[i].theta - theta) <= 8 * lines[i].error + 0x1p-20 * theta;
    };
    const auto add = [&](std::size_t first, std::size_t end, bool scaled) {
        const PowerLaw law = fit_power_law(lines, first, end, scaled);
        if (!(law.base > 1 && law.base < 1e30)) return;
        while (first < end && (lines[first].is_left_out() || follows(law, first))) ++first;
        if (first == end) laws.push_back(law);
    };
    const std::size_t least = lines.size() < least_lines ? lines.size() : 3;
    for (std::size_t pairs = lines.size(); pairs >= least; pairs = pairs * 3 / 4) {
        add(0, pairs, false);
        add(0, pairs, true);
        if (pairs < lines.size()) add(lines.size() - pairs, lines.size(), true);
    }
}

}  // namespace

std::vector<PowerLaw> laws_of_parts(const Spec& asked, const std::vector<PhaseLine>& lines) {
    std::vector<PowerLaw> laws;
    for (const std::vector<PhaseLine>& some : without_lists(asked, lines))
        add_laws_of_parts(laws, some);
    return laws;
}

std::vector<Estimate> possible_bases(const Spec& asked, const std::vector<PowerLaw>& laws) {
    std::vector<Estimate> bases;
    const auto add = [&](double base, double error) {
        const auto is_near = [&](double other) { return std::abs(base - other) <= error * other; };
        const bool is_known = std::ranges::any_of(
            bases, [&](const Estimate& one) { return base == one.value || is_near(one.value); });
        if (base != asked.rope_theta && !is_known) bases.push_back({base, error});
    };
    const auto add_own = [&](double base, double law_error) {
        if (law_error > loose) {
            for (const double usual : usual_bases)
                if (std::abs(portable::log(base / usual)) <= law_error) add(usual, 0);
            return;
        }
        for (const double least : {1e-6, 3e-7}) {
            const double simple = few_digits(base, std::max(least, law_error));
            if (std::abs(simple - asked.rope_theta) > law_error * asked.rope_theta)
                add(simple, law_error);
        }
    };
    const auto d = static_cast<double>(asked.rotary_dim);
    for (const PowerLaw& law : laws) {
        add_own(law.base, 4 * law.base_error);
        if (asked.scaling.factor)
            add_own(law.base / portable::pow(*asked.scaling.factor, d / (d - 2)),
                    4 * law.base_error);
    }
    return bases;
}

}  // namespace rope
