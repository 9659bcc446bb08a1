// Numbers as stored in a file: little-endian, one type, fixed strides.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/exact/format.hpp"

namespace rope {

// Storage type of one number of an array.
enum class Element {
    float64,
    float32,
    bfloat16,
    float16,
    int64,
    int32,
    int16,
    int8,
    uint64,
    uint32,
    uint16,
    uint8,
};

std::string_view to_string(Element element);
std::size_t bytes_of(Element element);
std::optional<Format> format_of(Element element);  // none for integers
Element element_of(Format format);                 // float32 for TF32

// Returns the number stored in the first bytes_of(element) bytes. An integer that is no exact
// double becomes NaN, which is no integer.
double number_at(Element element, const std::byte* bytes);

// View of an array as rows: number (row, column) is element first + row·row_stride +
// column·column_stride. Copies share the bytes.
class StridedRows {
  public:
    StridedRows() = default;
    // All numbers of the view must lie within `bytes`, which `owner` keeps alive.
    StridedRows(Element element, std::span<const std::byte> bytes, std::uint64_t first,
                std::uint64_t row_stride, std::uint64_t column_stride,
                std::shared_ptr<const void> owner)
        : element_(element),
          bytes_(bytes),
          first_(first),
          row_stride_(row_stride),
          column_stride_(column_stride),
          owner_(std::move(owner)) {}
    // Makes rows, in row-major order, that own their values.
    StridedRows(std::vector<double> values, std::uint64_t columns);

    double at(std::uint64_t row, std::uint64_t column) const {
        const double number = number_at(element_, place(row, column));
        return divisors_ ? quotient(number, (*divisors_)[row]) : number;
    }
    // Reads the numbers first … first + count − 1 of a row.
    void read(std::uint64_t row, std::uint64_t first, std::uint64_t count, double* to) const;

    // Returns a hash of the stored bits of the first `count` numbers of a row.
    std::uint64_t mixed_bits(std::uint64_t row, std::uint64_t count) const;

    // Returns a view of the columns first, first + step, first + 2·step, …
    StridedRows columns(std::uint64_t first, std::uint64_t step) const {
        StridedRows rows = *this;
        rows.first_ += first * column_stride_;
        rows.column_stride_ *= step;
        return rows;
    }

    // Returns a view of the same rows with row r divided by (*divisors)[r].
    StridedRows divided_by(std::shared_ptr<const std::vector<double>> divisors) const {
        StridedRows rows = *this;
        rows.divisors_ = std::move(divisors);
        return rows;
    }

    // Returns a view of these `count` rows in which some are zero.
    StridedRows with_zeros(const std::vector<std::size_t>& at, std::uint64_t count) const {
        auto divisors = divisors_ ? *divisors_ : std::vector<double>(count, 1);
        for (const std::size_t row : at) divisors[row] = HUGE_VAL;
        return divided_by(std::make_shared<const std::vector<double>>(std::move(divisors)));
    }

    // Prefetches the first `count` numbers of a row.
    void prefetch(std::uint64_t row, std::uint64_t count) const;

    // Returns a view of the rows from `row` on. The rows must not be divided.
    StridedRows from(std::uint64_t row) const {
        StridedRows rows = *this;
        rows.first_ += row * row_stride_;
        return rows;
    }

    // Returns the number of elements in the array, independently of the strides.
    std::uint64_t size() const { return bytes_.size() / bytes_of(element_); }
    Element element() const { return element_; }

  private:
    // 0 for an infinite divisor, also where the number is not finite.
    static double quotient(double number, double divisor) {
        return divisor == HUGE_VAL ? 0 : number / divisor;
    }
    const std::byte* place(std::uint64_t row, std::uint64_t column) const {
        return bytes_.data() +
               (first_ + row * row_stride_ + column * column_stride_) * bytes_of(element_);
    }

    Element element_ = Element::float64;
    std::span<const std::byte> bytes_;
    std::uint64_t first_ = 0, row_stride_ = 0, column_stride_ = 1;
    std::shared_ptr<const void> owner_;
    std::shared_ptr<const std::vector<double>> divisors_;
};

// Detection of values that were quantised to 8 bits and are stored in a wider format.

struct EightBits {
    std::string_view format;  // "float8_e4m3", "float8_e5m2" or "int8"
    bool is_scaled = false;   // multiplied by a scale other than a power of two

    bool operator==(const EightBits&) const = default;
};

// Returns float8 if every value is a number of that format, possibly times one common scale; int8
// if the values of each row are integer multiples of 1/127 of its largest, or all values integer
// multiples of one scale. Scaled values may be rounded to bfloat16 or float16. Returns none if
// there are too few values other than zeros and powers of two, which are numbers of every format.
std::optional<EightBits> eight_bits_of(const StridedRows& values, std::uint64_t rows,
                                       std::uint64_t columns);

// Returns bfloat16 or float16 if all values are numbers of that format but are stored as float32 or
// float64, as NumPy saves bfloat16; and bfloat16 if they are stored as float16. Returns none if
// there are too few values other than zeros and powers of two, which are numbers of every format.
std::optional<Format> narrower_format(const StridedRows& values, std::uint64_t rows,
                                      std::uint64_t columns);

}  // namespace rope
