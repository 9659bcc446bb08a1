// Where numbers were rounded that should not have been.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/diagnose/evidence/hypothesis.hpp"
#include "rope/report/report.hpp"

namespace rope {

struct RoundingMistake {
    std::string_view mistake;
    std::string_view format;  // for the parameters
    std::string_view what;
    Rounding rounding;
};

// The explicit table, the single roundings first.
std::span<const RoundingMistake> rounding_mistakes();

}  // namespace rope
