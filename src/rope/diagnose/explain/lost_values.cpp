#include "rope/diagnose/explain/lost_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/decimal.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/explain/parts.hpp"

namespace rope {
namespace {

void add_loss(LostValues& found, Loss loss, std::size_t row) {
    switch (loss) {
        case Loss::none:
            found.else_right = false;
            return;
        case Loss::given:
            if (!found.first_given) found.first_given = row;
            ++found.given;
            return;
        case Loss::overflow:
            ++found.overflow;
            return;
        case Loss::memory:
            ++found.memory;
            return;
    }
}

void add_row(LostValues& found, RowReplay& asked, std::size_t row,
             std::map<std::uint32_t, std::uint64_t>& rows_of_pair) {
    const std::vector<double>& errors = asked.pair_errors(row);
    found.values += errors.size();
    for (std::uint32_t pair = 0; pair < errors.size(); ++pair) {
        if (!std::isfinite(errors[pair])) {
            const Loss loss = asked.loss(pair);
            add_loss(found, loss, row);
            if (loss == Loss::memory) ++rows_of_pair[pair];
            continue;
        }
        found.after = std::max(found.after, errors[pair]);
        if (errors[pair] > 1) found.else_right = false;
    }
}

std::string place_of(std::size_t row, const RowGroups& rows) {
    const std::string part = name_of_part({rows.group_of(row)}, rows);
    return (part.empty() ? "" : part + ", ") + "row " + decimal(rows.index_of(row)) +
           " (position " + position_name(row, rows) + ")";
}

}  // namespace

LostValues lost_values(const DumpPart& part, RowReplay& asked, bool until_wrong) {
    LostValues found;
    std::map<std::uint32_t, std::uint64_t> rows_of_pair;
    for (const std::size_t group : part.groups)
        for (std::uint64_t index = 0; index < part.rows.length(); ++index) {
            add_row(found, asked, part.rows.row(group, index), rows_of_pair);
            if (until_wrong && !found.else_right) return found;
        }
    const bool is_one = rows_of_pair.size() == 1 &&
                        rows_of_pair.begin()->second == part.groups.size() * part.rows.length();
    if (is_one) found.pair = rows_of_pair.begin()->first;
    return found;
}

std::vector<std::string> lost_observations(const DumpReading& reading, const DumpPart& part) {
    if (!reading.mistakes.empty() || !std::holds_alternative<RotatedDump>(part.dump)) return {};
    const Frequencies plan = frequencies_of(reading.asked);
    RowReplay asked(part.dump, part.rows, reading.arrangement ? &*reading.arrangement : nullptr,
                    reading.samples, {plan.theta, plan.angle_k, reading.axis, plan.amplitude});
    const LostValues found = lost_values(part, asked, false);
    const std::string of = " of " + decimal(found.values) + " pairs",
                      others = found.else_right && found.memory == 0
                                   ? "; all finite values match the Spec"
                                   : "";
    std::vector<std::string> said;
    if (found.given > 0)
        said.push_back("q itself is not finite in " + decimal(found.given) + of + ", first at " +
                       place_of(*found.first_given, part.rows) + others);
    if (found.overflow > 0)
        said.push_back("the exact result exceeds the largest " +
                       std::string(to_string(std::get<RotatedDump>(part.dump).format)) +
                       " number in " + decimal(found.overflow) + of +
                       ", which overflow to infinity" + others);
    return said;
}

}  // namespace rope
