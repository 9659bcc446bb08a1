// A figure's title: what it found, not what it draws.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace rope::plots {

// Where something first happens to one of the Specs; empty: not as far as was searched.
struct Event {
    std::string of;
    std::optional<std::uint64_t> at;
};

// "Score of two equal tokens first rises at s = 12 with base θ, at 7,328 with scaled θ"; of more
// than two from the first to the last of them, then "never up to 16,384 with" the others; of none
// "… never rises up to s = 16,384".
std::string headline(const std::string& what, const std::string& verb,
                     std::span<const Event> events, std::uint64_t searched_to);

}  // namespace rope::plots
