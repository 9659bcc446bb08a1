#include "rope/checks/error_map.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "rope/checks/check.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/spec/dimensions.hpp"

namespace rope {
namespace {

// Cells of one column, from first_row on.
struct Strip {
    std::size_t first_row, column;
    std::vector<float> worst;
    std::vector<ErrorPlace> places;
};

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
            end = column == last && is_ascending_ ? rows : first + 1;
            while (end < rows && column_of(tile.positions[end]) == column) ++end;
            add(tile, want, {first, end}, strip_of(column));
        }
    }

    void merge(RowCheck& next) override {
        auto& later = static_cast<ErrorMapCheck&>(next);
        std::ranges::move(later.strips_, std::back_inserter(strips_));
    }

    void report_to(Finding&) override {
        for (const Strip& strip : strips_)
            for (std::size_t k = 0; k < strip.worst.size(); ++k) {
                const std::size_t cell = (strip.first_row + k) * map_.columns() + strip.column;
                map_.worst[cell] = std::max(map_.worst[cell], strip.worst[k]);
                if (strip.places.empty()) continue;
                ErrorPlace& place = map_.places[cell];
                if (strip.places[k].error > place.error) place = strip.places[k];
            }
    }

  private:
    std::size_t column_of(double position) const { return map_.positions.column_of(position); }
    std::size_t row_of(std::uint32_t i) const { return (pairs_.first + i) / map_.pairs_per_row; }

    // with these limits table_errors computes |error|/1
    void add(const Tile& tile, const CosSin& want, RowRange rows, Strip& strip) {
        const std::size_t from = rows.begin * pairs_.count;
        const ComparedRows compared{rows.end - rows.begin,
                                    pairs_.count,
                                    {tile.cos + from, tile.sin + from},
                                    {want.c + from, want.s + from}};
        kernels().checks->table_errors(
            compared, {zeros_.data(), zeros_.data(), zeros_.data(), zeros_.data(), 1, 1, 0, 0},
            {worst_.data(), unused_.data(), drift_.data()});
        for (std::uint32_t i = 0; i < pairs_.count; ++i) {
            float& cell = strip.worst[row_of(i) - first_row_];
            cell = std::max(cell, static_cast<float>(worst_[i]));
        }
        if (map_.keeps_places) keep_places(tile, want, rows, strip.places);
    }

    // visits rows in which the kernel found a larger error than the cell's
    void keep_places(const Tile& tile, const CosSin& want, RowRange rows,
                     std::vector<ErrorPlace>& places) {
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

    Strip& strip_of(std::size_t column) {
        const auto [at, is_new] = numbers_.try_emplace(column, strips_.size());
        if (is_new)
            strips_.push_back({first_row_, column, std::vector<float>(rows_, -1),
                               std::vector<ErrorPlace>(map_.keeps_places ? rows_ : 0)});
        return strips_[at->second];
    }

    ErrorMap& map_;
    ScaledTruth truth_;
    PairRange pairs_;
    AlignedVector<double> zeros_, worst_, unused_, drift_;
    std::size_t first_row_, rows_;
    bool is_ascending_ = map_.positions.first >= 0;  // rows ascend by |position|
    std::vector<Strip> strips_;
    std::map<std::size_t, std::size_t> numbers_;  // of the strips, by column
};

std::vector<double> subject_places(const Comparison& comparison) {
    const RowSource& subject = comparison.subject;
    std::vector<std::span<const double>> axes;
    for (const std::uint32_t axis : std::set(comparison.axis.begin(), comparison.axis.end())) {
        axes.push_back(subject.positions(axis));
        if (axes.back().empty()) return {0, static_cast<double>(subject.rows() - 1)};
    }
    return places_of(axes);
}

PositionParts listed_parts(std::span<const double> places) {
    PositionParts made{.scale = PositionScale::listed,
                       .first = 0,
                       .last = static_cast<double>(places.size()),
                       .edges = {places.begin(), places.end()}};
    made.edges.push_back(places.back() + 1);
    for (std::uint32_t k = 0; k < places.size(); ++k) made.columns.push_back(k);
    return made;
}

// Score of a query with a key's row, Σ u_i·cos_i + v_i·sin_i, without the dimensions that pass
// through.
struct Weights {
    std::vector<double> u, v;

    double sum(const double* cos, const double* sin) const {
        double sum = 0;
        for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * cos[i] + v[i] * sin[i];
        return sum;
    }
};

Weights weights_of(const PairProducts& products, const double* cos, const double* sin) {
    Weights weights;
    for (std::size_t i = 0; i < products.dot.size(); ++i) {
        weights.u.push_back(products.dot[i] * cos[i] + products.cross[i] * sin[i]);
        weights.v.push_back(products.dot[i] * sin[i] - products.cross[i] * cos[i]);
    }
    return weights;
}

PairProducts part_of(const PairProducts& all, PairRange pairs) {
    const auto part = [&](const std::vector<double>& values) {
        const auto first = values.begin() + pairs.first;
        return std::vector<double>(first, first + pairs.count);
    };
    return {part(all.dot), part(all.cross), part(all.size), 0};
}

// Adds the sums of some pairs at every distance.
void add_sums(ScoreCurve& curve, const Comparison& comparison, const PairProducts& all,
              PairRange pairs, TaskCount* rows) {
    const PairProducts products = part_of(all, pairs);
    const std::uint64_t last = curve.own.size() - 1;
    const double a = comparison.plan.attention_factor;
    Weights own, exact;
    Sweep sweep(comparison, pairs);
    sweep.run({last - last % tile_rows, last + 1}, [&](const Tile& tile) {
        const std::size_t row = (last % tile_rows) * pairs.count;
        own = weights_of(products, tile.cos + row, tile.sin + row);
        exact = weights_of(products, tile.true_cos + row, tile.true_sin + row);
    });
    std::uint64_t distance = last;
    sweep.run({0, last + 1}, [&](const Tile& tile) {
        for (std::size_t r = 0; r < tile.positions.size(); ++r, --distance) {
            const std::size_t k = r * pairs.count;
            curve.own[distance] += own.sum(tile.cos + k, tile.sin + k);
            curve.exact[distance] += a * a * exact.sum(tile.true_cos + k, tile.true_sin + k);
        }
        if (rows != nullptr) rows->ended += tile.positions.size();
    });
}

// The mean square of cos(φ_i + sθ_i) is ½.
double spread_of(const Spec& spec, double a, const QueryAndKey& vectors,
                 const PairProducts& products) {
    if (vectors.are_normal) return normal_spread(spec, a) / std::sqrt(spec.head_dim);
    double squares = 0;
    for (const double size : products.size) squares += size * size / 2;
    return a * a * std::sqrt(squares / spec.head_dim);
}

}  // namespace

ScoreCurve score_curve(const Spec& spec, const RowSource& subject, const QueryAndKey& vectors,
                       TaskCount* rows) {
    constexpr std::uint32_t most_pairs = 4096;
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const PairProducts products = pair_products(spec, vectors);
    if (rows != nullptr)
        rows->all += subject.rows() * ((spec.pairs() + most_pairs - 1) / most_pairs);
    const Comparison comparison = make_comparison(spec, plan, subject, 1);
    ScoreCurve curve;
    curve.own.resize(subject.rows());
    curve.exact.resize(subject.rows());
    for (std::uint32_t first = 0; first < spec.pairs(); first += most_pairs)
        add_sums(curve, comparison, products, {first, std::min(most_pairs, spec.pairs() - first)},
                 rows);
    const double per_root = 1 / std::sqrt(spec.head_dim);
    for (auto* scores : {&curve.own, &curve.exact})
        for (double& score : *scores) score = per_root * (score + products.pass_through);
    curve.spread = spread_of(spec, plan.attention_factor, vectors, products);
    for (std::uint64_t s = 0; s < curve.own.size() && !curve.first_off; ++s)
        if (!(std::abs(curve.own[s] - curve.exact[s]) <= disagreement * curve.spread))
            curve.first_off = s;
    return curve;
}

void lay_out(ErrorMap& map, const Comparison& comparison) {
    map.positions = position_parts(subject_places(comparison), map.most_parts);
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

std::size_t PositionParts::column_of(double position) const {
    const auto after = std::upper_bound(edges.begin() + 1, edges.end() - 1, position);
    return static_cast<std::size_t>(after - edges.begin()) - 1;
}

std::vector<double> places_of(std::span<const std::span<const double>> axes) {
    constexpr std::size_t few = 48;
    std::set<double> places;
    for (const std::span<const double> positions : axes)
        for (const double position : positions) {
            places.insert(position);
            if (places.size() > few + 2) places.erase(std::prev(places.end(), 2));
        }
    const double least = *places.begin(), greatest = *places.rbegin();
    const auto count = static_cast<double>(places.size());
    const bool is_sparse = count > 2 && count <= few && greatest - least > 2 * count;
    if (is_sparse) return {places.begin(), places.end()};
    return {least, greatest};
}

PositionParts position_parts(std::span<const double> places, std::size_t parts) {
    if (places.size() > 2) return listed_parts(places);
    const double least = places.front(), greatest = places.back();
    constexpr double long_run = 32;
    const bool is_log = least >= 0 && greatest >= long_run * std::max(least, 1.0);
    PositionParts made{.scale = is_log ? PositionScale::log : PositionScale::linear,
                       .first = is_log ? std::max(least, 0.5) : least,
                       .last = std::floor(greatest) + 1};
    made.edges = {std::min(least, made.first)};
    for (std::size_t p = 0; p < parts; ++p) {
        const double share = static_cast<double>(p) / static_cast<double>(parts);
        const double at = is_log ? made.first * portable::pow(made.last / made.first, share)
                                 : made.first + share * (made.last - made.first);
        const double whole = std::floor(at);
        if (p > 0 && whole > made.edges.back() && whole > made.first) made.edges.push_back(whole);
        made.columns.push_back(static_cast<std::uint32_t>(made.edges.size() - 1));
    }
    made.edges.push_back(made.last);
    return made;
}

}  // namespace rope
