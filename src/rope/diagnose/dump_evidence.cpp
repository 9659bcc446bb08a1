#include "rope/diagnose/dump_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rope/diagnose/explain/parts.hpp"
#include "rope/diagnose/search/replay.hpp"
#include "rope/evidence/fit_axes.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The largest distance of a pair's rows from its own line, over their allowance and the standard
// error of the line there.
double residue_of(const Samples& samples, const Hypothesis& asked, const PhaseLine& line,
                  std::uint32_t pair, double amplitude) {
    double worst = 0;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const std::size_t k = row * samples.pairs + pair;
        if (Samples::is_left_out(samples.modulus[k])) continue;
        const double m = samples.position(row, asked.axis[pair]);
        const double uncertain = portable::hypot(line.angle_error, line.error * (m - line.middle));
        const double error = sample_distance(samples.modulus[k] / amplitude, samples.angle[k],
                                             line.offset + line.theta * m) /
                             (sample_allowance(samples, asked, m, pair) + uncertain);
        worst = std::isnan(error) ? infinity : std::max(worst, error);
    }
    return worst;
}

// Of values of 16 bits with the precision of each, too.
std::vector<std::vector<PhaseLine>> lines_of(const Samples& samples) {
    if (samples.positions.size() > 1) return {fit_lines_by_axis(samples)};
    std::vector<std::vector<PhaseLine>> all{fit_phase_lines(samples, Orientation::right)};
    const Format format = samples.narrow.value_or(samples.format);
    if (format == Format::bfloat16 || format == Format::float16)
        for (const AnglePrecision& precision : narrow_angles)
            all.push_back(fit_phase_lines(samples, Orientation::right, precision));
    return all;
}

std::vector<PairEvidence> pairs_beside_asked(const DumpReading& reading, const Hypothesis& asked) {
    std::vector<PairEvidence> pairs(reading.samples.pairs);
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        pairs[i].asked = asked.theta[i];
        pairs[i].error = pair_misfit(reading.samples, asked, i, infinity);
    }
    return pairs;
}

void add_lines(std::vector<PairEvidence>& pairs, const DumpReading& reading,
               const Hypothesis& asked) {
    const Samples& samples = reading.samples;
    const double amplitude = fitted_amplitude(samples);
    for (const std::vector<PhaseLine>& lines : lines_of(samples))
        for (std::uint32_t i = 0; i < lines.size(); ++i) {
            if (!lines[i].is_known()) continue;
            const double residue = residue_of(samples, asked, lines[i], i, amplitude);
            if (pairs[i].residue && *pairs[i].residue <= residue) continue;
            pairs[i].fitted = lines[i].theta;
            pairs[i].fitted_error = lines[i].error;
            pairs[i].residue = residue;
            pairs[i].is_constant = residue <= 1;
        }
}

std::vector<PairEvidence> pairs_of(const std::vector<DumpReading>& readings) {
    if (readings.empty()) return {};
    const Hypothesis asked = as_asked(readings.front());
    std::vector<PairEvidence> pairs = pairs_beside_asked(readings.front(), asked);
    add_lines(pairs, readings.front(), asked);
    return pairs;
}

DumpEvidence evidence_of_frequencies(const DumpReading& reading, const FrequencyDump& dump) {
    DumpEvidence evidence;
    evidence.pairs = pairs_beside_asked(reading, as_asked(reading));
    for (std::size_t i = 0; i < evidence.pairs.size(); ++i) {
        evidence.pairs[i].fitted = dump.inv_freq[i];
        evidence.pairs[i].is_constant = is_frequency(dump.inv_freq[i]);
    }
    return evidence;
}

}  // namespace

DumpEvidence evidence_of(const Spec& asked, const Dump& dump, const Judgement& judgement) {
    if (const auto* frequencies = std::get_if<FrequencyDump>(&dump)) {
        const std::vector<DumpReading> all = readings(asked, dump, judgement);
        return all.empty() ? DumpEvidence{} : evidence_of_frequencies(all.front(), *frequencies);
    }
    const RowGroups groups(dump);
    const auto part_of = [&](std::vector<std::size_t> some) {
        auto sampled = groups.diagnostic(some, judgement.wrong_at);
        return DumpPart{dump, groups, std::move(some),  std::move(sampled),
                        {},   {},     judgement.threads};
    };
    DumpPart part = part_of(groups.all());
    const std::vector<DumpReading> all = readings(asked, part, judgement);
    if (all.empty()) return {};
    JudgedRows judged = judge_rows(all.front(), part);
    DumpEvidence evidence{.rows = std::move(judged.evidence)};
    const std::vector<std::size_t>& wrong = judged.groups_off;
    if (wrong.empty() || wrong.size() == groups.count()) {
        std::erase_if(part.sampled, [&](std::size_t row) {
            return std::ranges::find(judged.odd_rows, row) != judged.odd_rows.end();
        });
        evidence.pairs = pairs_of(readings(asked, part, judgement));
        return evidence;
    }
    evidence.part = name_of_part({wrong.front()}, groups);
    evidence.pairs = pairs_of(readings(asked, part_of({wrong.front()}), judgement));
    return evidence;
}

}  // namespace rope
