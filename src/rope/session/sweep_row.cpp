#include "rope/session/sweep_row.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/text.hpp"
#include "rope/report/lookup.hpp"
#include "rope/session/session.hpp"

namespace rope {
namespace {

SweepRow refused(std::string reason) { return {.reason = std::move(reason)}; }

// "table-accuracy, score-accuracy: the pipeline's fault"
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
        row.first_beyond = finding_field<std::uint64_t>(table, "first_beyond_1e-3");
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

// Cells that all threads help to judge one by one, and those that a thread each does.
struct Work {
    std::vector<std::size_t> large, small;
};

Work work_of(std::span<const SweepCell> cells, const SweepRows& rows, unsigned threads) {
    constexpr double enough = 0x1p20;  // values for a thread, as verify() counts
    Work work;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (rows[k]) continue;
        const double values =
            static_cast<double>(cells[k].context) * static_cast<double>(cells[k].spec.pairs());
        (values >= enough * threads ? work.large : work.small).push_back(k);
    }
    return work;
}

}  // namespace

std::string_view to_string(RowVerdict verdict) {
    switch (verdict) {
        case RowVerdict::holds:
            return "holds";
        case RowVerdict::violated:
            return "violated";
        case RowVerdict::not_applicable:
            return "not_applicable";
        case RowVerdict::refused:
            return "refused";
    }
    return "";
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

void judge_cells(std::span<const SweepCell> cells, const SweepRows& rows,
                 const SweepOptions& options,
                 const std::function<bool(std::size_t cell, SweepRow row)>& ended) {
    const unsigned threads = options.threads != 0 ? options.threads : machine_threads();
    const Work work = work_of(cells, rows, threads);
    if (options.tasks != nullptr) options.tasks->all += work.large.size() + work.small.size();
    std::atomic<bool> goes_on = true;
    std::mutex one_at_a_time;
    const auto judge = [&](std::size_t k, unsigned threads_of_cell) {
        if (!goes_on) return;
        try {
            SweepRow row = judge_cell(cells[k], threads_of_cell);
            const std::lock_guard lock(one_at_a_time);
            if (options.tasks != nullptr) ++options.tasks->ended;
            if (goes_on) goes_on = ended(k, std::move(row));
        } catch (...) {
            goes_on = false;
            throw;
        }
    };
    run_tasks(work.small.size(), threads, [&](std::size_t i) { judge(work.small[i], 1); });
    for (const std::size_t k : work.large) judge(k, threads);
}

SweepSummary summarize(const SweepRows& rows) {
    SweepSummary sum;
    for (const auto& row : rows) {
        if (!row)
            ++sum.unfinished;
        else if (row->verdict == RowVerdict::holds)
            ++sum.holds;
        else if (row->verdict == RowVerdict::violated)
            ++sum.violated;
        else
            ++(row->verdict == RowVerdict::refused ? sum.refused : sum.not_applicable);
    }
    return sum;
}

int exit_code(const SweepSummary& summary) {
    if (summary.violated > 0) return 1;
    const bool judged = summary.holds + summary.not_applicable + summary.unfinished > 0;
    return judged ? 0 : 2;
}

}  // namespace rope
