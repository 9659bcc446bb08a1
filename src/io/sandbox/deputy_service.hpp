// The deputy's side.
#pragma once

#include "io/sandbox/deputy.hpp"

namespace rope::io {

// A request begins with one of these, and a reply with one of those.
enum DeputyRequest : char {
    ask_open = 'o',
    ask_begin = 'b',
    ask_commit = 'c',
    ask_drop = 'd',
    ask_convert = 'x'
};
enum DeputyReply : char {
    is_done = 'k',
    has_errno = 'n',
    is_input_error = 'i',
    is_io_error = 'e',
    has_no_memory = 'm'
};

// What a file of memory holds, and to make it hold something else. Throws IoError.
std::string content_of(int file);
void fill(int file, std::string_view bytes);

// Answers until the other end is closed.
void serve(int socket, const Grants& grants);

}  // namespace rope::io
