#include "rope/diagnose/search/odd_pair.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "rope/changes/frequencies.hpp"
#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

constexpr std::uint32_t least_pairs = 8;  // of which one may be left out

// Without the pairs `first`, `first` + `step`, …
DumpReading leaving_out(const DumpReading& reading, std::uint32_t first, std::uint32_t step) {
    DumpReading other = reading;
    for (std::size_t row = 0; row < other.samples.rows(); ++row)
        for (std::uint32_t pair = first; pair < other.samples.pairs; pair += step)
            other.samples.modulus[row * other.samples.pairs + pair] = Samples::left_out;
    return other;
}

// The pair alone, at the positions at which the hypothesis puts each row.
Samples samples_of_pair(const Samples& all, const PositionMap& map, std::uint32_t pair) {
    std::vector<double> positions(all.rows());
    std::ranges::transform(all.positions[0], positions.begin(), map);
    return at_places(all, positions, {pair});
}

std::vector<double> possible_frequencies(const Samples& one, Orientation turn) {
    if (std::ranges::all_of(one.modulus, [](double modulus) { return std::isnan(modulus); }))
        return {NAN};
    std::vector<double> list{0};
    for (const PhaseLine& line : fit_phase_lines(one, turn))
        if (line.is_known() && line.modulo == 0 && line.rows == one.rows())
            list.push_back(line.theta);
    if (const auto theta = float_frequency(one, turn, 0)) list.push_back(*theta);
    return list;
}

// What explains all pairs but one, and that one by its own frequency.
std::optional<Replay> completed(const Replay& partial, const DumpReading& reading,
                                std::uint32_t pair) {
    const PositionMap map = partial.positions ? partial.positions->map : PositionMap{};
    const Samples own = samples_of_pair(reading.samples, map, pair);
    const std::vector<double>& numbers = reading.samples.inv_freq;
    const auto named = numbers.empty() ? std::nullopt : std::optional(numbers[pair]);
    for (const double theta : possible_frequencies(own, partial.turn)) {
        Replay whole = partial;
        whole.reading = &reading;
        whole.frequencies = with_entry(partial.frequencies, pair, theta, named);
        ++whole.cost;
        whole.after = misfit(reading.samples, whole.hypothesis(), 1);
        if (whole.after <= 1) return whole;
    }
    return std::nullopt;
}

// What explains all pairs but one explains them without every eighth, too: of many pairs, those
// that are left out where something does.
std::vector<std::uint32_t> possibly_odd(const DumpReading& reading, const Frequencies& plan,
                                        int most) {
    constexpr std::uint32_t parts = 8;
    std::vector<std::uint32_t> odd;
    for (std::uint32_t first = 0; first < parts; ++first) {
        if (reading.samples.pairs >= least_pairs * parts &&
            search_as_planned(leaving_out(reading, first, parts), plan, most - 1).empty())
            continue;
        for (std::uint32_t pair = first; pair < reading.samples.pairs; pair += parts)
            odd.push_back(pair);
    }
    std::ranges::sort(odd);
    return odd;
}

}  // namespace

std::vector<Replay> search_odd_pair(const std::vector<DumpReading>& readings, int most,
                                    const Verify& verify) {
    std::vector<Replay> least;
    for (const DumpReading& reading : readings) {
        const Samples& samples = reading.samples;
        const bool is_worth = reading.keeps_the_rest && std::ssize(reading.mistakes) + 1 <= most;
        if (!is_worth || samples.pairs < least_pairs || samples.positions.size() > 1) continue;
        const Frequencies plan = frequencies_of(reading.asked);
        for (const std::uint32_t pair : possibly_odd(reading, plan, most)) {
            const DumpReading others = leaving_out(reading, pair, samples.pairs);
            for (const Replay& partial : search_as_planned(others, plan, most - 1)) {
                auto whole = completed(partial, reading, pair);
                if (!whole || whole->cost > most || !verify(*whole)) continue;
                most = whole->cost - 1;
                least = {std::move(*whole)};
            }
        }
    }
    return least;
}

}  // namespace rope
