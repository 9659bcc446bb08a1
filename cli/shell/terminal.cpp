#include "cli/shell/terminal.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cfenv>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <system_error>

#include "base/text.hpp"

namespace rope::cli {
namespace {

bool is_relayed = false;

// Guards has_line and has_result, the state of the line to overwrite.
std::mutex line_mutex;
bool has_line = false, has_result = false;

// Requires line_mutex.
void wipe() {
    if (has_line) (void)io::write_all(STDERR_FILENO, "\r\x1b[K");
    has_line = false;
}

constexpr std::pair<std::string_view, std::string_view> rules[] = {{"FAIL", "\x1b[1;31m"},
                                                                   {"DRIFT", "\x1b[1;31m"},
                                                                   {"ok", "\x1b[32m"},
                                                                   {"n/a", "\x1b[33m"},
                                                                   {"note", "\x1b[33m"}};

std::string colored_line(std::string_view line) {
    for (const auto& [word, code] : rules) {
        const std::string_view rest = line.substr(std::min(word.size(), line.size()));
        if (line.starts_with(word) && (rest.starts_with(' ') || rest.starts_with(':')))
            return std::string(code).append(word).append("\x1b[0m").append(rest).append("\n");
    }
    return std::string(line) + "\n";
}

// https://no-color.org, https://force-color.org, https://bixense.com/clicolors
bool environment_wants_color() {
    if (is_set("NO_COLOR")) return false;
    for (const char* name : {"FORCE_COLOR", "CLICOLOR_FORCE"})
        if (is_set(name)) return variable(name) != "0";
    return stdout_is_terminal() && variable("CLICOLOR") != "0" && variable("TERM") != "dumb";
}

}  // namespace

void prepare_process() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // open returns the lowest free number, which is this stream's
        if (fcntl(stream, F_GETFD) < 0)
            (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
    (void)signal(SIGXFSZ, SIG_IGN);
#ifdef __GLIBC__
    // blocks allocate arrays of one size in turn: returning them to the system costs a seventh of
    // verify's time
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif

    std::fesetenv(FE_DFL_ENV);
    const volatile double subnormal = 0x1p-1030;
    if (subnormal * 0.5 == 0) {
        throw io::IoError(
            "this process flushes subnormal numbers to zero; run without the library that is "
            "preloaded or linked with fast-math");
    }
}

void say(std::string_view line) {
    const std::lock_guard lock(line_mutex);
    wipe();
    line.remove_suffix(line.ends_with('\n') ? 1 : 0);
    (void)io::write_all(STDERR_FILENO,
                        isatty(STDERR_FILENO) ? io::fitted(line) : std::string(line) + '\n');
}

void overwrite_line(std::string_view line) {
    const std::lock_guard lock(line_mutex);
    if (has_result) return;
    (void)io::write_all(STDERR_FILENO, "\r" + std::string(line) + "\x1b[K");
    has_line = true;
}

void wipe_line() {
    const std::lock_guard lock(line_mutex);
    wipe();
}

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool is_set(const char* name) { return !variable(name).empty(); }

void write_stdout(std::string_view text) {
    {
        const std::lock_guard lock(line_mutex);
        wipe();
        has_result = has_result || stdout_is_terminal();
    }
    if (const int error = io::write_all(STDOUT_FILENO, text)) {
        throw io::IoError("cannot write to standard output: " +
                          std::generic_category().message(error));
    }
}

void write_to_no_terminal() { is_relayed = true; }
bool stdout_is_terminal() { return !is_relayed && isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

std::size_t stdout_columns() {
    constexpr std::size_t usual = 80;
    const std::string_view text = variable("COLUMNS");
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (error == std::errc() && end == text.data() + text.size() && columns > 0) return columns;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return usual;
}

bool wants_color(const Arguments& arguments) {
    const std::string_view when =
        item_named(arguments.value("--color").value_or("auto"), option_in("any", "--color").words,
                   std::identity{}, "colour", "--color");
    return when == "always" || (when == "auto" && environment_wants_color());
}

std::string colored(std::string_view text) { return join(split(text, "\n"), colored_line, ""); }

}  // namespace rope::cli
