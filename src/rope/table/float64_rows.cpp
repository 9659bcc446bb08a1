#include "rope/table/float64_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "rope/exact/phase.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

constexpr Precision seed_precision{192};
constexpr std::uint64_t nowhere = ~std::uint64_t{0};

// A position has 32 bits: at most 33 factors with the amplitude, √2·2^-99 for each product, and
// less than 2^-102 for each factor.
constexpr double error_of_products = 0x1p-92;

// The powers e^{iθ2^k} that positions below `end` need, and at least those of rows_of_head.
std::size_t powers_to(std::uint64_t end) {
    return std::max<std::size_t>(12, static_cast<std::size_t>(std::bit_width(end)));
}

}  // namespace

PartedRows::PartedRows(std::size_t rows, std::size_t pairs) : pairs_(pairs) {
    for (auto* values : {&cos_, &sin_})
        for (AlignedVector<double>& part : *values) part.resize(rows * pairs);
}

PartsOfRows PartedRows::row(std::size_t r) const {
    const std::size_t at = r * pairs_;
    return {{&cos_[0][at], &cos_[1][at], &cos_[2][at]}, {&sin_[0][at], &sin_[1][at], &sin_[2][at]}};
}

void PartedRows::set(std::size_t r, std::size_t pair, const BigReal& cos, const BigReal& sin) {
    const auto split = [&](const BigReal& x, std::array<AlignedVector<double>, 3>& parts) {
        const std::size_t at = r * pairs_ + pair;
        BigReal rest = x;
        for (const int part : {0, 1}) {
            const double grid = std::ldexp(1.5, 27 - 25 * part);
            parts[static_cast<std::size_t>(part)][at] = (rest.to_double() + grid) - grid;
            rest = rest - parts[static_cast<std::size_t>(part)][at];
        }
        parts[2][at] = rest.to_double();
    };
    split(cos, cos_);
    split(sin, sin_);
}

void PartedRows::turn(std::size_t r, const PartsOfRows& a, const PartsOfRows& b) {
    const std::size_t at = r * pairs_;
    double* const cos[] = {&cos_[0][at], &cos_[1][at], &cos_[2][at]};
    double* const sin[] = {&sin_[0][at], &sin_[1][at], &sin_[2][at]};
    kernels().parts->turn(pairs_, &a, &b, cos, sin);
}

// Squaring doubles the error: 31 times leave 160 bits.
Float64Turns::Float64Turns(const TruthRows& truth, const BigReal& amplitude, std::uint64_t end)
    : truth_(truth),
      factor_(amplitude, seed_precision),
      powers_(powers_to(end), truth.exact().pairs()),
      near_(near, truth.exact().pairs()),
      far_(far, truth.exact().pairs()) {
    const long exponent = mpfr_regular_p(amplitude.raw()) != 0 ? mpfr_get_exp(amplitude.raw()) : 0;
    mpfr_mul_2si(factor_.raw(), factor_.raw(), -exponent, MPFR_RNDN);
    scale_ = std::ldexp(1.0, static_cast<int>(exponent));
    // where scaling would meet subnormals or overflow, every number is in doubt
    error_ = std::abs(exponent) < 900 ? error_of_products : std::numeric_limits<double>::infinity();
    const std::size_t powers = powers_to(end);
    for (std::size_t i = 0; i < truth.exact().pairs(); ++i) {
        BigReal cos(0, seed_precision), sin(0, seed_precision);
        mpfr_sin_cos(sin.raw(), cos.raw(), truth.angle(1, i).raw(), MPFR_RNDN);
        for (std::size_t k = 0; k < powers; ++k) {
            powers_.set(k, i, cos, sin);
            const BigReal product = cos * sin;
            cos = (cos - sin) * (cos + sin);
            sin = product + product;
        }
    }
    multiply(near_, near, 0);
    multiply(far_, far, 5);
}

// Row r = e^{iθ·r·2^first}
void Float64Turns::multiply(PartedRows& rows, std::size_t count, std::size_t first) const {
    const BigReal one(1, seed_precision), zero(0, seed_precision);
    for (std::size_t i = 0; i < truth_.exact().pairs(); ++i) rows.set(0, i, one, zero);
    for (std::size_t r = 1; r < count; ++r) {
        const std::size_t top = static_cast<std::size_t>(std::bit_width(r)) - 1;
        rows.turn(r, rows.row(r - (std::size_t{1} << top)), powers_.row(first + top));
    }
}

PartedRows Float64Turns::head(std::uint64_t position) const {
    const std::size_t pairs = truth_.exact().pairs();
    PartedRows rows(1, pairs);
    for (std::size_t i = 0; i < pairs; ++i) rows.set(0, i, factor_, BigReal(0, seed_precision));
    PartedRows next = rows;
    for (std::size_t k = 0; position >> k != 0; ++k) {
        if ((position >> k & 1) == 0) continue;
        next.turn(0, rows.row(0), powers_.row(k));
        std::swap(rows, next);
    }
    return rows;
}

Float64Rows::Float64Rows(const Float64Turns& turns)
    : turns_(turns),
      head_(1, turns.truth().exact().pairs()),
      block_(head_),
      head_at_(nowhere),
      block_at_(nowhere) {}

void Float64Rows::start_tile(std::uint64_t position) {
    const std::uint64_t start = position / Float64Turns::near * Float64Turns::near;
    if (start == block_at_) return;
    const std::uint64_t head = start / Float64Turns::rows_of_head * Float64Turns::rows_of_head;
    if (head != head_at_) head_ = turns_.head(head);
    head_at_ = head;
    block_.turn(0, head_.row(0), turns_.far_row((start - head) / Float64Turns::near));
    block_at_ = start;
}

void Float64Rows::fill(std::uint64_t first, std::size_t rows, double* cos, double* sin) {
    start_tile(first);
    const std::size_t pairs = turns_.truth().exact().pairs();
    const PartsOfRows block = block_.row(0), base = turns_.near_rows(first % Float64Turns::near);
    if (kernels().parts->round(rows, pairs, &block, &base, turns_.error(), turns_.scale(), cos,
                               sin) == 0)
        return;
    for (std::size_t k = 0; k < rows * pairs; ++k)
        if (std::isnan(cos[k]) || std::isnan(sin[k]))
            turns_.truth().round_one(first + k / pairs, k % pairs, Format::float64, cos[k], sin[k]);
}

}  // namespace rope
