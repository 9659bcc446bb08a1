#include "io/system/landlock.hpp"

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "io/system/file_descriptor.hpp"
#include "io/system/write_file.hpp"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define ROPE_CHECK_LEAKS_ARE_SOUGHT
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ROPE_CHECK_LEAKS_ARE_SOUGHT
#endif

namespace rope::io {

#if defined(SYS_landlock_create_ruleset)

namespace {

// From linux/landlock.h, which may be older than the running kernel.
struct Ruleset {
    std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] PathRule {
    std::uint64_t allowed;
    std::int32_t path;
};
// Bits of rights in version 1; truncate is in version 3.
constexpr std::uint64_t write_file = 1 << 1, read_one_file = 1 << 2, read_folder = 1 << 3,
                        remove_file = 1 << 5, make_file = 1 << 8, truncate = 1 << 14;
constexpr int by_path = 1, ask_version = 1;

long version() { return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version); }

// All restrictions of a version. Version 1 has 13 rights on files; 2, 3 and 5 add one each: moving
// between folders, truncating, controlling devices. 4 adds TCP's bind and connect, 6 abstract Unix
// sockets and signals.
Ruleset all_of(long version) {
    const int more = (version >= 2) + (version >= 3) + (version >= 5);
    return {(std::uint64_t{1} << (13 + more)) - 1, version >= 4 ? 3U : 0U, version >= 6 ? 3U : 0U};
}

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
    const FileDescriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
    const PathRule rule{rights, file.number()};
    if (file.is_open()) (void)::syscall(SYS_landlock_add_rule, ruleset, by_path, &rule, 0);
}

// A file is written as a new file that replaces it, so its folder needs the rights; a pipe or
// device is written directly.
void allow_writing(int ruleset, const std::filesystem::path& path, std::uint64_t own,
                   std::uint64_t possible) {
    const std::filesystem::path target = behind_links(path);
    const std::uint64_t rights = (write_file | truncate | own) & possible;
    if (replaces_file(target))
        allow(ruleset, target.parent_path(), rights | make_file | remove_file | read_folder);
    else
        allow(ruleset, target, rights);
}

}  // namespace

bool has_landlock() { return version() > 0; }

bool restrict_to(const Grants& grants) {
    const Ruleset all = all_of(std::max(version(), 0L));
    const FileDescriptor ruleset(
        static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0)));
    if (!ruleset.is_open()) return false;
    for (const auto& file : grants.read) allow(ruleset.number(), file, read_one_file);
    for (const auto& file : grants.written) allow_writing(ruleset.number(), file, 0, all.files);
    for (const auto& file : grants.updated)
        allow_writing(ruleset.number(), file, read_one_file, all.files);
#ifdef ROPE_CHECK_LEAKS_ARE_SOUGHT
    allow(ruleset.number(), "/proc", read_one_file | read_folder);
#endif
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::syscall(SYS_landlock_restrict_self, ruleset.number(), 0) == 0;
}

#else

bool has_landlock() { return false; }
bool restrict_to(const Grants&) { return false; }

#endif

}  // namespace rope::io
