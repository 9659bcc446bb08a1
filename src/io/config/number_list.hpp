// Numbers on a command line.
#pragma once

#include <string>
#include <vector>

namespace rope::io {

// "1,0.5,0.25", or the name of a file that holds them: its only array, or the one called inv_freq.
// Throws InputError naming the flag, or IoError.
std::vector<double> number_list(const std::string& flag, const std::string& value);

}  // namespace rope::io
