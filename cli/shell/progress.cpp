#include "cli/shell/progress.hpp"

#include <fmt/format.h>

#include <chrono>

#include "cli/shell/terminal.hpp"
#include "io/file/held_signals.hpp"

namespace rope::cli {

Progress::Progress(std::string what) : what_(std::move(what)) {
    if (what_.empty() || !stderr_is_terminal() || is_set("CI")) return;
    const io::HeldSignals by_the_new_thread;  // which must not take one that the main thread holds
    teller_ = std::thread([this] { tell(); });
}

Progress::~Progress() {
    if (!teller_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        done_ = true;
    }
    done_or_later_.notify_one();
    teller_.join();
}

void Progress::tell() {
    std::unique_lock lock(mutex_);
    for (int seconds = 1;; ++seconds) {
        if (done_or_later_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
            if (seconds > 1) overwrite_line("");
            return;
        }
        overwrite_line(fmt::format("{}… {} s", what_, seconds));
    }
}

}  // namespace rope::cli
