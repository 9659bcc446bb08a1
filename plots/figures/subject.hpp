// The subject of a figure: Specs with names, the pair that distinguishes them, and the title.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plots/parts/figure.hpp"
#include "rope/spec/spec.hpp"

namespace rope::plots {

struct NamedSpec {
    std::string label;
    Spec spec;
};

// Returns whether the rope_type is he_xu.
bool is_he_xu(const Spec& spec);

// Returns each Spec followed by its form with rope_type he_xu: θ̄_t = π/(2n)·base^(−t/d), n =
// max_position_embeddings (He & Xu). A Spec of that type is preceded by its unscaled form.
std::vector<NamedSpec> with_scaled(std::span<const NamedSpec> specs);

// Adds a note if a scaled form is of the frequencies without another rope_type.
void note_scaled(Figure& figure, std::span<const NamedSpec> specs);

// Returns a figure without a title and panels: its subtitle has the parameters that all Specs but
// scaled forms share, "head_dim 128 · rope_theta 10,000 · …", and Figure::parameters a line per
// Spec. Requires a Spec.
Figure figure_of(std::span<const NamedSpec> specs, std::string description);

// Titles state the result of a figure.

// Returns "a", "a and b", "a, b and c", "a, b and 3 others". Repeated names are listed once.
std::string names_of(std::vector<std::string> names);

// A quantity of a Spec, and how it is written.
struct Quantity {
    double value;
    std::string text;
    std::string of;
};

// Returns the smallest and the largest: "28 % in a and b to 45 % in c", with `of_two` in place of
// " to " if there are no others. Requires a quantity. Equal texts are one.
std::string extremes(std::vector<Quantity> all, const std::string& preposition,
                     const std::string& of_two);

// Returns the slowest pair that rotates in every Spec, with different frequencies in two of them,
// and completes a turn within max_position_embeddings of each, or within `reach`, if given: a
// slower pair is a flat line. If there is none, the first pair with different frequencies; if none
// differs, 0.
std::uint32_t slowest_differing_pair(std::span<const NamedSpec> specs,
                                     std::optional<std::uint64_t> reach = {});

// Returns the number of pairs that every Spec has.
std::uint32_t common_pairs(std::span<const NamedSpec> specs);

}  // namespace rope::plots
