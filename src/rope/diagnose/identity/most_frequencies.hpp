// The frequencies that the most lines of a dump agree with, where some of its pairs are wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/identity/most_lines.hpp"

namespace rope {

struct Agreement {
    std::size_t pairs = 0, told = 0;  // that rotate at them, of those that tell
    double off = 0;                   // what those add up to, as shares of what they may be off by
    bool is_of_most() const { return pairs >= 4 && 2 * pairs >= told; }
    bool is_of_nearly_all() const {
        return is_of_most() && pairs + std::max<std::size_t>(2, told / 8) >= told;
    }
};

struct MostFrequencies {
    Frequencies frequencies;
    Agreement agreement;
};

// Whichever way pairs turn; not by pair 0, nor by those that hardly turn in these rows.
std::optional<MostFrequencies> frequencies_of_most(const Spec& asked, std::span<const Spec> known,
                                                   const MostLines& most);

}  // namespace rope
