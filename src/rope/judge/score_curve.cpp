#include "rope/judge/score_curve.hpp"

#include <algorithm>
#include <cmath>

#include "rope/checks/scores.hpp"
#include "rope/comparison/sweep.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

// Σ u_i·cos_i + v_i·sin_i of a key's row is the query's score with it, but for the lanes that pass
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

// Without `spread` and `first_off`.
ScoreCurve curve_of(const Spec& spec, const RowSource& subject, const FrequencyPlan& plan,
                    const PairProducts& products, TaskCount* rows) {
    constexpr std::uint32_t most_pairs = 4096;
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
    return curve;
}

void find_first_off(ScoreCurve& curve) {
    for (std::uint64_t s = 0; s < curve.own.size() && !curve.first_off; ++s)
        if (!(std::abs(curve.own[s] - curve.exact[s]) <= disagreement * curve.spread))
            curve.first_off = s;
}

}  // namespace

// cos(φ_i + sθ_i) has the mean square ½.
ScoreCurve score_curve(const Spec& spec, const RowSource& subject, const QueryAndKey& vectors,
                       TaskCount* rows) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Sample sample;
    sample.q = vectors.q;
    sample.k = vectors.k;
    const PairProducts products = pair_products(spec, sample);
    ScoreCurve curve = curve_of(spec, subject, plan, products, rows);
    double squares = 0;
    for (const double size : products.size) squares += size * size / 2;
    const double a = plan.attention_factor;
    curve.spread = a * a * std::sqrt(squares / spec.head_dim);
    find_first_off(curve);
    return curve;
}

ScoreCurve score_curve(const Spec& spec, const RowSource& subject, std::uint64_t seed,
                       TaskCount* rows) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    ScoreCurve curve =
        curve_of(spec, subject, plan, pair_products(spec, random_vectors(spec, seed)), rows);
    const double a = plan.attention_factor;
    curve.spread = std::sqrt(spec.rotary_dim * a * a * a * a +
                             static_cast<double>(passed_lanes(spec).size())) /
                   std::sqrt(spec.head_dim);
    find_first_off(curve);
    return curve;
}

}  // namespace rope
