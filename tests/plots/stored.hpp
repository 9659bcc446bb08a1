// Series with their points at hand.
#pragma once

#include "plots/parts/figure.hpp"
#include "plots/parts/series.hpp"

namespace rope::plots {

inline Series stored(const Series& series) {
    Series kept{series.label, series.mark, series.color};
    for (PointReader at(series); !at.ended(); at.advance()) {
        kept.x.push_back(at.x());
        kept.y.push_back(at.y());
    }
    return kept;
}

}  // namespace rope::plots
