#include "rope/diagnose/explain/exchanged.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "rope/diagnose/explain/damage.hpp"
#include "rope/diagnose/explain/explain.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {
namespace {

// The largest error of an entry over its allowance, its rows for the positions of another; beyond 1
// of its first wrong row.
double error_at(RowReplay& replay, const RowGroups& rows, std::uint64_t entry,
                std::uint64_t other) {
    double worst = 0;
    for (std::uint64_t head = 0; head < rows.heads(); ++head)
        for (std::uint64_t index = 0; index < rows.length() && worst <= 1; ++index)
            worst = std::max(worst, replay.error_at(rows.row(entry * rows.heads() + head, index),
                                                    rows.row(other * rows.heads() + head, index)));
    return worst;
}

NamedMistake mistake_of(const std::vector<std::uint64_t>& entries,
                        const std::vector<std::uint64_t>& others) {
    return {
        "position-source",
        {{"source", std::string("other entries")},
         {"entries", join(entries)},
         {"positions_of", join(others)}},
        "batch entries are exchanged: " + join(entries) + " have the positions of " + join(others)};
}

}  // namespace

std::optional<Explanation> explain_exchanged(const DumpReading& asked, const DumpPart& part,
                                             const std::vector<std::size_t>& wrong) {
    const RowGroups& rows = part.rows;
    std::set<std::uint64_t> different;
    for (const std::size_t group : wrong) different.insert(rows.batch_of(group));
    const std::vector<std::uint64_t> entries(different.begin(), different.end());
    if (entries.size() < 2 || entries.size() * rows.heads() != wrong.size()) return std::nullopt;
    RowReplay replay(part.dump, rows, asked.arrangement ? &*asked.arrangement : nullptr,
                     asked.samples, as_asked(asked));
    std::vector<std::uint64_t> others;
    double worst = 0;
    for (const std::uint64_t entry : entries) {
        const auto is_its = [&](std::uint64_t other) {
            if (other == entry || std::ranges::count(others, other)) return false;
            const double error = error_at(replay, rows, entry, other);
            if (error <= 1) worst = std::max(worst, error);
            return error <= 1;
        };
        const auto other = std::ranges::find_if(entries, is_its);
        if (other == entries.end()) return std::nullopt;
        others.push_back(*other);
    }
    return explanation_of(mistake_of(entries, others), asked_misfit(asked), worst);
}

}  // namespace rope
