// Messages between two processes, each with at most one open file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/file/file_descriptor.hpp"

namespace rope::io {

struct Message {
    std::string text;  // not empty
    FileDescriptor file{-1};
};

// Over a socket that keeps messages apart. Of more than 64 KiB the rest is cut off.
bool send_message(int socket, std::string_view text, int file = -1);

// None where the other end is closed.
std::optional<Message> receive_message(int socket);

}  // namespace rope::io
