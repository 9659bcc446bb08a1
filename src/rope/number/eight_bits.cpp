#include "rope/number/eight_bits.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace rope {
namespace {

constexpr std::uint64_t least_values = 64;

// Numbers of p significant bits, normal from 2^least to `largest`.
struct Float8 {
    std::string_view name;
    int bits, least;
    double largest;
};
constexpr Float8 e5m2{"float8_e5m2", 3, -14, 57344}, e4m3{"float8_e4m3", 4, -6, 448};

bool is_in_float8(const Float8& format, double value) {
    if (!std::isfinite(value)) return std::isnan(value);
    if (value == 0) return true;
    const int exponent = std::max(std::ilogb(value), format.least);
    const double spacings = std::ldexp(value, format.bits - 1 - exponent);
    return std::abs(value) <= format.largest && spacings == std::trunc(spacings);
}

bool is_of_any_format(double value) {
    int exponent;
    return value == 0 || std::abs(std::frexp(value, &exponent)) == 0.5;
}

template <class Visit>
bool all_rows(const StridedRows& values, std::uint64_t rows, std::uint64_t columns,
              const Visit& visit) {
    std::vector<double> row(columns);
    for (std::uint64_t r = 0; r < rows; ++r) {
        values.read(r, 0, columns, row.data());
        if (!visit(row)) return false;
    }
    return true;
}

bool are_float8(const Float8& format, const StridedRows& values, std::uint64_t rows,
                std::uint64_t columns) {
    std::uint64_t telling = 0;
    return all_rows(values, rows, columns,
                    [&](const std::vector<double>& row) {
                        for (const double value : row) {
                            if (!is_in_float8(format, value)) return false;
                            telling += is_of_any_format(value) ? 0 : 1;
                        }
                        return true;
                    }) &&
           telling >= least_values;
}

double largest_of(const std::vector<double>& row) {
    double largest = 0;
    for (const double value : row) largest = std::max(largest, std::abs(value));
    return largest;
}

// The scale and its products were rounded to float32.
bool are_multiples(const std::vector<double>& row, double scale) {
    constexpr double rounding = 0x1p-12;
    return std::ranges::all_of(row, [&](double value) {
        const double steps = value / scale;
        return std::abs(steps - std::nearbyint(steps)) <= rounding;
    });
}

bool are_int8(const StridedRows& values, std::uint64_t rows, std::uint64_t columns) {
    constexpr std::size_t least_columns = 16;
    std::uint64_t telling = 0;
    return columns >= least_columns &&
           all_rows(values, rows, columns,
                    [&](const std::vector<double>& row) {
                        const double largest = largest_of(row);
                        if (largest == 0) return true;
                        telling += row.size();
                        return std::isfinite(largest) && are_multiples(row, largest / 127);
                    }) &&
           telling >= least_values;
}

// Other than 0, ascending; none of more than 8 bits can have, or of too few values.
std::vector<double> magnitudes_of(const StridedRows& values, std::uint64_t rows,
                                  std::uint64_t columns) {
    constexpr std::size_t most = 128;
    std::set<double> magnitudes;
    std::uint64_t count = 0;
    const bool are_few = all_rows(values, rows, columns, [&](const std::vector<double>& row) {
        for (const double value : row) {
            if (!std::isfinite(value)) return false;
            if (value == 0) continue;
            ++count;
            if (magnitudes.insert(std::abs(value)).second && magnitudes.size() > most) return false;
        }
        return true;
    });
    if (!are_few || count < least_values) return {};
    return {magnitudes.begin(), magnitudes.end()};
}

// What each was rounded by, relative: to the narrowest of bfloat16, float16 and float32.
double rounding_of(const std::vector<double>& magnitudes) {
    for (const int bits : {8, 11})
        if (std::ranges::all_of(magnitudes, [bits](double value) {
                const double steps = std::ldexp(value, bits - 1 - std::ilogb(value));
                return steps == std::trunc(steps);
            }))
            return std::ldexp(1.0, -bits);
    return 0x1p-24;
}

// The value and the scale, which is one of them, were rounded.
bool is_whole(double steps, double rounding) {
    return std::abs(steps - std::nearbyint(steps)) <= 2.1 * rounding * steps;
}

// An octave's numbers are s, s + s/n, …, 2s − s/n of n = 2^(bits − 1), times a power of two.
bool are_scaled(const Float8& format, const std::vector<double>& magnitudes, double rounding) {
    constexpr std::size_t least_magnitudes = 32;
    if (magnitudes.size() < least_magnitudes) return false;
    const double least = std::ldexp(1.0, format.least - format.bits + 1);
    const double largest = magnitudes.back(), range = 1.01 * format.largest / least;
    if (largest > range * magnitudes.front()) return false;
    const int steps = 1 << (format.bits - 1);
    for (int k = steps; k < 2 * steps; ++k) {
        const double scale = largest * steps / k;
        const auto is_number = [&](double value) {
            const double times = value / scale;
            return is_whole(std::ldexp(times, format.bits - 1 - std::ilogb(times)), rounding);
        };
        if (std::ranges::all_of(magnitudes, is_number)) return true;
    }
    return false;
}

bool are_multiples_of_one(const std::vector<double>& magnitudes, double rounding) {
    // of 16 bits only the few below 50 tell
    const std::size_t least_magnitudes = rounding > 0x1p-20 ? 96 : 48;
    if (magnitudes.size() < least_magnitudes) return false;
    for (int most = 48; most <= 128; ++most) {
        const double scale = magnitudes.back() / most;
        if (std::ranges::all_of(magnitudes, [&](double value) {
                return value > scale / 2 && is_whole(value / scale, rounding);
            }))
            return true;
    }
    return false;
}

std::optional<EightBits> scaled_bits_of(const std::vector<double>& magnitudes) {
    if (magnitudes.empty()) return std::nullopt;
    const double rounding = rounding_of(magnitudes);
    for (const Float8& format : {e5m2, e4m3})
        if (are_scaled(format, magnitudes, rounding)) return EightBits{format.name, true};
    if (are_multiples_of_one(magnitudes, rounding)) return EightBits{"int8", true};
    return std::nullopt;
}

}  // namespace

std::optional<EightBits> eight_bits_of(const StridedRows& values, std::uint64_t rows,
                                       std::uint64_t columns) {
    for (const Float8& format : {e5m2, e4m3})
        if (are_float8(format, values, rows, columns)) return EightBits{format.name};
    if (are_int8(values, rows, columns)) return EightBits{"int8", true};
    return scaled_bits_of(magnitudes_of(values, rows, columns));
}

}  // namespace rope
