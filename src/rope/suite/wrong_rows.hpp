// The explicit tables of wrong answers, by what goes wrong.
#pragma once

#include <span>
#include <string_view>

#include "rope/suite/faulty_rotation.hpp"

namespace rope {

struct WrongRow {
    std::string_view mistake, of_case, what;
    Answer (*answer)(const FaultySubject& subject);
    SuiteOutput output = SuiteOutput::q_rot;
};

// The case of most of them.
inline constexpr std::string_view plain_case = "default-half";

std::span<const WrongRow> wrong_rotations();    // which lanes are paired, and with which signs
std::span<const WrongRow> wrong_frequencies();  // of a config or of its reader
std::span<const WrongRow> wrong_positions();
std::span<const WrongRow> wrong_values();  // of number formats and memory

}  // namespace rope
