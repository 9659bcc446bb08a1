#include "rope/spec/axis.hpp"

#include <array>
#include <numeric>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"

namespace rope {
namespace {

constexpr std::array<std::pair<AxisScheme, std::string_view>, 10> names{
    {{AxisScheme::single, "single"},
     {AxisScheme::sectioned, "sectioned"},
     {AxisScheme::interleaved, "interleaved"},
     {AxisScheme::interleaved4, "interleaved4"},
     {AxisScheme::axial, "axial"},
     {AxisScheme::halves, "halves"},
     {AxisScheme::blocks, "blocks"},
     {AxisScheme::even_odd, "even_odd"},
     {AxisScheme::alternating, "alternating"},
     {AxisScheme::height_width_time, "height_width_time"}}};

void require_sections(const AxisMap& axes, std::size_t count, std::uint32_t pairs) {
    const std::uint64_t sum =
        std::accumulate(axes.sections.begin(), axes.sections.end(), std::uint64_t{0});
    if ((count == 0 ? !axes.sections.empty() : axes.sections.size() == count) && sum == pairs)
        return;
    throw InputError("mrope_section",
                     "has " + decimal(axes.sections.size()) + " sections with " + decimal(sum) +
                         " pairs in total; they must add up to rotary_dim/2, " + decimal(pairs) +
                         (count == 0 ? "" : ", in " + decimal(count) + " sections"));
}

std::vector<std::uint32_t> sectioned(const AxisMap& axes) {
    std::vector<std::uint32_t> axis;
    for (std::uint32_t a = 0; a < axes.sections.size(); ++a)
        axis.insert(axis.end(), axes.sections[a], a);
    return axis;
}

std::vector<std::uint32_t> interleaved(const AxisMap& axes, std::uint32_t pairs) {
    const std::uint32_t rest = axes.scheme == AxisScheme::interleaved4 ? 3 : 0;
    std::vector<std::uint32_t> axis(pairs);
    for (std::uint32_t j = 0; j < pairs; ++j)
        axis[j] = j < std::uint64_t{3} * axes.sections[j % 3] ? j % 3 : rest;
    return axis;
}

std::vector<std::uint32_t> height_width_time(const AxisMap& axes, std::uint32_t pairs) {
    if (axes.sections[0] != axes.sections[1])
        throw InputError("mrope_section",
                         "has " + decimal(axes.sections[0]) + " pairs of height and " +
                             decimal(axes.sections[1]) +
                             " of width; they take turns, so they must be as many");
    std::vector<std::uint32_t> axis(pairs, 0);
    for (std::uint32_t j = 0; j < 2 * axes.sections[0]; ++j) axis[j] = 1 + j % 2;
    return axis;
}

std::vector<std::uint32_t> two_axes(AxisScheme scheme, std::uint32_t pairs) {
    if (pairs % 2 != 0)
        throw InputError("rotary_dim", "is " + decimal(std::uint64_t{2} * pairs) +
                                           "; two axes need a multiple of 4");
    std::vector<std::uint32_t> axis(pairs);
    for (std::uint32_t j = 0; j < pairs; ++j)
        axis[j] = scheme == AxisScheme::alternating ? j % 2 : j / (pairs / 2);
    return axis;
}

}  // namespace

std::string_view to_string(AxisScheme scheme) {
    for (const auto& [each, name] : names)
        if (each == scheme) return name;
    return "";
}

AxisScheme parse_axis_scheme(std::string_view text) {
    using Name = decltype(names)::value_type;
    return one_of(names, &Name::second, "axis scheme", text).first;
}

bool are_of_images(const AxisMap& axes) {
    constexpr AxisScheme schemes[] = {AxisScheme::axial, AxisScheme::blocks, AxisScheme::even_odd,
                                      AxisScheme::alternating, AxisScheme::halves};
    return std::ranges::count(schemes, axes.scheme) > 0;
}

bool is_column_first(const AxisMap& axes) { return axes.scheme == AxisScheme::alternating; }

std::uint32_t axis_count(const AxisMap& axes) {
    switch (axes.scheme) {
        case AxisScheme::single:
            return 1;
        case AxisScheme::sectioned:
        case AxisScheme::blocks:
            return static_cast<std::uint32_t>(axes.sections.size());
        case AxisScheme::interleaved:
        case AxisScheme::height_width_time:
            return 3;
        case AxisScheme::interleaved4:
            return 4;
        case AxisScheme::axial:
        case AxisScheme::halves:
        case AxisScheme::even_odd:
        case AxisScheme::alternating:
            return 2;
    }
    return 1;
}

std::vector<std::uint32_t> axis_of_pairs(const AxisMap& axes, std::uint32_t pairs) {
    switch (axes.scheme) {
        case AxisScheme::single:
            break;
        case AxisScheme::sectioned:
        case AxisScheme::blocks:
            require_sections(axes, 0, pairs);
            return sectioned(axes);
        case AxisScheme::interleaved:
        case AxisScheme::interleaved4:
            require_sections(axes, axis_count(axes), pairs);
            return interleaved(axes, pairs);
        case AxisScheme::height_width_time:
            require_sections(axes, 3, pairs);
            return height_width_time(axes, pairs);
        case AxisScheme::axial:
        case AxisScheme::halves:
        case AxisScheme::even_odd:
        case AxisScheme::alternating:
            return two_axes(axes.scheme, pairs);
    }
    return std::vector<std::uint32_t>(pairs, 0);
}

std::uint32_t frequency_restarts(const AxisMap& axes) {
    switch (axes.scheme) {
        case AxisScheme::axial:
        case AxisScheme::halves:
        case AxisScheme::alternating:
            return 2;
        case AxisScheme::blocks:
            return static_cast<std::uint32_t>(axes.sections.size());
        default:
            return 1;
    }
}

std::vector<FrequencyStep> frequency_steps(const AxisMap& axes, std::uint32_t pairs) {
    const std::uint32_t half = pairs / 2;
    std::vector<FrequencyStep> steps;
    if (axes.scheme == AxisScheme::blocks)
        for (const std::uint32_t section : axes.sections)
            for (std::uint32_t i = 0; i < section; ++i) steps.push_back({i, 2 * section});
    for (std::uint32_t j = static_cast<std::uint32_t>(steps.size()); j < pairs; ++j)
        switch (axes.scheme) {
            case AxisScheme::axial:
            case AxisScheme::halves:
                steps.push_back({j % half, pairs});
                break;
            case AxisScheme::alternating:
                steps.push_back({j / 2, pairs});
                break;
            case AxisScheme::even_odd:
                steps.push_back({2 * (j % half) + j / half, 2 * pairs});
                break;
            default:
                steps.push_back({j, 2 * pairs});
        }
    return steps;
}

std::vector<std::uint32_t> ladder_widths(const AxisMap& axes, std::uint32_t pairs) {
    std::vector<std::uint32_t> widths;
    for (const FrequencyStep& step : frequency_steps(axes, pairs))
        if (step.index == 0) widths.push_back(step.width);
    return widths;
}

bool is_one_ladder(const AxisMap& axes) {
    return frequency_restarts(axes) == 1 && axes.scheme != AxisScheme::even_odd;
}

}  // namespace rope
