// The score of two equal tokens over their distance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/tasks.hpp"
#include "plots/figures/subject.hpp"
#include "plots/parts/figure.hpp"
#include "plots/parts/series.hpp"

namespace rope::plots {

// What words and axes say of B̂(s), s = 0 … last.
struct MeanCosShape {
    std::optional<std::uint64_t> first_rise;
    double least;
    std::uint64_t least_at;
    std::uint64_t end = 0;  // max_position_embeddings, or last where that is less
    double at_end = 1, at_rise = 1;
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
    std::vector<std::uint64_t> ends_;
    std::uint64_t last_;
    TaskCount* distances_;
};

inline constexpr std::uint64_t default_decay_distance = 1'048'576;

// Two panels, a curve in each for every Spec, over s = 1 … last on a log₂ axis:
//   B̂(s) = 2/d Σ cos(sθ_i)           the mean cosine: the score of q = k = 1, of 1 at s = 0
//   A(s) = 2/d Σ_j |Σ_{i<j} e^{isθ_i}|   RoFormer §3.4.3
// Distances looked at are added to `distances`.
Figure decay_figure(std::span<const NamedSpec> specs, std::uint64_t last = default_decay_distance,
                    TaskCount* distances = nullptr);

// By how much each falls over its context: "Over 2,048 positions the score of two equal tokens
// falls by 88 % with base θ, by 7 % with scaled θ". Of more than two the greatest and the least.
std::string decay_headline(std::span<const NamedSpec> specs, std::span<const MeanCosShape> shapes);

// How line and band are to be read.
std::string column_note();

// The axis 1 … last, and an axis in steps of 0.2 from the least B̂, or 0, up to 1.
Axis distance_axis(std::uint64_t last);
Axis mean_cos_axis(double least);

struct ComparisonView {
    std::uint32_t pair = 0;   // whose angle is drawn
    std::size_t per_row = 2;  // columns; the panels of further configs start a new row
    std::uint64_t last = default_decay_distance;
};

// A column for each Spec: its angle sθᵢ mod 2π (figures.hpp) over B̂(s) up to last, all
// on the same y axes, and the angles of a column on the same x axis. Marked: B̂ at
// max_position_embeddings and where it first rises. More than four Specs share one panel of B̂(s)
// for each column instead. Distances looked at are added to `distances`.
Figure comparison_figure(std::span<const NamedSpec> specs, const ComparisonView& view,
                         TaskCount* distances = nullptr);

inline constexpr std::uint64_t default_relatives_distance = 16'384;

// One panel over s = 1 … last on a log₂ axis: how far the logit of two equal tokens at distance s
// is below the one at distance 0.
//   RoPE           √d·(B̂(s) − 1)      q = k = 1 in every lane, divided by √d
//   sinusoidal     √d/2·(B̂(s) − 1)    ⟨PE(p), PE(p + s)⟩ = Σ cos sθᵢ of the same d and base,
//   likewise ALiBi          −m·s               the slopes m of heads 1, 4 and 8 of 8 (Press et al.)
Figure relatives_figure(std::span<const NamedSpec> specs, std::uint64_t last);

}  // namespace rope::plots
