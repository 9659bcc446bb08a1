#include "rope/rows/printed_digits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>

#include "base/decimal.hpp"

namespace rope {
namespace {

constexpr int fewest_digits = 3, most_digits = 8, most_decimals = 60;
constexpr double least_evidence = 40;           // bits
constexpr std::size_t most_evidence = 1 << 12;  // different values

double power_of_ten(int exponent) {
    double power = 1;
    for (int k = 0; k < std::abs(exponent); ++k) power *= 10;
    return exponent < 0 ? 1 / power : power;
}

// Returns the fewest digits behind the point, at least `digits`, with which the number, written in
// this form, rounds to itself; empty if these are more than `most`.
std::optional<int> digits_behind(double value, Format format, std::chars_format form, int digits,
                                 int most) {
    char text[400];
    for (; digits <= most; ++digits) {
        const auto end = std::to_chars(text, std::end(text), std::abs(value), form, digits);
        double read = 0;
        std::from_chars(text, end.ptr, read);
        if (round_to(format, read) == round_to(format, std::abs(value))) return digits;
    }
    return std::nullopt;
}

// Returns the evidence, in bits, that a number is a decimal of this unit and not so by chance.
double evidence_of(double value, double unit, Format format) {
    const double spacing = 2 * half_spacing(format, value);
    return spacing < unit ? std::log2(unit / spacing) : 0;
}

}  // namespace

double PrintedDigits::half_unit(double value) const {
    if (!is_significant) return power_of_ten(-digits) / 2;
    if (value == 0) return 0;
    const double printed = std::abs(value) * (1 + 0x1p-23);  // float32(0.01) is below 0.01
    int exponent = 0;
    while (power_of_ten(exponent + 1) <= printed) ++exponent;
    while (power_of_ten(exponent) > printed) --exponent;
    return power_of_ten(exponent - digits + 1) / 2;
}

std::string PrintedDigits::words() const {
    return decimal(static_cast<std::uint64_t>(digits)) +
           (is_significant ? " significant digits" : " decimals");
}

std::optional<PrintedDigits> printed_digits(std::initializer_list<const StridedRows*> arrays,
                                            std::size_t rows, std::uint64_t columns,
                                            Format format) {
    if (unit_roundoff(format) > unit_roundoff(Format::float32)) return std::nullopt;
    int significant = 1, decimals = 0;
    double largest = 0;
    std::set<double> different;
    for (const StridedRows* array : arrays)
        for (std::uint64_t k = 0; k < rows * columns; ++k) {
            const double value = array->at(k / columns, k % columns);
            if (!std::isfinite(value)) return std::nullopt;
            largest = std::max(largest, std::abs(value));
            if (value == std::round(value)) continue;
            const auto behind = digits_behind(value, format, std::chars_format::scientific,
                                              significant - 1, most_digits - 1);
            if (!behind) return std::nullopt;
            significant = *behind + 1;
            decimals =
                digits_behind(value, format, std::chars_format::fixed, decimals, most_decimals)
                    .value_or(most_decimals);
            if (different.size() < most_evidence) different.insert(std::abs(value));
        }
    const bool is_significant = decimals > significant;
    const PrintedDigits found{is_significant ? significant : decimals, is_significant, largest};
    if (found.digits < fewest_digits || found.digits > most_digits) return std::nullopt;
    double bits = 0;
    for (const double value : different)
        bits += evidence_of(value, 2 * found.half_unit(value), format);
    return bits >= least_evidence ? std::optional(found) : std::nullopt;
}

double printed_error(std::initializer_list<const StridedRows*> arrays, std::size_t rows,
                     std::uint64_t columns, Format format) {
    if (arrays.size() * rows * columns > most_printed) return 0;
    const auto digits = printed_digits(arrays, rows, columns, format);
    return digits ? digits->half_unit(digits->largest) : 0;
}

}  // namespace rope
