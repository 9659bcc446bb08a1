// The command line's flags for a Spec, declared once.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope::io {

// A flag as it was typed: {"--dim", "128"}.
struct Flag {
    std::string name;
    std::string value;
};

struct SpecFlag {
    std::string name;        // "--dim"; "--rope factor" of a key of --rope
    std::string_view alias;  // "--head-dim", or empty
    std::string_view value;  // the kind of value in help: "N", "REAL", "half|interleaved"
    std::string help;
    std::string_view field;  // the Spec field that it sets, by its name in a config
    // Throws InputError naming the flag as typed, the value and the accepted ones. Empty for
    // --model, --layers and --reading, which choose the config or how it is read.
    std::function<void(Spec& spec, const Flag& flag)> set;
};

// --rope KEY=VALUE,… sets any field that has no option: {"--rope factor", "4"}.
inline constexpr std::string_view rope_option = "--rope";
bool is_rope_flag(std::string_view name);

// Returns the flags that --rope's text sets: rope_type=yarn,factor=4 or yarn,factor=4, where the
// further values of a list follow as in mrope_section=16,24,24, or a JSON object. Throws InputError
// for other text, and for a key that is unknown or given twice.
std::vector<Flag> flags_of_rope(const std::string& text);

// Returns the words that give these flags on a command line; keys of --rope are joined.
std::vector<std::string> words_of_flags(std::span<const Flag> flags);

// Returns every flag, in the order of the help.
std::span<const SpecFlag> spec_flags();

// Throws InputError when no flag has this name.
const SpecFlag& find_spec_flag(std::string_view name);

}  // namespace rope::io
