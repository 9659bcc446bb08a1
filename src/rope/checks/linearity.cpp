// y(m, x) = R(m)x for vectors of three sizes, R(m) being what the unit vectors came back as.
// Lane k of R(m)x sums the lanes of one pair, R_ka·x_a + R_kb·x_b. The program rounds its table,
// both products, their sum, an attention factor's product and the result; R's entries are
// themselves rounded. With u = roundoff (answers.hpp) and η the smallest normal number, below which
// some processors flush to 0:
//     |error| ≤ ((1 + u)⁵ − 1)·Σ_j |R_kj||x_j| + (2·max|x| + 1)·η
#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/audit/answers.hpp"
#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {
namespace {

// Σ_j R_kj·x_j and Σ_j |R_kj·x_j| of every lane k.
struct Products {
    std::vector<double> sum, size;
};

Products multiply(const Answers& answers, std::uint64_t place, const std::vector<double>& x) {
    const std::uint32_t lanes = answers.audit.spec.head_dim;
    Products products{std::vector<double>(lanes), std::vector<double>(lanes)};
    for (std::uint32_t from = 0; from < lanes; ++from)
        for (std::uint32_t to = 0; to < lanes; ++to) {
            const double term = answers.response(place, to, from) * x[from];
            products.sum[to] += term;
            products.size[to] += std::abs(term);
        }
    return products;
}

}  // namespace

void check_linearity(const Comparison& /*comparison*/, const Answers& answers, Finding& finding) {
    const Audit& audit = answers.audit;
    const double once = 1 + answers.roundoff(), relative = once * once * once * once * once - 1;
    const double smallest = std::ldexp(1.0, smallest_exponent(answers.format));
    WorstCase worst_case;
    for (std::uint64_t place = 0; place < audit.places(); ++place)
        for (std::size_t p = 0; p < audit.probes.size(); ++p) {
            const std::vector<double>& x = audit.probes[p];
            const double largest = std::abs(*std::max_element(
                x.begin(), x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
            const Products want = multiply(answers, place, x);
            const std::uint64_t row = place * audit.rows_per_place() + audit.spec.head_dim + p;
            worst_case.add_samples(audit.spec.head_dim);
            for (std::uint32_t lane = 0; lane < audit.spec.head_dim; ++lane) {
                const double got = answers.y.at(row, lane);
                const double allowed = relative * want.size[lane] + (2 * largest + 1) * smallest;
                worst_case.add(std::abs(got - want.sum[lane]), allowed, [&] {
                    return Witness{{audit.positions[0][place]}, std::nullopt, got, want.sum[lane]};
                });
            }
        }
    worst_case.report_to(finding);
    if (finding.verdict == Verdict::violated)
        finding.note =
            "the output for a vector is not the sum of the outputs for its lanes; the "
            "program clips, normalises or rounds its input, keeps state between rows, or "
            "treats heads or batch entries unlike";
}

}  // namespace rope
