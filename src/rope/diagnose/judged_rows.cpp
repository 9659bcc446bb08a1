#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "base/tasks.hpp"
#include "rope/diagnose/dump_evidence.hpp"
#include "rope/diagnose/explain/few_rows.hpp"
#include "rope/diagnose/explain/parts.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {
namespace {

constexpr std::size_t most_parts = 480, most_lines = 192;  // of cells
constexpr std::size_t chunks = 16;                         // whatever the threads

struct Place {
    double position;
    std::size_t group;
    double error;

    bool is_before(const Place& other) const {
        if (position != other.position) return is_nearer_zero(position, other.position);
        return group < other.group;
    }
};

// Neighbouring groups that share a line of cells.
std::size_t groups_per_line(std::size_t groups) { return (groups + most_lines - 1) / most_lines; }

// What some rows show.
struct Seen {
    std::vector<float> worst;
    std::map<std::size_t, GroupErrors> groups_off;
    std::uint64_t off = 0;
    std::optional<Place> first_off, worst_row;

    void add(const Place& row, std::size_t number, float& cell) {
        cell = std::max(cell, static_cast<float>(row.error));
        if (!worst_row || row.error > worst_row->error ||
            (row.error == worst_row->error && row.is_before(*worst_row)))
            worst_row = row;
        if (row.error <= 1) return;
        ++off;
        add_off(row.group, 1, {&number, 1});
        if (!first_off || row.is_before(*first_off)) first_off = row;
    }

    // as many rows as GroupErrors lists
    void add_off(std::size_t group, std::uint64_t count, std::span<const std::size_t> rows) {
        constexpr std::size_t most_listed = 16;
        GroupErrors& errors = groups_off[group];
        errors.wrong += count;
        for (const std::size_t row : rows)
            if (errors.first.size() < most_listed) errors.first.push_back(row);
    }

    void merge(const Seen& next) {
        for (std::size_t k = 0; k < worst.size(); ++k) worst[k] = std::max(worst[k], next.worst[k]);
        off += next.off;
        for (const auto& [group, errors] : next.groups_off)
            add_off(group, errors.wrong, errors.first);
        if (next.first_off && (!first_off || next.first_off->is_before(*first_off)))
            first_off = next.first_off;
        const auto& other = next.worst_row;
        if (other && (!worst_row || other->error > worst_row->error ||
                      (other->error == worst_row->error && other->is_before(*worst_row))))
            worst_row = other;
    }
};

PositionParts parts_of(const DumpPart& part) {
    const auto* table = std::get_if<TableDump>(&part.dump);
    const std::array<std::span<const double>, 1> axes{
        table ? table->positions : std::get<RotatedDump>(part.dump).positions};
    return position_parts(sizes_of(axes), most_parts);
}

// Rows of every group with these numbers, which mostly share a position.
Seen look(RowReplay replay, const DumpPart& part, const PositionParts& parts, std::uint64_t begin,
          std::uint64_t end) {
    const std::size_t per_line = groups_per_line(part.groups.size());
    const std::size_t lines = (part.groups.size() + per_line - 1) / per_line;
    const std::size_t columns = parts.edges.size() - 1;
    Seen seen{.worst = std::vector<float>(lines * columns, -1),
              .groups_off = {},
              .first_off = {},
              .worst_row = {}};
    for (std::uint64_t index = begin; index < end; ++index)
        for (std::size_t g = 0; g < part.groups.size(); ++g) {
            const std::size_t row = part.rows.row(part.groups[g], index);
            const double position = part.rows.position(row);
            const std::size_t column = parts.column_of(std::abs(position));
            seen.add({position, part.groups[g], replay.error(row)}, row,
                     seen.worst[g / per_line * columns + column]);
        }
    return seen;
}

std::string kind_of(const RowGroups& rows) {
    if (rows.count() == 1) return "";
    return rows.batches() == 1 ? "head" : rows.heads() == 1 ? "batch entry" : "batch entry, head";
}

std::vector<std::string> line_names(const DumpPart& part) {
    const std::size_t per_line = groups_per_line(part.groups.size());
    std::vector<std::string> names;
    for (std::size_t first = 0; first < part.groups.size(); first += per_line) {
        const std::size_t end = std::min(first + per_line, part.groups.size());
        names.push_back(name_of_part({part.groups.begin() + static_cast<std::ptrdiff_t>(first),
                                      part.groups.begin() + static_cast<std::ptrdiff_t>(end)},
                                     part.rows));
    }
    return names;
}

}  // namespace

JudgedRows judge_rows(const DumpReading& asked, const DumpPart& part) {
    const RowReplay replay(part.dump, part.rows, asked.arrangement ? &*asked.arrangement : nullptr,
                           asked.samples, as_asked(asked));
    const PositionParts parts = parts_of(part);
    const std::uint64_t length = part.rows.length();
    std::vector<Seen> seen(chunks);
    run_tasks(chunks, part.threads == 0 ? machine_threads() : part.threads, [&](std::size_t k) {
        seen[k] = look(replay, part, parts, length * k / chunks, length * (k + 1) / chunks);
    });
    for (std::size_t k = 1; k < chunks; ++k) seen[0].merge(seen[k]);
    const auto named = [&](const std::optional<Place>& place) -> std::optional<RowPlace> {
        if (!place) return std::nullopt;
        const auto at = std::ranges::find(part.groups, place->group) - part.groups.begin();
        return RowPlace{place->position, name_of_part({place->group}, part.rows),
                        static_cast<std::size_t>(at) / groups_per_line(part.groups.size()),
                        place->error};
    };
    Seen& all = seen[0];
    std::vector<std::size_t> wrong, odd_rows;
    for (auto& [group, errors] : all.groups_off) {
        errors.looked = length;
        if (is_wrong_throughout(errors, length))
            wrong.push_back(group);
        else
            odd_rows.insert(odd_rows.end(), errors.first.begin(), errors.first.end());
    }
    return {{parts, kind_of(part.rows), line_names(part), groups_per_line(part.groups.size()),
             std::move(all.worst), length * part.groups.size(), all.off, named(all.first_off),
             named(all.worst_row)},
            std::move(wrong),
            std::move(odd_rows)};
}

}  // namespace rope
