#include "rope/columns/wide_columns.hpp"

#include "rope/kernels/kernels.hpp"

namespace rope {

WideColumns::WideColumns(const Comparison& comparison, PairRange pairs,
                         std::span<const double> largest_square)
    : comparison_(comparison), octagons_(pairs.count), dull_(pairs.count), prefixes_(pairs.count) {
    for (const double square : largest_square) columns_.emplace_back(square);
    for (std::size_t i = 0; i < columns_.size(); ++i) dull_[i] = columns_[i].dull_square();
}

void WideColumns::observe(const Tile& tile) {
    const std::size_t rows = tile.positions.size(), stride = columns_.size();
    for (auto* values : {&x_, &y_, &outside_}) values->resize(rows * stride);
    kernels().checks->wide_errors(
        {rows, stride, {tile.cos, tile.sin}, {tile.effective_cos, tile.effective_sin}},
        comparison_.effective_amplitude, octagons_.octagons(), dull_.data(),
        {x_.data(), y_.data(), outside_.data()});
    for (std::size_t r = 0; r < rows; ++r) {
        const double position = tile.positions[r];
        if (last_position_ && octave_of(position) != octave_of(*last_position_)) close_prefix();
        last_position_ = position;
        for (std::size_t i = 0; i < stride; ++i) {
            const std::size_t k = r * stride + i;
            if (outside_[k] != 0) insert({x_[k], y_[k], 0, position}, i);
        }
    }
}

void WideColumns::insert(const Deviation& v, std::size_t i) {
    const int reductions = columns_[i].reductions();
    columns_[i].insert(v);
    if (columns_[i].reductions() != reductions) pass_over_reduced(i);
}

void WideColumns::pass_over_reduced(std::size_t i) {
    dull_[i] = columns_[i].dull_square();
    std::vector<PlanePoint> ring;
    for (const auto& vertex : columns_[i].vertices()) ring.push_back({vertex.x, vertex.y});
    octagons_.inscribe(i, ring);
}

void WideColumns::close_prefix() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        prefixes_[i].push_back({*last_position_, columns_[i].worst()});
        if (columns_[i].reductions() > 0) pass_over_reduced(i);
    }
}

std::vector<std::vector<PrefixWorst>> WideColumns::finish() {
    if (last_position_) close_prefix();
    return std::move(prefixes_);
}

}  // namespace rope
