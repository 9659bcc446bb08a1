#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/process/spawn.hpp"
#if defined(__linux__) && !defined(ROPE_CHECK_POSIX_ONLY)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>
#include <thread>

#include "io/file/file_descriptor.hpp"

namespace rope::io {

void adopt_orphans() {
#ifdef PR_SET_CHILD_SUBREAPER
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

// "1201 1202 1207 ": each thread's children are listed apart; this process starts them in one.
std::vector<pid_t> children_of_this_process() {
    const FileDescriptor file(::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC));
    std::string text;
    std::array<char, 4096> buffer;
    while (file.is_open()) {
        const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
        if (count <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    std::vector<pid_t> children;
    for (const char *at = text.data(), *end = at + text.size(); at < end; ++at) {
        pid_t child = 0;
        const auto [rest, error] = std::from_chars(at, end, child);
        if (error == std::errc{}) children.push_back(child);
        at = std::max(at, rest);
    }
    return children;
}

void end_children_but(const std::vector<pid_t>& others) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    for (;;) {
        bool any = false;
        for (const pid_t child : children_of_this_process()) {
            if (std::find(others.begin(), others.end(), child) != others.end()) continue;
            any = true;
            ::kill(child, SIGKILL);
            (void)::waitpid(child, nullptr, WNOHANG);
        }
        if (!any || std::chrono::steady_clock::now() > deadline) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace rope::io
