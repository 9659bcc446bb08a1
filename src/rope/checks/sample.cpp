#include "rope/checks/sample.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "rope/exact/random.hpp"
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

}  // namespace rope
