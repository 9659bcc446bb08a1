#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/exact/random.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {

namespace {

std::size_t width_of(const Matrix& m) { return m.size() == 4 ? 2 : 3; }

}  // namespace

Matrix rotation(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, -1.0 * s, c};
}

Matrix reflection(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, s, -1.0 * c};
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
    const FrequencyPlan plan = base_rope(static_cast<std::uint32_t>(x.size()));
    Vector y = x;
    const std::size_t half = x.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const bool split = layout == PairLayout::half_split;
        const std::size_t first = split ? i : 2 * i, second = split ? i + half : 2 * i + 1;
        const BigReal angle = m * plan.pairs[i].inv_freq, c = cosine(angle), s = sine(angle);
        y[first] = x[first] * c - x[second] * s;
        y[second] = x[second] * c + x[first] * s;
    }
    return y;
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

Vector sample_query(PairLayout layout, bool reordered) {
    return rotated(reordered ? vector_of({1, 3, 2, 4}) : vector_of({1, 2, 3, 4}), layout, 3);
}

Vector sample_key(PairLayout layout, bool reordered) {
    return rotated(reordered ? vector_of({2, 1, -1, 3}) : vector_of({2, -1, 1, 3}), layout, 1);
}

BigReal sample_score(PairLayout layout, bool reordered) {
    return dot(sample_query(layout, reordered), sample_key(layout, reordered));
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

double worst_table_error(std::uint32_t dim, std::uint64_t last) {
    const Spec spec{.head_dim = dim, .rotary_dim = dim};
    const std::vector<TurnRate> rates = turn_rates(plan_frequencies(spec, exact_precision).pairs);
    const ExactRows exact(rates);
    const auto table = emulate(spec, find_pipeline(default_pipeline), last + 1);
    const auto reader = table->read({0, spec.pairs()});
    std::vector<double> cos(rates.size()), sin = cos, exact_cos = cos, exact_sin = cos;
    double worst = 0;
    for (std::uint64_t m = 0; m <= last; ++m) {
        reader->fill({&m, 1}, cos.data(), sin.data());
        exact.fill_row(m, exact_cos.data(), exact_sin.data());
        for (std::size_t i = 0; i < rates.size(); ++i)
            worst =
                std::max({worst, std::abs(cos[i] - exact_cos[i]), std::abs(sin[i] - exact_sin[i])});
    }
    return worst;
}

std::uint64_t distinct_positions(Format format, std::uint64_t last) {
    std::set<double> kept;
    for (std::uint64_t m = 0; m <= last; ++m) kept.insert(round_to(format, static_cast<double>(m)));
    return kept.size();
}

std::vector<std::vector<double>> logit_drift(Bfloat16Rotation rotation,
                                             const std::vector<std::uint64_t>& lengths) {
    constexpr std::size_t pairs = 64, draws = 100;
    constexpr std::uint64_t shift = 16;
    using Head = std::array<double, 2 * pairs>;
    const auto to_bfloat16 = [](double x) { return round_to(Format::bfloat16, x); };
    const auto drawn = [&](Random& random) {
        Head x;
        for (double& entry : x)
            entry = to_bfloat16(static_cast<double>(random.bits() >> 11) * 0x1p-53 * 2 - 1);
        return x;
    };
    const auto dot = [](const Head& x, const Head& y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    const TruthRows truth(base_rope(), 0, pairs);
    const bool exact = rotation == Bfloat16Rotation::rounded_once;
    const auto combined = [&](double a, double b) {
        return to_bfloat16(exact ? a + b : to_bfloat16(a) + to_bfloat16(b));
    };
    const auto rotate = [&](const Head& x, std::uint64_t m) {
        std::array<double, pairs> c, s;
        if (rotation == Bfloat16Rotation::positions)
            m = static_cast<std::uint64_t>(to_bfloat16(static_cast<double>(m)));
        if (exact)
            truth.exact().fill_row(m, c.data(), s.data());
        else
            truth.fill_rounded({&m, 1}, Format::bfloat16, c.data(), s.data());
        Head y;
        for (std::size_t i = 0; i < pairs; ++i) {
            y[i] = combined(x[i] * c[i], -x[i + pairs] * s[i]);
            y[i + pairs] = combined(x[i + pairs] * c[i], x[i] * s[i]);
        }
        return y;
    };
    Random queries(1), keys(2);
    std::vector<Head> here, there, queried;
    for (std::size_t n = 0; n < 64; ++n) queried.push_back(drawn(queries));
    for (std::size_t n = 0; n < draws; ++n) {
        const Head key = drawn(keys);
        here.push_back(rotate(key, 0));
        there.push_back(rotate(key, shift));
    }
    std::vector<std::vector<double>> means;
    std::vector<double> sums(draws);
    std::uint64_t m = 0;
    for (const std::uint64_t length : lengths) {
        for (; m < length; ++m) {
            const Head& query = queried[m % queried.size()];
            const Head near = rotate(query, m), far = rotate(query, m + shift);
            for (std::size_t n = 0; n < draws; ++n)
                sums[n] += std::abs(dot(near, here[n]) - dot(far, there[n]));
        }
        means.push_back(sums);
        for (double& mean : means.back()) mean /= static_cast<double>(length);
    }
    return means;
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

std::uint64_t first_cos_below_one(const FrequencyPlan& plan, Format format) {
    const BigReal one(1, exact_precision);
    for (std::uint64_t m = 1;; ++m)
        for (const PlannedFrequency& pair : plan.pairs)
            if (rounded_cos(pair.inv_freq * static_cast<double>(m), one, format) != 1) return m;
}

}  // namespace rope::ledger
