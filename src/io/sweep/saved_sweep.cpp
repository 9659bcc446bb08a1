#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/file/file_descriptor.hpp"
#include "io/file/unfinished.hpp"
#include "io/file/write_file.hpp"
#include "io/json/json_text.hpp"
#include "io/sweep/sweep_table.hpp"

namespace rope::io {
namespace {

using SortedJson = nlohmann::json;

constexpr std::size_t most_keys = max_json_values;  // a row has eleven

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw InputError(name + ": " + what + "; remove it, or give --output another name");
}

SortedJson parsed(std::string_view text, const std::string& name) try {
    return parse_json(text, name, most_keys);
} catch (const InputError& error) {
    throw InputError(std::string(error.what()) +
                     "; it is damaged, or no sweep: remove it, or give --output another name");
}

std::string shown_json(const SortedJson& json) { return printable(json_text(json), 60); }

SortedJson member(const SortedJson& json, const char* key) {
    return json.is_object() && json.contains(key) ? json[key] : SortedJson();
}

// "models.0.spec.rope_parameters.rope_theta was 10000 and is 500000"
std::string change_of(const SortedJson& was, const SortedJson& is) {
    const SortedJson change = SortedJson::diff(was, is).at(0);
    const SortedJson::json_pointer at(change.at("path").get<std::string>());
    std::string path = at.to_string().substr(1);
    std::ranges::replace(path, '/', '.');
    return printable(path, 60) + " was " + (was.contains(at) ? shown_json(was.at(at)) : "absent") +
           " and is " + (change.contains("value") ? shown_json(change["value"]) : "absent");
}

SortedJson labels_of(const SortedJson& models) {
    SortedJson labels = SortedJson::array();
    for (const SortedJson& one : models)
        labels.push_back({{"model", member(one, "model")}, {"layers", member(one, "layers")}});
    return labels;
}

// Throws InputError if the file belongs to another sweep.
void refuse_other_question(const SortedJson& file, const SortedJson& now, const std::string& name) {
    if (member(file, "schema") != now["schema"])
        refuse(name, "is no sweep: its schema is " + shown_json(member(file, "schema")) + ", not " +
                         shown_json(now["schema"]));
    const auto refuse_change = [&](const char* key, const SortedJson& of_file,
                                   const SortedJson& own) {
        const SortedJson was{{key, of_file}}, is{{key, own}};
        if (was != is) refuse(name, "is a different sweep: its " + change_of(was, is));
    };
    refuse_change("models", labels_of(member(file, "models")), labels_of(now["models"]));
    for (const char* key : {"tool", "models", "pipelines", "contexts"})
        refuse_change(key, member(file, key), now[key]);
}

std::optional<double> real_of(const SortedJson& json) {
    if (json.is_null()) return std::nullopt;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (json == "inf") return infinity;
    return json == "-inf" ? -infinity : json.get<double>();
}

std::optional<std::uint64_t> whole_of(const SortedJson& json) {
    if (json.is_null()) return std::nullopt;
    return json.get<std::uint64_t>();
}

RowVerdict verdict_of(const SortedJson& json) {
    for (const RowVerdict verdict :
         {RowVerdict::holds, RowVerdict::violated, RowVerdict::not_applicable})
        if (json == to_string(verdict)) return verdict;
    return RowVerdict::refused;
}

SweepRow row_of(const SortedJson& json) {
    return {.k = real_of(json.at("K")),
            .worst_error = real_of(json.at("worst_error")),
            .worst_position = whole_of(json.at("worst_error_position")),
            .worst_pair = whole_of(json.at("worst_error_pair")),
            .first_beyond = whole_of(json.at("first_beyond_1e_3")),
            .verdict = verdict_of(json.at("verdict")),
            .reason = json.at("reason")};
}

// Whether a saved row belongs to a cell. Rows have the order of the cells.
bool is_row_of(const SortedJson& row, const SortedJson& cell) {
    for (const char* key : {"model", "layers", "pipeline", "context"})
        if (row.at(key) != cell.at(key)) return false;
    return true;
}

void take_rows(SweepTable& table, const SortedJson& rows, const SortedJson& all) {
    std::size_t k = 0;
    for (const SortedJson& row : rows) {
        while (k < all.size() && !is_row_of(row, all[k])) ++k;
        if (k == all.size()) return;
        table.rows[k++] = row_of(row);
    }
}

}  // namespace

void resume_sweep(SweepTable& table, std::string_view json, const std::string& name) {
    SweepTable finished = table;
    for (auto& row : finished.rows) row.emplace();
    const SortedJson now = parse_json(sweep_json(finished), name, most_keys),
                     file = parsed(json, name);
    refuse_other_question(file, now, name);
    try {
        take_rows(table, member(file, "rows"), now["rows"]);
    } catch (const SortedJson::exception&) {
        refuse(name, "is damaged: a row lacks a value, or has one of another kind");
    }
    // equal text means that every key, value and row was understood and the digest is right
    if (sweep_json(table) != json) refuse(name, "is not as it was written: it was changed since");
}

namespace {

using Ended = std::vector<std::pair<std::size_t, SweepRow>>;

// Saves on a separate thread, which receives signals except while it writes. Until it ends, all
// other threads, including the caller's, receive none.
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

    // Returns whether further rows can be saved.
    bool add(std::size_t cell, const SweepRow& row) {
        const std::lock_guard lock(mutex_);
        ended_.emplace_back(cell, row);
        more_.notify_one();
        return !failure_;
    }

    // Waits until all rows are saved. Rethrows an error of saving.
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
