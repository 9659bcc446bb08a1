// B̂(s) and A(s) of several Specs (decay.hpp), computed anew in every reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/tasks.hpp"
#include "plots/figures/named_spec.hpp"
#include "plots/parts/series.hpp"

namespace rope::plots {

// What words and axes say of B̂(s), s = 0 … last.
struct MeanCosShape {
    std::optional<std::uint64_t> first_rise;
    double least;
    std::uint64_t least_at;
};

class Decays {
  public:
    // The distances of mean_cos_shape() of each are added to `distances`.
    Decays(std::span<const NamedSpec> specs, std::uint64_t last, TaskCount* distances = nullptr);

    // of Spec number i
    MeanCosShape mean_cos_shape(std::size_t i) const;
    double roformer_at_zero(std::size_t i) const;  // the greatest: |S_j(s)| ≤ S_j(0)
    Curve mean_cos(std::size_t i) const;
    Curve roformer(std::size_t i) const;

  private:
    struct Tables;  // shared with the curves
    std::shared_ptr<Tables> tables_;
    std::uint64_t last_;
    TaskCount* distances_;
};

}  // namespace rope::plots
