#include "io/sweep/saved_sweep.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "io/file/held_signals.hpp"
#include "io/file/io_error.hpp"
#include "io/file/write_file.hpp"

namespace rope::io {
namespace {

using Ended = std::vector<std::pair<std::size_t, SweepRow>>;

// Judges on threads of its own, which take no signals: the caller's does, except while it writes.
class Judging {
  public:
    Judging(const SweepTable& table, const SweepOptions& options) try
        : cells_(table.cells), rows_(table.rows), options_(options) {
        const HeldSignals by_the_new_threads;
        thread_ = std::thread([this] { judge(); });
    } catch (const std::system_error& error) {
        throw IoError("cannot start a thread: " + error.code().message());
    }
    Judging(const Judging&) = delete;
    Judging& operator=(const Judging&) = delete;
    ~Judging() {
        {
            const std::lock_guard lock(mutex_);
            is_wanted_ = false;
        }
        thread_.join();
    }

    // Waits for rows; none when all have ended. Throws what judging threw.
    Ended next() {
        std::unique_lock lock(mutex_);
        more_.wait(lock, [this] { return is_done_ || !ended_.empty(); });
        if (ended_.empty() && failure_) std::rethrow_exception(failure_);
        return std::exchange(ended_, {});
    }

  private:
    void judge() {
        std::exception_ptr failure;
        try {
            judge_cells(cells_, rows_, options_, [this](std::size_t cell, SweepRow row) {
                const std::lock_guard lock(mutex_);
                ended_.emplace_back(cell, std::move(row));
                more_.notify_one();
                return is_wanted_;
            });
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        failure_ = failure;
        is_done_ = true;
        more_.notify_one();
    }

    const std::vector<SweepCell>& cells_;
    const SweepRows rows_;
    const SweepOptions& options_;
    std::mutex mutex_;
    std::condition_variable more_;
    Ended ended_;
    bool is_done_ = false, is_wanted_ = true;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace

void finish_sweep(SweepTable& table, const SweepOptions& options,
                  const std::filesystem::path& file) {
    write_file_atomically(file, sweep_json(table));
    Judging judging(table, options);
    for (Ended ended = judging.next(); !ended.empty(); ended = judging.next()) {
        for (auto& [cell, row] : ended) table.rows[cell] = std::move(row);
        write_file_atomically(file, sweep_json(table));
    }
}

}  // namespace rope::io
