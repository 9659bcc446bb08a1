// What checks found, as observations, where the diagnosis sees nothing.
#pragma once

#include <string>
#include <vector>

#include "rope/report/report.hpp"

namespace rope {

// Of each fault how many values, where, and by how much.
std::vector<std::string> failure_facts(const Report& report);

}  // namespace rope
