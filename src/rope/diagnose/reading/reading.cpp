#include "rope/diagnose/reading/reading.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/reading/other_readings.hpp"

namespace rope {
namespace {

Readings table_readings(const Spec& asked, const TableDump& dump, const Judgement& judgement) {
    DumpReading reading{{}, asked, sample_table(dump, judgement.wrong_at), {}};
    if (dump.pairs != asked.pairs()) {
        const auto other = with_rotary_dim(asked, 2 * dump.pairs, asked.head_dim);
        if (!other) return {};
        reading.asked = *other;
        reading.mistakes.push_back({"rotary-dim",
                                    {{"rotary_dim", 2 * std::uint64_t{dump.pairs}}},
                                    "the table is for rotary_dim " + decimal(2 * dump.pairs) +
                                        ", not " + decimal(asked.rotary_dim)});
    }
    reading.axis = axis_of_pairs(reading.asked.axes, reading.asked.pairs());
    Readings all{reading};
    add_axis_maps(all, reading);
    return all;
}

}  // namespace

bool keeps_norms(const Samples& samples) {
    double low = INFINITY, high = 0;
    for (const double modulus : samples.modulus) {
        if (std::isnan(modulus) || Samples::is_left_out(modulus)) continue;
        low = std::min(low, modulus);
        high = std::max(high, modulus);
    }
    const double narrow = samples.narrow ? half_spacing(*samples.narrow, 1) * 2 : 0;
    return high > 0 && high - low <= high * 2.5 * (samples.storage + narrow);
}

namespace {

Readings readings_of(const Spec& asked, const Dump& dump, const Judgement& judgement) {
    if (const auto* table = std::get_if<TableDump>(&dump))
        return table_readings(asked, *table, judgement);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        return vector_readings(asked, *vectors, judgement);
    const auto& frequencies = std::get<FrequencyDump>(dump);
    DumpReading reading{
        {}, asked, sample_frequencies(frequencies, frequencies_of(asked).amplitude), {}};
    if (frequencies.inv_freq.size() != asked.pairs()) {
        const auto dim = static_cast<std::uint32_t>(2 * frequencies.inv_freq.size());
        const auto other = with_rotary_dim(asked, dim, asked.head_dim);
        if (!other) return {};
        reading.asked = *other;
        reading.mistakes.push_back({"rotary-dim",
                                    {{"rotary_dim", std::uint64_t{dim}}},
                                    "the frequencies are for rotary_dim " + decimal(dim) +
                                        ", not " + decimal(asked.rotary_dim)});
    }
    reading.axis = axis_of_pairs(reading.asked.axes, reading.asked.pairs());
    return {std::move(reading)};
}

}  // namespace

Readings readings(const Spec& asked, const Dump& dump, const Judgement& judgement) {
    Readings all = readings_of(asked, dump, judgement);
    if (const auto& exactness = judgement.exactness)
        for (DumpReading& reading : all) {
            const double amplitude =
                plan_frequencies(reading.asked, exact_precision).attention_factor;
            reading.samples.storage =
                std::numbers::sqrt2 * exactness->rounding / amplitude + 0x1p-48;
            reading.samples.largest_k =
                *std::max_element(exactness->angle_k.begin(), exactness->angle_k.end());
        }
    return all;
}

}  // namespace rope
