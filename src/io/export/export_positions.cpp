#include <algorithm>
#include <cmath>
#include <functional>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/export/export.hpp"
#include "io/text/number.hpp"
#include "rope/subject/diagnostic_positions.hpp"

namespace rope::io {
namespace {

constexpr std::uint64_t most_streamed = std::uint64_t{1} << 24;  // 128 MiB of positions

// Before `end`, from `first` on in steps; each the double nearest to first + k·step.
void append_steps(std::vector<double>& positions, double first, double end, double step,
                  const std::function<void()>& too_many) {
    for (double k = 0;; ++k) {
        const double position = std::fma(k, step, first);
        if (!(position < end)) return;
        if (positions.size() == most_streamed) too_many();
        positions.push_back(position);
    }
}

std::vector<std::string> parts_of(const std::string& range) {
    std::vector<std::string> parts{""};
    for (const char c : range) {
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

}  // namespace

std::vector<double> parse_positions(std::string_view field, const std::string& text) {
    const auto refuse = [&](const std::string& part, const std::string& why) {
        throw InputError(std::string(field) + ": '" + printable(part, 60) + "' " + why);
    };
    const auto too_many = [&] {
        refuse(text, "has more than " + decimal(most_streamed) + " positions");
    };
    std::vector<double> positions;
    for (const std::string& part : split_list(text)) {
        std::vector<double> numbers;
        for (const std::string& number : parts_of(part)) {
            numbers.push_back(parse_real(field, number));
            if (!(std::abs(numbers.back()) <= static_cast<double>(max_context)))
                refuse(number, "is not between -2^32 and 2^32");
        }
        if (numbers.size() > 3) refuse(part, "is not a number, A:B or A:B:STEP");
        if (numbers.size() == 3 && !(numbers[2] > 0))
            refuse(part, "has a step that is not above 0");
        if (numbers.size() > 1 && !(numbers[0] < numbers[1]))
            refuse(part, "contains no position; A:B runs from A to before B");
        if (numbers.size() > 1)
            append_steps(positions, numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 1,
                         too_many);
        else if (std::abs(numbers[0]) == static_cast<double>(max_context))
            refuse(part, "is not between -2^32 and 2^32");
        else if (positions.size() == most_streamed)
            too_many();
        else
            positions.push_back(numbers[0]);
    }
    return positions;
}

PositionsByAxis parse_grid(std::string_view field, const std::string& text, const AxisMap& axes) {
    const std::uint32_t count = axis_count(axes);
    if (count == 1)
        throw InputError(std::string(field) +
                         ": the Spec has one axis; a grid needs one of two or more, such as "
                         "--axis-map axial");
    const std::size_t cross = text.find('x');
    if (cross == text.npos)
        throw InputError(std::string(field) + ": '" + printable(text, 60) +
                         "' is not HEIGHTxWIDTH, such as 24x24");
    const std::uint64_t height = parse_whole(field, text.substr(0, cross), 1, most_streamed);
    const std::uint64_t width = parse_whole(field, text.substr(cross + 1), 1, most_streamed);
    if (height * width > most_streamed)
        throw InputError(std::string(field) + ": '" + text + "' has more than " +
                         decimal(most_streamed) + " positions");
    PositionsByAxis positions(count, std::vector<double>(height * width));
    for (std::uint64_t t = 0; t < height * width; ++t) {
        const GridPosition at = grid_position(t, width);
        positions[count == 2 ? 0 : 2][t] = static_cast<double>(at.x);
        positions[1][t] = static_cast<double>(at.y);
    }
    return positions;
}

std::vector<std::uint64_t> default_positions(std::uint64_t context) {
    std::vector<std::uint64_t> positions;
    for (const std::uint64_t m : diagnostic_positions)
        if (m < context) positions.push_back(m);
    for (const std::uint64_t before : {2u, 1u})
        if (context >= before) positions.push_back(context - before);
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
}

}  // namespace rope::io
