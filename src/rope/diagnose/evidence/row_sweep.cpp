// Every row of some groups held against a hypothesis, in chunks that threads take.
#include <algorithm>

#include "base/tasks.hpp"
#include "rope/diagnose/evidence/row_replay.hpp"

namespace rope {
namespace {

constexpr unsigned chunks = 8;  // whatever the threads: where a group is given up
constexpr std::uint64_t chunk_rows = 1024;
constexpr std::size_t most_listed = 16;

void add(GroupErrors& errors, std::size_t row, double error) {
    ++errors.looked;
    if (error <= 1) {
        errors.worst = std::max(errors.worst, error);
        return;
    }
    ++errors.wrong;
    if (errors.first.size() < most_listed) errors.first.push_back(row);
}

void append(GroupErrors& errors, const GroupErrors& later) {
    errors.looked += later.looked;
    errors.wrong += later.wrong;
    errors.worst = std::max(errors.worst, later.worst);
    const std::size_t room = most_listed - errors.first.size();
    errors.first.insert(
        errors.first.end(), later.first.begin(),
        later.first.begin() + static_cast<std::ptrdiff_t>(std::min(room, later.first.size())));
}

}  // namespace

void RowReplay::look(const std::vector<std::size_t>& of, std::uint64_t begin, std::uint64_t end,
                     std::uint64_t most_wrong, std::vector<GroupErrors>& errors) {
    for (std::uint64_t index = begin; index < end; ++index)
        for (std::size_t g = 0; g < of.size(); ++g) {
            if (errors[g].wrong > most_wrong) continue;
            const std::size_t row = groups_.row(of[g], index);
            if (index + 1 < groups_.length()) prefetch(groups_.row(of[g], index + 1));
            add(errors[g], row, error(row));
        }
}

std::vector<GroupErrors> RowReplay::sweep(const std::vector<std::size_t>& of,
                                          std::uint64_t most_wrong, unsigned threads) {
    if (threads == 0) threads = machine_threads();
    std::vector<GroupErrors> found(of.size());
    const std::uint64_t length = groups_.length(), step = chunks * chunk_rows;
    for (std::uint64_t begin = 0; begin < length; begin += step) {
        std::vector<std::size_t> still, places;  // those not given up
        for (std::size_t g = 0; g < of.size(); ++g)
            if (found[g].wrong <= most_wrong) {
                still.push_back(of[g]);
                places.push_back(g);
            }
        if (still.empty()) break;
        std::vector<std::vector<GroupErrors>> parts(chunks, std::vector<GroupErrors>(still.size()));
        const auto count = static_cast<std::size_t>(
            (std::min(step, length - begin) + chunk_rows - 1) / chunk_rows);
        run_tasks(count, threads, [&](std::size_t part) {
            const std::uint64_t first = begin + part * chunk_rows;
            RowReplay(*this).look(still, first, std::min(first + chunk_rows, length), most_wrong,
                                  parts[part]);
        });
        for (std::size_t part = 0; part < count; ++part)
            for (std::size_t g = 0; g < still.size(); ++g) append(found[places[g]], parts[part][g]);
    }
    return found;
}

}  // namespace rope
