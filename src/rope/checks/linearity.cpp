// y(m, x) = R(m)x for vectors of three sizes, and in every head and batch entry, R(m) being what
// the unit vectors came back as. Lane k of R(m)x sums the lanes of one pair, R_ka·x_a + R_kb·x_b.
// The program rounds its table, both products, their sum, an attention factor's product and the
// result; R's entries are themselves rounded, and each but 0 counts as at least 1, since it may be
// what is left of larger terms, such as c − s² of a pair that is rotated in place. With u =
// roundoff (answers.hpp) and η the smallest normal number, below which some processors flush to 0:
//     |error| ≤ ((1 + u)⁵ − 1)·Σ_j max(|R_kj|, 1)·|x_j| over R_kj ≠ 0, + (2·max|x| + 1)·η
#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/checks/checks.hpp"
#include "rope/comparison/odd_group.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/suite/audit.hpp"

namespace rope {
namespace {

// Σ_j R_kj·x_j of every lane k, and what its rounding is in proportion to.
struct Products {
    std::vector<double> sum, size;
};

// R(m) of one place, which has few entries.
class Matrix {
  public:
    Matrix(const Answers& answers, std::uint64_t place) : lanes_(answers.audit.spec.head_dim) {
        for (std::uint32_t from = 0; from < lanes_; ++from)
            for (std::uint32_t to = 0; to < lanes_; ++to)
                if (const double share = answers.response(place, to, from); share != 0)
                    entries_.push_back({from, to, share});
    }

    Products times(const std::vector<double>& x) const {
        Products products{std::vector<double>(lanes_), std::vector<double>(lanes_)};
        for (const auto& [from, to, share] : entries_) {
            products.sum[to] += share * x[from];
            products.size[to] += std::max(std::abs(share), 1.0) * std::abs(x[from]);
        }
        return products;
    }

  private:
    struct Entry {
        std::uint32_t from, to;
        double share;
    };
    std::uint32_t lanes_;
    std::vector<Entry> entries_;
};

class Linearity {
  public:
    explicit Linearity(const Answers& answers)
        : answers_(answers),
          smallest_(std::ldexp(1.0, smallest_exponent(answers.format))),
          x_(answers.audit.spec.head_dim) {
        const double once = 1 + answers.roundoff();
        relative_ = once * once * once * once * once - 1;
    }

    void judge(const Matrix& matrix, std::uint64_t row) {
        const Audit& audit = answers_.audit;
        for (std::uint32_t lane = 0; lane < x_.size(); ++lane) x_[lane] = audit.x(row, lane);
        const double largest = std::abs(*std::max_element(
            x_.begin(), x_.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
        const Products want = matrix.times(x_);
        worst_case_.add_samples(x_.size());
        for (std::uint32_t lane = 0; lane < x_.size(); ++lane) {
            const double got = answers_.y.at(row, lane);
            const double allowed = relative_ * want.size[lane] + (2 * largest + 1) * smallest_;
            worst_case_.add(std::abs(got - want.sum[lane]), allowed, [&] {
                return Witness{
                    {audit.positions[0][audit.place_of(row)]}, std::nullopt, got, want.sum[lane]};
            });
        }
    }

    const WorstCase& worst_case() const { return worst_case_; }

  private:
    const Answers& answers_;
    double smallest_, relative_ = 0;
    std::vector<double> x_;
    WorstCase worst_case_;
};

}  // namespace

void check_linearity(const Comparison& comparison, const Answers& answers, Finding& finding) {
    const Audit& audit = answers.audit;
    Linearity linearity(answers);
    for (std::uint64_t place = 0; place < audit.places(); ++place) {
        const Matrix matrix(answers, place);
        const std::uint64_t first = place * audit.rows_per_place();
        for (std::uint64_t row = first + audit.spec.head_dim; row < first + audit.rows_per_place();
             ++row)
            linearity.judge(matrix, row);
        for (std::uint64_t group = 0; group < audit.sequences(); ++group)
            linearity.judge(matrix, audit.row_of(group, place));
    }
    linearity.worst_case().report_to(finding);
    if (finding.verdict != Verdict::violated) return;
    finding.note =
        "the output for a vector is not the sum of the outputs for its lanes; the program ";
    if (const std::string odd = odd_group(comparison, answers); !odd.empty())
        finding.note += "treats heads or batch entries differently: " + odd +
                        " is the farthest from the rotation asked for";
    else
        finding.note +=
            "clips, normalises or rounds its input, keeps state between rows, or treats heads or "
            "batch entries differently";
}

}  // namespace rope
