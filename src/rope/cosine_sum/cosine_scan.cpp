#include "rope/cosine_sum/cosine_scan.hpp"

#include <algorithm>
#include <array>

#include "rope/cosine_sum/low_stretches.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/kernels/sums.hpp"

namespace rope {
namespace {

void narrow(const AlignedVector<double>& from, AlignedVector<float>& to) {
    to.resize(from.size());
    std::ranges::transform(from, to.begin(), [](double x) { return static_cast<float>(x); });
}

// The first s from `first` to before `end` with B(s) < 0.
std::optional<std::uint64_t> negative_within(CosineScan& scan, LowStretches& stretches,
                                             std::uint64_t first, std::uint64_t end) {
    const CosineSum& sum = scan.sum();
    std::array<double, CosineScan::size> values;
    for (; const auto low = stretches.next(first, end, 0); first += values.size()) {
        first = low->first;
        if (scan.fill(first, values.data()) > sum.error()) continue;
        for (std::size_t k = 0; k < values.size() && first + k < end; ++k)
            if (sum.is_negative(first + k, values[k])) return first + k;
    }
    return std::nullopt;
}

}  // namespace

CosineScan::CosineScan(const CosineSum& sum) : sum_(sum), offsets_(sum.half_rates().size()) {
    const std::size_t pairs = offsets_.size();
    seed_.resize(pairs);
    centre_.resize(pairs);
    std::array<std::uint64_t, half> turn;
    for (std::size_t i = 0; i < pairs; ++i) {
        // of 64 bits: an error of 2^-58 turn
        for (std::size_t b = 0; b < half; ++b) turn[b] = turn_of(sum.half_rates()[i]) * (2 * b + 1);
        kernels().cos_sin_of_turns(half, turn.data(), offsets_[i].cosine, offsets_[i].sine);
    }
}

// The first row only, until a second is asked for: many bases fail in the first 64 distances.
void CosineScan::prepare_rows() {
    const std::size_t pairs = offsets_.size(), count = rows_.cosine.empty() ? 1 : rows;
    std::vector<std::uint64_t> turn((1 + count) * pairs);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t i = 0; i < pairs; ++i)
            turn[(1 + r) * pairs + i] = turn_of(sum_.half_rates()[i] * (2 * size * r + size - 1));
    rows_.resize(turn.size());
    kernels().cos_sin_of_turns(turn.size(), turn.data(), rows_.cosine.data(), rows_.sine.data());
}

void CosineScan::prepare_near_offsets() {
    if (!near_offsets_.empty()) return;
    near_offsets_.resize(offsets_.size());
    for (std::size_t i = 0; i < offsets_.size(); ++i)
        for (std::size_t b = 0; b < half; ++b) {
            near_offsets_[i].cosine[b] = static_cast<float>(offsets_[i].cosine[b]);
            near_offsets_[i].sine[b] = static_cast<float>(offsets_[i].sine[b]);
        }
    none_.cosine.assign(offsets_.size(), 1);
    none_.sine.assign(offsets_.size(), 0);
}

void CosineScan::prepare_floats() {
    prepare_near_offsets();
    if (near_rows_.cosine.size() != rows_.cosine.size()) {
        narrow(rows_.cosine, near_rows_.cosine);
        narrow(rows_.sine, near_rows_.sine);
    }
    if (is_near_seed_) return;
    narrow(seed_.cosine, near_seed_.cosine);
    narrow(seed_.sine, near_seed_.sine);
    is_near_seed_ = true;
}

void CosineScan::seed(std::uint64_t first, std::uint64_t twice) {
    seeded_ = first;
    is_near_seed_ = false;
    const std::size_t pairs = offsets_.size();
    std::vector<std::uint64_t> turn(pairs);
    for (std::size_t i = 0; i < pairs; ++i) turn[i] = turn_of(sum_.half_rates()[i] * Phase{twice});
    kernels().cos_sin_of_turns(pairs, turn.data(), seed_.cosine.data(), seed_.sine.data());
}

// Where in rows_ the angle begins that turns the seed to the centre of a block. A block that is
// not reached from the one before is its own seed.
std::size_t CosineScan::row_of(std::uint64_t first) {
    const std::size_t pairs = offsets_.size(), row = first / size % rows;
    const std::uint64_t run = first - row * size;
    if (row == 0 && run != seeded_) seed(run, 2 * run);
    const bool is_alone = run != seeded_;
    if (is_alone) seed(~std::uint64_t{0}, 2 * first + size - 1);
    const std::size_t at = is_alone ? 0 : (1 + row) * pairs;
    if (rows_.cosine.size() <= at) prepare_rows();
    return at;
}

double CosineScan::fill(std::uint64_t first, double* values) {
    const std::size_t pairs = offsets_.size(), row = row_of(first);
    kernels().add_angles(1, pairs, {seed_.cosine.data(), seed_.sine.data()},
                         {&rows_.cosine[row], &rows_.sine[row]},
                         {centre_.cosine.data(), centre_.sine.data()});
    return kernels().sums->cosine_sums(pairs, sum_.pairs().passing, centre_.cosine.data(),
                                       centre_.sine.data(), offsets_.front().cosine, values);
}

// With u = 2^-24, and |c·c'| + |s·s'| ≤ 1 for cosines and sines of any two angles:
//   seed, row, offset rounded                      u each
//   a centre's cosine and its sine                 2u of those, 2u of products and sum
//   c·c' and s·s' of a pair                        4u(|c'| + |s'|) + u + u < 8u
//   two sums of P terms and the sum of both        P·u·P
// and 0.01·P²u for terms of u², P < 2^17.
double CosineScan::lower_bound(std::uint64_t first) {
    const std::size_t pairs = offsets_.size(), row = row_of(first);
    prepare_floats();
    const double least = kernels().sums->least_cosine_sum(
        pairs, near_seed_.cosine.data(), near_seed_.sine.data(), &near_rows_.cosine[row],
        &near_rows_.sine[row], near_offsets_.front().cosine);
    const auto all = static_cast<double>(pairs);
    return least + sum_.pairs().passing - all * (1.01 * all + 10) * 0x1p-24;
}

double CosineScan::least_about(const float* cosine, const float* sine) {
    prepare_near_offsets();
    return kernels().sums->least_cosine_sum(offsets_.size(), cosine, sine, none_.cosine.data(),
                                            none_.sine.data(), near_offsets_.front().cosine);
}

std::optional<std::uint64_t> first_negative(const CosineSum& sum, std::uint64_t last) {
    CosineScan scan(sum);
    LowStretches stretches(scan);
    return negative_within(scan, stretches, 0, last + 1);
}

bool is_ever_negative(const CosineSum& sum, std::uint64_t last) {
    CosineScan scan(sum);
    LowStretches stretches(scan);
    for (std::uint64_t end = last + 1; end > 0;) {
        const std::uint64_t first = (end - 1) / LowStretches::longest * LowStretches::longest;
        if (negative_within(scan, stretches, first, end)) return true;
        end = first;
    }
    return false;
}

}  // namespace rope
