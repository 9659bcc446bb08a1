#include "cli/shell/provenance.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "rope/kernels/kernels.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view commit = ROPE_CHECK_COMMIT;

std::string c_library() {
#ifdef _CS_GNU_LIBC_VERSION
    char text[64] = {};
    if (confstr(_CS_GNU_LIBC_VERSION, text, sizeof text) > 0) return text;
#endif
#if defined(__linux__) && !defined(__GLIBC__) && !defined(__BIONIC__) && !defined(__UCLIBC__)
    return "musl";  // musl defines no macro
#else
    return "unknown";
#endif
}

std::string architecture() {
    utsname machine{};
    return uname(&machine) == 0 ? machine.machine : "unknown";
}

}  // namespace

io::Provenance provenance() {
    return {.texts = {{"tool", "rope-check " ROPE_CHECK_VERSION},
                      {"commit", std::string(commit)},
                      {"compiler", ROPE_CHECK_COMPILER},
                      {"libm", c_library()},
                      {"architecture", architecture()},
                      {"instructions", std::string(kernels().isa)},
                      {"reason", ""}}};
}

std::string version() {
    std::string text = "rope-check " ROPE_CHECK_VERSION "\n";
    if (!commit.empty()) text += fmt::format("commit {}\n", commit);
    return text + fmt::format("built with {} and {}\nruns on {}, {}\n", ROPE_CHECK_COMPILER,
                              ROPE_CHECK_LIBRARIES, c_library(), architecture());
}

}  // namespace rope::cli
