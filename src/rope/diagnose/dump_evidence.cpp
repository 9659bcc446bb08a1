#include "rope/diagnose/dump_evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <span>
#include <utility>

#include "base/tasks.hpp"
#include "base/text.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/rows/row_source.hpp"

namespace rope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The angles of one pair in all rows, and their distances from a line.
struct PairRows {
    const Samples& samples;
    const Hypothesis& asked;
    std::uint32_t pair;
    double amplitude;

    double position(std::size_t row) const { return samples.position(row, asked.axis[pair]); }
    double angle(std::size_t row) const { return samples.angle[row * samples.pairs + pair]; }

    // The distance from the line, divided by the tolerance plus the standard error of the line
    // there; none of a row without an angle.
    std::optional<double> error(const PhaseLine& line, std::size_t row) const {
        const double modulus = samples.modulus[row * samples.pairs + pair], m = position(row);
        if (Samples::is_left_out(modulus) || !std::isfinite(modulus)) return std::nullopt;
        const double uncertain = portable::hypot(line.angle_error, line.error * (m - line.middle));
        return sample_distance(modulus / amplitude, angle(row), line.offset + line.theta * m) /
               (sample_tolerance(samples, asked, m, pair) + uncertain);
    }
};

struct LineErrors {
    double worst = 0;
    std::size_t rows_on = 0;  // number of rows with at most 1
};

LineErrors errors_of(const PairRows& rows, const PhaseLine& line) {
    LineErrors errors;
    for (std::size_t row = 0; row < rows.samples.rows(); ++row) {
        const auto error = rows.error(line, row);
        if (!error) continue;
        errors.worst = std::isnan(*error) ? infinity : std::max(errors.worst, *error);
        errors.rows_on += *error <= 1 ? 1 : 0;
    }
    return errors;
}

// The line of least squares through the rows that are on the line of this θ through 0.
PhaseLine fitted_near(double theta, const PairRows& rows) {
    PhaseLine line{.theta = theta};
    double count = 0, off = 0, moment = 0, product = 0, squares = 0;  // of m, and of angle − θm
    for (std::size_t row = 0; row < rows.samples.rows(); ++row) {
        const auto error = rows.error({.theta = theta}, row);
        if (!error || !(*error <= 1)) continue;
        const double m = rows.position(row), turn = 2 * std::numbers::pi;
        const double angle = std::remainder(rows.angle(row) - theta * m, turn);
        const double from_middle = m - line.middle, from_off = angle - off;
        ++count;
        line.middle += from_middle / count;
        off += from_off / count;
        moment += from_middle * (m - line.middle);
        product += from_middle * (angle - off);
        squares += from_off * (angle - off);
    }
    if (count < 3 || moment == 0) return line;
    const double slope = product / moment;
    line.theta += slope;
    line.offset = off - slope * line.middle;
    const double variance = std::max(0.0, squares - slope * product) / (count - 2);
    line.error = std::sqrt(variance / moment);
    line.angle_error = std::sqrt(variance / count);
    return line;
}

// Whether an angle of the pair is known; a zero vector has none.
bool has_angle(const Samples& samples, std::uint32_t pair) {
    for (std::size_t k = pair; k < samples.modulus.size(); k += samples.pairs)
        if (samples.modulus[k] > 0) return true;
    return false;
}

// For 16-bit values also the lines with the precision of each 16-bit format.
std::vector<PhaseLines> lines_of(const Samples& samples) {
    if (samples.positions.size() > 1) return {fit_lines_by_axis(samples)};
    std::vector<PhaseLines> all{oriented(fit_phase_lines(samples), Orientation::right, samples)};
    const Format format = samples.narrow.value_or(samples.format);
    if (format == Format::bfloat16 || format == Format::float16)
        for (const AnglePrecision& precision : narrow_angles)
            all.push_back(fit_phase_lines(samples, precision));
    return all;
}

std::vector<PairEvidence> pairs_compared_with_config(const DumpView& view,
                                                     const Hypothesis& asked) {
    std::vector<PairEvidence> pairs(view.samples.pairs);
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        pairs[i].asked = asked.theta[i];
        pairs[i].error = pair_misfit(view.samples, asked, i, infinity);
    }
    return pairs;
}

// Adds each pair's line: of those that leave rows off, the one with the most rows on it, which may
// be near the asked one.
void add_lines(std::vector<PairEvidence>& pairs, const DumpView& view, const Hypothesis& asked) {
    const Samples& samples = view.samples;
    const double amplitude = fitted_amplitude(samples).value;
    std::vector<std::size_t> rows_on(pairs.size());
    const auto take = [&](std::uint32_t i, const PhaseLine& line) {
        const LineErrors errors = errors_of({samples, asked, i, amplitude}, line);
        PairEvidence& pair = pairs[i];
        if (pair.residue &&
            (errors.worst > 1 ? errors.rows_on <= rows_on[i] : *pair.residue <= errors.worst))
            return;
        rows_on[i] = errors.rows_on;
        pair.fitted = line.theta;
        pair.fitted_error = line.error;
        pair.modulo = line.modulo;
        pair.residue = errors.worst;
        pair.is_constant = errors.worst <= 1;
    };
    for (const PhaseLines& fitted : lines_of(samples)) {
        const PhaseLines lines = nearest_to(asked.theta, fitted);
        for (std::uint32_t i = 0; i < lines.size(); ++i)
            if (lines[i].is_known() && has_angle(samples, i)) take(i, lines[i]);
    }
    for (std::uint32_t i = 0; i < pairs.size(); ++i)
        if (pairs[i].fitted && !pairs[i].is_constant)
            take(i, fitted_near(asked.theta[i], {samples, asked, i, amplitude}));
}

std::vector<PairEvidence> pairs_of(const Views& views) {
    if (views.empty()) return {};
    const Hypothesis asked = as_asked(views.front());
    std::vector<PairEvidence> pairs = pairs_compared_with_config(views.front(), asked);
    add_lines(pairs, views.front(), asked);
    return pairs;
}

DumpEvidence evidence_of_frequencies(const DumpView& view, const FrequencyDump& dump) {
    DumpEvidence evidence;
    evidence.pairs = pairs_compared_with_config(view, as_asked(view));
    for (std::size_t i = 0; i < evidence.pairs.size(); ++i) {
        evidence.pairs[i].fitted = dump.inv_freq[i];
        evidence.pairs[i].is_constant = is_frequency(dump.inv_freq[i]);
    }
    return evidence;
}

constexpr std::size_t most_parts = 120, most_lines = 192;  // of cells; a part is 2 pixels wide
constexpr std::size_t chunks = 16;                         // for any number of threads

struct Place {
    double position;
    std::size_t group;
    double error;

    bool is_before(const Place& other) const {
        if (position != other.position) return is_nearer_zero(position, other.position);
        return group < other.group;
    }
};

// The number of neighbouring groups that share a line of cells.
std::size_t groups_per_line(std::size_t groups) { return (groups + most_lines - 1) / most_lines; }

// The errors of some rows.
struct Seen {
    std::vector<float> worst;
    std::vector<double> pairs = {};  // per pair, largest error
    std::map<std::size_t, GroupErrors> groups_off = {};
    std::uint64_t off = 0;
    std::optional<Place> first_off = {}, worst_row = {};

    void add(const Place& row, std::size_t number, float& cell) {
        constexpr double most = std::numeric_limits<float>::max();
        const double error = std::isfinite(row.error) ? std::min(row.error, most) : row.error;
        cell = std::max(cell, static_cast<float>(error));
        take_worst(row);
        if (row.error <= 1) return;
        ++off;
        groups_off[row.group].add(number, row.error);
        take_first_off(row);
    }

    void take_worst(const std::optional<Place>& row) {
        if (row && (!worst_row || row->error > worst_row->error ||
                    (row->error == worst_row->error && row->is_before(*worst_row))))
            worst_row = row;
    }
    void take_first_off(const std::optional<Place>& row) {
        if (row && (!first_off || row->is_before(*first_off))) first_off = row;
    }

    void add_pairs(const std::vector<double>& errors) {
        pairs.resize(std::max(pairs.size(), errors.size()));
        for (std::size_t i = 0; i < errors.size(); ++i)
            pairs[i] = std::isnan(errors[i]) ? infinity : std::max(pairs[i], errors[i]);
    }

    void merge(const Seen& next) {
        for (std::size_t k = 0; k < worst.size(); ++k) worst[k] = std::max(worst[k], next.worst[k]);
        add_pairs(next.pairs);
        off += next.off;
        for (const auto& [group, errors] : next.groups_off) groups_off[group].append(errors);
        take_first_off(next.first_off);
        take_worst(next.worst_row);
    }
};

// Over rows if they have a position on each of several axes.
PositionParts parts_of(const DumpPart& part) {
    if (part.rows.axes() > 1) {
        const double ends[] = {0, static_cast<double>(part.rows.length() - 1)};
        return position_parts(ends, most_parts);
    }
    const std::array<std::span<const double>, 1> axes{rows_of(part.dump)->positions};
    return position_parts(places_of(axes), most_parts);
}

// The largest error of a row, of its dimensions outside the pairs, too; infinite if one of its
// values is not finite.
double row_error(RowErrors& errors, std::size_t row) {
    double worst = 0;
    for (const double error : errors.pair_errors(row))
        worst = std::isnan(error) ? infinity : std::max(worst, error);
    return std::max(worst, errors.rest_error());
}

// Compares the rows with these indices in every group; they mostly share a position.
Seen look(RowErrors errors, const DumpPart& part, const PositionParts& parts, std::uint64_t begin,
          std::uint64_t end) {
    const std::size_t per_line = groups_per_line(part.groups.size());
    const std::size_t lines = (part.groups.size() + per_line - 1) / per_line;
    const std::size_t columns = parts.edges.size() - 1;
    Seen seen{.worst = std::vector<float>(lines * columns, -1)};
    for (std::uint64_t index = begin; index < end; ++index)
        for (std::size_t g = 0; g < part.groups.size(); ++g) {
            const std::size_t row = part.rows.row(part.groups[g], index);
            const double position =
                part.rows.axes() > 1 ? static_cast<double>(index) : part.rows.position(row);
            const std::size_t column = parts.column_of(position);
            seen.add({position, part.groups[g], row_error(errors, row)}, row,
                     seen.worst[g / per_line * columns + column]);
            seen.add_pairs(errors.last_errors());
        }
    return seen;
}

std::vector<std::string> line_names(const DumpPart& part) {
    const std::size_t per_line = groups_per_line(part.groups.size());
    std::vector<std::string> names;
    for (std::size_t first = 0; first < part.groups.size(); first += per_line) {
        const std::size_t end = std::min(first + per_line, part.groups.size());
        names.push_back(name_of_part({part.groups.begin() + static_cast<std::ptrdiff_t>(first),
                                      part.groups.begin() + static_cast<std::ptrdiff_t>(end)},
                                     part.rows));
    }
    return names;
}

// The errors of all rows of a part: the wrong groups, the wrong rows of other groups, and the
// largest error of each pair.
struct JudgedRows {
    RowEvidence evidence;
    std::vector<std::size_t> groups_off, odd_rows;
    std::vector<double> pair_errors;
};
JudgedRows judge_rows(const DumpView& asked, const DumpPart& part) {
    const RowErrors errors = row_errors(asked, part, as_asked(asked));
    const PositionParts parts = parts_of(part);
    const std::uint64_t length = part.rows.length();
    std::vector<Seen> seen(chunks);
    run_tasks(chunks, part.threads == 0 ? machine_threads() : part.threads, [&](std::size_t k) {
        seen[k] = look(errors, part, parts, length * k / chunks, length * (k + 1) / chunks);
    });
    for (std::size_t k = 1; k < chunks; ++k) seen[0].merge(seen[k]);
    const auto named = [&](const std::optional<Place>& place) -> std::optional<RowPlace> {
        if (!place) return std::nullopt;
        const auto at = std::ranges::find(part.groups, place->group) - part.groups.begin();
        return RowPlace{place->position, name_of_part({place->group}, part.rows),
                        static_cast<std::size_t>(at) / groups_per_line(part.groups.size()),
                        place->error};
    };
    Seen& all = seen[0];
    std::vector<std::size_t> wrong, odd_rows;
    for (auto& [group, off] : all.groups_off) {
        off.looked = length;
        if (is_wrong_throughout(off, length))
            wrong.push_back(group);
        else
            odd_rows.insert(odd_rows.end(), off.first.begin(), off.first.end());
    }
    const std::string place = part.rows.axes() > 1 ? "row" : "position";
    const std::string kind = part.rows.count() == 1     ? ""
                             : part.rows.batches() == 1 ? "head"
                             : part.rows.heads() == 1   ? "batch entry"
                                                        : "batch entry, head";
    return {{parts, place, kind, line_names(part), groups_per_line(part.groups.size()),
             std::move(all.worst), length * part.groups.size(), all.off, named(all.first_off),
             named(all.worst_row)},
            std::move(wrong),
            std::move(odd_rows),
            std::move(all.pairs)};
}

}  // namespace

std::vector<std::string> causes_of(const Report& report, const std::vector<std::string>& required) {
    auto causes = mapped<std::string>(report.diagnosis, &Explanation::what);
    if (!causes.empty()) return causes;
    if (!report.observations.empty()) causes.push_back(first_observation(report));
    std::vector<std::string> failed;
    for (const Finding& finding : report.findings) {
        if (finding.verdict != Verdict::violated || !gates(finding, required)) continue;
        if (!finding.note.empty()) causes.push_back(finding.note);
        failed.push_back(finding.check + " fails");
    }
    return causes.empty() ? failed : causes;
}

DumpEvidence evidence_of(const Spec& asked, const Dump& dump, const CheckFacts& checked) {
    if (const auto* frequencies = std::get_if<FrequencyDump>(&dump)) {
        const Views all = views_of(asked, dump, checked);
        return all.empty() ? DumpEvidence{} : evidence_of_frequencies(all.front(), *frequencies);
    }
    const RowGroups groups(dump);
    DumpPart part = part_of(dump, groups, groups.all(), checked);
    const Views all = views_of(asked, part, checked);
    if (all.empty()) return {};
    JudgedRows judged = judge_rows(all.front(), part);
    DumpEvidence evidence{.rows = std::move(judged.evidence)};
    const std::vector<std::size_t>& wrong = judged.groups_off;
    if (wrong.empty() || wrong.size() == groups.count()) {
        std::erase_if(part.sampled, [&](std::size_t row) {
            return std::ranges::find(judged.odd_rows, row) != judged.odd_rows.end();
        });
        evidence.pairs = pairs_of(views_of(asked, part, checked));
        for (std::size_t i = 0; i < evidence.pairs.size(); ++i)
            evidence.pairs[i].error = std::max(evidence.pairs[i].error, judged.pair_errors[i]);
        return evidence;
    }
    evidence.part = name_of_part({wrong.front()}, groups);
    evidence.pairs =
        pairs_of(views_of(asked, part_of(dump, groups, {wrong.front()}, checked), checked));
    return evidence;
}

}  // namespace rope
