#include "rope/number/eight_bits.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace

std::optional<std::string_view> eight_bits_of(const StridedRows& values, std::uint64_t rows,
                                              std::uint64_t columns) {
    for (const Float8& format : {e5m2, e4m3})
        if (are_float8(format, values, rows, columns)) return format.name;
    if (are_int8(values, rows, columns)) return "int8";
    return std::nullopt;
}

}  // namespace rope
