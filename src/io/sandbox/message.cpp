#include "io/sandbox/message.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace rope::io {
namespace {

constexpr std::size_t most = 64 << 10;

#if defined(MSG_NOSIGNAL) && !defined(ROPE_CHECK_POSIX_ONLY)
constexpr int no_signal = MSG_NOSIGNAL;
#else
constexpr int no_signal = 0;
#endif

struct Control {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> bytes{};
};

void attach(msghdr& message, Control& control, int file) {
    message.msg_control = control.bytes.data();
    message.msg_controllen = sizeof control.bytes;  // socklen_t in POSIX
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(part), &file, sizeof file);
}

}  // namespace

bool send_message(int socket, std::string_view text, int file) {
    std::string copy(text.substr(0, most));
    iovec bytes{copy.data(), copy.size()};
    Control control;
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    if (file >= 0) attach(message, control, file);
    ssize_t sent = 0;
    do sent = ::sendmsg(socket, &message, no_signal);
    while (sent < 0 && errno == EINTR);
    return sent > 0;
}

std::optional<Message> receive_message(int socket) {
    Message received{std::string(most, '\0')};
    iovec bytes{received.text.data(), most};
    Control control;
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = sizeof control.bytes;  // socklen_t in POSIX
    ssize_t count = 0;
    do count = ::recvmsg(socket, &message, 0);
    while (count < 0 && errno == EINTR);
    if (count <= 0) return std::nullopt;
    received.text.resize(static_cast<std::size_t>(count));
    const cmsghdr* const part = CMSG_FIRSTHDR(&message);
    if (part != nullptr && part->cmsg_type == SCM_RIGHTS) {
        int file = -1;
        std::memcpy(&file, CMSG_DATA(part), sizeof file);
        ::fcntl(file, F_SETFD, FD_CLOEXEC);
        received.file.reset(file);
    }
    return received;
}

}  // namespace rope::io
