// R(m)R(n) = a·R(m + n) per pair: |ẑ_m·ẑ_n − a·ẑ_{m+n}| ≤ a²(ε_m + ε_n + ε_m·ε_n + ε_{m+n})
#include <algorithm>
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {

namespace {

// A sampled row with ε of its pairs.
struct Factor {
    double position;
    const Sample::Row& row;
    std::vector<double> allowance;
};

std::vector<Factor> factors(const Comparison& comparison, const Sample& sample) {
    std::vector<Factor> all;
    for (const double m : sample.positions) {
        all.push_back({m, *sample.row(m), {}});
        for (std::uint32_t i = 0; i < comparison.spec.pairs(); ++i)
            all.back().allowance.push_back(comparison.effective_allowance(m, i));
    }
    return all;
}

// The products of two rows, pair by pair, beside the row of their positions' sum.
class Compositions {
  public:
    explicit Compositions(const Comparison& comparison)
        : comparison_(comparison),
          square_(comparison.spec.pairs()),
          allowed_(comparison.spec.pairs()) {}

    void compare(const Factor& first, const Factor& second, const Sample::Row& sum,
                 WorstCase& worst_case) {
        const double m = first.position, n = second.position;
        measure(first, second, sum, std::abs(m + n));
        worst_case.add_samples(square_.size());
        const double share = worst_case.sure_share();
        for (std::uint32_t i = 0; i < square_.size(); ++i) {
            const double sure = share * allowed_[i];
            if (square_[i] < sure * sure) continue;  // nearly all, and no root is taken
            worst_case.add(std::sqrt(square_[i]), allowed_[i], [&] {
                const double want = comparison_.plan.attention_factor * sum.cos[i];
                return Witness{{m, n}, i, want, real_part(first.row, second.row, i)};
            });
        }
    }

  private:
    static double real_part(const Sample::Row& first, const Sample::Row& second, std::uint32_t i) {
        return first.cos[i] * second.cos[i] - first.sin[i] * second.sin[i];
    }
    static double imaginary_part(const Sample::Row& first, const Sample::Row& second,
                                 std::uint32_t i) {
        return first.cos[i] * second.sin[i] + first.sin[i] * second.cos[i];
    }

    void measure(const Factor& first, const Factor& second, const Sample::Row& sum, double m) {
        const double a = comparison_.plan.attention_factor, storage = comparison_.storage;
        for (std::uint32_t i = 0; i < square_.size(); ++i) {
            const double dr = real_part(first.row, second.row, i) - a * sum.cos[i];
            const double di = imaginary_part(first.row, second.row, i) - a * sum.sin[i];
            const double em = first.allowance[i], en = second.allowance[i];
            const double e = std::min(2.0, comparison_.effective_slope[i] * m) + storage;
            square_[i] = dr * dr + di * di;
            allowed_[i] = a * a * (em + en + em * en + e);
        }
    }

    const Comparison& comparison_;
    std::vector<double> square_, allowed_;
};

}  // namespace

void check_composition(const Comparison& comparison, const Sample& sample, Finding& finding) {
    WorstCase worst_case;
    Compositions compositions(comparison);
    const std::vector<Factor> rows = factors(comparison, sample);
    for (std::size_t j = 0; j < rows.size(); ++j)
        for (std::size_t l = 0; l <= j; ++l) {
            const double m = rows[l].position, n = rows[j].position;
            const Sample::Row* sum = sample.row(m + n);
            if (sum == nullptr || m + n - m != n) continue;  // the sum is rounded
            compositions.compare(rows[l], rows[j], *sum, worst_case);
        }
    worst_case.report_to(finding);
    if (finding.samples == 0) finding.note = "no position is the sum of two others";
}

}  // namespace rope
