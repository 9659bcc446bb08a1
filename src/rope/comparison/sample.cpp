#include "rope/comparison/sample.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "rope/number/random.hpp"
#include "rope/subject/diagnostic_positions.hpp"
#include "rope/subject/positions.hpp"
#include "rope/table/real_rows.hpp"

namespace rope {
namespace {

bool is_row(double position, std::uint64_t rows) {
    return 0 <= position && position < static_cast<double>(rows);
}

Sample vectors_from(Random& random, std::uint32_t head_dim) {
    Sample sample;
    for (std::uint32_t lane = 0; lane < head_dim; ++lane) {
        sample.q.push_back(random.normal());
        sample.k.push_back(random.normal());
    }
    return sample;
}

}  // namespace

std::optional<std::uint64_t> row_at(const RowSource& subject, double position) {
    const auto positions = subject.positions(0);
    if (positions.empty())
        return is_row(position, subject.rows())
                   ? std::optional(static_cast<std::uint64_t>(position))
                   : std::nullopt;
    const auto it = std::lower_bound(positions.begin(), positions.end(), position, is_nearer_zero);
    if (it == positions.end() || *it != position) return std::nullopt;
    return static_cast<std::uint64_t>(it - positions.begin());
}

namespace {

// At most `count`: the diagnostic ones, the last two, and random rows of the rest.
std::vector<double> choose_positions(const RowSource& subject, std::size_t count, Random random) {
    std::set<double> chosen;
    const std::uint64_t rows = subject.rows();
    const auto add = [&](double position) {
        if (chosen.size() < count) chosen.insert(position);
    };
    for (std::uint64_t back = 1; back <= std::min<std::uint64_t>(2, rows); ++back)
        add(subject.position_of(rows - back, 0));
    for (const std::uint64_t each : diagnostic_positions)
        if (const auto position = static_cast<double>(each); row_at(subject, position))
            add(position);
    for (std::uint64_t tries = 0; tries < 4 * count && chosen.size() < rows; ++tries)
        add(subject.position_of(random.bits() % rows, 0));
    return {chosen.begin(), chosen.end()};
}

// Where the subject says nothing, as its own frequencies have it.
void fill_gaps(std::span<const std::uint8_t> left_out, RealRows& effective, double position,
               double amplitude, Sample::Row& values) {
    std::vector<double> cos(left_out.size()), sin(left_out.size());
    values.left_out.assign(left_out.begin(), left_out.end());
    effective.fill({&position, 1}, cos.data(), sin.data());
    for (std::size_t i = 0; i < left_out.size(); ++i)
        if (left_out[i] != 0) {
            values.cos[i] = amplitude * cos[i];
            values.sin[i] = amplitude * sin[i];
        }
}

}  // namespace

const Sample::Row* Sample::row(double position) const {
    const auto it = rows.find(position);
    return it == rows.end() ? nullptr : &it->second;
}

Sample random_vectors(const Spec& spec, std::uint64_t seed) {
    Random random(seed);
    return vectors_from(random, spec.head_dim);
}

Sample make_sample(const Comparison& comparison, const std::vector<double>& suspects) {
    const std::uint32_t pairs = comparison.spec.pairs();
    Random random(comparison.seed);
    Sample sample = vectors_from(random, comparison.spec.head_dim);
    if (comparison.subject.has_several_axes()) return sample;  // a row has no single position
    // count²/2 rows of sums: bounded memory for the widest heads
    const auto count = static_cast<std::size_t>(
        std::clamp(std::sqrt(static_cast<double>(1 << 20) / pairs), 6.0, 48.0));
    sample.positions = choose_positions(comparison.subject, count, random);
    for (const double position : std::set(suspects.begin(), suspects.end()))
        if (row_at(comparison.subject, position)) sample.suspects.push_back(position);

    std::vector<double> wanted = sample.positions;
    wanted.insert(wanted.end(), sample.suspects.begin(), sample.suspects.end());
    for (auto n = sample.positions.begin(); n != sample.positions.end(); ++n)
        for (auto m = sample.positions.begin(); m <= n; ++m) wanted.push_back(*m + *n);
    std::ranges::sort(wanted);
    wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
    const auto reader = comparison.subject.read({0, pairs});
    RealRows effective(comparison.effective, comparison.effective_rates);
    for (const double position : wanted)
        if (const auto row = row_at(comparison.subject, position)) {
            Sample::Row values{std::vector<double>(pairs), std::vector<double>(pairs), {}};
            reader->fill({&*row, 1}, values.cos.data(), values.sin.data());
            if (!reader->left_out().empty())
                fill_gaps(reader->left_out(), effective, position, comparison.effective_amplitude,
                          values);
            sample.rows.emplace_hint(sample.rows.end(), position, std::move(values));
        }
    return sample;
}

}  // namespace rope
