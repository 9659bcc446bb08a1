// The process, its standard streams and their colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// The process and its standard streams.

// First thing in main:
// - a standard stream that came closed is opened, so that no file of ours gets its number, in
//   the mode that makes using it an error;
// - a write beyond the file size limit fails, and does not kill;
// - rounding, flush-to-zero and traps, which a preloaded library may have set, are IEEE's again.
// Throws IoError when arithmetic stays wrong.
void prepare_process();

// One line of talk, to standard error.
void say(std::string_view line);

// Replaces the current line of standard error's terminal, until say() or write_stdout() wipe it.
// Does nothing once a result was written to the terminal: its line may be unfinished.
void overwrite_line(std::string_view line);
void wipe_line();

// A variable of the environment; empty where it is not set. And whether it is neither.
std::string_view variable(const char* name);
bool is_set(const char* name);

// The whole of a result, to standard output. Throws IoError when it cannot be written.
void write_stdout(std::string_view text);

// Standard output is none, whatever it looks like: another program passes it on.
void write_to_no_terminal();
bool stdout_is_terminal();
bool stderr_is_terminal();

// Cells across of the terminal behind standard output: COLUMNS, else what it says, else 80.
std::size_t stdout_columns();

// Whether the locale's encoding is UTF-8, by LC_ALL, LC_CTYPE or LANG.
bool has_utf8_locale();

// Colour for the first words of a report's lines; reports themselves have none.

// What --color asks of standard output; auto is on a terminal that is not "dumb" where NO_COLOR is
// not set (no-color.org). Throws InputError on another word.
bool wants_color(const Arguments& arguments);

// FAIL and DRIFT red, ok green, n/a and note yellow.
std::string colored(std::string_view text);

}  // namespace rope::cli
