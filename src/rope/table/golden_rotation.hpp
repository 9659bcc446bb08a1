// R(m)q as a correct kernel would give it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/spec/spec.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {

// y1 = a·(x1·cos − x2·sin), y2 = a·(x2·cos + x1·sin), each rounded once.
class GoldenRotation {
  public:
    // `truth` must outlive it; its rows are of the amplitude.
    GoldenRotation(const Spec& spec, const TruthRows& truth, const BigReal& amplitude,
                   Format format);

    // positions × head_dim, row-major
    std::vector<double> apply(const std::vector<std::uint64_t>& positions,
                              const std::vector<double>& x) const;

  private:
    void apply_tile(std::span<const std::uint64_t> positions, const double* x, double* y) const;
    bool round_safely(double a, double b, double cos, double sin, double& to) const;
    double decide(double a, double b, std::uint64_t position, std::size_t pair) const;

    Spec spec_;
    const TruthRows& truth_;
    BigReal real_amplitude_;
    double amplitude_;  // rounded
    Format format_;
};

}  // namespace rope
