#include "rope/session/sweep_row.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "rope/checks/report.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

// Calls visit with each number of a row.
template <class Row, class Visit>
void for_each_number(Row& row, const Visit& visit) {
    visit(row.k);
    visit(row.worst_error);
    visit(row.worst_position);
    visit(row.worst_pair);
    visit(row.first_beyond);
}

SweepRow refused(std::string reason) { return {.reason = std::move(reason)}; }

// Returns "table-accuracy, score-accuracy: the pipeline's fault".
std::string violations(const Report& report) {
    std::vector<std::string> ids;
    std::string note;
    for (const Finding& finding : report.findings) {
        if (finding.kind == Kind::claim || finding.verdict != Verdict::violated) continue;
        ids.push_back(finding.check);
        if (note.empty()) note = finding.note;
    }
    return join(ids) + (note.empty() ? "" : ": " + note);
}

SweepRow row_of(const Report& report) {
    const Finding& table = *find_finding(report, "table-accuracy");
    SweepRow row;
    if (table.samples > 0) {
        row.k = finding_field<double>(table, "K");
        row.worst_error = finding_field<double>(table, "worst_error");
        row.worst_position = finding_field<std::uint64_t>(table, "worst_error_position");
        row.worst_pair = finding_field<std::uint64_t>(table, "worst_error_pair");
        row.first_beyond = finding_field<std::uint64_t>(table, "first_beyond_1e_3");
    }
    if (summarize(report).violated > 0) {
        row.verdict = RowVerdict::violated;
        row.reason = violations(report);
    } else if (table.verdict == Verdict::not_applicable) {
        row.verdict = RowVerdict::not_applicable;
        row.reason = table.note;
    } else {
        row.verdict = RowVerdict::holds;
    }
    return row;
}

// Checks these cells, each on `threads` threads.
class CellTasks : public TaskSource {
  public:
    CellTasks(std::span<const SweepCell> cells, std::span<const std::size_t> order,
              unsigned threads, TaskCount* count, SweepRows& rows)
        : cells_(cells), order_(order), threads_(threads), count_(count), rows_(rows) {}

    std::optional<Bytes> next() override {
        return next_ < order_.size() ? std::optional(to_bytes(order_[next_++])) : std::nullopt;
    }
    Bytes perform(const Bytes& task) const override {
        return bytes_of(judge_cell(cells_[value_of<std::size_t>(task)], threads_));
    }
    void take(const Bytes& task, const Bytes& result) override {
        rows_.at(value_of<std::size_t>(task)) = sweep_row_of(result);
        if (count_ != nullptr) ++count_->ended;
    }

  private:
    std::span<const SweepCell> cells_;
    std::span<const std::size_t> order_;
    unsigned threads_;
    TaskCount* count_;
    SweepRows& rows_;
    std::size_t next_ = 0;
};

}  // namespace

std::vector<SweepCell> sweep_cells(const SweepPlan& plan) {
    std::vector<SweepCell> cells;
    for (const SweepModel& model : plan.models) {
        if (!model.refusal.empty()) {
            cells.push_back({model});
            continue;
        }
        const std::vector own{model.own_context};
        for (const Pipeline* pipeline : plan.pipelines)
            for (const std::uint64_t context : plan.contexts.empty() ? own : plan.contexts) {
                cells.push_back({model, pipeline, context});
                cells.back().spec = with_table_of(model.spec, context);
            }
    }
    return cells;
}

Bytes bytes_of(const SweepRow& row) {
    Bytes bytes = to_bytes(row.verdict);
    for_each_number(row, [&](const auto& number) {
        bytes += to_bytes(number.has_value());
        bytes += to_bytes(number.value_or(0));
    });
    return bytes + row.reason;
}

SweepRow sweep_row_of(const Bytes& bytes) {
    SweepRow row;
    std::size_t at = 0;
    const auto take = [&]<class T>(T& value) {
        value = value_of<T>(bytes.substr(std::min(at, bytes.size()), sizeof(T)));
        at += sizeof(T);
    };
    take(row.verdict);
    for_each_number(row, [&](auto& number) {
        bool is_known;
        take(is_known);
        take(number.emplace());
        if (!is_known) number.reset();
    });
    row.reason = bytes.substr(at);
    return row;
}

std::string_view to_string(RowVerdict verdict) {
    constexpr std::string_view names[] = {"holds", "violated", "not_applicable", "refused"};
    return names[static_cast<std::size_t>(verdict)];
}

SweepRow judge_cell(const SweepCell& cell, unsigned threads) try {
    if (!cell.refusal.empty()) return refused(cell.refusal);
    SessionOptions options;
    options.claims = false;
    options.threads = threads;
    return row_of(verify(cell.spec, *cell.pipeline, cell.context, options));
} catch (const InputError& error) {
    return refused(error.what());
}

SweepRows judge_cells(std::span<const SweepCell> cells, const SweepOptions& options) {
    constexpr double enough = 0x1p20;  // values per thread, as in verify()
    const unsigned threads = options.threads != 0 ? options.threads : machine_threads();
    std::vector<std::size_t> large, small;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const double values =
            static_cast<double>(cells[k].context) * static_cast<double>(cells[k].spec.pairs());
        (values >= enough * threads ? large : small).push_back(k);
    }
    if (workers(1) > 1) {  // each rank has one thread: start the longest cells first
        large.insert(large.end(), small.begin(), small.end());
        small = std::exchange(large, {});
    }
    if (options.tasks != nullptr) options.tasks->all += cells.size();
    SweepRows rows(cells.size());
    CellTasks on_one_thread(cells, small, 1, options.tasks, rows);
    perform_all(on_one_thread, threads, options.log);
    CellTasks on_all_threads(cells, large, threads, options.tasks, rows);
    perform_all(on_all_threads, 1, options.log);
    return rows;
}

SweepSummary summarize(const SweepRows& rows) {
    SweepSummary sum;
    for (const SweepRow& row : rows)
        ++(row.verdict == RowVerdict::holds      ? sum.holds
           : row.verdict == RowVerdict::violated ? sum.violated
           : row.verdict == RowVerdict::refused  ? sum.refused
                                                 : sum.not_applicable);
    return sum;
}

int exit_code(const SweepSummary& summary) {
    if (summary.violated > 0) return 1;
    const bool judged = summary.holds + summary.not_applicable > 0;
    return judged && summary.refused == 0 ? 0 : 2;
}

}  // namespace rope
