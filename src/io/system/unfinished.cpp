#include "io/system/unfinished.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/system/file_descriptor.hpp"

namespace rope::io {
namespace {

// Signals of faults, signals that cannot wait, and signals that do not end a process.
constexpr std::array others{SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP, SIGSYS, SIGKILL, SIGSTOP,
                            SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH};

bool ends_this_process(int number) {
    struct sigaction now{};
    return std::ranges::count(others, number) == 0 && sigaction(number, nullptr, &now) == 0 &&
           now.sa_handler != SIG_IGN;
}

constinit std::array<std::atomic<const char*>, 8> paths{};

namespace fs = std::filesystem;

[[noreturn]] void fail_folder(const fs::path& path, const std::string& reason) {
    throw IoError(printable(path.native()) + ": cannot make this folder: " + reason);
}

// Removes a folder and its contents, as far as possible. Follows no link.
void remove_folder(const char* path) noexcept {
    try {
        std::error_code failed;
        std::filesystem::remove_all(path, failed);
    } catch (const std::bad_alloc&) {  // it stays
    }
}

}  // namespace

sigset_t ending_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int number = 1; number < NSIG; ++number)
        if (ends_this_process(number)) sigaddset(&signals, number);
    return signals;
}

bool has_waiting(const sigset_t& signals) {
    sigset_t waiting;
    if (sigpending(&waiting) != 0) return false;
    for (int number = 1; number < NSIG; ++number)
        if (sigismember(&waiting, number) == 1 && sigismember(&signals, number) == 1) return true;
    return false;
}

Unfinished::Unfinished(const char* path) {
    for (std::atomic<const char*>& place : paths) {
        const char* none = nullptr;
        if (!place.compare_exchange_strong(none, path)) continue;
        place_ = &place;
        return;
    }
}

void Unfinished::finish() {
    if (place_ != nullptr) *place_ = nullptr;
    place_ = nullptr;
}

void remove_unfinished() noexcept {
    for (std::atomic<const char*>& place : paths)
        if (const char* path = place.exchange(nullptr); path != nullptr && ::unlink(path) != 0)
            remove_folder(path);
}

PrivateFolder::PrivateFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);  // TMPDIR, else /tmp
    if (error) throw IoError("TMPDIR: is not a folder that temporary files can go to");
    std::string name = fs::absolute(parent / "rope-check-audit-XXXXXX").native();
    if (::mkdtemp(name.data()) == nullptr)
        fail_folder(name, std::generic_category().message(errno));
    path_ = std::move(name);
    unfinished_.emplace(path_.c_str());
}

PrivateFolder::~PrivateFolder() {
    unfinished_.reset();
    remove_folder(path_.c_str());
}

void make_empty_folder(const fs::path& path) {
    if (::mkdir(path.c_str(), 0700) == 0) return;
    const int reason = errno;
    std::error_code error;
    if (reason != EEXIST) fail_folder(path, std::generic_category().message(reason));
    const bool is_empty = fs::is_empty(path, error);
    if (error || !fs::is_directory(path)) fail_folder(path, "a file of that name is there");
    if (!is_empty)
        throw InputError(printable(path.native()) +
                         ": holds files, which could be taken for an answer; name a new folder");
}

}  // namespace rope::io
