#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {

namespace {

std::size_t width_of(const Matrix& m) { return m.size() == 4 ? 2 : 3; }

}  // namespace

Matrix rotation(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, -1.0 * s, c};
}

Matrix operator*(const Vector& x, const Matrix& m) {
    const std::size_t n = width_of(m);
    Matrix y(x.size(), real(0));
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t k = 0; k < n; ++k) y[i] = y[i] + x[i / n * n + k] * m[k * n + i % n];
    return y;
}

Matrix transposed(const Matrix& m) {
    const std::size_t n = width_of(m);
    Matrix y;
    for (std::size_t i = 0; i < m.size(); ++i) y.push_back(m[i % n * n + i / n]);
    return y;
}

BigReal determinant(const Matrix& m) { return m[0] * m[3] - m[1] * m[2]; }

BigReal distance(const Vector& x, const Vector& y) {
    BigReal most = real(0);
    for (std::size_t i = 0; i < x.size(); ++i)
        most = std::max(most, absolute(x[i] - y[i]), std::less<>{});
    return most;
}

bool same(const BigReal& x, const BigReal& y) { return absolute(x - y) < real(0x1p-280); }

bool same(const Vector& x, const Vector& y) {
    return std::ranges::equal(x, y, [](const BigReal& a, const BigReal& b) { return same(a, b); });
}

Vector vector_of(std::initializer_list<double> dimensions) {
    Vector x;
    for (const double dimension : dimensions) x.push_back(real(dimension));
    return x;
}

Vector rotated(const Vector& x, PairLayout layout, double m) {
    Vector partner = x;
    for (std::size_t i = 0, half = x.size() / 2; i < half; ++i) {
        const bool split = layout == PairLayout::half_split;
        const std::size_t first = split ? i : 2 * i, second = split ? i + half : 2 * i + 1;
        partner[first] = -1.0 * x[second];
        partner[second] = x[first];
    }
    return sparse_form(x, partner, layout, m);
}

BigReal dot(const Vector& x, const Vector& y) {
    BigReal sum = real(0);
    for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
    return sum;
}

Vector sparse_form(const Vector& x, const Vector& partner, PairLayout layout, double m) {
    const FrequencyPlan plan = base_rope(static_cast<std::uint32_t>(x.size()));
    Vector y;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t pair = layout == PairLayout::half_split ? i % (x.size() / 2) : i / 2;
        const BigReal angle = m * plan.pairs[pair].inv_freq;
        y.push_back(x[i] * cosine(angle) + partner[i] * sine(angle));
    }
    return y;
}

BigReal sample_score(PairLayout layout, bool reordered) {
    const Vector q = reordered ? vector_of({1, 3, 2, 4}) : vector_of({1, 2, 3, 4}),
                 k = reordered ? vector_of({2, 1, -1, 3}) : vector_of({2, -1, 1, 3});
    return dot(rotated(q, layout, 3), rotated(k, layout, 1));
}

std::uint64_t numbers_in(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>{});
}

bool can_view(const Shape& shape, const Shape& target) {
    Shape known = target;
    const bool has_open = std::erase(known, 0) > 0;
    return has_open ? numbers_in(shape) % numbers_in(known) == 0
                    : numbers_in(shape) == numbers_in(known);
}

Shape cut(Shape shape, std::size_t axis, std::uint64_t length) {
    shape[axis] = std::min(shape[axis], length);
    return shape;
}

std::optional<Shape> broadcast(const Shape& x, const Shape& y) {
    Shape wide = x.size() < y.size() ? y : x;
    const Shape& narrow = x.size() < y.size() ? x : y;
    const std::size_t offset = wide.size() - narrow.size();
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        std::uint64_t& own = wide[offset + i];
        if (own != narrow[i] && own != 1 && narrow[i] != 1) return std::nullopt;
        own = std::max(own, narrow[i]);
    }
    return wide;
}

std::optional<Shape> matrix_product(const Shape& x, const Shape& y) {
    if (x[1] != y[0]) return std::nullopt;
    return Shape{x[0], y[1]};
}

double worst_angle_error(std::uint32_t dim, const AngleRounding& rounding, std::uint64_t last) {
    const Spec spec{.head_dim = dim, .rotary_dim = dim};
    const FrequencyPlan exact = plan_frequencies(spec, exact_precision);
    const FrequencyPlan framework = plan_frequencies(spec, float32_precision);
    double worst = 0;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const double theta = exact.pairs[i].inv_freq.to_double();
        const double inv_freq =
            round_to(rounding.inv_freq, framework.pairs[i].inv_freq.to_double());
        for (double m = 0; m <= static_cast<double>(last); ++m) {
            // exact product: at most 48 bits
            const double angle =
                round_to(rounding.product, round_to(rounding.position, m) * inv_freq);
            worst = std::max(worst, std::abs(angle - m * theta));
        }
    }
    return worst;
}

std::uint64_t distinct_positions(Format format, std::uint64_t last) {
    std::set<double> kept;
    for (std::uint64_t m = 0; m <= last; ++m) kept.insert(round_to(format, static_cast<double>(m)));
    return kept.size();
}

StoredRows stored_rows(const FrequencyPlan& plan, std::uint64_t last, Format format) {
    const std::size_t width = plan.pairs.size();
    const TruthRows truth(plan, 0, static_cast<std::uint32_t>(width));
    std::set<std::vector<double>> rows, cos_rows;
    std::vector<double> row(2 * width), before;
    StoredRows found{0, 0, 0};
    for (std::uint64_t m = 0; m <= last; ++m) {
        truth.fill_rounded({&m, 1}, format, &row[0], &row[width]);
        cos_rows.emplace(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(width));
        found.equal_neighbours += row == before ? 1 : 0;
        before = *rows.insert(row).first;
    }
    found.distinct = rows.size();
    found.distinct_cos = cos_rows.size();
    return found;
}

}  // namespace rope::ledger
