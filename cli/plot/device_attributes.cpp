#include "cli/plot/device_attributes.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <string_view>

#include "cli/shell/terminal.hpp"
#include "io/file/io_error.hpp"
#include "io/process/signal_watch.hpp"

namespace rope::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds patience{300}, slice{10};

// While it lives, standard input comes as it is typed, unseen, and Ctrl-Z does not stop the
// process.
class UnseenInput {
  public:
    UnseenInput() {
        if (tcgetattr(STDIN_FILENO, &before_) != 0) throw io::IoError("standard input: no modes");
        termios modes = before_;
        modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
        modes.c_cc[VMIN] = modes.c_cc[VTIME] = 0;
        modes.c_cc[VSUSP] = _POSIX_VDISABLE;
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &modes);
    }
    UnseenInput(const UnseenInput&) = delete;
    UnseenInput& operator=(const UnseenInput&) = delete;
    ~UnseenInput() { (void)tcsetattr(STDIN_FILENO, TCSANOW, &before_); }

  private:
    termios before_{};
};

bool has_input(milliseconds wait, int signals = -1) {
    pollfd files[] = {{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}};
    return ::poll(files, 2, static_cast<int>(wait.count())) > 0 && files[0].revents != 0;
}

// A process in the background that changed the modes would be stopped.
bool can_ask() {
    return stdout_is_terminal() && isatty(STDIN_FILENO) == 1 &&
           tcgetpgrp(STDIN_FILENO) == getpgrp() && tcgetpgrp(STDOUT_FILENO) == getpgrp() &&
           !is_set("CI");
}

// Up to the letter that ends the answer; less where the time is up or a signal is waiting.
std::string answer(const io::SignalWatch& signals) {
    const auto deadline = Clock::now() + patience;
    std::string text;
    while (Clock::now() < deadline && !signals.has_ending()) {
        signals.forget_children();
        if (!has_input(slice, signals.descriptor())) continue;
        char letter = 0;
        if (::read(STDIN_FILENO, &letter, 1) != 1) return {};
        text += letter;
        if (letter == 'c' && text.find("\x1b[?") != text.npos) return text;
    }
    return {};
}

// ESC [ ? CLASS ; ATTRIBUTE ; … c
std::vector<int> attributes_in(std::string_view answer) {
    std::vector<int> all;
    for (std::size_t at = answer.find(';'); at < answer.size(); at = answer.find(';', at + 1)) {
        int attribute = 0;
        const auto from = answer.substr(at + 1);
        const auto [end, error] =
            std::from_chars(from.data(), from.data() + from.size(), attribute);
        if (error == std::errc()) all.push_back(attribute);
    }
    return all;
}

}  // namespace

std::vector<int> device_attributes() {
    if (!can_ask()) return {};
    const io::SignalWatch signals;  // which take their effect when the modes are as before
    const UnseenInput unseen;
    if (has_input(milliseconds(0))) return {};
    write_stdout("\x1b[c");
    return attributes_in(answer(signals));
}

}  // namespace rope::cli
