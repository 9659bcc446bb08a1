#include "io/system/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/system/file_descriptor.hpp"

namespace rope::io {

SignalWatch::SignalWatch() : ending_(ending_signals()) {
    // where SIGCHLD is ignored, the system reaps children before their status can be read
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &usual, &children_before_);
    sigprocmask(SIG_BLOCK, &ending_, &before_);
}

SignalWatch::~SignalWatch() {
    sigaction(SIGCHLD, &children_before_, nullptr);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kept_bytes = 4096;
constexpr milliseconds grace{200};  // between SIGTERM and SIGKILL
constexpr milliseconds pause{10};   // interval between checks of signals and of the child

[[noreturn]] void refuse(const std::string& program, int error) {
    const std::string name = printable(program) + ": ";
    if (error == ENOENT || error == ENOTDIR)
        throw IoError(name + "there is no such program, or no interpreter for it");
    if (error == EACCES) throw InputError(name + "is not executable");
    if (error == ENOEXEC)
        throw InputError(name + "is not a program; a script starts with #! and its interpreter");
    if (error == E2BIG) throw InputError(name + "has too many arguments");
    throw IoError("cannot start a program: " + std::generic_category().message(error));
}

// A pipe from standard error of the child. Reads all of it and keeps the last 4 KiB.
class Drain {
  public:
    Drain() : read_(-1), write_(-1) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw IoError("pipe: " + std::generic_category().message(errno));
        read_.reset(ends[0]);
        write_.reset(ends[1]);
        ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }

    int read_end() const { return read_.number(); }  // -1 once closed, which poll ignores
    int write_end() const { return write_.number(); }
    void close_write_end() { write_.reset(); }

    // Reads what is available, up to 1 MiB, as output may be endless.
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

// Starts the child in a new process group, with /dev/null, a pipe of its standard error, no other
// open file and no blocked signal.
pid_t start(const Child& child, Drain& err) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, err.write_end(), STDERR_FILENO);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
#endif
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&how, &signals);
    sigaddset(&signals, SIGXFSZ);  // ignored in this process
    posix_spawnattr_setsigdefault(&how, &signals);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(
        &how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    for (const auto& [name, value] : child.environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> words;
    for (const std::string& word : child.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t pid = 0;
    const int error =
        ::posix_spawnp(&pid, child.words[0].c_str(), &files, &how, words.data(), environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) refuse(child.words[0], error);
    err.close_write_end();
    return pid;
}

// The child is not reaped, so its process and group numbers are not reused.
bool has_ended(pid_t pid) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid;
}

// Reads standard error until the child ends, the deadline passes or an ending signal arrives.
void attend(pid_t pid, Clock::time_point deadline, bool heed_signals, const SignalWatch& signals,
            Drain& err) {
    while (!has_ended(pid) && !(heed_signals && signals.has_ending())) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return;
        pollfd file{err.read_end(), POLLIN, 0};
        (void)::poll(&file, 1, static_cast<int>(std::min<long long>(left, pause.count())));
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

// "SIGSEGV"; "signal 40" for a number without a name.
std::string signal_name(int number) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
    if (const char* name = ::sigabbrev_np(number)) return std::string("SIG") + name;
#endif
    return "signal " + decimal(number);
}

}  // namespace

ChildEnd run_child(const Child& child, const SignalWatch& signals) {
    Drain err;
    const pid_t pid = start(child, err);
    attend(pid, Clock::now() + child.timeout, true, signals, err);
    const bool in_time = has_ended(pid);
    const bool interrupted = !in_time && signals.has_ending();
    if (!in_time) {
        ::kill(-pid, SIGTERM);
        ::kill(-pid, SIGCONT);  // a stopped process receives nothing else
        attend(pid, Clock::now() + grace, false, signals, err);
    }
    ::kill(-pid, SIGKILL);
    err.read_some();
    ChildEnd end = end_of(pid);
    if (!in_time) end.way = interrupted ? ChildEnd::Way::interrupted : ChildEnd::Way::timed_out;
    end.errors = err.kept();
    return end;
}

std::string way_text(const ChildEnd& end, const Child& child) {
    using enum ChildEnd::Way;
    if (end.way == exited) return "exited with status " + decimal(end.status);
    if (end.way == signalled) return "was killed by " + signal_name(end.status);
    if (end.way == interrupted) return "was interrupted";
    return "was still running after " + decimal(static_cast<double>(child.timeout.count()) / 1000) +
           " s";
}

}  // namespace rope::io
