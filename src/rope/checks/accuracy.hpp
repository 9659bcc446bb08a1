// The largest error |ẑ − a·z| of one cos or sin, and the first positions beyond given limits.
#pragma once

#include <optional>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/number/memory.hpp"
#include "rope/report/report.hpp"

namespace rope {

// Exact values of a tile times the amplitude, a·z.
class ScaledTruth {
  public:
    explicit ScaledTruth(double amplitude) : amplitude_(amplitude) {}

    // The result is valid until the next call.
    CosSin of(const Tile& tile);

  private:
    double amplitude_;
    AlignedVector<double> cos_, sin_;
};

class AbsoluteError {
  public:
    AbsoluteError(PairRange pairs, std::vector<double> limits);

    // Counts NaN as an infinite error. `want` is the tile's ScaledTruth.
    void observe(const Tile& tile, const CosSin& want);
    // Adds the values of `later`, as if they had followed.
    void merge(const AbsoluteError& later);

    // Returns the error up to which a value changes nothing.
    double known() const;

    std::uint64_t samples() const { return samples_; }
    double worst() const { return worst_; }
    // Returns the place of the worst error; empty if there is no error.
    const std::optional<Witness>& at() const { return at_; }
    // Returns the first position, by |position|, at which an error exceeds limit number `limit`.
    std::optional<double> first_beyond(std::size_t limit) const { return first_[limit]; }

  private:
    bool is_of_interest(const Tile& tile, const CosSin& want) const;
    void add(double position, std::uint32_t pair, double got, double want);

    std::vector<double> limits_;
    AlignedVector<double> zeros_;  // slopes: the limits are the same at every position
    std::uint64_t samples_ = 0;
    double worst_ = 0;
    std::optional<Witness> at_;
    std::vector<std::optional<double>> first_;
};

// Returns a position as a field: an integer if it is one and not negative; empty without a
// position.
FieldValue position_value(std::optional<double> position);

}  // namespace rope
