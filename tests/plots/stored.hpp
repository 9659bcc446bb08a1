// Series with stored points, a CSV as text, and a Spec with its scaled form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plots/csv/csv.hpp"
#include "plots/figures/subject.hpp"
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

inline std::string to_csv(const Figure& figure) {
    std::string csv;
    write_csv(figure, [&](std::string_view bytes) { csv += bytes; });
    return csv;
}

inline std::vector<NamedSpec> base_and_scaled(const Spec& spec) {
    return with_scaled(std::vector<NamedSpec>{{"base θ", spec}});
}

}  // namespace rope::plots
