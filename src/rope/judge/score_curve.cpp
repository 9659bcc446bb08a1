#include "rope/judge/score_curve.hpp"

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

}  // namespace

ScoreCurve score_curve(const Spec& spec, const RowSource& subject, std::uint64_t seed) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const Comparison comparison = make_comparison(spec, plan, subject, seed);
    const PairProducts products = pair_products(spec, make_sample(comparison));
    const PairRange pairs{0, spec.pairs()};
    const std::uint64_t last = subject.rows() - 1;
    const double a = plan.attention_factor, per_root = 1 / std::sqrt(spec.head_dim);

    Weights own, exact;
    Sweep sweep(comparison, pairs);
    sweep.run({last - last % tile_rows, last + 1}, [&](const Tile& tile) {
        const std::size_t row = (last % tile_rows) * pairs.count;
        own = weights_of(products, tile.cos + row, tile.sin + row);
        exact = weights_of(products, tile.true_cos + row, tile.true_sin + row);
    });
    ScoreCurve curve;
    curve.spread = per_root * std::sqrt(spec.rotary_dim * a * a * a * a +
                                        static_cast<double>(passed_lanes(spec).size()));
    curve.own.resize(last + 1);
    curve.exact.resize(last + 1);
    std::uint64_t distance = last;
    sweep.run({0, last + 1}, [&](const Tile& tile) {
        for (std::size_t r = 0; r < tile.positions.size(); ++r, --distance) {
            const std::size_t k = r * pairs.count;
            curve.own[distance] =
                per_root * (own.sum(tile.cos + k, tile.sin + k) + products.pass_through);
            curve.exact[distance] =
                per_root *
                (a * a * exact.sum(tile.true_cos + k, tile.true_sin + k) + products.pass_through);
        }
    });
    for (std::uint64_t s = 0; s <= last && !curve.first_off; ++s)
        if (!(std::abs(curve.own[s] - curve.exact[s]) <= disagreement * curve.spread))
            curve.first_off = s;
    return curve;
}

}  // namespace rope
