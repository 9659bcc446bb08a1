#include "cli/shell/rasterize.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "io/file/io_error.hpp"

namespace rope::cli {
namespace {

// Unlinked from the start: no name to guess, nothing to clean up, and no pipe to fill.
using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail() {
    throw io::IoError("temporary file: " + std::generic_category().message(errno));
}

TemporaryFile temporary_file(std::string_view content) {
    TemporaryFile file(std::tmpfile(), std::fclose);
    if (!file || std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
        std::fflush(file.get()) != 0 || std::fseek(file.get(), 0, SEEK_SET) != 0) {
        fail();
    }
    return file;
}

std::string content_of(const TemporaryFile& file) {
    if (std::fseek(file.get(), 0, SEEK_SET) != 0) fail();
    std::string content;
    char buffer[65536];
    std::size_t n = 0;
    do {
        n = std::fread(buffer, 1, sizeof buffer, file.get());
        content.append(buffer, n);
    } while (n == sizeof buffer);
    return content;
}

// Returns the exit status, or -1 when the program could not be started.
int run_converter(const std::string& format, const TemporaryFile& in, const TemporaryFile& out) {
    setenv("SOURCE_DATE_EPOCH", "0", 0);  // the same figure, the same PDF
    std::string program = "rsvg-convert", format_option = "--format=" + format, zoom = "--zoom=2";
    char* arguments[] = {program.data(), format_option.data(), zoom.data(), nullptr};
    if (format == "pdf") arguments[2] = nullptr;

    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_adddup2(&streams, fileno(in.get()), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&streams, fileno(out.get()), STDOUT_FILENO);
    pid_t child = 0;
    const int error = posix_spawnp(&child, program.c_str(), &streams, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&streams);
    if (error != 0) return -1;

    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string rasterize(std::string_view svg, std::string_view format) {
    const TemporaryFile in = temporary_file(svg), out = temporary_file("");
    const int status = run_converter(std::string(format), in, out);
    if (status < 0) {
        throw io::IoError(fmt::format(
            ".{} needs rsvg-convert from the package librsvg2-bin; .svg does not", format));
    }
    std::string image = content_of(out);
    if (status != 0 || image.empty()) {
        throw io::IoError(fmt::format("rsvg-convert failed with status {}", status));
    }
    return image;
}

}  // namespace rope::cli
