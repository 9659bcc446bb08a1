#include "rope/ledger/quantity/random_scores.hpp"

#include <cmath>
#include <vector>

#include "rope/number/random.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope::ledger {
namespace {

// cos and sin of each pair at each distance, row after row.
struct Rows {
    Rows(const FrequencyPlan& plan, std::uint64_t last, std::uint64_t step)
        : pairs(plan.pairs.size()) {
        const ExactRows exact(turn_rates(plan.pairs));
        for (std::uint64_t s = 0; s <= last; s += step, ++count) {
            cos.resize(cos.size() + pairs);
            sin.resize(sin.size() + pairs);
            exact.fill_row(s, &cos[count * pairs], &sin[count * pairs]);
        }
    }
    std::size_t pairs, count = 0;
    std::vector<double> cos, sin;
};

// One q and k: r̂(s) = Σ a_i·cos sθ_i + b_i·sin sθ_i
struct Draw {
    Draw(Random& random, std::size_t pairs) : a(pairs), b(pairs) {
        for (std::size_t i = 0; i < pairs; ++i) {
            const double q1 = random.normal(), q2 = random.normal();
            const double k1 = random.normal(), k2 = random.normal();
            a[i] = q1 * k1 + q2 * k2;
            b[i] = q1 * k2 - q2 * k1;
        }
    }
    double score(const Rows& rows, std::size_t row) const {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += a[i] * rows.cos[row * a.size() + i] + b[i] * rows.sin[row * a.size() + i];
        return sum;
    }
    std::vector<double> a, b;
};

}  // namespace

Shares monotone_shares(const FrequencyPlan& plan, std::uint64_t draws, std::uint64_t last,
                       std::uint64_t step) {
    const Rows rows(plan, last, step);
    Random random(1);
    std::uint64_t falling = 0, modulus = 0, apart = 0;
    for (std::uint64_t n = 0; n < draws; ++n) {
        const Draw draw(random, rows.pairs);
        const double start = draw.score(rows, 0);
        bool falls = true, shrinks = true, parts = true;
        double before = start;
        for (std::size_t row = 1; row < rows.count && (falls || shrinks || parts); ++row) {
            const double now = draw.score(rows, row);
            falls = falls && now < before;
            shrinks = shrinks && std::abs(now) < std::abs(before);
            parts = parts && std::abs(now - start) > std::abs(before - start);
            before = now;
        }
        falling += falls ? 1 : 0, modulus += shrinks ? 1 : 0, apart += parts ? 1 : 0;
    }
    const auto share = [&](std::uint64_t count) {
        return static_cast<double>(count) / static_cast<double>(draws);
    };
    return {share(falling), share(modulus), share(apart)};
}

}  // namespace rope::ledger
