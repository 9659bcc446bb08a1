#include "io/process/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__) && !defined(ROPE_CHECK_POSIX_ONLY)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/file_descriptor.hpp"

namespace rope::io {
namespace {

[[noreturn]] void refuse(const std::string& program, int error) {
    const std::string name = printable(program) + ": ";
    if (error == ENOENT || error == ENOTDIR)
        throw InputError(name + "there is no such program, or no interpreter for it");
    if (error == EACCES) throw InputError(name + "is not executable");
    if (error == ENOEXEC)
        throw InputError(name + "is not a program; a script starts with #! and its interpreter");
    if (error == E2BIG) throw InputError(name + "has too many arguments");
    throw IoError("cannot start a program: " + std::generic_category().message(error));
}

// The arrays of C strings that exec takes.
class CStrings {
  public:
    explicit CStrings(std::vector<std::string> words) : words_(std::move(words)) {
        for (std::string& word : words_) pointers_.push_back(word.data());
        pointers_.push_back(nullptr);
    }
    char* const* data() const { return pointers_.data(); }

  private:
    std::vector<std::string> words_;
    std::vector<char*> pointers_;
};

CStrings with_ours(const std::vector<std::pair<std::string, std::string>>& environment) {
    std::vector<std::string> all;
    for (const auto& [name, value] : environment) all.emplace_back(name).append("=").append(value);
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string_view name = text.substr(0, text.find('='));
        if (std::ranges::none_of(environment, [&](const auto& own) { return own.first == name; }))
            all.emplace_back(text);
    }
    return CStrings(std::move(all));
}

// Where execvp looks; that would hand a file which is no program to a shell.
std::vector<std::string> places_of(const std::string& program) {
    if (program.empty() || program.find('/') != program.npos) return {program};
    const char* const set = std::getenv("PATH");
    const std::string_view path = set == nullptr ? "/bin:/usr/bin" : set;
    std::vector<std::string> places;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const std::string folder(path.substr(begin, end - begin));
        places.push_back(folder.empty() ? program
                                        : std::string(folder).append("/").append(program));
        begin = end + 1;
    }
    return places;
}

// What exec needs, made before the fork: after it, a thread that no longer exists may hold the
// lock of the heap.
struct Start {
    CStrings places, words, environment;
    Streams streams;
    pid_t parent;
    int report;  // where the errno goes
};

// Returns the errno.
int exec(const Start& start) {
    sigset_t none;
    sigemptyset(&none);
    ::setpgid(0, 0);
    (void)::signal(SIGXFSZ, SIG_DFL);  // which this process ignores
#ifdef PR_SET_PDEATHSIG
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != start.parent) (void)::raise(SIGKILL);
#endif
    const auto& [in, out, err] = start.streams;
    // copies, which exec leaves open; each file is beyond the three
    const int input = in < 0 ? ::open("/dev/null", O_RDONLY) : in;
    if (input < 0 || ::dup2(input, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 ||
        ::dup2(err, STDERR_FILENO) < 0)
        return errno;
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    int error = ENOENT;
    for (char* const* place = start.places.data(); *place != nullptr; ++place) {
        ::execve(*place, start.words.data(), start.environment.data());
        if (errno == ENOENT || errno == ENOTDIR) continue;
        error = errno;
        if (error != EACCES) break;  // a later folder of the PATH may have one that is executable
    }
    return error;
}

// The errno that the child reports, 0 where exec closed the pipe.
int reported(int file) {
    int error = 0;
    ssize_t count = 0;
    do count = ::read(file, &error, sizeof error);
    while (count < 0 && errno == EINTR);
    return count == sizeof error ? error : 0;
}

}  // namespace

pid_t spawn(const std::vector<std::string>& words,
            const std::vector<std::pair<std::string, std::string>>& environment, Streams streams) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) refuse(words[0], errno);
    const FileDescriptor read_end(ends[0]);
    FileDescriptor write_end(ends[1]);
    withhold_inherited_files();
    const Start start{CStrings(places_of(words[0])),
                      CStrings(words),
                      with_ours(environment),
                      streams,
                      ::getpid(),
                      write_end.number()};
    const pid_t pid = ::fork();
    if (pid < 0) refuse(words[0], errno);
    if (pid == 0) {
        const int error = exec(start);
        (void)!::write(start.report, &error, sizeof error);
        ::_exit(127);
    }
    ::setpgid(pid, pid);  // whichever of the two comes first
    write_end.reset();
    const int error = reported(read_end.number());
    if (error == 0) return pid;
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    refuse(words[0], error);
}

}  // namespace rope::io
