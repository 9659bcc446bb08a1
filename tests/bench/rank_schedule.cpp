// The tasks of one base-bound, each performed and timed once, given out to 1 … 1024 simulated ranks
// as src/base/task_source.cpp does it: usage rank_schedule CONTEXT [FILE [RANKS]]
//
// A rank asks for the next task when it has ended one; which one it gets depends on what has ended
// by then. Tasks that only many ranks would begin are performed and timed, too, so that needless
// work counts. Each task has a latency on top. FILE keeps what was measured, for a later run.
// RANKS: so many beside one, instead of all powers of two; long contexts take hours for all.
#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <queue>
#include <string>

#include "base/tasks.hpp"
#include "rope/base_bound/base_search.hpp"

namespace {

using namespace rope;

// Of a message, in seconds: rank 0 sleeps 1/32 of the time since the last one, of whichever rank,
// at most 1 ms, and is woken at no time in particular.
double latency(double seconds, std::size_t ranks) {
    if (ranks == 1) return 0;
    return 1e-4 + std::min(5e-4, seconds / (64 * static_cast<double>(ranks)));
}

double thread_seconds() {
    timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Timed {
    Bytes result;
    double seconds;
};

std::string hex(const Bytes& bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const char each : bytes) {
        const auto byte = static_cast<unsigned char>(each);
        text += {digits[byte / 16], digits[byte % 16]};
    }
    return text;
}

Bytes unhex(const std::string& text) {
    Bytes bytes(text.size() / 2, '\0');
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        unsigned char byte = 0;
        std::from_chars(&text[2 * k], &text[2 * k] + 2, byte, 16);
        bytes[k] = static_cast<char>(byte);
    }
    return bytes;
}

// Each task that was ever performed.
class Measured {
  public:
    explicit Measured(const char* file) {
        if (file == nullptr) return;
        std::ifstream known(file);
        std::string task, result;
        for (double seconds = 0; known >> task >> result >> seconds;)
            all_[unhex(task)] = {unhex(result), seconds};
        file_.open(file, std::ios::app);
    }
    const Timed& operator()(const TaskSource& source, const Bytes& task) {
        {
            const std::lock_guard lock(mutex_);
            if (const auto one = all_.find(task); one != all_.end()) return one->second;
        }
        const double start = thread_seconds();
        const Bytes result = source.perform(task);
        const double seconds = thread_seconds() - start;
        const std::lock_guard lock(mutex_);
        if (file_.is_open())
            file_ << hex(task) << ' ' << hex(result) << ' ' << seconds << '\n' << std::flush;
        return all_[task] = {result, seconds};
    }

  private:
    std::map<Bytes, Timed> all_;
    std::mutex mutex_;
    std::ofstream file_;
};

// A source whose tasks are measured as they are performed.
class Measuring : public TaskSource {
  public:
    Measuring(TaskSource& source, Measured& measured) : source_(source), measured_(measured) {}
    std::optional<Bytes> next() override { return source_.next(); }
    void take(const Bytes& task, const Bytes& result) override { source_.take(task, result); }
    Bytes perform(const Bytes& task) const override { return measured_(source_, task).result; }

  private:
    TaskSource& source_;
    Measured& measured_;
};

struct Schedule {
    std::size_t tasks = 0;
    double end = 0, longest = 0;
};

Schedule simulate(TaskSource& source, Measured& measured, std::size_t ranks) {
    struct Running {
        double end;
        Bytes task;
        bool operator>(const Running& other) const { return end > other.end; }
    };
    std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
    Schedule schedule;
    for (;;) {
        while (running.size() < ranks) {
            const auto task = source.next();
            if (!task) break;
            const double own = measured(source, *task).seconds;
            const double seconds = own + latency(own, ranks);
            running.push({schedule.end + seconds, *task});
            schedule.longest = std::max(schedule.longest, seconds);
            ++schedule.tasks;
        }
        if (running.empty()) return schedule;
        const Running first = running.top();
        running.pop();
        schedule.end = first.end;
        source.take(first.task, measured(source, first.task).result);
    }
}

std::uint64_t whole(const std::string& text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// Those that a search for that many workers asks, on all of the machine's threads.
void measure(const BaseQuestion& question, Measured& measured, std::size_t ranks) {
    BaseSearch search(question, static_cast<unsigned>(ranks));
    Measuring measuring(search, measured);
    perform_all(measuring, machine_threads());
}

}  // namespace

int main(int argc, char** argv) {
    BaseQuestion question{.pairs = {64, 0},
                          .context = whole(argc > 1 ? argv[1] : "1048576"),
                          .search_to = largest_base};  // 1000 times the infimum
    Measured measured(argc > 2 ? argv[2] : nullptr);
    std::vector<std::size_t> all{1};
    if (argc > 3)
        all.push_back(whole(argv[3]));
    else
        while (all.back() < 1024) all.push_back(2 * all.back());
    for (const std::size_t ranks : all)
        if (ranks == 1 || argc > 3) measure(question, measured, ranks);

    std::printf(
        "| ranks | seconds | of the ideal | tasks | longest task |\n|---|---|---|---|---|\n");
    double alone = 0;
    for (const std::size_t ranks : all) {
        BaseSearch again(question, static_cast<unsigned>(ranks));
        const Schedule schedule = simulate(again, measured, ranks);
        if (ranks == 1) alone = schedule.end;
        (void)std::printf("| %zu | %.4g | %.2f | %zu | %.3g s |\n", ranks, schedule.end,
                          alone / (static_cast<double>(ranks) * schedule.end), schedule.tasks,
                          schedule.longest);
        (void)std::fflush(stdout);
    }
    return 0;
}
