// Tables correctly rounded to a format, by angle addition. float64 tables use numbers of about 100
// bits in three parts (kernels/table.hpp).
#include "rope/rows/stored_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "base/decimal.hpp"
#include "base/tasks.hpp"
#include "rope/exact/codec.hpp"
#include "rope/exact/element.hpp"
#include "rope/exact/memory.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/kernels/table.hpp"
#include "rope/rows/exact_rows.hpp"

namespace rope {
namespace {

constexpr Precision seed_precision{192};
constexpr std::uint64_t nowhere = ~std::uint64_t{0};

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

// Factors of which all positions are composed: the powers e^{iθ2^k}, and the multiples of 1 and of
// 32.
class Float64Turns {
  public:
    // Prepares positions below `end`.
    // Each squaring doubles the error: after 31 of them, 160 bits are correct.
    Float64Turns(const TruthRows& truth, const BigReal& amplitude, std::uint64_t end)
        : truth_(truth),
          factor_(amplitude, seed_precision),
          powers_(powers_to(end), truth.exact().pairs()),
          near_(near, truth.exact().pairs()),
          far_(far, truth.exact().pairs()) {
        const long exponent =
            mpfr_regular_p(amplitude.raw()) != 0 ? mpfr_get_exp(amplitude.raw()) : 0;
        mpfr_mul_2si(factor_.raw(), factor_.raw(), -exponent, MPFR_RNDN);
        scale_ = std::ldexp(1.0, static_cast<int>(exponent));
        // With subnormals or overflow in the scaling, all numbers are decided by MPFR.
        error_ =
            std::abs(exponent) < 900 ? error_of_products : std::numeric_limits<double>::infinity();
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

    static constexpr std::size_t near = tile_rows, far = 128, rows_of_head = near * far;

    const TruthRows& truth() const { return truth_; }
    double scale() const { return scale_; }  // amplitude = scale·factor, ½ ≤ |factor| < 1
    double error() const { return error_; }  // of a row, before scaling
    PartsOfRows near_rows(std::size_t r) const { return near_.row(r); }
    PartsOfRows far_row(std::size_t r) const { return far_.row(r); }

    // Returns factor·e^{imθ} for m that is a multiple of rows_of_head.
    PartedRows head(std::uint64_t position) const {
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

  private:
    // Row r = e^{iθ·r·2^first}
    void multiply(PartedRows& rows, std::size_t count, std::size_t first) const {
        const BigReal one(1, seed_precision), zero(0, seed_precision);
        for (std::size_t i = 0; i < truth_.exact().pairs(); ++i) rows.set(0, i, one, zero);
        for (std::size_t r = 1; r < count; ++r) {
            const std::size_t top = static_cast<std::size_t>(std::bit_width(r)) - 1;
            rows.turn(r, rows.row(r - (std::size_t{1} << top)), powers_.row(first + top));
        }
    }

    const TruthRows& truth_;
    BigReal factor_;  // amplitude/scale, in [½, 1)
    double scale_, error_;
    PartedRows powers_, near_, far_;
};

// Computes rows of a float64 table. Each thread needs a separate object.
class Float64Rows {
  public:
    explicit Float64Rows(const Float64Turns& turns)
        : turns_(turns),
          head_(1, turns.truth().exact().pairs()),
          block_(head_),
          head_at_(nowhere),
          block_at_(nowhere) {}

    // Writes positions first … first + rows − 1, which must lie in one tile of 32.
    void fill(std::uint64_t first, std::size_t rows, double* cos, double* sin) {
        start_tile(first);
        const std::size_t pairs = turns_.truth().exact().pairs();
        const PartsOfRows block = block_.row(0),
                          base = turns_.near_rows(first % Float64Turns::near);
        if (kernels().parts->round(rows, pairs, &block, &base, turns_.error(), turns_.scale(), cos,
                                   sin) == 0)
            return;
        for (std::size_t k = 0; k < rows * pairs; ++k)
            if (std::isnan(cos[k]) || std::isnan(sin[k]))
                turns_.truth().round_one(first + k / pairs, k % pairs, Format::float64, cos[k],
                                         sin[k]);
    }

  private:
    void start_tile(std::uint64_t position) {
        const std::uint64_t start = position / Float64Turns::near * Float64Turns::near;
        if (start == block_at_) return;
        const std::uint64_t head = start / Float64Turns::rows_of_head * Float64Turns::rows_of_head;
        if (head != head_at_) head_ = turns_.head(head);
        head_at_ = head;
        block_.turn(0, head_.row(0), turns_.far_row((start - head) / Float64Turns::near));
        block_at_ = start;
    }

    const Float64Turns& turns_;
    PartedRows head_, block_;
    std::uint64_t head_at_, block_at_;
};

constexpr std::uint64_t rows_of_task = 4096;

// Error of angle addition in which one term is a sum, times the amplitude (cf. cos_sin_error):
// √2·2^-49.9, √2·2^-51.7 and eight roundings of at most 2^-53           → 2^-48.3
constexpr double twice_added_error = 2 * cos_sin_error;

// Error of angle addition in float32, u = 2^-24: 2u for the rounded factors, u each for the
// product, the sum and the upper bound.
constexpr double float32_error = 5.01 * 0x1p-24;

std::size_t number_bytes(const StoredTable& table) { return bytes_of(element_of(table.format)); }

void require_table(Format format) {
    if (format != Format::tf32) return;
    throw InputError(
        "a table's format is tf32; it must be float64, float32, "
        "bfloat16 or float16");
}

std::uint64_t rows_of(const FrequencyPlan& plan, std::uint64_t first, const StoredTable& table) {
    require_table(table.format);
    const std::size_t row = plan.pairs.size() * number_bytes(table);
    if (table.cos.size() != table.sin.size() || row == 0 || table.cos.size() % row != 0)
        throw InputError("cos has " + decimal(table.cos.size()) + " bytes and sin " +
                         decimal(table.sin.size()) + "; both must be whole rows of " +
                         decimal(row));
    for (const auto& values : {table.cos, table.sin})
        if (reinterpret_cast<std::uintptr_t>(values.data()) % number_bytes(table) != 0)
            throw InputError("a table's memory is not aligned to its numbers");
    const std::uint64_t rows = table.cos.size() / row;
    if (first > max_context || rows > max_context - first)
        throw InputError("positions go to " + decimal(first) + " + " + decimal(rows) +
                         "; they must be below " + decimal(max_context));
    return rows;
}

// Stores x, which must be a number of the format.
void store(Format format, double x, std::byte* to) {
    const auto value = static_cast<float>(x);
    const auto put = [to](auto stored) { std::memcpy(to, &stored, sizeof stored); };
    if (format == Format::float32) return put(value);
    put(format == Format::bfloat16 ? Codec<Format::bfloat16>::exactly(value)
                                   : Codec<Format::float16>::exactly(value));
}

// Data shared by all tasks of a table.
struct Shared {
    const TruthRows& truth;
    double amplitude;
    std::optional<Float64Turns> turns;  // only for a float64 table
    AlignedVector<double> far_cos,
        far_sin;  // rows 0, 32, 64, … of the first task
    AlignedVector<float> near_cos,
        near_sin;  // rows of the first tile, for 16-bit formats

    Shared(const TruthRows& rows, const FrequencyPlan& plan, Format format, std::uint64_t end)
        : truth(rows), amplitude(plan.attention_factor) {
        if (format == Format::float64) {
            turns.emplace(truth, plan.amplitude, end);
            return;
        }
        const ExactRows& exact = truth.exact();
        const std::size_t pairs = exact.pairs();
        far_cos.resize(rows_of_task / tile_rows * pairs);
        far_sin.resize(far_cos.size());
        for (std::size_t at = 0, m = 0; m < std::min(rows_of_task, end);
             at += pairs, m += tile_rows)
            exact.fill_row(m, &far_cos[at], &far_sin[at]);
        if (format == Format::float32) return;
        near_cos.assign(exact.base_cos(), exact.base_cos() + tile_rows * pairs);
        near_sin.assign(exact.base_sin(), exact.base_sin() + tile_rows * pairs);
    }
};

// Builds the tiles of one task, whose rows begin at a multiple of rows_of_task.
class Builder {
  public:
    Builder(const Shared& shared, const StoredTable& table, std::uint64_t start)
        : shared_(shared),
          table_(table),
          row_bytes_(pairs() * number_bytes(table)),
          is_large_(table.cos.size() >= large_output / 2) {
        if (shared.turns) {
            float64_.emplace(*shared.turns);
            for (auto* rows : {&aside_cos_, &aside_sin_})
                if (is_large_) rows->resize(streamed_rows * pairs());
            return;
        }
        for (auto* row : {&start_cos_, &start_sin_, &block_cos_, &block_sin_}) row->resize(pairs());
        shared.truth.exact().fill_row(start, start_cos_.data(), start_sin_.data());
        for (auto* row : {&start_cos_, &start_sin_})
            for (double& value : *row) value *= shared.amplitude;
    }

    // Writes positions first … first + rows − 1, all in one tile, to the table from `row` on.
    void build(std::uint64_t first, std::size_t rows, std::uint64_t row) {
        std::byte* const cos = table_.cos.data() + row * row_bytes_;
        std::byte* const sin = table_.sin.data() + row * row_bytes_;
        if (float64_) return fill(first, rows, cos, sin);
        for (std::uint32_t doubts = add_angles(first, rows, cos, sin); doubts != 0;
             doubts &= doubts - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(doubts));
            round(first + r, cos + r * row_bytes_, sin + r * row_bytes_);
        }
    }

  private:
    // These rows and the 32 rows they are computed from fit into the first-level cache.
    static constexpr std::size_t streamed_rows = 8;

    std::size_t pairs() const { return shared_.truth.exact().pairs(); }

    void fill(std::uint64_t first, std::size_t rows, std::byte* cos, std::byte* sin) {
        const auto doubles = [](std::byte* bytes) { return reinterpret_cast<double*>(bytes); };
        if (!is_large_) return float64_->fill(first, rows, doubles(cos), doubles(sin));
        for (std::size_t r = 0; r < rows; r += streamed_rows) {
            const std::size_t count = std::min(streamed_rows, rows - r), at = r * row_bytes_;
            float64_->fill(first + r, count, aside_cos_.data(), aside_sin_.data());
            stream(cos + at, aside_cos_.data(), count * row_bytes_);
            stream(sin + at, aside_sin_.data(), count * row_bytes_);
        }
    }

    // Bit r of the result is set if a number of row r is undecided. All bits are set if the
    // amplitude could make float32 overflow or underflow.
    std::uint32_t add_angles(std::uint64_t first, std::size_t rows, std::byte* cos,
                             std::byte* sin) {
        if (!(0x1p-60 < shared_.amplitude && shared_.amplitude < 0x1p60))
            return ~std::uint32_t{0} >> (tile_rows - rows);
        const TileSource source = source_of(first);
        const auto address = [](std::byte* to) { return reinterpret_cast<std::uintptr_t>(to); };
        const std::size_t piece =
            is_large_ ? piece_of(address(cos) | address(sin) | row_bytes_) : 0;
        const TableKernels& kernel = *kernels().tables;
        if (table_.format == Format::float32)
            return kernel.float32_tile(rows, pairs(), &source, piece, reinterpret_cast<float*>(cos),
                                       reinterpret_cast<float*>(sin));
        const auto tile =
            table_.format == Format::bfloat16 ? kernel.bfloat16_tile : kernel.float16_tile;
        return tile(rows, pairs(), &source, piece, reinterpret_cast<std::uint16_t*>(cos),
                    reinterpret_cast<std::uint16_t*>(sin));
    }

    TileSource source_of(std::uint64_t first) {
        const ExactRows& exact = shared_.truth.exact();
        const std::size_t begin = first % tile_rows * pairs();
        const std::size_t far = first % rows_of_task / tile_rows * pairs();
        kernels().add_angles(1, pairs(), {start_cos_.data(), start_sin_.data()},
                             {&shared_.far_cos[far], &shared_.far_sin[far]},
                             {block_cos_.data(), block_sin_.data()});
        TileSource source{{block_cos_.data(), block_sin_.data(), exact.base_cos() + begin,
                           exact.base_sin() + begin, twice_added_error * shared_.amplitude},
                          {}};
        if (table_.format == Format::float32) return source;
        near_cos_.assign(block_cos_.begin(), block_cos_.end());
        near_sin_.assign(block_sin_.begin(), block_sin_.end());
        source.near = {near_cos_.data(), near_sin_.data(), &shared_.near_cos[begin],
                       &shared_.near_sin[begin],
                       static_cast<float>(float32_error * shared_.amplitude)};
        return source;
    }

    void round(std::uint64_t position, std::byte* cos, std::byte* sin) {
        const std::size_t size = number_bytes(table_);
        std::vector<double> c(pairs()), s(pairs());
        shared_.truth.fill_rounded({&position, 1}, table_.format, c.data(), s.data());
        for (std::size_t k = 0; k < pairs(); ++k) {
            store(table_.format, c[k], cos + k * size);
            store(table_.format, s[k], sin + k * size);
        }
    }

    const Shared& shared_;
    const StoredTable& table_;
    std::size_t row_bytes_;
    bool is_large_;
    std::optional<Float64Rows> float64_;
    AlignedVector<double> start_cos_, start_sin_, block_cos_, block_sin_;
    AlignedVector<float> near_cos_, near_sin_;
    AlignedVector<double> aside_cos_, aside_sin_;
};

}  // namespace

void build_table(const FrequencyPlan& plan, std::uint64_t first, const StoredTable& table,
                 unsigned threads) {
    const std::uint64_t rows = rows_of(plan, first, table);
    const TruthRows truth(plan, 0, static_cast<std::uint32_t>(plan.pairs.size()));
    if (table.cos.size() >= large_output / 2)
        for (const auto& values : {table.cos, table.sin})
            advise_huge_pages(values.data(), values.size());
    const Shared shared(truth, plan, table.format, first + rows);
    // tasks and tiles begin at multiples of 32, except for the first
    const std::uint64_t end = first + rows, origin = first / rows_of_task * rows_of_task;
    const std::uint64_t tasks = rows == 0 ? 0 : (end - origin + rows_of_task - 1) / rows_of_task;
    run_tasks(tasks, threads, [&](std::size_t task) {
        const std::uint64_t start = origin + task * rows_of_task;
        Builder builder(shared, table, start);
        const std::uint64_t stop = std::min(end, start + rows_of_task);
        for (std::uint64_t m = std::max(first, start), next = 0; m < stop; m = next) {
            next = std::min(stop, m / tile_rows * tile_rows + tile_rows);
            builder.build(m, next - m, m - first);
        }
        finish_streaming();
    });
}

}  // namespace rope
