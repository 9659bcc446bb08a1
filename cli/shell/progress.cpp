#include "cli/shell/progress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "cli/shell/terminal.hpp"
#include "io/file/held_signals.hpp"

namespace rope::cli {

namespace {

std::string in_words(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 90 * 60) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
    return fmt::format("{:.0f} h", std::ceil(seconds / 3600));
}

}  // namespace

std::string progress_line(std::string_view what, double seconds, double share) {
    if (seconds < 2 || share < 0.005 || share > 0.995)
        return fmt::format("{}… {:.0f} s", what, seconds);
    return fmt::format("{}… {:.0f} %, {} left", what, 100 * share,
                       in_words(seconds * (1 - share) / share));
}

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

TaskCount* Progress::part(std::size_t k, std::size_t all) {
    part_ = k;
    parts_ = all;
    tasks_.ended = tasks_.all = 0;
    return &tasks_;
}

double Progress::share() const {
    const auto ended = static_cast<double>(tasks_.ended), all = static_cast<double>(tasks_.all);
    return (static_cast<double>(part_) + (all > 0 ? ended / all : 0)) / static_cast<double>(parts_);
}

void Progress::tell() {
    std::unique_lock lock(mutex_);
    for (int seconds = 1;; ++seconds) {
        if (done_or_later_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
            if (seconds > 1) overwrite_line("");
            return;
        }
        overwrite_line(progress_line(what_, seconds, share()));
    }
}

}  // namespace rope::cli
