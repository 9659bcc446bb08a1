#include "io/sandbox/deputy.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__) && !defined(ROPE_CHECK_POSIX_ONLY)
#include <sys/mman.h>
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <charconv>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/file/held_signals.hpp"
#include "io/file/io_error.hpp"
#include "io/sandbox/deputy_service.hpp"

namespace rope::io {
namespace {

// Of the deputy, whose end says that it is no longer wanted; a signal to all of a terminal's
// processes must not come before what it has to remove.
void hold_signals() {
    sigset_t all{};
    sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
#ifdef PR_SET_PDEATHSIG
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // which ends a conversion
#endif
}

constexpr int out_of_memory = 1;  // its exit code, where not even a reply fits

[[noreturn]] void end_in_service(int socket, const Grants& grants) {
    hold_signals();
    try {
        serve(socket, grants);
    } catch (const std::bad_alloc&) {
        ::_exit(out_of_memory);
    } catch (...) {
        ::_exit(0);  // the other end sees that this one is closed
    }
    ::_exit(0);
}

FileDescriptor memory_file() {
#ifdef MFD_CLOEXEC
    return FileDescriptor(::memfd_create("rope-check", MFD_CLOEXEC));
#else
    return FileDescriptor(-1);
#endif
}

struct ErrorNumber {
    int number;
};

[[noreturn]] void rethrow(const std::string& reply) {
    const std::string text = reply.substr(1);
    if (reply[0] == is_input_error) throw InputError(text);
    if (reply[0] == has_no_memory) throw std::bad_alloc();
    if (reply[0] == is_io_error) throw IoError(text);
    int number = EIO;
    std::from_chars(text.data(), text.data() + text.size(), number);
    throw ErrorNumber{number};
}

class RemoteFile : public PendingFile {
  public:
    RemoteFile(Deputy& deputy, const std::filesystem::path& path)
        : deputy_(deputy), file_(deputy.ask(std::string(1, ask_begin) + path.native())) {}
    ~RemoteFile() override {
        if (is_over_) return;
        try {
            deputy_.ask(std::string(1, ask_drop));
        } catch (...) {
            is_over_ = true;  // the deputy is no more, nor is the file
        }
    }
    int number() const override { return file_.number(); }
    void commit() override {
        is_over_ = true;
        deputy_.ask(std::string(1, ask_commit));
        if (!file_.close()) throw IoError("close: " + std::generic_category().message(errno));
    }

  private:
    const HeldSignals until_renamed_;  // else whoever waits for this process may still find it
    Deputy& deputy_;
    FileDescriptor file_;
    bool is_over_ = false;
};

}  // namespace

std::unique_ptr<Deputy> Deputy::start(const Grants& grants) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return nullptr;
    FileDescriptor ours(ends[0]), its(ends[1]);
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    const pid_t pid = ::fork();
    if (pid < 0) return nullptr;
    if (pid == 0) {
        ours.reset();
        end_in_service(its.number(), grants);
    }
    return std::unique_ptr<Deputy>(new Deputy(std::move(ours), pid));
}

Deputy::~Deputy() { (void)end(); }

int Deputy::end() {
    socket_.reset();
    int status = 0;
    while (pid_ > 0 && ::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
}

FileDescriptor Deputy::ask(const std::string& text, int file) {
    const std::lock_guard lock(one_at_a_time_);
    if (send_message(socket_.number(), text, file))
        if (std::optional<Message> reply = receive_message(socket_.number())) {
            if (reply->text[0] != is_done) rethrow(reply->text);
            return std::move(reply->file);
        }
    const int status = end();
    if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory) throw std::bad_alloc();
    throw IoError("the process that writes for the sandbox has ended");
}

int Deputy::open(const char* path, int flags) try {
    const FileDescriptor file =
        ask(std::string(1, ask_open) + decimal(flags) + ' ' + std::string(path));
    return ::fcntl(file.number(), F_DUPFD_CLOEXEC, 0);
} catch (const ErrorNumber& error) {
    errno = error.number;
    return -1;
}

std::unique_ptr<PendingFile> Deputy::begin_file(const std::filesystem::path& path) {
    return std::make_unique<RemoteFile>(*this, path);
}

std::string Deputy::convert(const std::string& how, std::string_view bytes) {
    const FileDescriptor file = memory_file();
    fill(file.number(), bytes);
    ask(std::string(1, ask_convert) + how, file.number());
    return content_of(file.number());
}

}  // namespace rope::io
