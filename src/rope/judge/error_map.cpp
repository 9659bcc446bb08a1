#include "rope/judge/error_map.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "rope/checks/absolute_error.hpp"
#include "rope/comparison/sweep.hpp"
#include "rope/kernels/checks.hpp"

namespace rope {
namespace {

// Neighbouring columns of some rows, whose positions ascend in size.
struct Strip {
    std::size_t first_row, rows, first_column;
    std::vector<float> worst;  // of each column, of each row
    std::vector<ErrorPlace> places;
};

void exchange(Archive& archive, Strip& strip) {
    archive(strip.first_row, strip.rows, strip.first_column, strip.worst, strip.places);
}

class ErrorMapCheck final : public RowCheck {
  public:
    ErrorMapCheck(ErrorMap& map, const Comparison& comparison, PairRange pairs)
        : map_(map),
          truth_(comparison.plan.attention_factor),
          pairs_(pairs),
          zeros_(std::max<std::size_t>(pairs.count, tile_rows), 0),
          worst_(pairs.count),
          unused_(pairs.count),
          drift_(pairs.count),
          first_row_(row_of(0)),
          rows_(row_of(pairs.count - 1) - first_row_ + 1) {}

    void observe(const Tile& tile) override {
        const CosSin want = truth_.of(tile);
        const std::size_t rows = tile.positions.size(), last = column_of(tile.positions[rows - 1]);
        for (std::size_t first = 0, end = 0; first < rows; first = end) {
            const std::size_t column = column_of(tile.positions[first]);
            end = column == last ? rows : first + 1;
            while (end < rows && column_of(tile.positions[end]) == column) ++end;
            add(tile, want, {first, end}, column);
        }
    }

    void exchange(Archive& archive) override { archive(strips_); }

    void merge(RowCheck& next) override {
        auto& later = static_cast<ErrorMapCheck&>(next);
        std::ranges::move(later.strips_, std::back_inserter(strips_));
    }

    void report_to(Finding&) override {
        for (const Strip& strip : strips_)
            for (std::size_t k = 0; k < strip.worst.size(); ++k) {
                const std::size_t row = strip.first_row + k % strip.rows;
                const std::size_t column = strip.first_column + k / strip.rows;
                float& cell = map_.worst[row * map_.columns() + column];
                cell = std::max(cell, strip.worst[k]);
                if (strip.places.empty()) continue;
                ErrorPlace& place = map_.places[row * map_.columns() + column];
                if (strip.places[k].error > place.error) place = strip.places[k];
            }
    }

  private:
    std::size_t column_of(double position) const {
        return map_.positions.column_of(std::abs(position));
    }
    std::size_t row_of(std::uint32_t i) const { return (pairs_.first + i) / map_.pairs_per_row; }

    // |error|/1 is what table_errors finds where nothing grows with the position
    void add(const Tile& tile, const CosSin& want, RowRange rows, std::size_t column) {
        const std::size_t from = rows.begin * pairs_.count;
        const RowsBeside beside{rows.end - rows.begin,
                                pairs_.count,
                                {tile.cos + from, tile.sin + from},
                                {want.c + from, want.s + from}};
        kernels().checks->table_errors(
            beside, {zeros_.data(), zeros_.data(), zeros_.data(), zeros_.data(), 1, 1, 0},
            {worst_.data(), unused_.data(), drift_.data()});
        float* cells = cells_of(column);
        for (std::uint32_t i = 0; i < pairs_.count; ++i) {
            float& cell = cells[row_of(i) - first_row_];
            cell = std::max(cell, static_cast<float>(worst_[i]));
        }
        if (map_.keeps_places) keep_places(tile, want, rows, &strips_.front().places[at_]);
    }

    // where the kernel found more than the cell has
    void keep_places(const Tile& tile, const CosSin& want, RowRange rows, ErrorPlace* places) {
        for (std::uint32_t i = 0; i < pairs_.count; ++i) {
            ErrorPlace& place = places[row_of(i) - first_row_];
            for (std::size_t r = rows.begin; r < rows.end && worst_[i] > place.error; ++r)
                for (const bool is_sine : {false, true}) {
                    const std::size_t k = r * pairs_.count + i;
                    const double got = (is_sine ? tile.sin : tile.cos)[k];
                    const double true_value = (is_sine ? want.s : want.c)[k];
                    const double error = std::abs(got - true_value);
                    if (error < worst_[i]) continue;
                    place = {worst_[i], tile.positions[r], pairs_.first + i, is_sine,
                             got,       true_value};
                    break;
                }
        }
    }

    float* cells_of(std::size_t column) {
        if (strips_.empty()) strips_.push_back({first_row_, rows_, column, {}, {}});
        Strip& strip = strips_.front();
        at_ = (column - strip.first_column) * rows_;
        if (strip.worst.size() < at_ + rows_) strip.worst.resize(at_ + rows_, -1);
        if (map_.keeps_places) strip.places.resize(strip.worst.size());
        return &strip.worst[at_];
    }

    ErrorMap& map_;
    ScaledTruth truth_;
    PairRange pairs_;
    AlignedVector<double> zeros_, worst_, unused_, drift_;
    std::size_t first_row_, rows_, at_ = 0;
    std::vector<Strip> strips_;
};

std::vector<double> subject_sizes(const Comparison& comparison) {
    const RowSource& subject = comparison.subject;
    std::vector<std::span<const double>> axes;
    for (const std::uint32_t axis : std::set(comparison.axis.begin(), comparison.axis.end())) {
        axes.push_back(subject.positions(axis));
        if (axes.back().empty()) return {0, static_cast<double>(subject.rows() - 1)};
    }
    return sizes_of(axes);
}

}  // namespace

void exchange(Archive& archive, ErrorPlace& place) {
    archive(place.error, place.position, place.pair, place.is_sine, place.got, place.want);
}

void lay_out(ErrorMap& map, const Comparison& comparison) {
    map.positions = position_parts(subject_sizes(comparison), map.most_parts);
    map.pairs = comparison.spec.pairs();
    map.pairs_per_row = static_cast<std::uint32_t>((map.pairs + map.most_rows - 1) / map.most_rows);
    const std::size_t rows = (map.pairs + map.pairs_per_row - 1) / map.pairs_per_row;
    map.worst.assign(rows * map.columns(), -1);
    if (map.keeps_places) map.places.assign(map.worst.size(), {});
}

std::unique_ptr<RowCheck> make_error_map(ErrorMap& map, const Comparison& comparison,
                                         PairRange pairs) {
    return std::make_unique<ErrorMapCheck>(map, comparison, pairs);
}

}  // namespace rope
