// What a figure is of: Specs with their names, the pair that distinguishes them, and its title.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope::plots {

struct NamedSpec {
    std::string label;
    Spec spec;
};

// Each Spec followed by its form with rope_type he_xu: θ̄_t = π/(2n)·base^(−t/d),
// n = max_position_embeddings (He & Xu). A Spec of that type follows its form without scaling.
std::vector<NamedSpec> with_scaled(std::span<const NamedSpec> specs);

// One line per Spec for Figure::parameters.
std::vector<std::pair<std::string, std::string>> parameters(std::span<const NamedSpec> specs);

// What all of them have in common, for a subtitle: head_dim 128 · rope_theta 10,000 · …
std::string shared_parameters(std::span<const NamedSpec> specs);

// A figure's title: what it found, not what it draws.

// Where something first happens to one of the Specs; empty: not as far as was searched.
struct Event {
    std::string of;
    std::optional<std::uint64_t> at;
};

// "a", "a and b", "a, b and c", "a, b and 3 others"; a name that comes again is listed once, a
// long one without its middle where that tells them apart.
std::string names_of(std::vector<std::string> names);

// "Score of two equal tokens first rises at s = 12 with base θ, at 7,328 with scaled θ"; of more
// than two "between s = 6 (a and b) and 12 (c)", then "never up to 16,384 with" the others; of
// none "… never rises up to s = 16,384".
std::string headline(const std::string& what, const std::string& verb,
                     std::span<const Event> events, std::uint64_t searched_to);

// Of the pairs that turn in every Spec, and in two of them differently (pair 0 turns by 1 for every
// base), the slowest that comes round within each one's max_position_embeddings, or within `reach`
// where that is what is drawn: a slower one is a flat line. If none does, the first that turns
// differently; 0 where none does that, as of one Spec.
std::uint32_t slowest_differing_pair(std::span<const NamedSpec> specs,
                                     std::optional<std::uint64_t> reach = {});

// The number of pairs that every Spec has.
std::uint32_t common_pairs(std::span<const NamedSpec> specs);

}  // namespace rope::plots
