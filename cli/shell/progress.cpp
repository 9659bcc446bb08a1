#include "cli/shell/progress.hpp"

#include <fmt/format.h>

#include "cli/shell/terminal.hpp"
#include "io/system/unfinished.hpp"

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
    shows_stages_ = variable("ROPE_CHECK_PROGRESS") == "stages";
    if (shows_stages_) {
        overwrite_line(progress_line(what_, 0, 0));
        return;
    }
    const io::HeldSignals by_the_new_thread;  // the thread must not take the main thread's signals
    teller_ = start_thread([this] { tell(); });
}

Progress::~Progress() {
    if (shows_stages_) show_end();
    if (teller_.joinable()) {
        {
            const std::lock_guard lock(mutex_);
            done_ = true;
        }
        done_or_later_.notify_one();
        teller_.join();
    }
    wipe_line();
}

TaskCount* Progress::stage(std::string_view what) {
    if (what_.empty()) return &tasks_;
    if (shows_stages_) show_end();
    const std::lock_guard lock(mutex_);
    what_ = what;
    began_ = std::chrono::steady_clock::now();
    if (shows_stages_) overwrite_line(progress_line(what_, 0, 0));
    return part(0, 1);
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

void Progress::show_end() const {
    overwrite_line(fmt::format("{}… {:.0f} %", what_, 100 * share()));
}

void Progress::tell() {
    std::unique_lock lock(mutex_);
    while (!done_or_later_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began_;
        overwrite_line(progress_line(what_, std::round(seconds.count()), share()));
    }
}

TaskCount* begin_stage(const Arguments& arguments, std::string_view what) {
    Progress* progress = arguments.progress;
    return progress == nullptr || arguments.reports != nullptr ? nullptr : progress->stage(what);
}

TaskCount* begin_part(const Arguments& arguments, std::size_t k, std::size_t all) {
    if (arguments.progress == nullptr) return nullptr;
    return arguments.progress->part(arguments.run * all + k, arguments.runs * all);
}

}  // namespace rope::cli
