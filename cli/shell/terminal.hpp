// The process, its standard streams and colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// Prepares the process; the first call in main:
// - opens closed standard streams, so that no other file gets their number, in a mode in which
//   using them is an error;
// - makes a write beyond the file size limit an error instead of a signal;
// - restores IEEE rounding, subnormals and traps, which a preloaded library may have changed.
// Throws IoError if arithmetic remains wrong.
void prepare_process();

// Prints one line to standard error.
void say(std::string_view line);

// Replaces the current line of standard error's terminal, until say() or write_stdout() clears it.
// Does nothing after a result was written to the terminal, whose line may be unfinished.
void overwrite_line(std::string_view line);
void wipe_line();

// An environment variable; empty if it is not set. is_set() is false for an empty one.
std::string_view variable(const char* name);
bool is_set(const char* name);

// Writes a result to standard output. Throws IoError if it cannot be written.
void write_stdout(std::string_view text);

// Declares that standard output is no terminal: another program relays it.
void write_to_no_terminal();
bool stdout_is_terminal();
bool stderr_is_terminal();

// Columns of the terminal of standard output: COLUMNS, else its size, else 80.
std::size_t stdout_columns();

// Returns whether --color requests colours on standard output; auto: on a terminal that is not
// "dumb", without NO_COLOR (no-color.org). Throws InputError for another word.
bool wants_color(const Arguments& arguments);

// Colours the first words of a report's lines: FAIL and DRIFT red, ok green, n/a and note yellow.
std::string colored(std::string_view text);

}  // namespace rope::cli
