#include "rope/diagnose/rows/diagnostic_rows.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "rope/subject/row_source.hpp"

namespace rope {
namespace {

// Rows by the distance of their position from 0; those of one position by `less`.
template <class Less>
void sort_by_position(std::vector<std::size_t>& rows, const std::vector<double>& positions,
                      const Less& less) {
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        if (positions[a] != positions[b]) return is_nearer_zero(positions[a], positions[b]);
        return less(a, b);
    });
}

// Of the rows of a position any one: the first may all be one document's.
void keep_one_of_each(std::vector<std::size_t>& rows, const std::vector<double>& positions) {
    const auto mixed = [](std::size_t row) { return row * 0x9E3779B97F4A7C15U; };
    sort_by_position(rows, positions,
                     [&](std::size_t a, std::size_t b) { return mixed(a) < mixed(b); });
    const auto same = [&](std::size_t a, std::size_t b) { return positions[a] == positions[b]; };
    rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
}

// The first 64, the last 16, those next to the positions that tell, and of the others ever fewer.
std::set<std::size_t> chosen_places(const std::vector<std::size_t>& order,
                                    const std::vector<double>& positions,
                                    std::span<const double> also) {
    std::set<std::size_t> chosen;
    for (std::size_t k = 0; k < 64; ++k) chosen.insert(k);
    for (std::size_t k = 0; k < 16; ++k) chosen.insert(order.size() - 1 - k);
    std::vector<double> wanted(also.begin(), also.end());
    wanted.insert(wanted.end(), std::begin(diagnostic_positions), std::end(diagnostic_positions));
    for (const double m : wanted) {
        const auto at =
            std::lower_bound(order.begin(), order.end(), m, [&](std::size_t row, double position) {
                return is_nearer_zero(positions[row], position);
            });
        if (at != order.end()) chosen.insert(static_cast<std::size_t>(at - order.begin()));
    }
    for (double k = 64; chosen.size() < most_samples && k < static_cast<double>(order.size());
         k = k * 1.05 + 1)
        chosen.insert(static_cast<std::size_t>(k));
    return chosen;
}

}  // namespace

std::vector<std::size_t> diagnostic_rows(const std::vector<double>& positions, bool each_once,
                                         std::span<const double> also) {
    std::vector<std::size_t> order(positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    sort_by_position(order, positions, std::less<>());
    if (each_once && order.size() > most_samples) keep_one_of_each(order, positions);
    if (order.size() <= most_samples) return order;
    std::vector<std::size_t> rows;
    for (const std::size_t k : chosen_places(order, positions, also)) rows.push_back(order[k]);
    return rows;
}

}  // namespace rope
