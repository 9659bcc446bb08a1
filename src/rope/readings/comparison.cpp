#include "rope/readings/comparison.hpp"

#include <algorithm>
#include <cmath>

namespace rope {
namespace {

// Whether text turns the pair: its fourth position is 0.
std::vector<bool> turns_in_text(const Spec& spec) {
    std::vector<bool> turns;
    for (const std::uint32_t axis : axis_of_pairs(spec.axes, spec.pairs()))
        turns.push_back(spec.axes.scheme != AxisScheme::interleaved4 || axis != 3);
    return turns;
}

std::vector<Contrast> turning(const Difference& difference) {
    const std::vector<bool> a = turns_in_text(difference.a), b = turns_in_text(difference.b);
    std::vector<Contrast> all = difference.inv_freq;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (a[i] == b[i]) continue;
        (a[i] ? all[i].b : all[i].a) = 0;
        all[i].relative = 1;
    }
    return all;
}

void find_radian(ReadingDifference& found) {
    double fastest = 0;
    for (const std::uint32_t i : found.pairs) {
        const double rate = std::abs(found.turning[i].a - found.turning[i].b);
        if (!(rate > fastest)) continue;
        fastest = rate;
        found.radian_pair = i;
    }
    const double position = std::ceil(1 / fastest);
    if (position < static_cast<double>(max_context))
        found.radian_position = static_cast<std::uint64_t>(position);
}

bool is_same_rotation(const Spec& a, Spec b) {
    b.reading = a.reading;
    return a == b || differing(difference(a, b, {})).empty();
}

void add_other(std::vector<OtherReading>& others, const Spec& spec, const ReadSpec& read,
               const Reading& reading) {
    for (OtherReading& earlier : others)
        if (earlier.layers == read.layers &&
            is_same_rotation(earlier.difference.difference.b, read.spec)) {
            earlier.by.push_back({&reading, read.changed});
            return;
        }
    others.push_back(
        {{{&reading, read.changed}}, reading_difference(spec, read.spec), read.layers});
}

}  // namespace

ReadingDifference reading_difference(const Spec& spec, const Spec& other) {
    ReadingDifference found{.difference = difference(spec, other, {})};
    found.differing = differing(found.difference);
    found.turning = turning(found.difference);
    for (std::uint32_t i = 0; i < found.turning.size(); ++i)
        if (found.turning[i].relative > same_in_float32) found.pairs.push_back(i);
    const auto worst = std::ranges::max_element(found.turning, {}, &Contrast::relative);
    found.worst_pair = static_cast<std::uint32_t>(worst - found.turning.begin());
    find_radian(found);
    return found;
}

ComparedReadings compare_readings(const Spec& spec, const ConfigFacts& facts) {
    ComparedReadings all{.others = {}, .alike = {}, .refused = {}, .layers = facts.layers};
    for (const Reading& reading : readings().subspan(1)) {
        try {
            const ReadSpec read = read_as(reading, spec, facts);
            if (!read.layers && is_same_rotation(spec, read.spec))
                all.alike.push_back(&reading);
            else
                add_other(all.others, spec, read, reading);
        } catch (const InputError& error) {
            all.refused.push_back({&reading, error.what()});
        }
    }
    return all;
}

}  // namespace rope
