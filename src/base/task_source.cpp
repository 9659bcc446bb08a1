#include "base/task_source.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/tasks.hpp"

namespace rope {
namespace {

Ranks* everyone = nullptr;
thread_local bool is_within_task = false;

bool are_several() { return everyone != nullptr && everyone->size() > 1 && !is_within_task; }

// Returns source.perform(task). Calls of perform_all() inside the task use threads only, no ranks.
Bytes perform_task(const TaskSource& source, const Bytes& task) {
    struct Within {
        bool before = std::exchange(is_within_task, true);
        ~Within() { is_within_task = before; }
    } const within;
    return source.perform(task);
}

struct TaskResult {
    Bytes task, result;
};

// Hands out the tasks of one source to several threads and ranks.
class Dispatch {
  public:
    Dispatch(TaskSource& source, TaskLog* log, bool keeps_results)
        : source_(source), log_(log), keeps_results_(keeps_results) {}

    std::optional<Bytes> next_now() {
        const std::lock_guard lock(mutex_);
        return draw();
    }

    // Waits for a task. Returns none if no task is left.
    std::optional<Bytes> next() {
        std::unique_lock lock(mutex_);
        for (;;) {
            auto task = draw();
            if (task || running_ == 0) return task;
            ended_.wait(lock);
        }
    }

    void take(const Bytes& task, const Bytes& result) {
        end([&] {
            if (log_ != nullptr) log_->keep(task, result);
            keep(task, result);
        });
    }

    void perform(const Bytes& task) {
        try {
            take(task, perform_task(source_, task));
        } catch (...) {
            end([] { throw; });
        }
    }

    // Performs tasks until nothing is left.
    void work() {
        while (const auto task = next()) perform(*task);
    }

    bool is_over() {
        const std::lock_guard lock(mutex_);
        return running_ == 0 && (failure_ || is_dry_);
    }

    // Valid once is_over(): the first failure, and all results in order if keeps_results was set.
    std::exception_ptr failure() const { return failure_; }
    const std::vector<TaskResult>& results() const { return results_; }

  private:
    std::optional<Bytes> draw() try {
        if (failure_) return std::nullopt;
        while (auto task = source_.next()) {
            const auto known = log_ != nullptr ? log_->find(*task) : std::nullopt;
            if (!known) {
                ++running_;
                return task;
            }
            keep(*task, *known);
        }
        is_dry_ = true;
        return std::nullopt;
    } catch (...) {
        failure_ = std::current_exception();
        return std::nullopt;
    }

    void keep(const Bytes& task, const Bytes& result) {
        source_.take(task, result);
        if (keeps_results_) results_.push_back({task, result});
    }

    // Ends a running task. Its result may allow the source to give new tasks.
    template <class Take>
    void end(const Take& take) {
        {
            const std::lock_guard lock(mutex_);
            try {
                take();
            } catch (...) {
                if (!failure_) failure_ = std::current_exception();
            }
            --running_;
            is_dry_ = false;
        }
        ended_.notify_all();
    }

    TaskSource& source_;
    TaskLog* log_;
    bool keeps_results_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::exception_ptr failure_;
    std::vector<TaskResult> results_;
    std::size_t running_ = 0;
    bool is_dry_ = false;  // the source has given no task since the last result
};

// The first byte of a message.
enum Kind : char {
    performs = 't',
    result = 'r',
    failed = 'f',
    over = 'o',  // followed by all results
    abandoned = 'a',
};
Bytes message(Kind kind, const Bytes& bytes = {}) { return Bytes(1, kind) + bytes; }

void append(Bytes& text, const Bytes& part) { text += to_bytes(part.size()) + part; }

Bytes part_of(const Bytes& text, std::size_t& at) {
    const auto size = value_of<std::size_t>(text.substr(at, sizeof(std::size_t)));
    at += sizeof size + size;
    return text.substr(at - size, size);
}

// Sends all results, or `abandoned` after a failure, to the other ranks.
void tell_all(Ranks& ranks, const Dispatch& dispatch) {
    Bytes text = message(abandoned);
    if (!dispatch.failure()) {
        text = message(over);
        for (const TaskResult& each : dispatch.results())
            append(text, each.task), append(text, each.result);
    }
    for (unsigned rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, text);
}

// Runs on rank 0: gives each other rank one task at a time until no task is left.
void give_out(Ranks& ranks, Dispatch& dispatch) {
    std::vector<std::optional<Bytes>> given(ranks.size());
    while (!dispatch.is_over()) {
        bool is_idle = true;
        while (const auto message = ranks.receive()) {
            is_idle = false;
            auto task = std::exchange(given.at(message->from), std::nullopt);
            if (message->bytes.front() == result)
                dispatch.take(*task, message->bytes.substr(1));
            else
                dispatch.perform(*task);  // throws the same error on rank 0
        }
        for (unsigned rank = 1; rank < ranks.size(); ++rank) {
            if (given[rank]) continue;
            given[rank] = dispatch.next_now();
            if (!given[rank]) continue;
            is_idle = false;
            ranks.send(rank, message(performs, *given[rank]));
        }
        if (is_idle) ranks.rest();
    }
}

// Returns the result, or `failed`; rank 0 then performs the task again to get the error.
Bytes answer_to(const Bytes& task, TaskSource& source) {
    try {
        return message(result, perform_task(source, task));
    } catch (const std::exception&) {
        return message(failed);
    }
}

// Runs on the other ranks until rank 0 sends all results.
void serve(Ranks& ranks, TaskSource& source) {
    for (;;) {
        const auto asked = ranks.receive();
        if (!asked) {
            ranks.rest();
            continue;
        }
        const Bytes text = asked->bytes.substr(1);
        if (asked->bytes.front() == abandoned) {
            ranks.is_abandoned = true;
            throw std::runtime_error("rank 0 gave up");
        }
        if (asked->bytes.front() == over) {
            for (std::size_t at = 0; at < text.size();) {
                const Bytes task = part_of(text, at);
                source.take(task, part_of(text, at));
            }
            return;
        }
        ranks.send(0, answer_to(text, source));
    }
}

class NumberedTasks : public TaskSource {
  public:
    NumberedTasks(std::size_t count, const std::function<Bytes(std::size_t)>& task)
        : results(count), task_(task) {}
    std::optional<Bytes> next() override {
        return next_ < results.size() ? std::optional(to_bytes(next_++)) : std::nullopt;
    }
    void take(const Bytes& task, const Bytes& result) override {
        results.at(value_of<std::size_t>(task)) = result;
    }
    Bytes perform(const Bytes& task) const override { return task_(value_of<std::size_t>(task)); }

    std::vector<Bytes> results;

  private:
    const std::function<Bytes(std::size_t)>& task_;
    std::size_t next_ = 0;
};

}  // namespace

void perform_over(Ranks& ranks, TaskSource& source, TaskLog* log) {
    if (ranks.rank() != 0) return serve(ranks, source);
    Dispatch dispatch(source, log, true);
    std::thread own = start_thread([&] { dispatch.work(); });
    give_out(ranks, dispatch);
    if (own.joinable()) own.join();
    tell_all(ranks, dispatch);
    if (dispatch.failure()) std::rethrow_exception(dispatch.failure());
}

void abandon(Ranks& ranks) {
    for (unsigned rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, message(abandoned));
}

void decline(Ranks& ranks) {
    while (!ranks.is_abandoned) {
        const auto asked = ranks.receive();
        if (!asked)
            ranks.rest();
        else if (asked->bytes.front() == performs)
            ranks.send(0, message(failed));
        else
            ranks.is_abandoned = asked->bytes.front() == abandoned;
    }
}

void share_with(Ranks* ranks) { everyone = ranks; }

bool is_first_rank() { return everyone == nullptr || everyone->rank() == 0; }

void abandon_ranks(bool failed) {
    if (everyone == nullptr) return;
    if (everyone->rank() == 0)
        abandon(*everyone);
    else if (failed)
        decline(*everyone);
}

unsigned workers(unsigned threads) { return are_several() ? everyone->size() : threads; }

void perform_all(TaskSource& source, unsigned threads, TaskLog* log) {
    if (are_several()) return perform_over(*everyone, source, log);
    Dispatch dispatch(source, log, false);
    run_tasks(std::max(1U, threads), threads, [&](std::size_t) { dispatch.work(); });
    if (dispatch.failure()) std::rethrow_exception(dispatch.failure());
}

std::vector<Bytes> map_tasks(std::size_t count, unsigned threads,
                             const std::function<Bytes(std::size_t)>& task, TaskLog* log) {
    NumberedTasks tasks(count, task);
    perform_all(tasks, threads, log);
    return std::move(tasks.results);
}

}  // namespace rope
