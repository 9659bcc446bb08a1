#include "rope/evidence/rows.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "rope/rows/row_source.hpp"

namespace rope {
namespace {

// Sorts rows by |position|; rows with equal positions by `less`.
template <class PositionOf, class Less = std::less<>>
void sort_by_position(std::vector<std::size_t>& rows, const PositionOf& position_of,
                      const Less& less = {}) {
    std::ranges::sort(rows, [&](std::size_t a, std::size_t b) {
        const double one = position_of(a), other = position_of(b);
        return one != other ? is_nearer_zero(one, other) : less(a, b);
    });
}

// Keeps one row of each position, chosen by a hash: the first rows may all be of one document.
void keep_one_of_each(std::vector<std::size_t>& rows, const std::vector<double>& positions) {
    const auto mixed = [](std::size_t row) { return row * 0x9E3779B97F4A7C15U; };
    const auto position_of = [&](std::size_t row) { return positions[row]; };
    sort_by_position(rows, position_of,
                     [&](std::size_t a, std::size_t b) { return mixed(a) < mixed(b); });
    const auto rest = std::ranges::unique(rows, {}, position_of);
    rows.erase(rest.begin(), rest.end());
}

// The places in `order` of the first 64 rows, the last 16, the first row at or beyond each wanted
// position, and rows at growing distances (5 %).
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
    std::vector<std::size_t> order = numbers_below(positions.size());
    sort_by_position(order, [&](std::size_t row) { return positions[row]; });
    if (each_once && order.size() > most_samples) keep_one_of_each(order, positions);
    if (order.size() <= most_samples) return order;
    std::vector<std::size_t> rows;
    for (const std::size_t k : chosen_places(order, positions, also)) rows.push_back(order[k]);
    return rows;
}

RowGroups::RowGroups(const Dump& dump) {
    const DumpedRows dumped = *rows_of(dump);
    for (std::uint32_t axis = 0; axis < dumped.axes(); ++axis) axes_.push_back(&dumped.on(axis));
    grid_ = dumped.grid;
    const std::uint64_t rows = axes_[0]->size();
    if (count() * length() != rows) grid_ = {{}, {}, {rows, 1}};
    if (axes_.size() > 1) find_images();
}

// Consecutive heads with equal ids share one SequenceImages.
void RowGroups::find_images() {
    std::vector<std::vector<double>> before;
    for (const std::size_t group : all()) {
        std::vector<std::vector<double>> ids(axes_.size());
        for (std::uint32_t axis = 0; axis < axes_.size(); ++axis)
            for (std::uint64_t index = 0; index < length(); ++index)
                ids[axis].push_back(position(row(group, index), axis));
        if (images_.empty() || ids != before) images_.emplace_back(ids);
        images_of_.push_back(images_.size() - 1);
        before = std::move(ids);
    }
}

std::vector<std::size_t> RowGroups::diagnostic(const std::vector<std::size_t>& groups,
                                               const std::vector<double>& also) const {
    const auto sorted = [&](std::vector<std::size_t> some) {
        sort_by_position(some, [&](std::size_t row) { return position(row); });
        return some;
    };
    std::vector<std::size_t> rows;
    if (groups.size() * length() <= most_samples) {
        for (const std::size_t group : groups)
            for (std::uint64_t index = 0; index < length(); ++index)
                rows.push_back(row(group, index));
        return sorted(std::move(rows));
    }
    std::vector<double> positions(length());
    for (std::uint64_t index = 0; index < length(); ++index)
        positions[index] = position(row(groups[0], index));
    const std::vector<std::size_t> indices = diagnostic_rows(positions, axes_.size() == 1, also);
    const std::size_t each = std::max<std::size_t>(
        1, std::min(groups.size(), most_samples / std::max<std::size_t>(1, indices.size())));
    for (std::size_t k = 0; k < indices.size(); ++k)
        for (std::size_t j = 0; j < each; ++j)
            rows.push_back(row(groups[(k * each + j) % groups.size()], indices[k]));
    return sorted(std::move(rows));
}

std::vector<std::vector<std::size_t>> RowGroups::all_but_one_head_or_entry() const {
    constexpr std::uint64_t most_heads = 64;
    std::vector<std::vector<std::size_t>> parts;
    if (heads() > most_heads) return parts;
    const auto leave_out = [&](const auto& is_out) {
        parts.push_back(all());
        std::erase_if(parts.back(), is_out);
    };
    for (std::uint64_t head = 0; heads() > 3 && head < heads(); ++head)
        leave_out([&](std::size_t group) { return head_of(group) == head; });
    for (std::uint64_t entry = 0; heads() > 2 && batches() > 1 && entry < batches(); ++entry)
        leave_out([&](std::size_t group) { return batch_of(group) == entry; });
    return parts;
}

}  // namespace rope
