#include "rope/diagnose/reading/reading.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/reading/other_readings.hpp"

namespace rope {
namespace {

// cos and sin of columns i and i + h/2 are equal in every row, and not of every column.
bool holds_all_twice(const TableDump& dump) {
    const std::uint32_t half = dump.pairs / 2;
    if (dump.pairs % 2 != 0) return false;
    bool all_same = true;
    std::vector<double> values(dump.pairs);
    for (std::size_t row = 0; row < dump.positions.size(); ++row)
        for (const StridedRows* table : {&dump.cos, &dump.sin}) {
            table->read(row, 0, dump.pairs, values.data());
            for (std::uint32_t i = 0; i < half; ++i) {
                const bool are_nan = std::isnan(values[i]) && std::isnan(values[i + half]);
                if (values[i] != values[i + half] && !are_nan) return false;
                all_same = all_same && values[i] == values[0];
            }
        }
    return !all_same;
}

// A table of half as many pairs, cat(f, f), that is as wide as the Spec's half table.
void add_copied_reading(Readings& all, const Spec& asked, const TableDump& dump,
                        const DumpPart& part) {
    if (dump.pairs != asked.pairs() || !holds_all_twice(dump)) return;
    const auto other = with_rotary_dim(asked, dump.pairs, asked.head_dim);
    if (!other) return;
    TableDump narrow = dump;
    narrow.pairs = dump.pairs / 2;
    DumpReading reading{{{"rotary-dim",
                          {{"rotary_dim", std::uint64_t{dump.pairs}}},
                          "the table is for rotary_dim " + decimal(dump.pairs) + ", not " +
                              decimal(asked.rotary_dim) + ": it holds each column twice"}},
                        *other,
                        sample_table(narrow, part.sampled),
                        axis_of_pairs(other->axes, other->pairs())};
    reading.is_told_by_copies = true;
    all.push_back(std::move(reading));
}

Readings table_readings(const Spec& asked, const TableDump& dump, const DumpPart& part) {
    DumpReading reading{{}, asked, sample_table(dump, part.sampled), {}};
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
    add_copied_reading(all, asked, dump, part);
    return all;
}

}  // namespace

Hypothesis as_asked(const DumpReading& reading) {
    Frequencies plan = frequencies_of(reading.asked);
    return {std::move(plan.theta), std::move(plan.angle_k), reading.axis, plan.amplitude};
}

Hypothesis as_asked_and_stored(const DumpReading& reading) {
    Hypothesis asked = as_asked(reading);
    if (reading.samples.narrow) asked.rounding.table = *reading.samples.narrow;
    return asked;
}

namespace {

struct Moduli {
    double low = INFINITY, high = 0;

    explicit Moduli(const Samples& samples) {
        for (const double modulus : samples.modulus) {
            if (std::isnan(modulus) || Samples::is_left_out(modulus)) continue;
            low = std::min(low, modulus);
            high = std::max(high, modulus);
        }
    }
    bool are_one(double storage, double narrow) const {
        return high - low <= high * 2.5 * (storage + narrow);
    }
};

double rounding_of(Format table) { return half_spacing(table, 1) * 2; }

}  // namespace

bool keeps_norms(const Samples& samples) {
    const Moduli moduli(samples);
    return moduli.high > 0 &&
           moduli.are_one(samples.storage, samples.narrow ? rounding_of(*samples.narrow) : 0);
}

// 1 − low/high grows with the rows, and no table is coarser than bfloat16.
bool may_keep_norms(const Samples& some) {
    const Moduli moduli(some);
    return moduli.high == 0 || moduli.are_one(some.storage, rounding_of(Format::bfloat16));
}

namespace {

Readings frequency_readings(const Spec& asked, const FrequencyDump& frequencies) {
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

// Values that were rounded as the pipeline rounds are as it makes them, in whatever they are
// stored.
void take_as_rounded(Samples& samples, const Exactness& exactness, double amplitude) {
    if (!samples.narrow || exactness.rounding < half_spacing(*samples.narrow, amplitude)) return;
    samples.format = *samples.narrow;
    samples.narrow.reset();
    samples.is_of_narrow_table = true;
}

// Storage and largest K as the dump was judged.
void judge_by(const Exactness& exactness, Readings& all) {
    for (DumpReading& reading : all) {
        const double amplitude = plan_frequencies(reading.asked, exact_precision).attention_factor;
        const bool mixes = reading.arrangement && !reading.arrangement->is_rotation;
        reading.samples.storage =
            (mixes ? 3 : 1) * (std::numbers::sqrt2 * exactness.rounding / amplitude + 0x1p-48);
        reading.samples.largest_k =
            *std::max_element(exactness.angle_k.begin(), exactness.angle_k.end());
        take_as_rounded(reading.samples, exactness, amplitude);
    }
}

}  // namespace

Samples samples_of(const DumpReading& reading, const DumpPart& part) {
    if (const auto* table = std::get_if<TableDump>(&part.dump))
        return sample_table(*table, part.sampled);
    return sample_vectors(std::get<RotatedDump>(part.dump), *reading.arrangement, part.sampled,
                          part.rows);
}

namespace {

// At the part's positions, and as the dump was judged.
Readings placed_and_judged(Readings all, const Spec& asked, const DumpPart& part,
                           const Judgement& judgement) {
    if (part.rows.is_swapped())
        for (DumpReading& reading : all)
            reading.samples = placed(reading.samples, part.rows, reading.samples.source);
    if (const std::uint32_t axes = axis_count(asked.axes); axes > 1)
        for (DumpReading& reading : all) add_elsewhere(reading.samples, part.rows, axes);
    for (DumpReading& reading : all)
        reading.mistakes.insert(reading.mistakes.end(), part.mistakes.begin(), part.mistakes.end());
    if (judgement.exactness) judge_by(*judgement.exactness, all);
    for (DumpReading& reading : all)
        if (reading.mistakes.empty()) reading.odd_pairs = judgement.odd_pairs;
    return all;
}

}  // namespace

Readings readings(const Spec& asked, const DumpPart& part, const Judgement& judgement) {
    const auto* table = std::get_if<TableDump>(&part.dump);
    return placed_and_judged(table ? table_readings(asked, *table, part)
                                   : vector_readings(asked, std::get<RotatedDump>(part.dump), part),
                             asked, part, judgement);
}

std::optional<DumpReading> own_reading(const Spec& asked, const DumpPart& part,
                                       const Judgement& judgement) {
    const auto* table = std::get_if<TableDump>(&part.dump);
    Readings own = placed_and_judged(
        table ? table_readings(asked, *table, part)
              : own_vector_readings(asked, std::get<RotatedDump>(part.dump), part),
        asked, part, judgement);
    if (own.empty() || !own.front().mistakes.empty()) return std::nullopt;
    return std::move(own.front());
}

Readings readings(const Spec& asked, const Dump& dump, const Judgement& judgement) {
    if (const auto* frequencies = std::get_if<FrequencyDump>(&dump)) {
        Readings all = frequency_readings(asked, *frequencies);
        if (judgement.exactness) judge_by(*judgement.exactness, all);
        return all;
    }
    const RowGroups rows(dump);
    const std::vector<std::size_t> groups = rows.all();
    return readings(asked,
                    {dump, rows, groups, rows.diagnostic(groups, judgement.wrong_at), {}, {}},
                    judgement);
}

}  // namespace rope
