// The part of TOML that settings need: [sections] of keys whose value is a string, a number, true,
// false or a list of strings and numbers, each on one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::io {

struct TomlSetting {
    enum class Kind { word, truth, list };

    std::string section;  // empty before the first [section]
    std::string key;
    Kind kind = Kind::word;
    std::vector<std::string> values;  // one unless it is a list; true or false of a truth
    std::size_t line = 0;             // from 1
};

// In the order of the text. Throws InputError, naming `file` and the line, for what is not of this
// part of TOML, and for a key or section that is there twice.
std::vector<TomlSetting> parse_toml(std::string_view text, std::string_view file);

}  // namespace rope::io
