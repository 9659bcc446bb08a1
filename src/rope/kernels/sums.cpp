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

// Combines one half with the other, so that the loops are vectorised.
template <class Number, size_t count, class Join>
Number joined(const Number (&values)[count], const Join& join) {
    if constexpr (count == 1) {
        return values[0];
    } else {
        Number halves[count / 2];
        for (size_t l = 0; l < count / 2; ++l) halves[l] = join(values[l], values[l + count / 2]);
        return joined(halves, join);
    }
}

template <class Number, size_t count>
Number least_of(const Number (&values)[count]) {
    return joined(values, [](Number a, Number b) { return b < a ? b : a; });
}

template <size_t count>
float sum_of(const float (&values)[count]) {
    return joined(values, [](float a, float b) { return a + b; });
}

// Adds to p and q of the pairs rest[0] + rest[1]·z² and rest[2]·z + rest[3]·z³ for offsets b + ½ =
// 32z.
template <class Number>
Number sums_about(size_t pairs, Number constant, const Number (&rest)[4],
                  const Number* __restrict centre_c, const Number* __restrict centre_s,
                  const Number* __restrict offsets, Number* __restrict sums) {
    constexpr size_t half = 32, fitting = side_by_side * sizeof(double) / sizeof(Number),
                     width = fitting < half ? fitting : half;
    Number least[width];
    for (size_t b = 0; b < half; b += width) {
        Number p[width] = {}, q[width] = {};
        for (size_t i = 0; i < pairs; ++i)
            for (size_t l = 0; l < width; ++l) {
                p[l] += centre_c[i] * offsets[2 * i * half + b + l];
                q[l] += centre_s[i] * offsets[(2 * i + 1) * half + b + l];
            }
        for (size_t l = 0; l < width; ++l) {
            const Number z = (static_cast<Number>(b + l) + Number{0.5}) / half, square = z * z;
            p[l] += rest[0] + rest[1] * square;
            q[l] += z * (rest[2] + rest[3] * square);
            const Number after = (p[l] - q[l]) + constant, before = (p[l] + q[l]) + constant;
            sums[half + b + l] = after;
            sums[half - 1 - b - l] = before;
            const Number lesser = after < before ? after : before;
            least[l] = b == 0 || lesser < least[l] ? lesser : least[l];
        }
    }
    return least_of(least);
}

double cosine_sums(size_t pairs, double constant, const double* __restrict centre_c,
                   const double* __restrict centre_s, const double* __restrict offsets,
                   double* __restrict sums) {
    return sums_about(pairs, constant, {0., 0., 0., 0.}, centre_c, centre_s, offsets, sums);
}

float near_cosine_sums(NearPairs pairs, NearAngles centre, float* __restrict sums) {
    constexpr size_t lanes = 16;
    float moments[4][lanes] = {};
    for (size_t first = pairs.fast / lanes * lanes; first < pairs.padded; first += lanes)
        for (size_t l = 0; l < lanes; ++l) {
            const size_t k = first + l;
            const float square = pairs.turned[k] * pairs.turned[k];
            moments[0][l] += centre.c[k] * pairs.slow[k];
            moments[1][l] += centre.c[k] * square;
            moments[2][l] += centre.s[k] * pairs.turned[k];
            moments[3][l] += centre.s[k] * pairs.turned[k] * square;
        }
    return sums_about(
        pairs.fast, 0.f,
        {sum_of(moments[0]), sum_of(moments[1]) / -2, sum_of(moments[2]), sum_of(moments[3]) / -6},
        centre.c, centre.s, pairs.offsets, sums);
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
    return sum_of(sum);
}

}  // namespace

extern const SumKernels sums;
const SumKernels sums{decay<double>, decay<float>,     mean_cosines,
                      cosine_sums,   near_cosine_sums, turned_bound};

}  // namespace rope::ROPE_CHECK_ISA_NAME
