#include "rope/rows/row_source.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "base/tasks.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/random.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/rows/dump.hpp"

namespace rope {
std::vector<double> DumpedRows::position(std::uint64_t row) const {
    std::vector<double> all{positions[row]};
    for (const auto& on_axis : more_positions) all.push_back(on_axis[row]);
    return all;
}

double DumpedRows::farthest() const {
    double most = 0;
    for (std::uint32_t axis = 0; axis < axes(); ++axis)
        for (const double m : on(axis)) most = std::max(most, std::abs(m));
    return most;
}

bool DumpedRows::are_all(bool (*is_so)(double position)) const {
    return std::ranges::all_of(positions, is_so) &&
           std::ranges::all_of(more_positions,
                               [&](const auto& on) { return std::ranges::all_of(on, is_so); });
}

std::optional<DumpedRows> rows_of(const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump)) return DumpedRows(*table);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) return DumpedRows(*vectors);
    return std::nullopt;
}

std::uint64_t dimensions_of(const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump)) return 2 * std::uint64_t{table->pairs};
    if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        return vectors->before.size() / std::max<std::size_t>(1, vectors->positions.size());
    return 2 * std::get<FrequencyDump>(dump).inv_freq.size();
}

ArrayRows::ArrayRows(const Dump& dump) {
    const auto* table = std::get_if<TableDump>(&dump);
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    before_ = table ? table->cos : vectors->before;
    after_ = table ? table->sin : vectors->after;
    width_ = table ? table->pairs : dimensions_of(dump);
    xy_.resize(2 * width_);
}

void ArrayRows::read(std::uint64_t before, std::uint64_t after) {
    before_.read(before, 0, width_, xy_.data());
    after_.read(after, 0, width_, xy_.data() + width_);
}

void ArrayRows::prefetch(std::uint64_t before, std::uint64_t after) const {
    before_.prefetch(before, width_);
    after_.prefetch(after, width_);
}

PairReader::PairReader(const Spec& spec, const RotatedDump& vectors)
    : ArrayRows(vectors.before, vectors.after, spec.head_dim) {
    for (std::uint32_t i = 0; i < spec.pairs(); ++i)
        dimensions_.emplace_back(dimensions_of_pair(spec, i), written_dimensions_of_pair(spec, i));
}

PairValues PairReader::operator[](std::uint32_t pair) const {
    if (dimensions_.empty()) return {1, 0, x()[pair], y()[pair]};
    const auto& [from, to] = dimensions_[pair];
    return {x()[from.first], x()[from.second], y()[to.first], y()[to.second]};
}

PairReader pair_reader(const Spec& spec, const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump)) return PairReader(*table);
    return {spec, std::get<RotatedDump>(dump)};
}

void TableCells::read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const {
    left_.read(row, pairs.first, pairs.count, cos);
    right_.read(row, pairs.first, pairs.count, sin);
}

RotatedCells::RotatedCells(const Spec& spec, StridedRows before, StridedRows after, double least)
    : DumpCells(std::move(before), std::move(after), spec.head_dim), least_(least) {
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        read_.push_back(dimensions_of_pair(spec, i));
        written_.push_back(written_dimensions_of_pair(spec, i));
    }
    add_runs();
}

void RotatedCells::add_runs() {
    const auto step = [](std::size_t from, std::size_t to) { return std::uint64_t{to - from}; };
    const auto pairs = static_cast<std::uint32_t>(read_.size());
    for (std::uint32_t first = 0, end = 0; first < pairs; first = end) {
        // a single pair has no stride
        const bool alone = first + 1 == pairs || read_[first + 1].first < read_[first].first;
        const std::uint64_t by = alone ? 1 : step(read_[first].first, read_[first + 1].first);
        for (end = first + 1; end < pairs; ++end)
            if (step(read_[end - 1].first, read_[end].first) != by ||
                step(read_[end - 1].second, read_[end].second) != by ||
                step(written_[end - 1].first, written_[end].first) != by ||
                step(written_[end - 1].second, written_[end].second) != by)
                break;
        runs_.push_back({{first, end - first},
                         left_.columns(read_[first].first, by),
                         left_.columns(read_[first].second, by),
                         right_.columns(written_[first].first, by),
                         right_.columns(written_[first].second, by)});
    }
}

void RotatedCells::read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const {
    for (const Run& run : runs_) {
        const std::uint32_t first = std::max(pairs.first, run.pairs.first);
        const std::uint32_t end =
            std::min(pairs.first + pairs.count, run.pairs.first + run.pairs.count);
        if (first < end)
            read_run(run, row, {first, end - first}, cos + (first - pairs.first),
                     sin + (first - pairs.first));
    }
}

void RotatedCells::read_run(const Run& run, std::uint64_t row, PairRange pairs, double* cos,
                            double* sin) const {
    constexpr std::uint32_t most = 64;
    double x1[most], x2[most], y1[most], y2[most];
    for (std::uint32_t done = 0; done < pairs.count; done += most) {
        const std::uint32_t first = pairs.first + done;
        const std::uint32_t count = std::min(most, pairs.count - done);
        run.x1.read(row, first - run.pairs.first, count, x1);
        run.x2.read(row, first - run.pairs.first, count, x2);
        run.y1.read(row, first - run.pairs.first, count, y1);
        run.y2.read(row, first - run.pairs.first, count, y2);
        double* const c = cos + done;
        double* const s = sin + done;
        if (!kernels().recovery->recover(count, {x1, x2}, {y1, y2}, least_ * least_, {c, s}))
            continue;
        for (std::uint32_t j = 0; j < count; ++j)
            if (is_left_out(row, first + j)) c[j] = s[j] = std::numeric_limits<double>::quiet_NaN();
    }
}

std::uint64_t RotatedCells::count_left_out(std::uint64_t rows, unsigned threads) const {
    const auto is_small = [&](double dimension) { return !(std::abs(dimension) >= least_); };
    const auto count_of = [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t count = 0;
        std::vector<double> x(width_);
        for (std::uint64_t row = begin; row < end; ++row) {
            left_.read(row, 0, width_, x.data());
            if (std::none_of(x.begin(), x.end(), is_small)) continue;
            for (std::uint32_t pair = 0; pair < read_.size(); ++pair)
                if (is_small(x[read_[pair].first]) && is_small(x[read_[pair].second]))
                    count += is_left_out(row, pair) ? 1 : 0;
        }
        return count;
    };
    const auto counts = results_of_ranges(rows, least_rows, threads, count_of);
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::vector<std::uint32_t> RotatedCells::undetermined_pairs(const std::vector<bool>& turns) const {
    std::vector<std::uint32_t> undetermined;
    if (std::ranges::none_of(turns, std::identity())) return undetermined;
    for (std::uint32_t pair = 0; pair < read_.size(); ++pair) {
        bool determined = false;
        for (std::uint64_t row = 0; row < turns.size() && !determined; ++row)
            determined = turns[row] && !is_left_out(row, pair);
        if (!determined) undetermined.push_back(pair);
    }
    return undetermined;
}

bool RotatedCells::is_left_out(std::uint64_t row, std::uint32_t pair) const {
    const Dimensions from = read_[pair], to = written_[pair];
    const double x1 = left_.at(row, from.first), x2 = left_.at(row, from.second);
    if (std::abs(x1) >= least_ || std::abs(x2) >= least_) return false;
    const double x = portable::hypot(x1, x2);
    const double y = portable::hypot(right_.at(row, to.first), right_.at(row, to.second));
    return x < least_ && (x == 0 ? y == 0 : y < 2 * least_);
}

namespace {

constexpr std::uint64_t rows_at_once = 32;
constexpr std::uint32_t pairs_at_once = 64;

void add_pairs(const RowSource& subject, PairRange pairs, std::uint32_t all, Digest& digest) {
    const auto reader = subject.read(pairs);
    std::vector<double> cos(rows_at_once * pairs.count), sin(cos.size());
    std::vector<std::uint64_t> rows;
    for (std::uint64_t begin = 0; begin < subject.rows(); begin += rows_at_once) {
        rows.clear();
        const std::uint64_t end = std::min(subject.rows(), begin + rows_at_once);
        for (std::uint64_t row = begin; row < end; ++row) rows.push_back(row);
        reader->fill(rows, cos.data(), sin.data());
        for (std::size_t k = 0; k < rows.size() * pairs.count; ++k) {
            const std::uint64_t row = begin + k / pairs.count;
            const std::uint64_t place = row * all + pairs.first + k % pairs.count;
            digest.add(2 * place, cos[k]);
            digest.add(2 * place + 1, sin[k]);
        }
    }
}

}  // namespace

std::string digest_of(const RowSource& subject, std::uint32_t pairs) {
    Digest digest;
    const std::uint32_t step = subject.has_several_axes() ? 1 : pairs_at_once;
    for (std::uint32_t first = 0; first < pairs; first += step)
        add_pairs(subject, {first, std::min(step, pairs - first)}, pairs, digest);
    return digest.text();
}

}  // namespace rope
