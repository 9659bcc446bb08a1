// Numbers as they lie in a file: little-endian, of one type, at fixed strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/number/format.hpp"

namespace rope {

// What one number of an array is stored as.
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
std::optional<Format> format_of(Element element);  // nothing for integers
Element element_of(Format format);                 // TF32 is stored as float32

// The number at `bytes`, which has bytes_of(element) bytes. An integer that no double holds
// becomes NaN, which no integer is.
double number_at(Element element, const std::byte* bytes);

// Rows of numbers within an array: number (row, column) is the array's element
// first + row·row_stride + column·column_stride. A copy shares the bytes.
class StridedRows {
  public:
    StridedRows() = default;
    // Requires that every number asked for lies within `bytes`. `owner` keeps them alive.
    StridedRows(Element element, std::span<const std::byte> bytes, std::uint64_t first,
                std::uint64_t row_stride, std::uint64_t column_stride,
                std::shared_ptr<const void> owner)
        : element_(element),
          bytes_(bytes),
          first_(first),
          row_stride_(row_stride),
          column_stride_(column_stride),
          owner_(std::move(owner)) {}
    // Doubles of our own, row-major.
    StridedRows(std::vector<double> values, std::uint64_t columns);

    double at(std::uint64_t row, std::uint64_t column) const {
        const double number = number_at(element_, place(row, column));
        return divisors_ ? number / (*divisors_)[row] : number;
    }
    // The numbers first … first + count − 1 of a row.
    void read(std::uint64_t row, std::uint64_t first, std::uint64_t count, double* to) const;

    // Of the first `count` numbers of a row as they lie: equal rows have equal ones.
    std::uint64_t mixed_bits(std::uint64_t row, std::uint64_t count) const;

    // Of the same rows the numbers first, first + step, first + 2·step, …
    StridedRows columns(std::uint64_t first, std::uint64_t step) const {
        StridedRows rows = *this;
        rows.first_ += first * column_stride_;
        rows.column_stride_ *= step;
        return rows;
    }

    // The same rows, each divided by its own number. Requires as many as there are rows, from row
    // 0.
    StridedRows divided_by(std::shared_ptr<const std::vector<double>> divisors) const {
        StridedRows rows = *this;
        rows.divisors_ = std::move(divisors);
        return rows;
    }

    // Asks for the first `count` numbers of a row, that a read of them need not wait.
    void prefetch(std::uint64_t row, std::uint64_t count) const;

    // The rows from `row` on, which are not divided.
    StridedRows from(std::uint64_t row) const {
        StridedRows rows = *this;
        rows.first_ += row * row_stride_;
        return rows;
    }

    // Elements in the array, however they are arranged in rows.
    std::uint64_t size() const { return bytes_.size() / bytes_of(element_); }
    Element element() const { return element_; }

  private:
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

// Values that were quantised to 8 bits and are stored in a wider format.

struct EightBits {
    std::string_view format;  // "float8_e4m3", "float8_e5m2" or "int8"
    bool is_scaled = false;   // times a scale that is no power of two

    bool operator==(const EightBits&) const = default;
};

// float8 if every value is one of its numbers, or each times one scale of all; int8 if the values
// of each row are whole multiples of 1/127 of their largest, or all of one scale. Scaled values may
// be rounded to bfloat16 or float16. None where too few values tell: zeros and powers of two are
// numbers of every format.
std::optional<EightBits> eight_bits_of(const StridedRows& values, std::uint64_t rows,
                                       std::uint64_t columns);

// The format of values that are stored in a wider one.

// bfloat16 or float16 if every value is one of its numbers though it is stored in float32 or
// float64, as NumPy saves bfloat16. None where too few values tell: zeros and powers of two are
// numbers of every format.
std::optional<Format> narrower_format(const StridedRows& values, std::uint64_t rows,
                                      std::uint64_t columns);

}  // namespace rope
