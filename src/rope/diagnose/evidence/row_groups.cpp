#include "rope/diagnose/evidence/row_groups.hpp"

#include <algorithm>
#include <numeric>

#include "rope/diagnose/evidence/diagnostic_rows.hpp"
#include "rope/subject/positions.hpp"

namespace rope {
RowGroups::RowGroups(const Dump& dump) {
    const auto take = [&](const auto& rows) {
        positions_ = &rows.positions;
        several_axes_ = !rows.more_positions.empty();
        grid_ = rows.grid;
    };
    if (const auto* table = std::get_if<TableDump>(&dump))
        take(*table);
    else
        take(std::get<RotatedDump>(dump));
    const std::uint64_t rows = positions_->size();
    if (several_axes_ || count() * length() != rows) grid_ = {{}, {}, {rows, 1}};
}

double RowGroups::place(std::uint64_t row, PositionSource source) const {
    const double m = position(row);
    const std::size_t group = group_of(row);
    switch (source) {
        case PositionSource::position_ids:
            return m;
        case PositionSource::row_number:
            return static_cast<double>(index_of(row));
        case PositionSource::row_in_dump:
            return static_cast<double>(batch_of(group) * length() + index_of(row));
        case PositionSource::first_sequence:
            return position(this->row(head_of(group), index_of(row)));
        case PositionSource::head_number:
            return static_cast<double>(head_of(group));
        case PositionSource::batch_number:
            return static_cast<double>(batch_of(group));
        case PositionSource::reversed:
            return position(this->row(group, length() - 1 - index_of(row)));
    }
    return m;
}

bool RowGroups::is_other(PositionSource source) const {
    if (several_axes_) return false;
    if (source == PositionSource::row_in_dump && batches() == 1) return false;  // row_number
    for (std::uint64_t row = 0; row < positions_->size(); ++row)
        if (place(row, source) != position(row)) return true;
    return false;
}

std::vector<std::size_t> RowGroups::diagnostic(const std::vector<std::size_t>& groups,
                                               const std::vector<double>& also) const {
    const auto by_position = [&](std::size_t a, std::size_t b) {
        if (position(a) != position(b)) return is_nearer_zero(position(a), position(b));
        return a < b;
    };
    std::vector<std::size_t> rows;
    if (groups.size() * length() <= most_samples) {
        for (const std::size_t group : groups)
            for (std::uint64_t index = 0; index < length(); ++index)
                rows.push_back(row(group, index));
        std::sort(rows.begin(), rows.end(), by_position);
        return rows;
    }
    std::vector<double> positions(length());
    for (std::uint64_t index = 0; index < length(); ++index)
        positions[index] = position(row(groups[0], index));
    const std::vector<std::size_t> indices = diagnostic_rows(positions, !several_axes_, also);
    const std::size_t each = std::max<std::size_t>(
        1, std::min(groups.size(), most_samples / std::max<std::size_t>(1, indices.size())));
    for (std::size_t k = 0; k < indices.size(); ++k)
        for (std::size_t j = 0; j < each; ++j)
            rows.push_back(row(groups[(k * each + j) % groups.size()], indices[k]));
    std::sort(rows.begin(), rows.end(), by_position);
    return rows;
}

std::vector<std::size_t> RowGroups::all() const {
    std::vector<std::size_t> groups(count());
    std::iota(groups.begin(), groups.end(), std::size_t{0});
    return groups;
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
