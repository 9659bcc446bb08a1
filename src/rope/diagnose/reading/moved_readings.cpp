// Rows at positions from elsewhere, and vectors in a different order.
#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/reading/reading.hpp"
#include "rope/diagnose/reading/row_norm.hpp"

namespace rope {
namespace {

struct LaneRange {
    std::uint32_t first, end;
};

// The k-th of at most `most` rows of a group, evenly spaced.
std::uint64_t spaced(std::uint64_t k, std::uint64_t most, std::uint64_t length) {
    return length <= most ? k : k * length / most;
}

// max/min − 1 of |y|/|x| over some rows of two groups
double spread_of_norms(const RotatedDump& dump, const RowGroups& rows, const LaneRange& lanes,
                       std::size_t after, std::size_t before) {
    constexpr std::uint64_t most = 24;
    double low = INFINITY, high = 0;
    for (std::uint64_t k = 0; k < std::min(most, rows.length()); ++k) {
        const std::uint64_t index = spaced(k, most, rows.length());
        const double ratio = norm_of(dump.after, rows.row(after, index), lanes.first, lanes.end) /
                             norm_of(dump.before, rows.row(before, index), lanes.first, lanes.end);
        if (!std::isfinite(ratio)) continue;
        low = std::min(low, ratio);
        high = std::max(high, ratio);
    }
    return high > 0 ? high / low - 1 : INFINITY;
}

// Σ r² over the lanes, r the correlation of x and y in one lane over some rows of two groups: near
// 1 where a lane hardly turns, about 1/rows where y is of another x.
double shared_lanes(const RotatedDump& dump, const RowGroups& rows, const LaneRange& lanes,
                    std::size_t after, std::size_t before) {
    constexpr std::uint64_t most = 64;
    double sum = 0;
    for (std::uint32_t lane = lanes.first; lane < lanes.end; ++lane) {
        double xx = 0, yy = 0, xy = 0;
        for (std::uint64_t k = 0; k < std::min(most, rows.length()); ++k) {
            const std::uint64_t index = spaced(k, most, rows.length());
            const double y = dump.after.at(rows.row(after, index), lane);
            const double x = dump.before.at(rows.row(before, index), lane);
            if (!std::isfinite(x) || !std::isfinite(y)) continue;
            xx += x * x;
            yy += y * y;
            xy += x * y;
        }
        if (xx > 0 && yy > 0) sum += xy * xy / (xx * yy);
    }
    return sum;
}

using Heads = std::vector<std::size_t>;

// Of q, over some rows.
bool are_equal(const RotatedDump& dump, const RowGroups& rows, std::size_t a, std::size_t b) {
    constexpr std::uint64_t most = 64;
    const std::uint64_t lanes = dump.before.size() / dump.positions.size();
    for (std::uint64_t k = 0; k < std::min(most, rows.length()); ++k) {
        const std::uint64_t index = spaced(k, most, rows.length());
        for (std::uint64_t lane = 0; lane < lanes; ++lane)
            if (dump.before.at(rows.row(a, index), lane) !=
                dump.before.at(rows.row(b, index), lane))
                return false;
    }
    return true;
}

// The heads of q, equal ones together, such as those that share a head of k.
std::vector<Heads> equal_heads(const RotatedDump& dump, const RowGroups& rows) {
    std::vector<Heads> all;
    for (std::size_t head = 0; head < rows.heads(); ++head) {
        const auto same = std::ranges::find_if(
            all, [&](const Heads& some) { return are_equal(dump, rows, some.front(), head); });
        if (same == all.end())
            all.push_back({head});
        else
            same->push_back(head);
    }
    return all;
}

// The heads that one is most like, by their number; none where it is like no other, or like
// several that differ.
template <class Unlike>
std::optional<std::size_t> most_like(std::size_t head, const std::vector<Heads>& equal, double most,
                                     const Unlike& unlike) {
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t k = 0; k < equal.size(); ++k)
        others.emplace_back(unlike(head, equal[k].front()), k);
    std::sort(others.begin(), others.end());
    const bool is_open = others.size() > 1 && others[1].first < 3 * others[0].first;
    if (!(others[0].first < most) || is_open) return std::nullopt;
    return others[0].second;
}

// Of each head the one that it is most like, of equal ones each in turn.
template <class Unlike>
std::optional<Heads> heads_by(const std::vector<Heads>& equal, std::size_t heads, double most,
                              const Unlike& unlike) {
    std::vector<std::size_t> taken(equal.size());
    Heads of_head;
    for (std::size_t head = 0; head < heads; ++head) {
        const auto k = most_like(head, equal, most, unlike);
        if (!k || taken[*k] == equal[*k].size()) return std::nullopt;
        of_head.push_back(equal[*k][taken[*k]++]);
    }
    return of_head;
}

std::vector<DumpReading> moved_on_axes(const DumpReading& reading, const RowGroups& rows) {
    using enum PositionSource;
    std::vector<PositionSource> sources{row_number};
    if (rows.batches() > 1) sources.insert(sources.end(), {first_sequence, row_in_dump});
    for (const PositionSource source : rows.other_image_ids()) sources.push_back(source);
    std::vector<DumpReading> all;
    for (const PositionSource source : sources) {
        DumpReading other = reading;
        other.samples = placed_on_axes(reading.samples, rows, source);
        if (other.samples.positions == reading.samples.positions) continue;
        other.mistakes.push_back(source_mistake(source));
        all.push_back(std::move(other));
    }
    return all;
}

}  // namespace

std::vector<DumpReading> moved_readings(const DumpReading& reading, const DumpPart& part) {
    std::vector<DumpReading> all;
    if (reading.samples.dump_row.empty()) return all;
    if (reading.samples.positions.size() > 1) return moved_on_axes(reading, part.rows);
    using enum PositionSource;
    for (const PositionSource source :
         {row_number, first_sequence, head_number, batch_number, row_in_dump, reversed,
          row_of_heads, head_of_rows, row_of_all_heads, head_of_all_rows}) {
        if (!part.rows.is_other(source)) continue;
        DumpReading other = reading;
        other.samples = placed(reading.samples, part.rows, source);
        other.mistakes.push_back(source_mistake(source));
        all.push_back(std::move(other));
    }
    return all;
}

std::optional<std::vector<std::size_t>> other_order(const Spec& asked, const RotatedDump& dump,
                                                    const RowGroups& rows) {
    const auto lanes = static_cast<std::uint32_t>(dump.before.size() / dump.positions.size());
    const std::size_t heads = rows.heads();
    if (heads < 2 || heads > 256 || rows.length() < 4) return std::nullopt;
    const std::vector<Heads> equal = equal_heads(dump, rows);
    const auto by_norms = [&](const LaneRange& some) {
        return heads_by(equal, heads, 0.03, [&](std::size_t after, std::size_t before) {
            return spread_of_norms(dump, rows, some, after, before);
        });
    };
    auto of_head = by_norms({0, lanes});
    // an attention factor is of the lanes that rotate
    const LaneRange rotating{asked.rotary_offset, asked.rotary_offset + asked.rotary_dim};
    if (!of_head && rotating.end <= lanes) of_head = by_norms(rotating);
    // what is no rotation keeps no norms, but slow lanes
    if (!of_head && heads <= 64)
        of_head = heads_by(equal, heads, 1, [&](std::size_t after, std::size_t before) {
            return 1 / shared_lanes(dump, rows, {0, lanes}, after, before);
        });
    if (!of_head || std::ranges::is_sorted(*of_head)) return std::nullopt;
    std::vector<std::size_t> order = rows.all();
    for (std::size_t group = 0; group < order.size(); ++group)
        order[group] = rows.batch_of(group) * heads + (*of_head)[rows.head_of(group)];
    return order;
}

NamedMistake order_mistake(const std::vector<std::size_t>& order, const RowGroups& rows) {
    const std::vector<std::size_t> heads(order.begin(),
                                         order.begin() + static_cast<std::ptrdiff_t>(rows.heads()));
    const std::string text = join(heads, [](std::size_t head) { return decimal(head); });
    return {"head-order",
            {{"heads", text}},
            "heads are in another order after the rotation: those of q by number, " + text};
}

}  // namespace rope
