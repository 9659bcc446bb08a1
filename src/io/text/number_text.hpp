// Numbers as reports print them: '.' always, whatever the locale.
#pragma once

#include <string>

#include "base/grouped.hpp"

namespace rope::io {

std::string plain(double x);                    // reads back the same: 500000, 0.25, 1e-09
std::string significant(double x, int digits);  // 0.99999939
std::string brief(double x);                    // two digits: 2.0, 0.25, 3.9e-3
std::string hexfloat(double x);                 // 0x1.ffffeb9f27312p-1
using rope::grouped;                            // 17,179,869,184

}  // namespace rope::io
