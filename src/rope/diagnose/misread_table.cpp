// Ways in which a table of cos and sin is stored in one order and read in another.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/decimal.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/changes/reading.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/evidence/rows.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {
namespace {

// The order in which the values of one position are stored, for h columns.
enum class Stored {
    apart,        // c0 c1 … and s0 s1 …, in two tables
    halves,       // c0 c1 … s0 s1 …
    pairs,        // c0 s0 c1 s1 …
    sine_halves,  // s0 s1 … c0 c1 …
    sine_pairs,   // s0 c0 s1 c1 …
    doubled,      // c0 c1 … c0 c1 … s0 s1 … s0 s1 …
};

// cos of pair i at position p is read at index p·stride + cos_from + i·step; sin at sin_from + ….
struct TableRead {
    Stored stored = Stored::halves;
    std::int64_t stride = 0, cos_from = 0, sin_from = 0, step = 1;
    auto operator<=>(const TableRead&) const = default;
};

// The table entry at an index. A negative position is before the table.
struct ReadEntry {
    std::int64_t position;
    std::uint32_t column;
    bool is_sin;
    bool operator==(const ReadEntry&) const = default;
};

std::int64_t width_of(Stored stored, std::int64_t columns) {
    return stored == Stored::apart     ? columns
           : stored == Stored::doubled ? 4 * columns
                                       : 2 * columns;
}

const char* order_of(Stored stored) {
    return stored == Stored::pairs         ? "c0 s0 c1 s1 …"
           : stored == Stored::halves      ? "c0 c1 … s0 s1 …"
           : stored == Stored::sine_halves ? "s0 s1 … c0 c1 …"
           : stored == Stored::sine_pairs  ? "s0 c0 s1 c1 …"
                                           : "c0 c1 … c0 c1 … s0 s1 … s0 s1 …";
}

ReadEntry entry_at(Stored stored, std::uint32_t columns, std::int64_t value, bool of_sines) {
    const std::int64_t width = width_of(stored, columns), h = columns;
    const std::int64_t position = (value >= 0 ? value : value - width + 1) / width;
    const std::int64_t at = value - position * width;
    const bool sine_first = stored == Stored::sine_halves || stored == Stored::sine_pairs;
    if (stored == Stored::pairs || stored == Stored::sine_pairs)
        return {position, static_cast<std::uint32_t>(at / 2), (at % 2 == 1) != sine_first};
    return {position, static_cast<std::uint32_t>(at % h),
            stored == Stored::apart ? of_sines : (at >= width / 2) != sine_first};
}
ReadEntry read_cos(const TableRead& read, std::uint32_t columns, std::int64_t position,
                   std::uint32_t pair);
ReadEntry read_sin(const TableRead& read, std::uint32_t columns, std::int64_t position,
                   std::uint32_t pair);

bool is_right(const TableRead& read, std::uint32_t columns, std::uint32_t pairs) {
    if (pairs != columns) return false;
    for (const std::int64_t m : {1, 2})
        for (const std::uint32_t pair : {0U, pairs - 1})
            if (read_cos(read, columns, m, pair) != ReadEntry{m, pair, false} ||
                read_sin(read, columns, m, pair) != ReadEntry{m, pair, true})
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

ReadEntry read_cos(const TableRead& read, std::uint32_t columns, std::int64_t position,
                   std::uint32_t pair) {
    return entry_at(read.stored, columns,
                    position * read.stride + read.cos_from + read.step * std::int64_t{pair}, false);
}

ReadEntry read_sin(const TableRead& read, std::uint32_t columns, std::int64_t position,
                   std::uint32_t pair) {
    return entry_at(read.stored, columns,
                    position * read.stride + read.sin_from + read.step * std::int64_t{pair}, true);
}

// Returns the wrong ways to read the Spec's table for this number of pairs, simplest first.
std::vector<TableRead> wrong_reads(const Spec& asked, std::uint32_t pairs) {
    const std::int64_t h = asked.pairs(), w = 2 * h, head = asked.head_dim, own = pairs;
    std::vector<TableRead> all;
    for (const std::int64_t by : {h, -h, std::int64_t{1}, std::int64_t{-1}})
        all.push_back({Stored::apart, h, 0, by, 1});
    for (const std::int64_t from : {std::int64_t{0}, h})
        all.push_back({Stored::halves, w, from, from, 1});
    for (const Stored stored : {Stored::halves, Stored::pairs, Stored::doubled}) {
        const std::int64_t width = width_of(stored, h);
        for (const std::int64_t stride :
             {width, 2 * own, head, width / 2, 2 * width, 2 * head, padded(width)}) {
            all.push_back({stored, stride, 0, 1, 2});
            for (const std::int64_t sin :
                 {own, h, head / 2, head, padded(w) / 2, width / 2, width, h + 1, h - 1})
                all.push_back({stored, stride, 0, sin, 1});
        }
    }
    // rows that begin with the sine, with cos and sin in either order
    for (const Stored stored : {Stored::sine_halves, Stored::sine_pairs})
        for (const auto& [cos, sin, step] : {std::tuple{std::int64_t{1}, std::int64_t{0}, 2},
                                             {std::int64_t{0}, std::int64_t{1}, 2},
                                             {h, std::int64_t{0}, 1},
                                             {std::int64_t{0}, h, 1}})
            all.push_back({stored, w, cos, sin, step});
    // the reverse: rows that begin with the cosine, read as if with the sine
    for (const Stored stored : {Stored::halves, Stored::pairs}) {
        all.push_back({stored, w, 1, 0, 2});
        all.push_back({stored, w, h, 0, 1});
    }
    std::set<TableRead> tried;
    std::erase_if(all, [&](const TableRead& one) {
        return is_right(one, asked.pairs(), pairs) || !tried.insert(one).second;
    });
    return all;
}

// "sin of position m + 1 goes with cos of m"
std::string words_of(const TableRead& read, std::uint32_t columns, std::uint32_t pairs) {
    const std::int64_t h = columns, width = width_of(read.stored, h);
    if (read.stored == Stored::apart)
        return std::abs(read.sin_from) == h ? one_of("position", "m", read.sin_from)
                                            : one_of("pair", "i", read.sin_from);
    std::string words;
    if (pairs != columns)
        words = decimal(2 * pairs) + " dimensions are rotated by a table for " +
                decimal(2 * columns) + ": ";
    if (read.stored == Stored::halves && read.cos_from == read.sin_from)
        return words + (read.cos_from == 0 ? "cos is read for sin" : "sin is read for cos");
    words += std::string("a row of the table is ") + order_of(read.stored) + ", " + values(width) +
             ", and is read as ";
    words += read.step == 2
                 ? order_of(read.cos_from == 0 ? Stored::pairs : Stored::sine_pairs)
                 : "cos from value " + decimal(static_cast<std::uint64_t>(read.cos_from)) +
                       " and sin from value " + decimal(static_cast<std::uint64_t>(read.sin_from)) +
                       " on";
    if (read.stride != width) words += ", rows " + values(read.stride) + " apart";
    return words;
}

// Least number of compared values: fewer may fit a wrong way to read by chance.
constexpr std::size_t least_distinguishable_values = 24;

// The values of the Spec's table, for amplitude 1. Caches rows.
class Truth {
  public:
    explicit Truth(const Spec& asked)
        : rows_(turn_rates(plan_frequencies(asked, exact_precision).pairs)),
          columns_(asked.pairs()) {}

    double operator()(const ReadEntry& at) {
        constexpr std::size_t most_values = std::size_t{1} << 20;
        if (values_.size() * 2 * columns_ > most_values) values_.clear();
        std::vector<double>& row = values_[at.position];
        if (row.empty()) {
            row.resize(2 * std::size_t{columns_});
            rows_.fill_row(static_cast<std::uint64_t>(at.position), row.data(),
                           row.data() + columns_);
        }
        return row[at.column + (at.is_sin ? columns_ : 0)];
    }

  private:
    ExactRows rows_;
    std::uint32_t columns_;
    std::unordered_map<std::int64_t, std::vector<double>> values_;
};

// The Spec's table and the hypothesis that gives a dump's tolerances.
struct Table {
    Truth truth;
    Hypothesis asked;
    std::uint32_t columns;
};

// Compares rows of a dump with ways to read the table.
class Judging {
  public:
    Judging(const Samples& samples, Table& table) : samples_(samples), table_(table) {}

    // Returns the largest error divided by its tolerance; infinite above 1.
    double error(const TableRead& read) const {
        double worst = 0;
        every_value(read, [&](std::size_t k, std::int64_t, const ReadEntry& c, const ReadEntry& s) {
            const Polar z{samples_.modulus[k] / table_.asked.amplitude, samples_.angle[k]};
            const double one = distance(z, table_.truth(c), table_.truth(s)) / allowed(c, s);
            worst = one <= 1 ? std::max(worst, one) : HUGE_VAL;
            return worst <= 1;
        });
        return worst;
    }

    // Returns the number of values that differ clearly from the Spec's in their place.
    std::size_t count_distinguishable_values(const TableRead& read) const {
        std::size_t count = 0;
        every_value(read,
                    [&](std::size_t k, std::int64_t m, const ReadEntry& c, const ReadEntry& s) {
                        const auto pair = static_cast<std::uint32_t>(k % samples_.pairs);
                        const bool is_apart =
                            pair >= table_.columns ||
                            std::max(std::abs(table_.truth(c) - table_.truth({m, pair, false})),
                                     std::abs(table_.truth(s) - table_.truth({m, pair, true}))) >
                                4 * allowed(c, s);
                        count += is_apart ? 1 : 0;
                        return true;
                    });
        return count;
    }

  private:
    struct Polar {
        double modulus, angle;
    };
    // |z − (c + i·s)|² = (|z| − |c + i·s|)² + |z|·|c + i·s|·chord²
    static double distance(const Polar& z, double c, double s) {
        const double modulus = portable::hypot(c, s);
        const double across = modulus == 0 ? 0 : chord(z.angle - portable::atan2(s, c));
        return portable::hypot(z.modulus - modulus, std::sqrt(z.modulus * modulus) * across);
    }
    // The rounding is relative to the modulus of c + i·s, at most √2.
    double allowed(const ReadEntry& c, const ReadEntry& s) const {
        const auto of_angle = [&](const ReadEntry& at) {
            return angle_allowance(samples_, table_.asked, static_cast<double>(at.position),
                                   at.column);
        };
        return std::numbers::sqrt2 *
               (stored_allowance(samples_, table_.asked) + std::max(of_angle(c), of_angle(s)));
    }
    // Calls look() for every value until it returns false. Values read from before the table are
    // unknown and left out.
    template <class Look>
    void every_value(const TableRead& read, const Look& look) const {
        for (std::size_t k = 0; k < samples_.modulus.size(); ++k) {
            if (Samples::is_left_out(samples_.modulus[k])) continue;
            const auto m = static_cast<std::int64_t>(samples_.position(k / samples_.pairs, 0));
            const auto pair = static_cast<std::uint32_t>(k % samples_.pairs);
            const ReadEntry c = read_cos(read, table_.columns, m, pair),
                            s = read_sin(read, table_.columns, m, pair);
            if (c.position >= 0 && s.position >= 0 && !look(k, m, c, s)) return;
        }
    }

    const Samples& samples_;
    Table& table_;
};

// The error of every row of the part, in batches.
double error_of_all(const TableRead& read, const DumpReading& reading, const DumpPart& part,
                    Table& table) {
    DumpPart some = part;
    double worst = 0;
    for (const std::size_t group : part.groups)
        for (std::uint64_t from = 0; from < part.rows.length(); from += most_samples) {
            some.sampled.clear();
            const std::uint64_t end =
                std::min<std::uint64_t>(from + most_samples, part.rows.length());
            for (std::uint64_t index = from; index < end; ++index)
                some.sampled.push_back(part.rows.row(group, index));
            const Samples samples = samples_of(reading, some);
            if (samples.modulus.empty()) continue;
            worst = std::max(worst, Judging(samples, table).error(read));
            if (!(worst <= 1)) return HUGE_VAL;
        }
    return worst;
}

// Readings of the Spec's pairs, and of more or fewer pairs as with another width.
std::vector<DumpReading> readings_of_widths(const Spec& asked, const DumpPart& part,
                                            const CheckOutcome& judgement) {
    std::vector<DumpReading> all;
    std::set<std::uint32_t> tried;
    for (const std::uint32_t dim : {asked.rotary_dim, asked.head_dim, asked.head_dim / 2}) {
        if (dim < 2 || dim % 2 != 0 || !tried.insert(dim).second) continue;
        const auto other = with_rotary_dim(asked, dim, asked.head_dim);
        if (!other) continue;
        auto own = own_reading(*other, part, judgement);
        if (own && own->leaves_other_lanes_unchanged) all.push_back(std::move(*own));
    }
    return all;
}

// Whether positions are whole and small enough that position·stride fits 64 bits.
bool has_whole_positions(const DumpPart& part) {
    return every_row(part, [&](std::size_t row) {
        const double m = part.rows.position(row);
        return m >= 0 && m <= 0x1p32 && m == std::floor(m);
    });
}

bool could_be_misread(const Spec& asked, const DumpPart& part) {
    return asked.axes.scheme == AxisScheme::single && asked.rotary_offset == 0 &&
           part.mistakes.empty() && has_whole_positions(part);
}

FieldValue number(std::int64_t value) {
    if (value < 0) return static_cast<double>(value);
    return static_cast<std::uint64_t>(value);
}

Explanation explained(const std::vector<TableRead>& fitting, const Table& table,
                      std::uint32_t pairs, double before, double after) {
    const TableRead& read = fitting.front();
    Parameters parameters;
    for (const auto& [name, value] : {std::pair{"stride", read.stride},
                                      {"cos_from", read.cos_from},
                                      {"sin_from", read.sin_from},
                                      {"step", read.step}})
        parameters.emplace_back(name, number(value));
    std::vector<std::string> others;
    for (std::size_t k = 1; k < fitting.size(); ++k)
        others.push_back("table-indexing " + words_of(fitting[k], table.columns, pairs));
    return explanation_of(named("table-indexing", std::move(parameters),
                                {{"read", words_of(read, table.columns, pairs)}}),
                          before, after, std::move(others));
}

}  // namespace

std::optional<Explanation> explain_misread_table(const Spec& asked, const DumpPart& part,
                                                 const CheckOutcome& judgement) {
    if (!could_be_misread(asked, part)) return std::nullopt;
    const Frequencies plan = frequencies_of(asked);
    Table table{Truth(asked), {plan.theta, plan.angle_k, {}, plan.amplitude}, asked.pairs()};
    for (const DumpReading& reading : readings_of_widths(asked, part, judgement)) {
        table.asked.rounding.table = reading.samples.narrow.value_or(Format::float64);
        const Judging judging(reading.samples, table);
        std::vector<TableRead> fitting;
        double after = 0;
        for (const TableRead& read : wrong_reads(asked, reading.samples.pairs)) {
            if (!(judging.error(read) <= 1) ||
                judging.count_distinguishable_values(read) < least_distinguishable_values)
                continue;
            const double worst = error_of_all(read, reading, part, table);
            if (!(worst <= 1)) continue;
            if (fitting.empty()) after = worst;
            fitting.push_back(read);
        }
        if (!fitting.empty())
            return explained(
                fitting, table, reading.samples.pairs,
                reading.samples.pairs == asked.pairs() ? asked_misfit(reading) : HUGE_VAL, after);
    }
    return std::nullopt;
}

}  // namespace rope
