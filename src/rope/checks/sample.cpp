#include "rope/checks/sample.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/decimal.hpp"
#include "rope/exact/random.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/rows/row_source.hpp"

namespace rope {
namespace {

QueryAndKey vectors_from(Random& random, std::uint32_t head_dim) {
    QueryAndKey vectors{.are_normal = true};
    for (std::uint32_t dimension = 0; dimension < head_dim; ++dimension) {
        vectors.q.push_back(random.normal());
        vectors.k.push_back(random.normal());
    }
    return vectors;
}

// Returns Σ|ẑ − a·z|² over the determined pairs of the row; infinite for NaN.
double squared_error(const Sample::Row& row, const Sample::Row& truth, double a) {
    double sum = 0;
    for (std::size_t i = 0; i < row.cos.size(); ++i) {
        if (row.is_left_out(i)) continue;
        const double c = row.cos[i] - a * truth.cos[i], s = row.sin[i] - a * truth.sin[i];
        sum += c * c + s * s;
    }
    return std::isnan(sum) ? HUGE_VAL : sum;
}

// Chooses at most `count` positions: the last two, the diagnostic ones, and random ones.
std::vector<double> choose_positions(const RowSource& subject, const PositionRows& rows_at,
                                     std::size_t count, Random random) {
    std::set<double> chosen;
    const std::uint64_t rows = subject.rows();
    const auto add = [&](double position) {
        if (chosen.size() < count) chosen.insert(position);
    };
    for (std::uint64_t back = 1; back <= std::min<std::uint64_t>(2, rows); ++back)
        add(subject.position_of(rows - back, 0));
    for (const std::uint64_t each : diagnostic_positions)
        if (const auto position = static_cast<double>(each); rows_at.has(position)) add(position);
    for (std::uint64_t tries = 0; tries < 4 * count && chosen.size() < rows; ++tries)
        add(subject.position_of(random.bits() % rows, 0));
    return {chosen.begin(), chosen.end()};
}

// Gives undetermined pairs the values of the subject's frequencies.
void fill_gaps(RealRows& effective, double position, double amplitude, Sample::Row& values) {
    if (values.left_out.empty()) return;
    std::vector<double> cos(values.left_out.size()), sin(cos.size());
    effective.fill({&position, 1}, cos.data(), sin.data());
    for (std::size_t i = 0; i < cos.size(); ++i)
        if (values.is_left_out(i)) {
            values.cos[i] = amplitude * cos[i];
            values.sin[i] = amplitude * sin[i];
        }
}

// The sequences of an audit compared with a·R(m)x. With u = Answers::roundoff() and ε the tolerance
// of a pair's (cos, sin) at m, both values of a rotated pair have an error of at most
// a·|x|·(ε + 4u)

// Returns the largest error/tolerance of the pairs on each axis of one row.
double error_of_row(const Comparison& comparison, const DumpedRows& rows, std::uint64_t row,
                    const PairReader& values, RealRows& truth, double roundoff) {
    const double a = comparison.plan.attention_factor;
    std::vector<double> cos(comparison.spec.pairs()), sin(cos.size());
    double worst = 0;
    for (std::uint32_t axis = 0; axis < rows.axes(); ++axis) {
        const double position = rows.on(axis)[row];
        truth.fill({&position, 1}, cos.data(), sin.data());
        for (std::uint32_t i = 0; i < cos.size(); ++i) {
            if (comparison.axis[i] != axis) continue;
            const auto [x1, x2, y1, y2] = values[i];
            const double d1 = y1 - a * (x1 * cos[i] - x2 * sin[i]);
            const double d2 = y2 - a * (x2 * cos[i] + x1 * sin[i]);
            const double allowed = a * std::sqrt(x1 * x1 + x2 * x2) *
                                   (comparison.tolerance(position, i) + 4 * roundoff);
            const double error = std::sqrt(d1 * d1 + d2 * d2) / allowed;
            worst = std::isnan(error) ? INFINITY : std::max(worst, error);
        }
    }
    return worst;
}

// Names the group with the largest error, or its whole batch entry or head if exactly these groups
// exceed their tolerance.
std::string name_of(const AuditGroups& groups, const std::vector<double>& errors) {
    const auto at = static_cast<std::uint64_t>(std::ranges::max_element(errors) - errors.begin());
    const std::uint64_t entry = at / groups.heads, head = at % groups.heads;
    bool is_entry = true, is_head = true;
    for (std::uint64_t group = 0; group < errors.size(); ++group) {
        const bool is_off = errors[group] > 1;
        is_entry = is_entry && is_off == (group / groups.heads == entry);
        is_head = is_head && is_off == (group % groups.heads == head);
    }
    std::string of_batch = "batch entry " + decimal(entry), of_heads = "head " + decimal(head);
    if (is_entry) return of_batch;
    if (is_head || groups.batch == 1) return of_heads;
    return groups.heads == 1 ? of_batch : of_batch + ", " + of_heads;
}

}  // namespace

PositionRows::PositionRows(const Comparison& comparison)
    : comparison_(comparison),
      reader_(comparison.subject.read({0, comparison.spec.pairs()})),
      truth_(comparison.plan.pairs, comparison.rates) {}

PositionRows::Range PositionRows::range_of(double position) const {
    const auto positions = comparison_.subject.positions(0);
    if (positions.empty()) {
        const auto rows = static_cast<double>(comparison_.subject.rows());
        if (!(0 <= position && position < rows)) return {0, 0};
        const auto row = static_cast<std::uint64_t>(position);
        return {row, row + 1};
    }
    const auto [first, end] = std::ranges::equal_range(positions, position, is_nearer_zero);
    return {static_cast<std::uint64_t>(first - positions.begin()),
            static_cast<std::uint64_t>(end - positions.begin())};
}

bool PositionRows::has(double position) const {
    const Range range = range_of(position);
    return range.first < range.end;
}

const PositionRows::Rows& PositionRows::at(double position) {
    if (last_ && position_ == position) return *last_;
    const Range range = range_of(position);
    last_ = range.end - range.first == 1 ? Rows{read(range.first), {}}
                                         : worst_and_best(position, range);
    position_ = position;
    return *last_;
}

Sample::Row PositionRows::read(std::uint64_t row) {
    const std::size_t pairs = comparison_.spec.pairs();
    Sample::Row values{std::vector<double>(pairs), std::vector<double>(pairs), {}};
    reader_->fill({&row, 1}, values.cos.data(), values.sin.data());
    const auto left_out = reader_->left_out();
    values.left_out.assign(left_out.begin(), left_out.end());
    return values;
}

PositionRows::Rows PositionRows::worst_and_best(double position, const Range& range) {
    const std::size_t pairs = comparison_.spec.pairs();
    Sample::Row truth{std::vector<double>(pairs), std::vector<double>(pairs), {}};
    truth_.fill({&position, 1}, truth.cos.data(), truth.sin.data());
    double most = -1, least = HUGE_VAL;
    Sample::Row worst, best;
    for (std::uint64_t row = range.first; row < range.end; ++row) {
        Sample::Row values = read(row);
        const double error = squared_error(values, truth, comparison_.plan.attention_factor);
        if (error < least) {
            least = error;
            best = values;
        }
        if (error > most) {
            most = error;
            worst = std::move(values);
        }
    }
    if (!(least < most) || is_within_tolerance(position, worst, truth))
        return {std::move(worst), {}};
    return {std::move(worst), std::move(best)};
}

bool PositionRows::is_within_tolerance(double position, const Sample::Row& row,
                                       const Sample::Row& truth) const {
    const double a = comparison_.plan.attention_factor;
    for (std::uint32_t i = 0; i < row.cos.size(); ++i) {
        if (row.is_left_out(i)) continue;
        const double c = row.cos[i] - a * truth.cos[i], s = row.sin[i] - a * truth.sin[i];
        if (!(std::sqrt(c * c + s * s) <= a * comparison_.tolerance(position, i))) return false;
    }
    return true;
}

const Sample::Row* Sample::row(double position) const {
    const auto it = rows.find(position);
    return it == rows.end() ? nullptr : &it->second;
}

QueryAndKey random_vectors(const Spec& spec, std::uint64_t seed) {
    Random random(seed);
    return vectors_from(random, spec.head_dim);
}

Sample make_sample(const Comparison& comparison, const std::vector<double>& suspects) {
    const std::uint32_t pairs = comparison.spec.pairs();
    Random random(comparison.seed);
    Sample sample{vectors_from(random, comparison.spec.head_dim)};
    if (comparison.subject.has_several_axes()) return sample;  // a row has no single position
    // bounds the memory of the count²/2 rows at sums of two positions
    const auto count = static_cast<std::size_t>(
        std::clamp(std::sqrt(static_cast<double>(1 << 20) / pairs), 6.0, 48.0));
    PositionRows rows_at(comparison);
    sample.positions = choose_positions(comparison.subject, rows_at, count, random);
    for (const double position : std::set(suspects.begin(), suspects.end()))
        if (rows_at.has(position)) sample.suspects.push_back(position);

    std::set<double> wanted(sample.positions.begin(), sample.positions.end());
    wanted.insert(sample.suspects.begin(), sample.suspects.end());
    const std::set<double> own = wanted;
    for (auto n = sample.positions.begin(); n != sample.positions.end(); ++n)
        for (auto m = sample.positions.begin(); m <= n; ++m) wanted.insert(*m + *n);
    RealRows effective(comparison.effective, comparison.effective_rates);
    for (const double position : wanted) {
        if (!rows_at.has(position)) continue;
        PositionRows::Rows rows = rows_at.at(position);
        fill_gaps(effective, position, comparison.effective_amplitude, rows.worst);
        sample.rows.emplace_hint(sample.rows.end(), position, std::move(rows.worst));
        if (!rows.best || !own.contains(position)) continue;
        fill_gaps(effective, position, comparison.effective_amplitude, *rows.best);
        sample.best_rows.emplace(position, *std::move(rows.best));
    }
    return sample;
}

std::string odd_group(const Comparison& comparison, const Answers& answers) {
    const Audit& audit = answers.audit;
    if (audit.sequences() == 0) return "";
    const RotatedDump vectors = audited_vectors(answers);
    PairReader values(audit.spec, vectors);
    RealRows truth(comparison.plan.pairs, comparison.rates);
    std::vector<double> errors(audit.sequences());
    for (std::uint64_t row = 0; row < vectors.positions.size(); ++row) {
        values.read(row);
        double& error = errors[row / audit.places()];
        error = std::max(error, error_of_row(comparison, DumpedRows(vectors), row, values, truth,
                                             answers.roundoff()));
    }
    const auto [least, most] = std::ranges::minmax(errors);
    return least > 1 || most <= 1 ? "" : name_of(audit.groups, errors);
}

}  // namespace rope
