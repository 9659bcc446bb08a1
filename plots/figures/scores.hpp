// What a pipeline's rounding does to attention scores, over their distance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plots/figures/named_spec.hpp"
#include "plots/parts/figure.hpp"
#include "rope/checks/error_map.hpp"

namespace rope::plots {

struct PipelineScores {
    std::string pipeline;
    ScoreCurve curve;
};

// Two panels over the distance, a curve in each for every pipeline: its scores beside the exact
// ones, and how far off they are, with a ring where they first disagree or are not finite. All have
// one context. `vectors` says in a clause what q and k are.
Figure scores_figure(const NamedSpec& named, std::vector<PipelineScores> pipelines,
                     const std::string& vectors);

}  // namespace rope::plots
