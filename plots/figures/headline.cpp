#include "plots/figures/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/grouped.hpp"
#include "base/text.hpp"

namespace rope::plots {
namespace {

std::string all_of(const std::vector<Event>& events) {
    return events.size() > 2 ? fmt::format("all {}", events.size())
                             : join(events, &Event::of, " and ");
}

}  // namespace

std::string headline(const std::string& what, const std::string& verb,
                     std::span<const Event> events, std::uint64_t searched_to) {
    std::vector<Event> found, never;
    for (const Event& event : events) (event.at ? found : never).push_back(event);
    if (found.empty())
        return fmt::format("{} never {} up to s = {}", what, verb, grouped(searched_to));
    const auto [first, last] = std::ranges::minmax_element(found, {}, &Event::at);
    const auto at = [](const Event& event) {
        return fmt::format("{} with {}", grouped(*event.at), event.of);
    };
    const bool is_same = first->at == last->at;
    std::string text = fmt::format(
        "{} first {} at s = {}", what, verb,
        is_same ? fmt::format("{} with {}", grouped(*first->at), all_of(found)) : at(*first));
    if (!is_same) text += (found.size() > 2 ? " to " : ", at ") + at(*last);
    if (never.empty()) return text;
    return text + fmt::format(", never up to {} with {}", grouped(searched_to),
                              never.size() > 2 ? fmt::format("{} others", never.size())
                                               : join(never, &Event::of, " or "));
}

}  // namespace rope::plots
