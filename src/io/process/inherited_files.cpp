#include "io/process/inherited_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>

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

}  // namespace rope::io
