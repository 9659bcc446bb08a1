// Sums over the pairs.
#include "rope/kernels/sums.hpp"

#include "rope/kernels/unit.hpp"

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

// Number of distances for which two sums each fit into the registers.
#if defined(__AVX512F__)
constexpr size_t side_by_side = 32;
#elif defined(__AVX2__)
constexpr size_t side_by_side = 16;
#else
constexpr size_t side_by_side = 8;
#endif

inline double root(double x) { return __builtin_sqrt(x); }
inline float root(float x) { return __builtin_sqrtf(x); }

template <class Number>
void decay(size_t pairs, size_t rows, const Number* __restrict block_c,
           const Number* __restrict block_s, const Number* __restrict base_c,
           const Number* __restrict base_s, Number* __restrict mean, Number* __restrict roformer) {
    constexpr size_t most_rows = 64, width = side_by_side / 2 * sizeof(double) / sizeof(Number);
    const auto n = static_cast<Number>(pairs);
    for (size_t first = 0; first < rows; first += width) {
        Number sum_c[width] = {}, sum_s[width] = {}, modulus[width] = {};
        for (size_t j = 0; j < pairs; ++j)
            for (size_t l = 0; l < width; ++l) {
                const size_t k = j * most_rows + first + l;
                sum_c[l] += block_c[j] * base_c[k] - block_s[j] * base_s[k];
                sum_s[l] += block_s[j] * base_c[k] + block_c[j] * base_s[k];
                modulus[l] += root(sum_c[l] * sum_c[l] + sum_s[l] * sum_s[l]);
            }
        for (size_t l = 0; l < width && first + l < rows; ++l) {
            mean[first + l] = sum_c[l] / n;
            roformer[first + l] = modulus[l] / n;
        }
    }
}

void mean_cosines(size_t pairs, const double* __restrict block_c, const double* __restrict block_s,
                  const double* __restrict base_c, const double* __restrict base_s,
                  double* __restrict mean) {
    constexpr size_t rows = 64;
    const double n = static_cast<double>(pairs);
    for (size_t first = 0; first < rows; first += side_by_side) {
        double sum[side_by_side] = {};
        for (size_t j = 0; j < pairs; ++j)
            for (size_t l = 0; l < side_by_side; ++l) {
                const size_t k = j * rows + first + l;
                sum[l] += block_c[j] * base_c[k] - block_s[j] * base_s[k];
            }
        for (size_t l = 0; l < side_by_side; ++l) mean[first + l] = sum[l] / n;
    }
}

// Compares one half with the other, so that the loop is vectorised.
template <class Number, size_t count>
Number least_of(Number (&values)[count]) {
    for (size_t half = count / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; ++l)
            values[l] = values[l + half] < values[l] ? values[l + half] : values[l];
    return values[0];
}

double cosine_sums(size_t pairs, double constant, const double* __restrict centre_c,
                   const double* __restrict centre_s, const double* __restrict offsets,
                   double* __restrict sums) {
    constexpr size_t half = 32;
    double least[side_by_side];
    for (size_t b = 0; b < half; b += side_by_side) {
        double p[side_by_side] = {}, q[side_by_side] = {};
        for (size_t i = 0; i < pairs; ++i)
            for (size_t l = 0; l < side_by_side; ++l) {
                p[l] += centre_c[i] * offsets[2 * i * half + b + l];
                q[l] += centre_s[i] * offsets[(2 * i + 1) * half + b + l];
            }
        for (size_t l = 0; l < side_by_side; ++l) {
            const double after = (p[l] - q[l]) + constant, before = (p[l] + q[l]) + constant;
            sums[half + b + l] = after;
            sums[half - 1 - b - l] = before;
            const double lesser = after < before ? after : before;
            least[l] = b == 0 || lesser < least[l] ? lesser : least[l];
        }
    }
    return least_of(least);
}

float least_cosine_sum(size_t pairs, const float* __restrict seed_c, const float* __restrict seed_s,
                       const float* __restrict row_c, const float* __restrict row_s,
                       const float* __restrict offsets) {
    constexpr size_t half = 32, most = side_by_side == 8 ? 16 : half, turned = 16;
    float least[most];
    for (size_t b = 0; b < half; b += most) {
        float p[most] = {}, q[most] = {};
        for (size_t first = 0; first < pairs; first += turned) {
            const size_t count = pairs - first < turned ? pairs - first : turned;
            float c[turned], s[turned];
            for (size_t i = 0; i < count; ++i) {
                const size_t k = first + i;
                c[i] = seed_c[k] * row_c[k] - seed_s[k] * row_s[k];
                s[i] = seed_s[k] * row_c[k] + seed_c[k] * row_s[k];
            }
            for (size_t i = 0; i < count; ++i)
                for (size_t l = 0; l < most; ++l) {
                    p[l] += c[i] * offsets[2 * (first + i) * half + b + l];
                    q[l] += s[i] * offsets[(2 * (first + i) + 1) * half + b + l];
                }
        }
        for (size_t l = 0; l < most; ++l) {
            const float after = p[l] - q[l], before = p[l] + q[l];
            const float lesser = after < before ? after : before;
            least[l] = b == 0 || lesser < least[l] ? lesser : least[l];
        }
    }
    return least_of(least);
}

float turned_bound(size_t pairs, NearAngles centre, NearAngles row, NearReach reach,
                   float* __restrict c, float* __restrict s) {
    constexpr size_t lanes = 16;
    float sum[lanes] = {};
    for (size_t first = 0; first < pairs; first += lanes)
        for (size_t l = 0; l < lanes; ++l) {
            const size_t k = first + l;
            c[k] = centre.c[k] * row.c[k] - centre.s[k] * row.s[k];
            s[k] = centre.s[k] * row.c[k] + centre.c[k] * row.s[k];
            const float still = c[k] * reach.slow[k], turned = c[k] * reach.c[k];
            sum[l] += (turned < still ? turned : still) - __builtin_fabsf(s[k] * reach.s[k]) +
                      (reach.slow[k] - 1);
        }
    for (size_t half = lanes / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; ++l) sum[l] += sum[l + half];
    return sum[0];
}

}  // namespace

extern const SumKernels sums;
const SumKernels sums{decay<double>, decay<float>,     mean_cosines,
                      cosine_sums,   least_cosine_sum, turned_bound};

}  // namespace rope::ROPE_CHECK_ISA_NAME
