#include "rope/diagnose/frequency_lists.hpp"

#include <utility>

#include "rope/changes/frequencies.hpp"

namespace rope {

std::vector<Frequencies> UsualList::operator()(const DumpReading& reading,
                                               const std::vector<PhaseLine>& lines) {
    const bool is_of_vectors = reading.arrangement.has_value();
    std::vector<Frequencies> list =
        (is_of_vectors ? of_vectors_ : of_tables_).of(reading.asked, [&] {
            std::vector<Frequencies> usual = usual_frequencies(reading.asked);
            if (is_of_vectors) usual.push_back(rotated_twice(usual.front(), usual.front()));
            return usual;
        });
    for (Frequencies& one : fitted_frequencies(reading.asked, in_order(lines)))
        list.push_back(std::move(one));
    for (Frequencies& one : fitted_scale(reading.asked, lines)) list.push_back(std::move(one));
    for (Frequencies& one : with_odd_entries(list, lines)) list.push_back(std::move(one));
    return list;
}

std::vector<Frequencies> twice_of(UsualList& usual, const DumpReading& reading,
                                  const std::vector<PhaseLine>& lines) {
    if (!reading.arrangement) return {frequencies_of(reading.asked)};
    const std::vector<double> asked = frequencies_of(reading.asked).theta;
    const std::vector<Frequencies> once = usual(reading, nearest_to(asked, halved(lines)));
    std::vector<Frequencies> list{once.front()};
    for (const Frequencies& one : once)
        if (!one.mistake.empty() && !one.are_twice())
            list.push_back(rotated_twice(one, once.front()));
    return list;
}

std::vector<Frequencies> unusual(ListsOfSpecs& all, const DumpReading& reading) {
    return all.of(reading.asked, [&] {
        std::vector<Frequencies> list = unusual_frequencies(reading.asked);
        list.insert(list.begin(), frequencies_of(reading.asked));
        return list;
    });
}

std::vector<Frequencies> doubly_changed(const DumpReading& reading,
                                        const std::vector<PhaseLine>& lines) {
    const std::vector<PhaseLine> exact = through_zero(lines);
    std::vector<Frequencies> list = two_changes(reading.asked, exact.empty() ? lines : exact);
    list.insert(list.begin(), frequencies_of(reading.asked));
    return list;
}

std::vector<Frequencies> ending_still(const DumpReading& reading, const std::vector<PhaseLine>&) {
    std::vector<Frequencies> list{frequencies_of(reading.asked)};
    if (auto still = still_tail(list.front(), reading.samples, as_asked_and_stored(reading),
                                reading.odd_pairs))
        list.push_back(*std::move(still));
    return list;
}

}  // namespace rope
