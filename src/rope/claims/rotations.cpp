#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/number/random.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/subject/emulate.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/table/exact_rows.hpp"
#include "rope/table/stored_table.hpp"

namespace rope::ledger {

Matrix2 rotation(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, -1.0 * s, c};
}

Matrix2 reflection(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, s, -1.0 * c};
}

Matrix2 identity2() { return {real(1), real(0), real(0), real(1)}; }

Row2 operator*(const Row2& v, const Matrix2& m) {
    return {v.x * m.a + v.y * m.c, v.x * m.b + v.y * m.d};
}

Matrix2 operator*(const Matrix2& m, const Matrix2& n) {
    const Row2 first = Row2{m.a, m.b} * n, second = Row2{m.c, m.d} * n;
    return {first.x, first.y, second.x, second.y};
}

Matrix2 transposed(const Matrix2& m) { return {m.a, m.c, m.b, m.d}; }

BigReal determinant(const Matrix2& m) { return m.a * m.d - m.b * m.c; }

BigReal dot(const Row2& v, const Row2& w) { return v.x * w.x + v.y * w.y; }

BigReal distance(const Matrix2& m, const Matrix2& n) {
    const BigReal differences[] = {absolute(m.a - n.a), absolute(m.b - n.b), absolute(m.c - n.c),
                                   absolute(m.d - n.d)};
    return *std::ranges::max_element(differences, std::less<>{});
}

BigReal rounding_residue() { return real(0x1p-300); }

Vector vector_of(std::initializer_list<double> lanes) {
    Vector x;
    for (const double lane : lanes) x.push_back(real(lane));
    return x;
}

Vector rotated(const Vector& x, const FrequencyPlan& plan, PairLayout layout, double m) {
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

Vector interleaved_lanes(const Vector& x) {
    Vector y;
    for (std::size_t i = 0; i < x.size() / 2; ++i) {
        y.push_back(x[i]);
        y.push_back(x[i + x.size() / 2]);
    }
    return y;
}

namespace {

std::uint64_t product(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>{});
}

}  // namespace

double numbers_in(const Shape& shape) { return static_cast<double>(product(shape)); }

bool can_view(const Shape& shape, const Shape& target) {
    Shape known = target;
    const bool has_open = std::erase(known, 0) > 0;
    return has_open ? product(shape) % product(known) == 0 : product(shape) == product(known);
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

double rounded_angle(double inv_freq, double position, const AngleRounding& rounding) {
    const double theta = round_to(rounding.inv_freq, inv_freq);
    const double m = round_to(rounding.position, position);
    return round_to(rounding.product, m * theta);  // 48 bits at most: exact before it is rounded
}

double worst_angle_error(std::uint32_t dim, double base, const AngleRounding& rounding,
                         std::uint64_t first, std::uint64_t last) {
    const Spec spec{.head_dim = dim, .rotary_dim = dim, .rope_theta = base};
    const FrequencyPlan exact = plan_frequencies(spec, exact_precision);
    const FrequencyPlan framework = plan_frequencies(spec, float32_precision);
    double worst = 0;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const double theta = exact.pairs[i].inv_freq.to_double();
        const double inv_freq = framework.pairs[i].inv_freq.to_double();
        for (std::uint64_t m = first; m <= last; ++m) {
            const auto position = static_cast<double>(m);
            const double off = rounded_angle(inv_freq, position, rounding) - position * theta;
            worst = std::max(worst, std::abs(off));
        }
    }
    return worst;
}

double worst_table_error(std::uint32_t dim, double base, std::uint64_t last) {
    const Spec spec{.head_dim = dim, .rotary_dim = dim, .rope_theta = base};
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
    std::uint64_t count = 1;
    for (std::uint64_t m = 1; m <= last; ++m)
        if (round_to(format, static_cast<double>(m)) !=
            round_to(format, static_cast<double>(m - 1)))
            ++count;
    return count;
}

namespace {

constexpr std::size_t pairs = 64;
using Head = std::array<double, 2 * pairs>;

double to_bfloat16(double x) { return round_to(Format::bfloat16, x); }

Head drawn(Random& random) {
    Head x;
    for (double& lane : x)
        lane = to_bfloat16(static_cast<double>(random.bits() >> 11) * 0x1p-53 * 2 - 1);
    return x;
}

class Rotation {
  public:
    explicit Rotation(Bfloat16Rotation how) : how_(how), truth_(base_rope(), 0, pairs) {}

    Head operator()(const Head& x, std::uint64_t position) const {
        std::array<double, pairs> c, s;
        fill_row(position, c.data(), s.data());
        Head y;
        for (std::size_t i = 0; i < pairs; ++i) {
            y[i] = combined(x[i] * c[i], -x[i + pairs] * s[i]);
            y[i + pairs] = combined(x[i + pairs] * c[i], x[i] * s[i]);
        }
        return y;
    }

  private:
    void fill_row(std::uint64_t position, double* c, double* s) const {
        if (how_ == Bfloat16Rotation::rounded_once) {
            truth_.exact().fill_row(position, c, s);
            return;
        }
        if (how_ == Bfloat16Rotation::positions)
            position = static_cast<std::uint64_t>(to_bfloat16(static_cast<double>(position)));
        truth_.fill_rounded({&position, 1}, Format::bfloat16, c, s);
    }
    double combined(double a, double b) const {
        return how_ == Bfloat16Rotation::rounded_once
                   ? to_bfloat16(a + b)
                   : to_bfloat16(to_bfloat16(a) + to_bfloat16(b));
    }

    Bfloat16Rotation how_;
    TruthRows truth_;
};

double dot(const Head& x, const Head& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

}  // namespace

std::vector<std::vector<double>> logit_drift(Bfloat16Rotation rotation,
                                             const std::vector<std::uint64_t>& lengths) {
    constexpr std::uint64_t shift = 16;
    constexpr std::size_t draws = 100;
    const Rotation rotate(rotation);
    Random queries(1), keys(2);
    std::vector<Head> here, there, queried;
    for (std::size_t n = 0; n < 64; ++n) queried.push_back(drawn(queries));
    for (std::size_t n = 0; n < draws; ++n) {
        const Head key = drawn(keys);
        here.push_back(rotate(key, 0));
        there.push_back(rotate(key, shift));
    }
    std::vector<std::vector<double>> means(draws);
    std::vector<double> sums(draws);
    std::uint64_t m = 0;
    for (const std::uint64_t length : lengths) {
        for (; m < length; ++m) {
            const Head& query = queried[m % queried.size()];
            const Head near = rotate(query, m), far = rotate(query, m + shift);
            for (std::size_t n = 0; n < draws; ++n)
                sums[n] += std::abs(dot(near, here[n]) - dot(far, there[n]));
        }
        for (std::size_t n = 0; n < draws; ++n)
            means[n].push_back(sums[n] / static_cast<double>(length));
    }
    return means;
}

namespace {

class Table {
  public:
    Table(const FrequencyPlan& plan, std::uint64_t last, Format format)
        : rows_(last + 1), width_(plan.pairs.size()), cos_(rows_ * width_), sin_(rows_ * width_) {
        build_table(plan, 0,
                    {format, std::as_writable_bytes(std::span(cos_)),
                     std::as_writable_bytes(std::span(sin_))});
    }

    std::size_t rows() const { return rows_; }
    std::u16string cos(std::size_t row) const { return words(cos_, row); }
    std::u16string both(std::size_t row) const { return words(cos_, row) + words(sin_, row); }

  private:
    std::u16string words(const std::vector<std::uint16_t>& of, std::size_t row) const {
        return {of.begin() + static_cast<std::ptrdiff_t>(row * width_),
                of.begin() + static_cast<std::ptrdiff_t>((row + 1) * width_)};
    }

    std::size_t rows_, width_;
    std::vector<std::uint16_t> cos_, sin_;
};

}  // namespace

StoredRows stored_rows(const FrequencyPlan& plan, std::uint64_t last, Format format) {
    const Table table(plan, last, format);
    std::set<std::u16string> both, cos;
    StoredRows found{0, 0, 0};
    for (std::size_t row = 0; row < table.rows(); ++row) {
        both.insert(table.both(row));
        cos.insert(table.cos(row));
        if (row > 0 && table.both(row) == table.both(row - 1)) ++found.equal_neighbours;
    }
    found.distinct = both.size();
    found.distinct_cos = cos.size();
    return found;
}

std::uint64_t first_cos_below_one(const FrequencyPlan& plan, Format format) {
    const BigReal one(1, exact_precision);
    for (std::uint64_t m = 1;; ++m)
        for (const PlannedFrequency& pair : plan.pairs)
            if (rounded_cos(pair.inv_freq * static_cast<double>(m), one, format) != 1) return m;
}

}  // namespace rope::ledger
