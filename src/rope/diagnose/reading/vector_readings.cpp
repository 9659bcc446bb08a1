#include <algorithm>
#include <iterator>

#include "rope/diagnose/reading/arrangements.hpp"
#include "rope/diagnose/reading/other_readings.hpp"

namespace rope {
namespace {

// Lanes beside the pairs must be as they were.
bool leaves_the_rest(const RotatedDump& dump, const Arrangement& arrangement,
                     const DumpPart& part) {
    const std::vector<std::size_t> rest = arrangement.rest();
    return std::ranges::all_of(part.sampled, [&](std::size_t row) {
        const std::size_t before = before_row(arrangement, part.rows, row);
        return std::ranges::all_of(rest, [&](std::size_t lane) {
            return is_kept(dump, dump.before.at(before, lane), dump.after.at(row, lane));
        });
    });
}

// Those that rotate, if the others do not.
MovedLanes moved_lanes(const RotatedDump& dump, const DumpPart& part, std::uint32_t head_dim) {
    MovedLanes moved{head_dim, 0};
    for (const std::size_t row : part.sampled)
        for (std::uint32_t lane = 0; lane < head_dim; ++lane)
            if (!is_kept(dump, dump.before.at(row, lane), dump.after.at(row, lane))) {
                moved.first = std::min(moved.first, lane);
                moved.end = std::max(moved.end, lane + 1);
            }
    return moved;
}

class VectorReadings {
  public:
    VectorReadings(const Spec& asked, const RotatedDump& dump, const DumpPart& part)
        : asked_(asked), dump_(dump), part_(part) {}

    // What the Spec asks for, without any mistake.
    Readings own() {
        add({{}, asked_, arrangement_of(asked_)});
        return std::move(readings_);
    }
    Readings all() {
        add({{}, asked_, arrangement_of(asked_)});
        for (NamedArrangement& one :
             other_arrangements(asked_, moved_lanes(dump_, part_, asked_.head_dim)))
            add(std::move(one));
        return std::move(readings_);
    }

  private:
    void add(NamedArrangement one) {
        one.arrangement.before_group = part_.before_group;
        const bool asked = one.mistakes.empty();
        const bool keeps_the_rest = leaves_the_rest(dump_, one.arrangement, part_);
        if (!asked && (!keeps_the_rest || !few_may_keep_norms(one.arrangement))) return;
        DumpReading reading{std::move(one.mistakes),
                            one.spec,
                            sample_vectors(dump_, one.arrangement, part_.sampled, part_.rows),
                            axis_of_pairs(one.spec.axes, one.spec.pairs()),
                            one.arrangement,
                            keeps_the_rest};
        reading.is_told_by_copies = keeps_the_rest && one.spec.rotary_dim < asked_.rotary_dim;
        if (reading.samples.rows() == 0 || (!asked && !keeps_norms(reading.samples))) return;
        Readings mapped;
        add_axis_maps(mapped, reading);
        readings_.insert(asked ? readings_.begin() : readings_.end(), std::move(reading));
        std::ranges::move(mapped, std::back_inserter(readings_));
    }

    // Most arrangements fail in their first rows.
    bool few_may_keep_norms(const Arrangement& arrangement) const {
        constexpr std::size_t few = 8;
        const auto& rows = part_.sampled;
        if (rows.size() <= few) return true;
        return may_keep_norms(
            sample_vectors(dump_, arrangement, {rows.begin(), rows.begin() + few}, part_.rows));
    }

    const Spec& asked_;
    const RotatedDump& dump_;
    const DumpPart& part_;
    Readings readings_;
};

}  // namespace

Readings vector_readings(const Spec& asked, const RotatedDump& dump, const DumpPart& part) {
    if (head_dim_of(dump) != asked.head_dim) return {};
    return VectorReadings(asked, dump, part).all();
}

Readings own_vector_readings(const Spec& asked, const RotatedDump& dump, const DumpPart& part) {
    if (head_dim_of(dump) != asked.head_dim) return {};
    return VectorReadings(asked, dump, part).own();
}

}  // namespace rope
