// Figures of the score of two equal tokens over their distance.
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

// The properties of B̂(s), s = 0 … last, that titles, notes and axes need.
struct MeanCosShape {
    std::optional<std::uint64_t> first_rise;
    double least;
    std::uint64_t least_at;
    std::uint64_t end = 0;  // max_position_embeddings, or last if smaller
    double at_end = 1, at_rise = 1;
};

class Decays {
  public:
    // mean_cos_shape() adds the distances that it computes to `distances`.
    Decays(std::span<const NamedSpec> specs, std::uint64_t last, TaskCount* distances = nullptr);

    // Returns the shape of Spec number i.
    MeanCosShape mean_cos_shape(std::size_t i) const;
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

// Two panels, each with a curve per Spec over s = 1 … last on a log₂ axis:
//   B̂(s) = 2/d Σ cos(sθ_i)             the mean cosine: the score of q = k = 1, relative to s = 0
//   A(s) = 2/d Σ_j |Σ_{i<j} e^{isθ_i}|   RoFormer §3.4.3
// Adds computed distances to `distances`.
Figure decay_figure(std::span<const NamedSpec> specs, std::uint64_t last = default_decay_distance,
                    TaskCount* distances = nullptr);

// Returns how far each curve falls over its context: "Over 2,048 positions the score of equal
// tokens falls by 88 % with base θ, by 7 % with scaled θ"; of more than two the smallest and
// largest fall.
std::string decay_headline(std::span<const NamedSpec> specs, std::span<const MeanCosShape> shapes);

// Returns the note on how to read lines and bands.
std::string column_note();

// Returns the axis 1 … last; an axis from the least B̂, or 0, to 1 in steps of 0.2.
Axis distance_axis(std::uint64_t last);
Axis mean_cos_axis(double least);

struct ComparisonView {
    std::uint32_t pair = 0;   // the pair whose angle is drawn
    std::size_t per_row = 2;  // columns; further configs start a new row
    std::uint64_t last = default_decay_distance;
};

// A column per Spec: its angle sθᵢ mod 2π (figures.hpp) above B̂(s) up to `last`, with common y
// axes, and a common x axis for the angles of a column. Marked: B̂ at max_position_embeddings and
// at its first rise. More than four Specs share one panel of B̂(s) per column. Adds computed
// distances to `distances`.
Figure comparison_figure(std::span<const NamedSpec> specs, const ComparisonView& view,
                         TaskCount* distances = nullptr);

inline constexpr std::uint64_t default_relatives_distance = 16'384;

// One panel over s = 1 … last on a log₂ axis: the logit of two equal tokens at distance s minus
// that at distance 0.
//   RoPE           √d·(B̂(s) − 1)      q = k = 1 in every dimension, divided by √d
//   sinusoidal     √d/2·(B̂(s) − 1)    ⟨PE(p), PE(p + s)⟩ = Σ cos sθᵢ with the same d and base
//   ALiBi          −m·s               slopes m of heads 1, 4 and 8 of 8 (Press et al.)
Figure relatives_figure(std::span<const NamedSpec> specs, std::uint64_t last);

}  // namespace rope::plots
