// Hot loops of the checks, and rotations recovered from vectors before and after them.
#include "rope/kernels/checks.hpp"

#include "rope/kernels/unit.hpp"

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

double magnitude(double x) { return __builtin_fabs(x); }
double larger(double a, double b) { return a > b ? a : b; }

bool table_suspects(const ComparedRows& tile, double least_position,
                    const ExpectedErrors& expected) {
    const size_t rows = tile.rows, stride = tile.stride;
    const double* __restrict c = tile.own.c, * __restrict s = tile.own.s;
    const double* __restrict true_c = tile.other.c, * __restrict true_s = tile.other.s;
    constexpr size_t width = 64;
    constexpr double safely = 1 - 0x1p-50;  // squares are rounded
    const double* __restrict slope = expected.slope;
    const double* __restrict reach = expected.reach;
    uint64_t suspects = 0;
    for (size_t first = 0; first < stride; first += width) {
        const size_t count = stride - first < width ? stride - first : width;
        double allowed[width], furthest[width];  // squared
        for (size_t i = 0; i < count; ++i) {
            const double limit = expected.rounding + least_position * slope[first + i];
            const double far = expected.slack + least_position * reach[first + i];
            const double a = limit < expected.ceiling ? limit : expected.ceiling;
            const double f = far < expected.most ? far : expected.most;
            allowed[i] = a * a * safely;
            furthest[i] = f * f * safely;
        }
        for (size_t r = 0; r < rows; ++r)
            for (size_t i = 0; i < count; ++i) {
                const size_t k = r * stride + first + i;
                const double error_c = c[k] - true_c[k], error_s = s[k] - true_s[k];
                const double square_c = error_c * error_c, square_s = error_s * error_s;
                bool fine = square_c + square_s <= furthest[i];
                fine = fine & (square_c <= allowed[i]) & (square_s <= allowed[i]);
                suspects |= fine ? 0U : 1U;
            }
    }
    return suspects != 0;
}

void table_errors(const ComparedRows& tile, const TableTolerance& tolerance,
                  const TableErrors& errors) {
    const size_t rows = tile.rows, stride = tile.stride;
    const double* __restrict c = tile.own.c, * __restrict s = tile.own.s;
    const double* __restrict true_c = tile.other.c, * __restrict true_s = tile.other.s;
    const double* __restrict position = tolerance.position, * __restrict slope = tolerance.slope;
    const double* __restrict per_angle = tolerance.per_angle;
    const double* __restrict per_theta = tolerance.per_theta;
    const double rounding = tolerance.rounding, ceiling = tolerance.ceiling;
    const double slack = tolerance.slack, per_square = tolerance.per_square;
    constexpr double infinity = __builtin_inf();
    double* __restrict worst = errors.worst, * __restrict out = errors.out;
    double* __restrict drift = errors.drift;
    for (size_t i = 0; i < stride; ++i) worst[i] = out[i] = drift[i] = 0;
    for (size_t r = 0; r < rows; ++r) {
        ROPE_CHECK_INDEPENDENT
        for (size_t i = 0; i < stride; ++i) {
            const size_t k = r * stride + i;
            const double limit = rounding + position[r] * slope[i];
            const double allowed = limit < ceiling ? limit : ceiling;
            const double error_c = magnitude(c[k] - true_c[k]);
            const double error_s = magnitude(s[k] - true_s[k]);
            out[i] += (error_c <= allowed ? 0.0 : 1.0) + (error_s <= allowed ? 0.0 : 1.0);
            const double share = larger(error_c, error_s) / allowed;
            const bool finite = error_c + error_s < infinity;
            worst[i] = larger(finite ? share : infinity, worst[i]);
            const double sine = magnitude(s[k] * true_c[k] - c[k] * true_s[k]) * per_square;
            const double cosine = c[k] * true_c[k] + s[k] * true_s[k];
            const double turned = cosine < 0 ? 2 - sine : sine;
            drift[i] = larger((turned - slack) * per_theta[i] * per_angle[r], drift[i]);
        }
    }
}

void least_k(const ComparedRows& tile, const AngleError& error, double* __restrict k_of) {
    const size_t rows = tile.rows, stride = tile.stride;
    const double* __restrict c = tile.own.c, * __restrict s = tile.own.s;
    const double* __restrict true_c = tile.other.c, * __restrict true_s = tile.other.s;
    const double* __restrict unit = error.unit;
    const double amplitude = error.amplitude, rounding = error.rounding;
    const double distance = error.distance;
    for (size_t r = 0; r < rows; ++r) {
        const double m = magnitude(error.position[r]);
        ROPE_CHECK_INDEPENDENT
        for (size_t i = 0; i < stride; ++i) {
            const size_t k = r * stride + i;
            const double error_c = c[k] - amplitude * true_c[k];
            const double error_s = s[k] - amplitude * true_s[k];
            const double one = larger(magnitude(error_c), magnitude(error_s)) - rounding;
            const double both = __builtin_sqrt(error_c * error_c + error_s * error_s) - distance;
            const double least = larger(one, both) / (m * unit[i]);
            k_of[k] = m == 0 ? 0 : least == least ? least : __builtin_inf();
        }
    }
}

bool norm_suspects(size_t n, double norm, double expected, CosSin own) {
    const double* __restrict c = own.c, * __restrict s = own.s;
    uint64_t suspects = 0;
    for (size_t k = 0; k < n; ++k)
        suspects |= magnitude(c[k] * c[k] + s[k] * s[k] - norm) <= expected ? 0U : 1U;
    return suspects != 0;
}

void norm_errors(size_t rows, size_t stride, double norm, double allowed, CosSin own,
                 double* __restrict worst, double* __restrict out) {
    const double* __restrict c = own.c, * __restrict s = own.s;
    for (size_t i = 0; i < stride; ++i) worst[i] = out[i] = 0;
    for (size_t r = 0; r < rows; ++r)
        for (size_t i = 0; i < stride; ++i) {
            const size_t k = r * stride + i;
            const double error = magnitude(c[k] * c[k] + s[k] * s[k] - norm);
            out[i] += error <= allowed ? 0.0 : 1.0;
            worst[i] = larger(error, worst[i]);
        }
}

void radii(const ComparedRows& tile, double inverse_amplitude, double* __restrict radius) {
    const size_t rows = tile.rows, stride = tile.stride;
    const double* __restrict c = tile.own.c, * __restrict s = tile.own.s;
    const double* __restrict other_c = tile.other.c, * __restrict other_s = tile.other.s;
    constexpr double infinity = __builtin_inf();
    for (size_t r = 0; r < rows; ++r)
        for (size_t i = 0; i < stride; ++i) {
            const size_t k = r * stride + i;
            const double a = c[k] * inverse_amplitude, b = s[k] * inverse_amplitude;
            const double p = a - other_c[k], q = b - other_s[k];
            const double square = p * p + q * q;
            radius[i] = larger(square < infinity ? square : infinity, radius[i]);
        }
}

}  // namespace

extern const CheckKernels checks;
const CheckKernels checks{table_suspects, table_errors, least_k, norm_suspects, norm_errors, radii};

namespace {

// Rotations recovered from vectors.

bool recover(size_t n, PairDimensions x, PairDimensions y, double least_square, CosSinOut turn) {
    const double* __restrict x1 = x.first, * __restrict x2 = x.second;
    const double* __restrict y1 = y.first, * __restrict y2 = y.second;
    double* __restrict c = turn.c, * __restrict s = turn.s;
    uint64_t small = 0;
    ROPE_CHECK_INDEPENDENT
    for (size_t i = 0; i < n; ++i) {
        const double norm = x1[i] * x1[i] + x2[i] * x2[i];
        c[i] = (y1[i] * x1[i] + y2[i] * x2[i]) / norm;
        s[i] = (y2[i] * x1[i] - y1[i] * x2[i]) / norm;
        small |= norm < least_square ? 1U : 0U;
    }
    return small != 0;
}

void turn_errors(size_t n, const TurnedDimensions& dimensions, CosSin turn, double scale,
                 double* __restrict norm, double* __restrict error) {
    const double* __restrict xa = dimensions.own_a, * __restrict pa = dimensions.partner_a;
    const double* __restrict xb = dimensions.own_b, * __restrict pb = dimensions.partner_b;
    const double* __restrict ya = dimensions.out_a, * __restrict yb = dimensions.out_b;
    const double* __restrict c = turn.c, * __restrict s = turn.s;
    ROPE_CHECK_INDEPENDENT
    for (size_t i = 0; i < n; ++i) {
        const double squares = xa[i] * xa[i] + pa[i] * pa[i] + xb[i] * xb[i] + pb[i] * pb[i];
        const double length = __builtin_sqrt(squares / 2);
        const double ea = ya[i] - scale * (xa[i] * c[i] + pa[i] * s[i]);
        const double eb = yb[i] - scale * (xb[i] * c[i] + pb[i] * s[i]);
        norm[i] = length;
        error[i] = __builtin_sqrt(ea * ea + eb * eb) / (length * scale);
    }
}

}  // namespace

extern const RecoveryKernels recovery;
const RecoveryKernels recovery{recover, turn_errors};

}  // namespace rope::ROPE_CHECK_ISA_NAME
