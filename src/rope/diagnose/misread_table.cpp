// Ways to store a table of cos and sin, and to read it otherwise.
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <tuple>

#include "base/decimal.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

// The order of the values of a position, of h columns.
struct Stored {
    std::int64_t width;  // in columns
    bool are_pairs, sine_first;
    std::string_view order;
};
constexpr Stored apart{1, false, false, ""};  // c0 c1 … and s0 s1 …, in two tables
constexpr Stored halves{2, false, false, "c0 c1 … s0 s1 …"};
constexpr Stored pairs_of_both{2, true, false, "c0 s0 c1 s1 …"};
constexpr Stored sine_halves{2, false, true, "s0 s1 … c0 c1 …"};
constexpr Stored sine_pairs{2, true, true, "s0 c0 s1 c1 …"};
constexpr Stored doubled{4, false, false, "c0 c1 … c0 c1 … s0 s1 … s0 s1 …"};

// cos of pair i at position p is value p·stride + cos_from + i·step of all.
struct TableRead {
    const Stored* stored = &halves;
    std::int64_t stride = 0, cos_from = 0, sin_from = 0, step = 1;
    auto operator<=>(const TableRead&) const = default;
};

TableEntry entry_at(const Stored& stored, std::uint32_t columns, std::int64_t value,
                    bool of_sines) {
    const std::int64_t h = columns, width = stored.width * h;
    const std::int64_t position = (value >= 0 ? value : value - width + 1) / width;
    const std::int64_t at = value - position * width;
    const bool is_second = stored.are_pairs ? at % 2 == 1 : at >= width / 2;
    return {static_cast<double>(position),
            static_cast<std::uint32_t>(stored.are_pairs ? at / 2 : at % h),
            stored.width == 1 ? of_sines : is_second != stored.sine_first};
}

TableEntries entries_at(const TableRead& read, std::uint32_t columns, double position,
                        std::uint32_t pair) {
    const std::int64_t start = static_cast<std::int64_t>(position) * read.stride;
    const std::int64_t column = read.step * std::int64_t{pair};
    return {entry_at(*read.stored, columns, start + read.cos_from + column, false),
            entry_at(*read.stored, columns, start + read.sin_from + column, true)};
}

bool is_right(const TableRead& read, std::uint32_t columns, std::uint32_t pairs) {
    if (pairs != columns) return false;
    for (const double m : {1.0, 2.0})
        for (const std::uint32_t pair : {0U, pairs - 1})
            if (entries_at(read, columns, m, pair) !=
                TableEntries{{{m, pair, false}, {m, pair, true}}})
                return false;
    return true;
}

std::int64_t padded(std::int64_t width) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(width)));
}

std::string values(std::int64_t count) {
    return decimal(static_cast<std::uint64_t>(count)) + (count == 1 ? " value" : " values");
}

std::string one_of(const char* of, const char* what, std::int64_t by) {
    return std::string("sin of ") + of + " " + what + (by > 0 ? " + 1" : " − 1") +
           " goes with cos of " + what;
}

// Returns the wrong ways to read the Spec's table for this number of pairs, simplest first.
std::vector<TableRead> wrong_reads(const Spec& asked, std::uint32_t pairs) {
    const std::int64_t h = asked.pairs(), w = 2 * h, head = asked.head_dim, own = pairs;
    std::vector<TableRead> all;
    for (const std::int64_t by : {h, -h, std::int64_t{1}, std::int64_t{-1}})
        all.push_back({&apart, h, 0, by, 1});
    for (const std::int64_t from : {std::int64_t{0}, h}) all.push_back({&halves, w, from, from, 1});
    for (const Stored* stored : {&halves, &pairs_of_both, &doubled}) {
        const std::int64_t width = stored->width * h;
        for (const std::int64_t stride :
             {width, 2 * own, head, width / 2, 2 * width, 2 * head, padded(width)}) {
            all.push_back({stored, stride, 0, 1, 2});
            for (const std::int64_t sin :
                 {own, h, head / 2, head, padded(w) / 2, width / 2, width, h + 1, h - 1})
                all.push_back({stored, stride, 0, sin, 1});
        }
    }
    // a row that begins with the sine, and cos and sin of it in one order or the other
    for (const Stored* stored : {&sine_halves, &sine_pairs})
        for (const auto& [cos, sin, step] : {std::tuple{std::int64_t{1}, std::int64_t{0}, 2},
                                             {std::int64_t{0}, std::int64_t{1}, 2},
                                             {h, std::int64_t{0}, 1},
                                             {std::int64_t{0}, h, 1}})
            all.push_back({stored, w, cos, sin, step});
    std::set<TableRead> tried;
    std::erase_if(all, [&](const TableRead& one) {
        return is_right(one, asked.pairs(), pairs) || !tried.insert(one).second;
    });
    return all;
}

// "sin of position m + 1 goes with cos of m"
std::string words_of(const TableRead& read, std::uint32_t columns, std::uint32_t pairs) {
    const std::int64_t h = columns, width = read.stored->width * h;
    if (read.stored == &apart)
        return std::abs(read.sin_from) == h ? one_of("position", "m", read.sin_from)
                                            : one_of("pair", "i", read.sin_from);
    std::string words;
    if (pairs != columns)
        words = decimal(2 * pairs) + " dimensions are rotated by a table for " +
                decimal(2 * columns) + ": ";
    if (read.stored == &halves && read.cos_from == read.sin_from)
        return words + (read.cos_from == 0 ? "cos is read for sin" : "sin is read for cos");
    words += "a row of the table is " + std::string(read.stored->order) + ", " + values(width) +
             ", and is read as ";
    words += read.step == 2
                 ? std::string((read.cos_from == 0 ? pairs_of_both : sine_pairs).order)
                 : "cos from value " + decimal(static_cast<std::uint64_t>(read.cos_from)) +
                       " and sin from value " + decimal(static_cast<std::uint64_t>(read.sin_from)) +
                       " on";
    if (read.stride != width) words += ", rows " + values(read.stride) + " apart";
    return words;
}

// Fewer values than these a wrong way to read explains by chance.
constexpr std::size_t least_distinguishable_values = 24;

// The Spec's table of so many columns, in some rows of a view.
Hypothesis by_table(const Spec& asked, const DumpView& view, const TableRead& read) {
    Hypothesis table = by_stored(view, frequencies_of(asked));
    table.read = [read, columns = asked.pairs()](double position, std::uint32_t pair) {
        return entries_at(read, columns, position, pair);
    };
    return table;
}

// Sampled values that are far from the table's values in their place.
std::size_t count_distinguishable_values(const Samples& samples, const Hypothesis& table) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < samples.modulus.size(); ++k) {
        const auto pair = static_cast<std::uint32_t>(k % samples.pairs);
        const double m = samples.position(k / samples.pairs, 0);
        const TableEntries own = table.read(m, pair);
        const double allowed = 4 * read_tolerance(samples, table, own);
        if (Samples::is_left_out(samples.modulus[k]) || !std::isfinite(allowed)) continue;
        const auto is_apart = [&](const TableEntry& entry, const TableEntry& right) {
            return std::abs(value_of(table, entry) - value_of(table, right)) > allowed;
        };
        count += pair >= table.theta.size() || is_apart(own[0], {m, pair, false}) ||
                         is_apart(own[1], {m, pair, true})
                     ? 1
                     : 0;
    }
    return count;
}

// The largest error of any row over its tolerance; infinite beyond 1.
double error_of(const Hypothesis& table, const DumpView& view, const DumpPart& part) {
    RowErrors rows = row_errors(view, part, table);
    // the last row first: near position 0 many tables are alike
    for (std::size_t k = part.sampled.size(); k-- > 0;)
        if (!(rows.error_within(part.sampled[k]) <= 1)) return HUGE_VAL;
    double worst = 0;
    for (const GroupErrors& errors : rows.sweep(part.groups, 0, part.threads)) {
        if (errors.wrong > 0) return HUGE_VAL;
        worst = std::max(worst, errors.worst);
    }
    return worst;
}

// Views by which the Spec's own pairs turn, and by which more or fewer do as of another width.
Views readings_of_widths(const Spec& asked, const DumpPart& part, const CheckFacts& checked) {
    Views all;
    std::set<std::uint32_t> tried;
    for (const std::uint32_t dim : {asked.rotary_dim, asked.head_dim, asked.head_dim / 2}) {
        if (dim < 2 || dim % 2 != 0 || !tried.insert(dim).second) continue;
        const auto other = with_rotary_dim(asked, dim);
        if (!other) continue;
        auto own = own_view(*other, part, checked);
        if (own && own->leaves_other_dimensions_unchanged) all.push_back(std::move(*own));
    }
    return all;
}

// Whole positions times any stride are numbers of 64 bits.
bool could_be_misread(const Spec& asked, const DumpPart& part) {
    return asked.axes.scheme == AxisScheme::single && asked.rotary_offset == 0 &&
           part.mistakes.empty() &&
           every_row(part, [&](std::size_t row) { return is_whole(part.rows.position(row)); });
}

Explanation explained(const std::vector<TableRead>& fitting, std::uint32_t columns,
                      std::uint32_t pairs, double before, double after) {
    const TableRead& read = fitting.front();
    Parameters parameters;
    for (const auto& [name, value] : {std::pair{"stride", read.stride},
                                      {"cos_from", read.cos_from},
                                      {"sin_from", read.sin_from},
                                      {"step", read.step}})
        parameters.emplace_back(name, value < 0 ? FieldValue(static_cast<double>(value))
                                                : static_cast<std::uint64_t>(value));
    std::vector<std::string> others;
    for (std::size_t k = 1; k < fitting.size(); ++k)
        others.push_back("table-indexing " + words_of(fitting[k], columns, pairs));
    return explanation_of(
        named("table-indexing", std::move(parameters), {{"read", words_of(read, columns, pairs)}}),
        before, after, std::move(others));
}

}  // namespace

std::optional<Explanation> explain_misread_table(const Spec& asked, const DumpPart& part,
                                                 const CheckFacts& checked) {
    if (!could_be_misread(asked, part)) return std::nullopt;
    for (const DumpView& view : readings_of_widths(asked, part, checked)) {
        const std::uint32_t pairs = view.samples.pairs;
        std::vector<TableRead> fitting;
        double after = 0;
        for (const TableRead& read : wrong_reads(asked, pairs)) {
            const Hypothesis table = by_table(asked, view, read);
            const double worst = error_of(table, view, part);
            if (!(worst <= 1) ||
                count_distinguishable_values(view.samples, table) < least_distinguishable_values)
                continue;
            if (fitting.empty()) after = worst;
            fitting.push_back(read);
        }
        if (!fitting.empty())
            return explained(fitting, asked.pairs(), pairs,
                             pairs == asked.pairs() ? asked_misfit(view) : HUGE_VAL, after);
    }
    return std::nullopt;
}

}  // namespace rope
