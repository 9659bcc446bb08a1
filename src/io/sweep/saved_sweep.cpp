#include "io/sweep/saved_sweep.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "io/file/held_signals.hpp"
#include "io/file/io_error.hpp"
#include "io/file/write_file.hpp"

namespace rope::io {
namespace {

using Ended = std::vector<std::pair<std::size_t, SweepRow>>;

// Saves on a thread of its own, which takes signals except while it writes. Until it is gone, those
// that judge, the caller's among them, take none.
class Saving {
  public:
    Saving(SweepTable& table, const std::filesystem::path& file) try
        : table_(table), file_(file), thread_([this] { save(); }) {
        held_.emplace();
    } catch (const std::system_error& error) {
        throw IoError("cannot start a thread: " + error.code().message());
    }
    Saving(const Saving&) = delete;
    Saving& operator=(const Saving&) = delete;
    ~Saving() { end(); }

    // Whether further rows can be saved.
    bool add(std::size_t cell, const SweepRow& row) {
        const std::lock_guard lock(mutex_);
        ended_.emplace_back(cell, row);
        more_.notify_one();
        return !failure_;
    }

    // Until all are saved. Throws what saving threw.
    void finish() {
        end();
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    void end() {
        {
            const std::lock_guard lock(mutex_);
            is_done_ = true;
            more_.notify_one();
        }
        if (thread_.joinable()) thread_.join();
    }

    Ended next() {
        std::unique_lock lock(mutex_);
        more_.wait(lock, [this] { return is_done_ || !ended_.empty(); });
        return std::exchange(ended_, {});
    }

    void save() try {
        for (Ended ended = next(); !ended.empty(); ended = next()) {
            for (auto& [cell, row] : ended) table_.rows[cell] = std::move(row);
            write_file_atomically(file_, sweep_json(table_));
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
    }

    SweepTable& table_;
    const std::filesystem::path& file_;
    std::mutex mutex_;
    std::condition_variable more_;
    Ended ended_;
    bool is_done_ = false;
    std::exception_ptr failure_;
    std::optional<HeldSignals> held_;
    std::thread thread_;
};

}  // namespace

void finish_sweep(SweepTable& table, const SweepOptions& options,
                  const std::filesystem::path& file) {
    write_file_atomically(file, sweep_json(table));
    const SweepRows known = table.rows;
    Saving saving(table, file);
    judge_cells(table.cells, known, options,
                [&](std::size_t cell, const SweepRow& row) { return saving.add(cell, row); });
    saving.finish();
}

}  // namespace rope::io
