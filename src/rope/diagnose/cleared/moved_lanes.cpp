#include <algorithm>
#include <utility>

#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/sampled_vectors.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

using Vector = std::vector<double>;

// Every lane that does not rotate is `by` lanes further on, around the head, and not where it was.
bool are_moved(const std::vector<SampledVector>& rows, const std::vector<std::size_t>& passed,
               std::size_t head_dim, std::size_t by) {
    const auto are = [&](std::size_t further) {
        return std::ranges::all_of(rows, [&](const SampledVector& one) {
            return std::ranges::all_of(passed, [&](std::size_t lane) {
                return one.after[(lane + further) % head_dim] == one.before[lane];
            });
        });
    };
    return are(by) && !are(0);
}

StridedRows moved_back(const RotatedDump& dump, std::size_t head_dim, std::size_t by) {
    Vector all, row(head_dim);
    all.reserve(dump.positions.size() * head_dim);
    for (std::size_t k = 0; k < dump.positions.size(); ++k) {
        dump.after.read(k, 0, head_dim, row.data());
        std::ranges::rotate(row, row.begin() + static_cast<std::ptrdiff_t>(by));
        all.insert(all.end(), row.begin(), row.end());
    }
    return {std::move(all), head_dim};
}

}  // namespace

std::optional<Cleared> cleared_of_moved_lanes(const Spec& asked, const RotatedDump& dump) {
    constexpr std::size_t least = 4;
    const std::vector<std::size_t> passed = passed_lanes(asked);
    const bool is_at_end = asked.rotary_offset != 0;
    if (passed.empty() || dump.positions.size() * asked.head_dim > most_changed_lanes ||
        (is_at_end && asked.rotary_offset + asked.rotary_dim != asked.head_dim))
        return std::nullopt;
    const std::vector<SampledVector> rows = sampled_vectors(JoinedHeads(dump));
    const std::size_t by = is_at_end ? asked.rotary_dim : asked.head_dim - asked.rotary_dim;
    if (rows.size() < least || !are_moved(rows, passed, asked.head_dim, by)) return std::nullopt;
    Cleared cleared{
        {"pair-layout",
         {{"after", std::string(is_at_end ? "rotated lanes first" : "rotated lanes last")}},
         std::string("the rotated lanes are read at the ") +
             (is_at_end ? "end of the head and written at its start: cat(rotated, rest)"
                        : "start of the head and written at its end: cat(rest, rotated)")},
        dump};
    std::get<RotatedDump>(cleared.dump).after = moved_back(dump, asked.head_dim, by);
    return cleared;
}

}  // namespace rope
