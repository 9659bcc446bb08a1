// Where numbers were rounded that should not have been.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/report/report.hpp"

namespace rope {

struct RoundingMistake {
    std::string_view mistake;
    std::string_view format;  // for the parameters
    std::string_view what;
    Rounding rounding;

    // Where several numbers were rounded, with which.
    NamedMistake named() const;
};

// The explicit table, the single roundings first.
std::span<const RoundingMistake> rounding_mistakes();

}  // namespace rope
