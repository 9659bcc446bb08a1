// Tables correctly rounded to float64, by angle addition of numbers of about 100 bits in three
// parts (kernels/parts.hpp).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rope/exact/memory.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/kernels/parts.hpp"
#include "rope/rows/exact_rows.hpp"

namespace rope {
namespace {

constexpr Precision seed_precision{192};
constexpr std::uint64_t nowhere = ~std::uint64_t{0};
constexpr std::size_t far_rows = 128, rows_of_head = tile_rows * far_rows;

// A position has 32 bits, so there are at most 33 factors including the amplitude: an error of
// √2·2^-99 for each product and less than 2^-102 for each factor.
constexpr double error_of_products = 0x1p-92;

// Returns how many powers e^{iθ2^k} are needed for positions below `end` and for rows_of_head.
std::size_t powers_to(std::uint64_t end) {
    return std::max<std::size_t>(12, static_cast<std::size_t>(std::bit_width(end)));
}

// cos and sin of rows × pairs angles, in three parts.
class PartedRows {
  public:
    PartedRows(std::size_t rows, std::size_t pairs) : pairs_(pairs) {
        for (auto* values : {&cos_, &sin_})
            for (AlignedVector<double>& part : *values) part.resize(rows * pairs);
    }

    PartsOfRows row(std::size_t r) const {
        const std::size_t at = r * pairs_;
        return {{&cos_[0][at], &cos_[1][at], &cos_[2][at]},
                {&sin_[0][at], &sin_[1][at], &sin_[2][at]}};
    }

    void set(std::size_t r, std::size_t pair, const BigReal& cos, const BigReal& sin) {
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

    // Row r = a rotated by b; neither may be row r.
    void turn(std::size_t r, const PartsOfRows& a, const PartsOfRows& b) {
        const std::size_t at = r * pairs_;
        double* const cos[] = {&cos_[0][at], &cos_[1][at], &cos_[2][at]};
        double* const sin[] = {&sin_[0][at], &sin_[1][at], &sin_[2][at]};
        kernels().parts->turn(pairs_, &a, &b, cos, sin);
    }

  private:
    std::size_t pairs_;
    std::array<AlignedVector<double>, 3> cos_, sin_;
};

// The rows of a table, tile by tile. Their factors are the powers e^{iθ2^k}, and the multiples of 1
// and of 32.
class Float64Rows {
  public:
    // Prepares positions below `end`.
    // Each squaring doubles the error: after 31 of them, 160 bits are correct.
    Float64Rows(const TruthRows& truth, const BigReal& amplitude, std::uint64_t end)
        : truth_(truth),
          pairs_(truth.exact().pairs()),
          factor_(amplitude, seed_precision),
          powers_(powers_to(end), pairs_),
          near_(tile_rows, pairs_),
          far_(far_rows, pairs_),
          head_(1, pairs_),
          block_(1, pairs_) {
        const long exponent =
            mpfr_regular_p(amplitude.raw()) != 0 ? mpfr_get_exp(amplitude.raw()) : 0;
        mpfr_mul_2si(factor_.raw(), factor_.raw(), -exponent, MPFR_RNDN);
        scale_ = std::ldexp(1.0, static_cast<int>(exponent));
        // With subnormals or overflow in the scaling, all numbers are decided by MPFR.
        error_ =
            std::abs(exponent) < 900 ? error_of_products : std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < pairs_; ++i) {
            BigReal cos(0, seed_precision), sin(0, seed_precision);
            mpfr_sin_cos(sin.raw(), cos.raw(), truth.angle(1, i).raw(), MPFR_RNDN);
            for (std::size_t k = 0; k < powers_to(end); ++k) {
                powers_.set(k, i, cos, sin);
                const BigReal product = cos * sin;
                cos = (cos - sin) * (cos + sin);
                sin = product + product;
            }
        }
        multiply(near_, tile_rows, 0);
        multiply(far_, far_rows, 5);
    }

    // Writes positions first … first + rows − 1, which must lie in one tile of 32.
    void fill(std::uint64_t first, std::size_t rows, double* cos, double* sin) {
        const std::uint64_t tile = first / tile_rows, head = first / rows_of_head;
        if (head != head_at_) start_head(head * rows_of_head);
        head_at_ = head;
        block_.turn(0, head_.row(0), far_.row(tile % far_rows));
        const PartsOfRows block = block_.row(0), base = near_.row(first % tile_rows);
        if (kernels().parts->round(rows, pairs_, &block, &base, error_, scale_, cos, sin) == 0)
            return;
        for (std::size_t k = 0; k < rows * pairs_; ++k)
            if (std::isnan(cos[k]) || std::isnan(sin[k]))
                truth_.round_one(first + k / pairs_, k % pairs_, Format::float64, cos[k], sin[k]);
    }

  private:
    // Row r = e^{iθ·r·2^first}
    void multiply(PartedRows& rows, std::size_t count, std::size_t first) const {
        const BigReal one(1, seed_precision), zero(0, seed_precision);
        for (std::size_t i = 0; i < pairs_; ++i) rows.set(0, i, one, zero);
        for (std::size_t r = 1; r < count; ++r) {
            const std::size_t top = static_cast<std::size_t>(std::bit_width(r)) - 1;
            rows.turn(r, rows.row(r - (std::size_t{1} << top)), powers_.row(first + top));
        }
    }

    // Sets the head to factor·e^{imθ}.
    void start_head(std::uint64_t position) {
        for (std::size_t i = 0; i < pairs_; ++i)
            head_.set(0, i, factor_, BigReal(0, seed_precision));
        for (std::size_t k = 0; position >> k != 0; ++k) {
            if ((position >> k & 1) == 0) continue;
            block_.turn(0, head_.row(0), powers_.row(k));
            std::swap(head_, block_);
        }
    }

    const TruthRows& truth_;
    std::size_t pairs_;
    BigReal factor_;        // amplitude = scale·factor, ½ ≤ |factor| < 1
    double scale_, error_;  // error of a row before scaling
    PartedRows powers_, near_, far_, head_, block_;
    std::uint64_t head_at_ = nowhere;
};

}  // namespace

RotaryTable build_float64_table(const FrequencyPlan& plan, std::uint64_t first, std::size_t rows) {
    const auto pairs = static_cast<std::uint32_t>(plan.pairs.size());
    const TruthRows truth(plan, 0, pairs);
    Float64Rows turned(truth, plan.amplitude, first + rows);
    RotaryTable table{{}, pairs, std::vector<double>(rows * pairs), {}};
    table.sin.resize(table.cos.size());
    for (std::uint64_t m = first, end = first + rows, next = 0; m < end; m = next) {
        next = std::min(end, m / tile_rows * tile_rows + tile_rows);
        const std::size_t at = (m - first) * pairs;
        turned.fill(m, next - m, &table.cos[at], &table.sin[at]);
    }
    return table;
}

}  // namespace rope
