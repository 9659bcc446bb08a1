#include "rope/diagnose/identity/most_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "rope/diagnose/identity/identity_candidates.hpp"
#include "rope/diagnose/identity/median.hpp"
#include "rope/diagnose/identity/told_spec.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

// By how much a pair at θ may be off its line.
double allowed_off(const PhaseLine& line, double theta, double angle_k) {
    return 6 * line.error + angle_k * 0x1p-24 * theta;
}

double share_off(const PhaseLine& line, double theta, double angle_k) {
    return std::abs(std::abs(line.theta) - theta) / allowed_off(line, theta, angle_k);
}

// Of the nearest of its straight lines, of which a slow pair may have one on each of several axes.
double least_share_off(const MostLines& most, const PhaseLine& line, std::size_t i, double theta,
                       double angle_k) {
    double least = most.is_straight(i) ? share_off(line, theta, angle_k) : HUGE_VAL;
    for (const LinesOfRows& axis : most.on_axes)
        if (!axis.lines.empty() && axis.is_straight(i))
            least = std::min(least, share_off(axis.lines[i], theta, angle_k));
    return least;
}

// Pairs that turn at these frequencies, whichever way; not pair 0, and none that hardly turns in
// these rows.
Agreement agreement_of(const Frequencies& one, const MostLines& most) {
    const std::vector<PhaseLine> lines = nearest_to(one.theta, most.lines);
    Agreement found;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (!most.is_said[i]) continue;
        const double theta = std::abs(one.theta[i]), own = std::abs(lines[i].theta);
        if (most.is_straight(i) &&
            std::max(theta, own) <= allowed_off(lines[i], theta, one.angle_k[i]))
            continue;
        ++found.told;
        const double off = least_share_off(most, lines[i], i, theta, one.angle_k[i]);
        if (!(off <= 1)) continue;
        ++found.pairs;
        found.off += off;
    }
    return found;
}

// Scaling by parts has numbers enough for pairs of two bases: it is one that somebody would write,
// of nearly all pairs.
bool is_likely(const Frequencies& one, const Agreement& agreement) {
    if (one.cost == 0) return agreement.is_of_most();
    return agreement.is_of_nearly_all() && digits_of(one.spec->scaling.factor.value_or(1)) == 1;
}

// The one of most pairs that agree beyond those that do not, a scaling counting as two of them: in
// 16 bits one or two pairs agree with more or less by chance.
void take_better(std::optional<MostFrequencies>& best, const std::vector<Frequencies>& list,
                 const MostLines& most) {
    const auto rank = [](const MostFrequencies& one) {
        const Spec& spec = *one.frequencies.spec;
        const auto pairs = static_cast<std::ptrdiff_t>(one.agreement.pairs);
        const auto odd = static_cast<std::ptrdiff_t>(one.agreement.told) - pairs;
        const int cost = one.frequencies.cost;
        return std::tuple(odd - pairs + 2 * cost, cost, rank_of_type(spec), digits_of(spec),
                          one.agreement.off);
    };
    for (const Frequencies& one : list) {
        MostFrequencies choice{one, agreement_of(one, most)};
        if (is_likely(one, choice.agreement) && (!best || rank(choice) < rank(*best)))
            best = std::move(choice);
    }
}

// Without the pairs of which `is_odd`.
template <class IsOdd>
std::vector<PhaseLine> without(std::vector<PhaseLine> lines, const IsOdd& is_odd) {
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (is_odd(i)) lines[i] = {};
    return lines;
}

// Without those off the line of ln θ over i by Theil and Sen, of pairs half the ladder apart: one
// wrong pair moves no median.
std::vector<PhaseLine> on_a_law(const std::vector<PhaseLine>& lines) {
    const std::size_t half = lines.size() / 2;
    const auto ln = [&](std::size_t i) { return portable::log(lines[i].theta); };
    std::vector<double> slopes, starts;
    for (std::size_t i = 0; i + half < lines.size(); ++i)
        if (lines[i].is_of_a_law() && lines[i + half].is_of_a_law())
            slopes.push_back((ln(i + half) - ln(i)) / static_cast<double>(half));
    const double slope = median_of(std::move(slopes));
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].is_of_a_law()) starts.push_back(ln(i) - slope * static_cast<double>(i));
    const double start = median_of(std::move(starts));
    return without(lines, [&](std::size_t i) {
        if (!lines[i].is_of_a_law()) return true;
        const double off = ln(i) - start - slope * static_cast<double>(i);
        return !(std::abs(off) <= 1e-3 + 6 * lines[i].error / lines[i].theta);
    });
}

// By all lines, and by those on one law; by the fastest and the slowest half; and, as scaling by
// parts is on none, by all but one in eight.
std::optional<MostFrequencies> best_choice(const Spec& asked, std::span<const Spec> known,
                                           const MostLines& most) {
    const std::vector<PhaseLine> lines =
        without(most.lines, [&](std::size_t i) { return !most.is_straight(i); });
    std::optional<MostFrequencies> best;
    const auto is_found_by = [&](const std::vector<PhaseLine>& some) {
        take_better(best, identity_candidates(asked, known, some), most);
        return best && best->agreement.is_of_nearly_all();
    };
    const auto is_found_without = [&](const auto& is_odd) {
        return is_found_by(without(lines, is_odd));
    };
    const std::size_t half = lines.size() / 2, parts = 8;
    if (is_found_by(lines) || is_found_by(on_a_law(lines))) return best;
    if (is_found_without([&](std::size_t i) { return i < half; })) return best;
    if (is_found_without([&](std::size_t i) { return i >= half; })) return best;
    for (std::size_t part = 0; part < parts; ++part)
        if (is_found_without([&](std::size_t i) { return i % parts == part; })) return best;
    return best;
}

// Rotations that turn backwards, too: which way is no part of the frequencies.
MostLines forwards(MostLines most) {
    for (PhaseLine& line : most.lines)
        if (line.modulo == 0) line.theta = std::abs(line.theta);
    return most;
}

}  // namespace

std::optional<MostFrequencies> frequencies_of_most(const Spec& asked, std::span<const Spec> known,
                                                   const MostLines& most) {
    return best_choice(asked, known, forwards(most));
}

}  // namespace rope
