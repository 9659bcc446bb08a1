#include "rope/exact/element.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "rope/exact/codec.hpp"

static_assert(std::endian::native == std::endian::little, "files are read as they lie");
namespace rope {
namespace {

constexpr double too_large = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53;

template <class T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

// The sign of a NaN depends on the processor and would be printed: it is removed.
double from_float16(const std::byte* bytes) {
    using Float16 = Codec<Format::float16>;
    constexpr auto nan = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
    const auto word = load<std::uint16_t>(bytes);
    const std::uint32_t is_nan = -std::uint32_t{(word & 0x7fffU) > Float16::infinity};
    const auto value = std::bit_cast<std::uint32_t>(Float16::value(word));
    return std::bit_cast<float>((value & ~is_nan) | (nan & is_nan));
}

double from_bfloat16(const std::byte* bytes) {
    return Codec<Format::bfloat16>::value(load<std::uint16_t>(bytes));
}

template <class T>
double whole(const std::byte* bytes) {
    const T value = load<T>(bytes);
    const std::uint64_t size = value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                         : static_cast<std::uint64_t>(value);
    return size > largest_exact ? too_large : static_cast<double>(value);
}

struct ElementType {
    std::string_view name;
    std::size_t bytes;
    std::optional<Format> format;
    double (*number)(const std::byte* bytes);
};

template <class T>
double floating(const std::byte* bytes) {
    return load<T>(bytes);
}

// In the order of the enumerators.
constexpr std::array element_types{
    ElementType{"float64", 8, Format::float64, floating<double>},
    ElementType{"float32", 4, Format::float32, floating<float>},
    ElementType{"bfloat16", 2, Format::bfloat16, from_bfloat16},
    ElementType{"float16", 2, Format::float16, from_float16},
    ElementType{"int64", 8, {}, whole<std::int64_t>},
    ElementType{"int32", 4, {}, whole<std::int32_t>},
    ElementType{"int16", 2, {}, whole<std::int16_t>},
    ElementType{"int8", 1, {}, whole<std::int8_t>},
    ElementType{"uint64", 8, {}, whole<std::uint64_t>},
    ElementType{"uint32", 4, {}, whole<std::uint32_t>},
    ElementType{"uint16", 2, {}, whole<std::uint16_t>},
    ElementType{"uint8", 1, {}, whole<std::uint8_t>},
};

const ElementType& type_of(Element element) {
    return element_types[static_cast<std::size_t>(element)];
}

constexpr std::uint64_t least_values = 64;

// A format with `bits` significant bits whose normal numbers range from 2^least to `largest`.
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
                            telling += is_of_any_format(value) || std::isnan(value) ? 0 : 1;
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

// The tolerance covers the rounding of the scale and the products to float32.
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
                        if (!std::isfinite(largest) || !are_multiples(row, largest / 127))
                            return false;
                        for (const double value : row)
                            telling += value == 0 || std::abs(value) == largest ? 0 : 1;
                        return true;
                    }) &&
           telling >= least_values;
}

// Returns the distinct magnitudes except 0, ascending; none if there are too many or too few.
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

// Returns the unit roundoff of the narrowest of bfloat16, float16 and float32 that holds all.
double rounding_of(const std::vector<double>& magnitudes) {
    for (const int bits : {8, 11})
        if (std::ranges::all_of(magnitudes, [bits](double value) {
                const double steps = std::ldexp(value, bits - 1 - std::ilogb(value));
                return steps == std::trunc(steps);
            }))
            return std::ldexp(1.0, -bits);
    return 0x1p-24;
}

// The value and the scale, which is a value too, are both rounded.
bool is_whole(double steps, double rounding) {
    return std::abs(steps - std::nearbyint(steps)) <= 2.1 * rounding * steps;
}

// With n = 2^(bits − 1), an octave holds s, s + s/n, …, 2s − s/n, where s is a power of two.
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
    // in bfloat16 and float16, only multiples below about 50 are significant
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

// Required number of values; one of five significant bits or more counts twice.
constexpr std::uint64_t least_determining = 16;
constexpr int many_bits = 5;

// A number has zeros below the last bit and an exponent of the format, or is infinite or NaN.
template <Format format>
bool is_number_of(float value) {
    using Words = Codec<format>;
    constexpr std::uint32_t below = (1U << Words::cut) - 1;
    const bool is_short = (std::bit_cast<std::uint32_t>(value) & below) == 0;
    if constexpr (Words::rebias == 0) return is_short;
    constexpr float least = Words::power_of_two(Words::least);
    constexpr float largest =
        (2 - Words::power_of_two(1 - Words::bits)) * Words::power_of_two(1 - Words::least);
    const float size = std::abs(value);
    if (!(size <= largest)) return !std::isfinite(value);
    if (size >= least) return is_short;
    const float spacings = size * Words::power_of_two(Words::bits - 1 - Words::least);
    return spacings == std::trunc(spacings);
}

// Returns the number of significant bits: 1 for powers of two, 0 and infinity.
int bits_of(float value) {
    const std::uint32_t significand = std::bit_cast<std::uint32_t>(value) & 0x7fffff;
    return significand == 0 ? 1 : 24 - std::countr_zero(significand);
}

}  // namespace

std::string_view to_string(Element element) { return type_of(element).name; }
std::size_t bytes_of(Element element) { return type_of(element).bytes; }
std::optional<Format> format_of(Element element) { return type_of(element).format; }

Element element_of(Format format) {
    const auto* const type = std::ranges::find(element_types, format, &ElementType::format);
    return type == element_types.end() ? Element::float32
                                       : static_cast<Element>(type - element_types.begin());
}

double number_at(Element element, const std::byte* bytes) { return type_of(element).number(bytes); }

StridedRows::StridedRows(std::vector<double> values, std::uint64_t columns) : row_stride_(columns) {
    const auto own = std::make_shared<const std::vector<double>>(std::move(values));
    bytes_ = std::as_bytes(std::span(*own));
    owner_ = own;
}

void StridedRows::read(std::uint64_t row, std::uint64_t first, std::uint64_t count,
                       double* to) const {
    const std::byte* from = place(row, first);
    const std::uint64_t step = column_stride_ * bytes_of(element_);
    // The compiler vectorises only a step it knows at compile time.
    const auto read_all = [&](auto size, const auto& number) {
        if (step == size)
            for (std::uint64_t j = 0; j < count; ++j) to[j] = number(from + j * size);
        else
            for (std::uint64_t j = 0; j < count; ++j) to[j] = number(from + j * step);
    };
    switch (element_) {
        case Element::float32:
            read_all(std::integral_constant<std::size_t, sizeof(float)>(),
                     [](const std::byte* at) { return load<float>(at); });
            break;
        case Element::bfloat16:
            read_all(std::integral_constant<std::size_t, 2>(),
                     [](const std::byte* at) { return from_bfloat16(at); });
            break;
        case Element::float16:
            read_all(std::integral_constant<std::size_t, 2>(),
                     [](const std::byte* at) { return from_float16(at); });
            break;
        default:
            read_all(std::integral_constant<std::size_t, 0>(),
                     [&](const std::byte* at) { return number_at(element_, at); });
    }
    if (divisors_)
        for (std::uint64_t j = 0; j < count; ++j) to[j] = quotient(to[j], (*divisors_)[row]);
}

void StridedRows::prefetch(std::uint64_t row, std::uint64_t count) const {
    constexpr std::size_t line = 64;
    const std::byte* from = place(row, 0);
    const std::size_t bytes = count * column_stride_ * bytes_of(element_);
    for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(from + at);
}

// Four independent chains, because each product waits for the one before it.
std::uint64_t StridedRows::mixed_bits(std::uint64_t row, std::uint64_t count) const {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    std::uint64_t chain[4] = {1, 2, 3, 4};
    const auto mix = [&](std::uint64_t k, std::uint64_t word) {
        std::uint64_t& bits = chain[k % 4];
        bits = (bits ^ word) * odd;
        bits ^= bits >> 29;
    };
    const std::size_t bytes = count * bytes_of(element_);
    if (column_stride_ == 1 && bytes % 8 == 0) {
        const std::byte* from = place(row, 0);
        for (std::size_t k = 0; k < bytes / 8; ++k) mix(k, load<std::uint64_t>(from + 8 * k));
    } else {
        for (std::uint64_t j = 0; j < count; ++j) mix(j, std::bit_cast<std::uint64_t>(at(row, j)));
    }
    std::uint64_t all = 0;
    for (const std::uint64_t bits : chain) all = (all ^ bits) * odd;
    return all ^ (all >> 29);
}

std::optional<EightBits> eight_bits_of(const StridedRows& values, std::uint64_t rows,
                                       std::uint64_t columns) {
    for (const Float8& format : {e5m2, e4m3})
        if (are_float8(format, values, rows, columns)) return EightBits{format.name};
    if (are_int8(values, rows, columns)) return EightBits{"int8", true};
    return scaled_bits_of(magnitudes_of(values, rows, columns));
}

std::optional<Format> narrower_format(const StridedRows& values, std::uint64_t rows,
                                      std::uint64_t columns) {
    const bool is_half = values.element() == Element::float16;
    if (!is_half && values.element() != Element::float32 && values.element() != Element::float64)
        return std::nullopt;
    bool bfloat16 = true, float16 = true;
    float largest = 0;
    std::uint64_t telling = 0;
    std::vector<double> row(columns);
    for (std::uint64_t r = 0; r < rows; ++r) {
        values.read(r, 0, columns, row.data());
        for (const double wide : row) {
            const auto value = static_cast<float>(wide);
            if (static_cast<double>(value) != wide && !std::isnan(wide)) return std::nullopt;
            bfloat16 = bfloat16 && is_number_of<Format::bfloat16>(value);
            float16 = float16 && is_number_of<Format::float16>(value);
            if (!bfloat16 && (is_half || !float16)) return std::nullopt;
            largest = std::max(largest, std::abs(value));
            const int bits = bits_of(value);
            telling += bits == 1 || !std::isfinite(value) ? 0 : bits < many_bits ? 1 : 2;
        }
    }
    if (telling < least_determining) return std::nullopt;
    using Half = Codec<Format::float16>;
    // float16 subnormals have few bits; bfloat16 values would not all be multiples of 2⁻²⁴
    const bool is_subnormal = float16 && largest < Half::power_of_two(Half::least);
    if (bfloat16 && !is_subnormal) return Format::bfloat16;
    return is_half ? std::nullopt : std::optional(Format::float16);
}

}  // namespace rope
