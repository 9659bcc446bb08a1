// Which lanes a program really mixes.
#pragma once

#include <string>

#include "rope/suite/audit.hpp"

namespace rope {

struct LaneMixing {
    std::string pairing;  // a layout, none (nothing mixes) or other
    std::string found;    // in a sentence: "the program pairs lanes (0, 1), (2, 3), …: …"
};

LaneMixing find_lane_mixing(const Answers& answers);

}  // namespace rope
