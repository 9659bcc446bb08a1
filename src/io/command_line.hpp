// The command that runs a report again.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rope/report.hpp"

namespace rope::io {

// A word as a shell takes it: bare where that passes on unchanged, else between single quotes.
std::string shell_word(std::string_view word);

// Words with a space between, each as a shell takes it.
std::string words_line(std::span<const std::string> words);

// rope-check verify --dim 128 --pipeline bf16-angles --context 4096 --only table-accuracy
// Flags that say the default are left out. A report on a dump becomes `rope-check compare` with
// the words that named the dump; words are quoted for a shell where they need it.
std::string command_line(const Report& report, std::string_view only = {},
                         std::span<const std::string> dump = {});

}  // namespace rope::io
