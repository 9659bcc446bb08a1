#include "io/process/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "base/decimal.hpp"
#include "io/file/file_descriptor.hpp"
#include "io/process/spawn.hpp"

namespace rope::io {

// posix_spawn's own way to close them is glibc's alone: addclosefrom_np.
void withhold_inherited_files() {
    std::error_code unlisted;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/fd", unlisted)) {
        const std::string name = entry.path().filename().native();
        int number = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error == std::errc{} && number > STDERR_FILENO) ::fcntl(number, F_SETFD, FD_CLOEXEC);
    }
}

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kept_bytes = 4096;
constexpr milliseconds grace{200};  // between SIGTERM and SIGKILL

[[noreturn]] void fail(const char* what, int error) {
    throw IoError(std::string(what) + ": " + std::generic_category().message(error));
}

// What the child writes to one stream: read to its end, the last of it kept.
class Drain {
  public:
    Drain() : read_(-1), write_(-1) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe", errno);
        read_.reset(ends[0]);
        write_.reset(ends[1]);
        ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }

    int read_end() const { return read_.number(); }  // -1, which poll passes over, once closed
    int write_end() const { return write_.number(); }
    void close_write_end() { write_.reset(); }

    // What is available now, up to 1 MiB, since output may be endless.
    void read_some() {
        std::array<char, 65536> buffer;
        for (int reads = 0; reads < 16 && read_.is_open(); ++reads) {
            const ssize_t count = ::read(read_.number(), buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0 && errno == EAGAIN) return;
            if (count <= 0) return read_.reset();
            keep({buffer.data(), static_cast<std::size_t>(count)});
        }
    }
    const std::string& kept() const { return kept_; }

  private:
    void keep(std::string_view text) {
        kept_.append(text.substr(text.size() - std::min(text.size(), kept_bytes)));
        if (kept_.size() > kept_bytes) kept_.erase(0, kept_.size() - kept_bytes);
    }

    FileDescriptor read_, write_;
    std::string kept_;
};

pid_t start(const Child& child, Drain& out, Drain& err) {
    const pid_t pid =
        spawn(child.words, child.environment,
              {child.input, child.output < 0 ? out.write_end() : child.output, err.write_end()});
    out.close_write_end();
    err.close_write_end();
    return pid;
}

// Not yet reaped, so its number, and its group's, cannot be reused.
bool has_ended(pid_t pid) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid;
}

// Reads both streams until the child ends, the deadline passes or a signal asks us to end.
void attend(pid_t pid, Clock::time_point deadline, bool heed_signals, const SignalWatch& signals,
            Drain& out, Drain& err) {
    while (!has_ended(pid) && !(heed_signals && signals.has_ending())) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return;
        pollfd files[] = {{signals.descriptor(), POLLIN, 0},
                          {out.read_end(), POLLIN, 0},
                          {err.read_end(), POLLIN, 0}};
        // a pending signal that is not consumed would make poll return immediately, over and over
        if (!heed_signals && signals.has_ending()) files[0].fd = -1;
        const auto wait = std::min<long long>(left, files[0].fd < 0 ? 10 : 1'000'000);
        (void)::poll(files, 3, static_cast<int>(wait));
        signals.forget_children();
        out.read_some();
        err.read_some();
    }
}

ChildEnd end_of(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) return {ChildEnd::Way::signalled, WTERMSIG(status), {}};
    return {ChildEnd::Way::exited, WEXITSTATUS(status), {}};
}

}  // namespace

ChildEnd run_child(const Child& child, const SignalWatch& signals) {
    adopt_orphans();
    const std::vector<pid_t> others = children_of_this_process();
    Drain out, err;
    const pid_t pid = start(child, out, err);
    attend(pid, Clock::now() + child.timeout, true, signals, out, err);
    const bool in_time = has_ended(pid);
    const bool interrupted = !in_time && signals.has_ending();
    if (!in_time) {
        ::kill(-pid, SIGTERM);
        ::kill(-pid, SIGCONT);  // one that is stopped hears nothing else
        attend(pid, Clock::now() + grace, false, signals, out, err);
    }
    ::kill(-pid, SIGKILL);
    out.read_some();
    err.read_some();
    ChildEnd end = end_of(pid);
    end_children_but(others);
    if (!in_time) end.way = interrupted ? ChildEnd::Way::interrupted : ChildEnd::Way::timed_out;
    end.errors = err.kept();
    return end;
}

std::string way_text(const ChildEnd& end, const Child& child) {
    switch (end.way) {
        case ChildEnd::Way::exited:
            return "exited with status " + decimal(end.status);
        case ChildEnd::Way::signalled:
            return "was killed by " + signal_name(end.status);
        case ChildEnd::Way::timed_out:
            return "was still running after " +
                   decimal(static_cast<double>(child.timeout.count()) / 1000) + " s";
        case ChildEnd::Way::interrupted:
            return "was interrupted";
    }
    return "";
}

}  // namespace rope::io
