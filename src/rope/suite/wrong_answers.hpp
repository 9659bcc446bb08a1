// What implementations with a known mistake answer, so that a test can show that it bites.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/suite/suite.hpp"

namespace rope {

struct WrongAnswer {
    std::string_view mistake;  // an id of docs/mistakes.md
    std::string_view what;     // "rope_theta is 500000"
    std::string_view of_case;  // a SuiteCase's id
    SuiteOutput output;
    std::vector<double> y;  // rows × head_dim, in float32
};

// One of each mistake at least.
std::vector<WrongAnswer> wrong_answers(std::span<const SuiteCase> cases);

}  // namespace rope
