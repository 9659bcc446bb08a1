// The largest |ẑ − a·z| of a component, whatever is allowed, and where errors first exceed limits.
#pragma once

#include <optional>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/number/memory.hpp"
#include "rope/report/report.hpp"

namespace rope {

// a·z of a tile.
class ScaledTruth {
  public:
    explicit ScaledTruth(double amplitude) : amplitude_(amplitude) {}

    // Until the next call.
    CosSin of(const Tile& tile);

  private:
    double amplitude_;
    AlignedVector<double> cos_, sin_;
};

class AbsoluteError {
  public:
    AbsoluteError(PairRange pairs, std::vector<double> limits);

    // NaN is an infinite error. `want`: ScaledTruth's of the tile.
    void observe(const Tile& tile, const CosSin& want);
    // The same, had those of `later` come after this one's.
    void merge(const AbsoluteError& later);

    // An error that is no larger changes nothing.
    double known() const;

    std::uint64_t samples() const { return samples_; }
    double worst() const { return worst_; }
    // Of the worst; none where there is no error.
    const std::optional<Witness>& at() const { return at_; }
    // The first position, outward from 0, at which an error exceeds the limit of this number.
    std::optional<double> first_beyond(std::size_t limit) const { return first_[limit]; }

  private:
    bool is_of_interest(const Tile& tile, const CosSin& want) const;
    void add(double position, std::uint32_t pair, double got, double want);

    std::vector<double> limits_;
    AlignedVector<double> zeros_;  // no error grows with the position here
    std::uint64_t samples_ = 0;
    double worst_ = 0;
    std::optional<Witness> at_;
    std::vector<std::optional<double>> first_;
};

// A position as a field: a count where it is whole and not negative; nothing where there is none.
FieldValue position_value(std::optional<double> position);

}  // namespace rope
