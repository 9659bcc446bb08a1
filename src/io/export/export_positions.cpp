#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <ranges>
#include <utility>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/export/export.hpp"
#include "io/text/number.hpp"
#include "rope/subject/row_source.hpp"

namespace rope::io {
namespace {

using Range = RowPositions::Range;
using Axis = RowPositions::Axis;

Axis axis_of(const std::vector<double>& positions) {
    std::vector<Range> list;
    for (const double position : positions) list.push_back({.first = position});
    return Axis(std::move(list));
}

std::optional<double> first_not_whole(const Range& range, double least) {
    const auto fits = [least](double m) { return m >= least && m == std::trunc(m); };
    if (!fits(range.first)) return range.first;
    if (range.step == std::trunc(range.step)) return std::nullopt;
    // a fractional step leaves the whole numbers within a few steps
    for (std::uint64_t k = 1; k < range.count; ++k)
        if (!fits(range.at(k))) return range.at(k);
    return std::nullopt;
}

// Positions from `first` in steps up to, not including, `end`; none if there are more than `most`.
// Rounded positions ascend as well.
std::optional<RowPositions::Range> range_before(double first, double end, double step,
                                                std::uint64_t most) {
    const RowPositions::Range range{first, step, 0};
    const auto from_zero = std::views::iota(std::uint64_t{0}, most + 1);
    const auto count =
        std::ranges::partition_point(from_zero, [&](std::uint64_t k) { return range.at(k) < end; });
    if (count == from_zero.end()) return std::nullopt;
    return RowPositions::Range{first, step, *count};
}

std::vector<std::string> parts_of(const std::string& range) {
    std::vector<std::string> parts{""};
    for (const char c : range)
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

// "4k" is 4096.
double position_of(std::string_view field, const std::string& number) {
    const bool has_unit = number.ends_with('k') || number.ends_with('K') || number.ends_with('M');
    return has_unit ? static_cast<double>(parse_whole(field, number, 0, max_context))
                    : parse_real(field, number);
}

}  // namespace

double Range::at(std::uint64_t k) const { return std::fma(static_cast<double>(k), step, first); }

Axis::Axis(std::vector<Range> ranges, std::uint64_t times_each)
    : list(std::move(ranges)), each(times_each) {
    std::uint64_t end = 0;
    for (const Range& range : list) ends.push_back(end += range.count);
}

double Axis::at(std::uint64_t row) const {
    const std::uint64_t k = row / each % ends.back();
    const auto r = static_cast<std::size_t>(std::ranges::upper_bound(ends, k) - ends.begin());
    return list[r].at(k - (ends[r] - list[r].count));
}

RowPositions::RowPositions(std::uint64_t rows, std::vector<Axis> axes)
    : rows_(rows), axes_(std::move(axes)) {}

RowPositions::RowPositions(const PositionsByAxis& lists) : rows_(lists.front().size()) {
    for (const std::vector<double>& list : lists) axes_.push_back(axis_of(list));
}

RowPositions RowPositions::from_zero(std::uint64_t rows) { return {rows, {Axis({{0, 1, rows}})}}; }

RowPositions RowPositions::on(const AxisMap& axes) const {
    if (axes.scheme != AxisScheme::interleaved4 || axes_.size() != 1) return *this;
    RowPositions all = *this;
    all.axes_.resize(3, axes_.front());
    all.axes_.push_back(Axis({{0, 1, 1}}));
    return all;
}

PositionsByAxis RowPositions::at(std::uint64_t first, std::uint64_t count) const {
    PositionsByAxis positions(axes_.size());
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
        for (std::uint64_t r = first; r < first + count; ++r)
            positions[axis].push_back(axes_[axis].at(r % rows_));
    return positions;
}

std::uint64_t RowPositions::context() const {
    std::uint64_t context = 0;
    for (const Axis& axis : axes_)
        for (const Range& range : axis.list)
            context =
                std::max(context, context_of(std::array{range.first, range.at(range.count - 1)}));
    return context;
}

std::optional<double> RowPositions::first_not_whole(double least) const {
    for (const Axis& axis : axes_)
        for (const Range& range : axis.list)
            if (const auto found = io::first_not_whole(range, least)) return found;
    return std::nullopt;
}

RowPositions parse_positions(std::string_view field, const std::string& text) {
    const auto refuse = [&](const std::string& part, const std::string& why) {
        throw InputError(std::string(field), ": '" + printable(part, 60) + "' " + why);
    };
    std::vector<RowPositions::Range> ranges;
    std::uint64_t rows = 0;
    for (const std::string& part : split_list(text)) {
        std::vector<double> numbers;
        for (const std::string& number : parts_of(part)) {
            numbers.push_back(position_of(field, number));
            if (!(std::abs(numbers.back()) <= static_cast<double>(max_context)))
                refuse(number, "is not between -2^32 and 2^32");
        }
        if (numbers.size() > 3) refuse(part, "is not a number, A:B or A:B:STEP");
        if (numbers.size() == 3 && !(numbers[2] > 0))
            refuse(part, "has a step that is not above 0");
        if (numbers.size() > 1 && !(numbers[0] < numbers[1]))
            refuse(part, "contains no position; A:B runs from A to before B");
        if (numbers.size() == 1 && std::abs(numbers[0]) == static_cast<double>(max_context))
            refuse(part, "is not between -2^32 and 2^32");
        const double step = numbers.size() == 3 ? numbers[2] : 1;
        const double end = numbers.size() == 1 ? numbers[0] + 1 : numbers[1];
        const auto range = range_before(numbers[0], end, step, max_context - rows);
        if (!range) refuse(text, "has more than " + decimal(max_context) + " positions");
        ranges.push_back(*range);
        rows += range->count;
    }
    return {rows, {RowPositions::Axis(std::move(ranges))}};
}

RowPositions parse_grid(std::string_view field, const std::string& text, const AxisMap& axes) {
    const std::uint32_t count = axis_count(axes);
    if (count == 1)
        throw InputError(std::string(field) +
                         ": the config has one axis; a grid needs one of two or more, such as "
                         "--rope axes=axial");
    const std::size_t cross = text.find('x');
    if (cross == text.npos)
        throw InputError(std::string(field),
                         ": '" + printable(text, 60) + "' is not HEIGHTxWIDTH, such as 24x24");
    const std::uint64_t height = parse_whole(field, text.substr(0, cross), 1, max_context);
    const std::uint64_t width = parse_whole(field, text.substr(cross + 1), 1, max_context);
    if (height > max_context / width)
        throw InputError(std::string(field),
                         ": '" + text + "' has more than " + decimal(max_context) + " positions");
    const Axis x({{0, 1, width}}), y({{0, 1, height}}, width), zero({{0, 1, 1}});
    if (count == 2) return {height * width, {x, y}};
    std::vector<Axis> all(count, zero);
    all[1] = y;
    all[2] = x;
    return {height * width, std::move(all)};
}

std::vector<std::uint64_t> default_positions(std::uint64_t context) {
    std::vector<std::uint64_t> positions;
    for (const std::uint64_t m : diagnostic_positions)
        if (m < context) positions.push_back(m);
    for (const std::uint64_t before : {2u, 1u})
        if (context >= before) positions.push_back(context - before);
    std::ranges::sort(positions);
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
}

}  // namespace rope::io
