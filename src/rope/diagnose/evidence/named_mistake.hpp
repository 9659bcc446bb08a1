// A mistake by its id, its parameters and a sentence.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rope/report/report.hpp"

namespace rope {

// A mistake as it is reported.
struct NamedMistake {
    std::string mistake;
    std::vector<std::pair<std::string, FieldValue>> parameters = {};
    std::string what = {};
    std::string advice = {};  // empty: the table's
};

}  // namespace rope
