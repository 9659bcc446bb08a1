// Laws of rotated vectors: structure, linearity, norms, and dimensions that pass through.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/sample.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/suite/audit.hpp"

namespace rope {
namespace {

// The dimensions that a program combines.

struct DimensionMixing {
    std::string pairing;  // name of a layout, none (no dimensions are combined) or other
    std::string found;    // a sentence: "the program pairs dimensions (0, 1), (2, 3), …: …"
};

using Dimension = std::uint32_t;

// Returns the other dimensions that depend on `from` by more than rounding, the largest effect
// first.
std::vector<Dimension> reached_from(const Answers& answers, Dimension from) {
    std::vector<double> most(answers.audit.spec.head_dim);
    for (std::uint64_t place = 0; place < answers.audit.places(); ++place)
        for (Dimension to = 0; to < most.size(); ++to)
            if (const double size = std::abs(answers.response(place, to, from)); size > most[to])
                most[to] = size;
    std::vector<Dimension> reached;
    for (Dimension to = 0; to < most.size(); ++to)
        if (to != from && most[to] > answers.roundoff()) reached.push_back(to);
    std::sort(reached.begin(), reached.end(), [&](Dimension a, Dimension b) {
        return most[a] == most[b] ? a < b : most[a] > most[b];
    });
    return reached;
}

std::string listed(const std::vector<Dimension>& dimensions) {
    std::string text;
    for (std::size_t k = 0; k < std::min<std::size_t>(dimensions.size(), 4); ++k)
        text += (k == 0 ? "" : ", ") + decimal(dimensions[k]);
    return text + (dimensions.size() > 4 ? ", …" : "");
}

// Returns whether all pairs are pairs of the layout in rotary_dim dimensions from `first` on.
bool fits(PairLayout layout, Dimension first, Dimension rotary_dim,
          const std::vector<Dimensions>& pairs) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const Dimensions& pair) {
        if (pair.first < first || pair.second >= first + rotary_dim) return false;
        const std::size_t a = pair.first - first, b = pair.second - first;
        const Dimensions want =
            dimensions_of_pair(layout, rotary_dim, layout == PairLayout::interleaved ? a / 2 : a);
        return a == want.first && b == want.second;
    });
}

DimensionMixing named(const std::vector<Dimensions>& pairs) {
    std::string text = "the program pairs dimensions ";
    for (std::size_t k = 0; k < std::min<std::size_t>(pairs.size(), 2); ++k)
        text += (k == 0 ? "(" : ", (") + decimal(pairs[k].first) + ", " + decimal(pairs[k].second) +
                ")";
    if (pairs.size() > 2) text += ", …";
    const auto first = static_cast<Dimension>(pairs.front().first);
    const auto gap = static_cast<Dimension>(pairs.front().second) - first;
    const auto last = static_cast<Dimension>(pairs.back().second);
    const auto from = first == 0 ? "" : " from dimension " + decimal(first) + " on";
    if (gap == 1 && fits(PairLayout::interleaved, first, last - first + 1, pairs))
        return {"interleaved",
                text + ": interleaved in " + decimal(last - first + 1) + " dimensions" + from};
    if (fits(PairLayout::half_split, first, 2 * gap, pairs))
        return {"half_split", text + ": half_split in " + decimal(2 * gap) + " dimensions" + from};
    return {"other", text};
}

// Returns whether neighbouring rotary dimensions of the Spec are written to its two halves.
bool moves_dimensions(Spec spec, const std::vector<std::vector<Dimension>>& reached) {
    spec.layout = PairLayout::interleaved_to_half_split;
    bool moves = false;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const Dimensions from = dimensions_of_pair(spec, i),
                         to = written_dimensions_of_pair(spec, i);
        for (const std::size_t dimension : {from.first, from.second})
            for (const Dimension other : reached[dimension]) {
                if (other != to.first && other != to.second) return false;
                moves = moves || (i > 0 && other != from.first && other != from.second);
            }
    }
    return moves;
}

DimensionMixing find_dimension_mixing(const Answers& answers) {
    const Dimension dimensions = answers.audit.spec.head_dim;
    std::vector<std::vector<Dimension>> reached;
    for (Dimension from = 0; from < dimensions; ++from)
        reached.push_back(reached_from(answers, from));
    if (moves_dimensions(answers.audit.spec, reached))
        return {std::string(to_string(PairLayout::interleaved_to_half_split)),
                "the program reads dimensions 2i and 2i + 1 and writes dimensions i and i + " +
                    decimal(answers.audit.spec.pairs())};
    std::vector<Dimensions> pairs;
    for (Dimension a = 0; a < dimensions; ++a) {
        if (reached[a].empty()) continue;
        const Dimension b = reached[a].front();
        if (reached[a].size() > 1 || reached[b].size() > 1 ||
            (reached[b].size() == 1 && reached[b].front() != a))
            return {"other", "the program maps dimension " + decimal(a) + " to dimensions " +
                                 listed(reached[a])};
        if (a < b || reached[b].empty())
            pairs.push_back({std::min<std::size_t>(a, b), std::max<std::size_t>(a, b)});
    }
    if (pairs.empty())
        return {"none", "the program mixes no dimensions at all: it does not rotate"};
    return named(pairs);
}

// R_kj = 0 unless the Spec writes the pair of dimension j to dimension k, or passes j through: the
// product of a table's value and a zero. Tolerance: one rounding of a unit vector of amplitude a,
// a·u.

// The dimensions that the pair of a dimension is written to, or the dimension itself.
struct Destination {
    Dimensions dimensions;
    std::optional<std::uint32_t> pair;
};

std::vector<Destination> destinations(const Spec& spec) {
    std::vector<Destination> all(spec.head_dim);
    for (const std::size_t dimension : passed_dimensions(spec))
        all[dimension] = {{dimension, dimension}, {}};
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const auto [first, second] = dimensions_of_pair(spec, i);
        all[first] = all[second] = {written_dimensions_of_pair(spec, i), i};
    }
    return all;
}

// y(m, x) = R(m)x for vectors of three sizes, and in every head and batch entry, where R(m)
// consists of the results for unit vectors. Dimension k of R(m)x is R_ka·x_a + R_kb·x_b for one
// pair. The program rounds its table, both products, their sum, the product with an attention
// factor and the result. The entries of R are rounded, too, and each one except 0 counts as at
// least 1, since it may be the difference of larger terms, such as c − s² of a pair rotated in
// place. With u = Answers::roundoff() and η the smallest normal number, below which some processors
// flush to 0:
//     |error| ≤ ((1 + u)⁵ − 1)·Σ_j max(|R_kj|, 1)·|x_j| over R_kj ≠ 0, + (2·max|x| + 1)·η

// Σ_j R_kj·x_j of every dimension k, and the scale of its rounding error.
struct Products {
    std::vector<double> sum, size;
};

// R(m) of one place as a sparse matrix.
class Matrix {
  public:
    Matrix(const Answers& answers, std::uint64_t place) : dimensions_(answers.audit.spec.head_dim) {
        for (std::uint32_t from = 0; from < dimensions_; ++from)
            for (std::uint32_t to = 0; to < dimensions_; ++to)
                if (const double share = answers.response(place, to, from); share != 0)
                    entries_.push_back({from, to, share});
    }

    Products times(const std::vector<double>& x) const {
        Products products{std::vector<double>(dimensions_), std::vector<double>(dimensions_)};
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
    std::uint32_t dimensions_;
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
        for (std::uint32_t dimension = 0; dimension < x_.size(); ++dimension)
            x_[dimension] = audit.x(row, dimension);
        const double largest = std::abs(*std::max_element(
            x_.begin(), x_.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
        const Products want = matrix.times(x_);
        worst_case_.add_samples(x_.size());
        for (std::uint32_t dimension = 0; dimension < x_.size(); ++dimension) {
            const double got = answers_.y.at(row, dimension);
            const double allowed = relative_ * want.size[dimension] + (2 * largest + 1) * smallest_;
            worst_case_.add(std::abs(got - want.sum[dimension]), allowed, [&] {
                return Witness{{audit.positions[0][audit.place_of(row)]},
                               std::nullopt,
                               got,
                               want.sum[dimension]};
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

void add_passed_dimensions(const Answers& answers, WorstCase& worst_case) {
    const Audit& audit = answers.audit;
    const std::vector<std::size_t> dimensions = passed_dimensions(audit.spec);
    for (std::uint64_t row = 0; row < audit.rows(); ++row)
        for (const std::size_t dimension : dimensions)
            worst_case.add_passed(audit.positions[0][audit.place_of(row)],
                                  answers.y.at(row, dimension), audit.x(row, dimension));
}

}  // namespace

void check_structure(const Comparison& comparison, const Answers& answers, Finding& finding) {
    const Audit& audit = answers.audit;
    const double allowed = answers.roundoff() * std::max(1.0, comparison.plan.attention_factor);
    const std::vector<Destination> destination = destinations(audit.spec);
    WorstCase worst_case;
    for (std::uint64_t place = 0; place < audit.places(); ++place)
        for (std::uint32_t from = 0; from < audit.spec.head_dim; ++from) {
            const auto& [dimensions, pair] = destination[from];
            const std::uint32_t axis = pair ? comparison.axis[*pair] : 0;
            const double position = audit.positions[axis][place];
            for (std::uint32_t to = 0; to < audit.spec.head_dim; ++to) {
                if (to == dimensions.first || to == dimensions.second) continue;
                const double got = answers.response(place, to, from);
                worst_case.add_samples(1);
                worst_case.judge(std::abs(got), allowed, position, pair.value_or(0),
                                 [&] { return Witness{{position}, pair, got, 0}; });
            }
        }
    worst_case.report_to(finding);
    const DimensionMixing mixing = find_dimension_mixing(answers);
    finding.fields.push_back({"pairing", mixing.pairing});
    if (finding.verdict == Verdict::violated) finding.note = mixing.found;
}

void check_linearity(const Comparison&, const Answers& answers, Finding& finding) {
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
        "the output for a vector is not the sum of the outputs for its dimensions; the program "
        "clips, normalises or rounds its input, keeps state between rows, or treats heads or batch "
        "entries differently";
}

void check_calls(const Comparison&, const Answers& answers, Finding& finding) {
    if (answers.call_faults.empty() && answers.compared_rows == 0) return;
    finding.verdict = answers.call_faults.empty() ? Verdict::holds : Verdict::violated;
    finding.samples = answers.compared_rows;
    finding.observed = static_cast<double>(answers.call_faults.size());
}

// Dimensions that do not rotate must not change by a single bit.

WorstCase worst_of_passed_dimensions(const Spec& spec, const RotatedDump& vectors,
                                     unsigned threads) {
    WorstCase worst_case;
    visit_passed_dimensions(spec, vectors, threads, [&](double position, double got, double want) {
        worst_case.add_passed(position, got, want);
    });
    return worst_case;
}

void check_pass_through(const Comparison& comparison, const Sample& sample, Finding& finding) {
    const Spec& spec = comparison.spec;
    WorstCase worst_case;
    if (spec.rotary_dim == spec.head_dim) {
        finding.note = "every dimension rotates";
    } else if (const Answers* answers = comparison.subject.answers()) {
        add_passed_dimensions(*answers, worst_case);
    } else if (const auto* vectors = std::get_if<RotatedDump>(comparison.subject.dumped())) {
        worst_case = worst_of_passed_dimensions(spec, *vectors, comparison.threads);
    } else if (comparison.subject.subject().pipeline.empty()) {
        finding.note = "a table does not hold the dimensions that do not rotate";
    } else {
        for (const double m : sample.positions) {
            const Sample::Row& row = *sample.row(m);
            const Vector rotated = rotate(spec, sample.q, row.cos, row.sin);
            for (const std::size_t dimension : passed_dimensions(spec))
                worst_case.add_passed(m, rotated[dimension], sample.q[dimension]);
        }
    }
    worst_case.report_to(finding);
}

// |R(m)q| = a|q| in each pair of the declared layout, for random q. Tolerance of |ẑ|² − a² for each
// pair: a²(2ε + ε²), ε = storage, since angles do not change norms.

void check_pair_norm(const Comparison& comparison, const Sample& sample, Finding& finding) {
    const Spec& spec = comparison.spec;
    const double a = comparison.plan.attention_factor, epsilon = comparison.storage;
    const double allowed = a * a * (2 * epsilon + epsilon * epsilon);
    WorstCase worst_case;
    worst_case.add_samples(sample.positions.size() * spec.pairs());
    for (const double m : sample.positions_and_suspects()) {
        const Sample::Row& row = *sample.row(m);
        const Vector rotated = rotate(spec, sample.q, row.cos, row.sin);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto norm = [](const Vector& x, Dimensions dimensions) {
                return x[dimensions.first] * x[dimensions.first] +
                       x[dimensions.second] * x[dimensions.second];
            };
            const double got = norm(rotated, written_dimensions_of_pair(spec, i)) /
                               norm(sample.q, dimensions_of_pair(spec, i));
            worst_case.add(std::abs(got - a * a), allowed,
                           [&] { return Witness{{m}, i, got, a * a}; });
        }
    }
    worst_case.report_to(finding);
}

}  // namespace rope
