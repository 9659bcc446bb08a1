#include "rope/table/rotate.hpp"

#include "base/decimal.hpp"

namespace rope {
namespace {

void require(bool fits, const char* what, std::size_t got, std::size_t want) {
    if (fits) return;
    throw InputError(std::string(what) + " has " + decimal(got) + " values; it must have " +
                     decimal(want));
}

void turn_pair(Values x, Lanes from, double cos, double sin, Vector& y, Lanes to) {
    y[to.first] = x[from.first] * cos - x[from.second] * sin;
    y[to.second] = x[from.second] * cos + x[from.first] * sin;
}

}  // namespace

Vector rotate(PairLayout layout, Values x, Values cos, Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(2 * cos.size() <= x.size(), "x", x.size(), 2 * cos.size());
    Vector y(x.begin(), x.end());
    const std::size_t d = 2 * cos.size();
    for (std::size_t i = 0; i < cos.size(); ++i)
        turn_pair(x, lanes_of_pair(layout, d, i), cos[i], sin[i], y,
                  written_lanes_of_pair(layout, d, i));
    return y;
}

Vector rotate(const Spec& spec, Values x, Values cos, Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(cos.size() == spec.pairs(), "cos", cos.size(), spec.pairs());
    require(x.size() == spec.head_dim, "x", x.size(), spec.head_dim);
    Vector y(x.begin(), x.end());
    for (std::size_t i = 0; i < cos.size(); ++i)
        turn_pair(x, lanes_of_pair(spec, i), cos[i], sin[i], y, written_lanes_of_pair(spec, i));
    return y;
}

Vector rotate_half_duplicated(Values x, Values cos, Values sin) {
    const std::size_t d = cos.size();
    require(sin.size() == d, "sin", sin.size(), d);
    require(d % 2 == 0, "cos", d, d + 1);
    require(d <= x.size(), "x", x.size(), d);
    Vector half(d);  // rotate_half(x) = cat(−x2, x1)
    for (std::size_t j = 0; j < d / 2; ++j) {
        half[j] = -x[j + d / 2];
        half[j + d / 2] = x[j];
    }
    Vector y(x.begin(), x.end());
    for (std::size_t j = 0; j < d; ++j) y[j] = x[j] * cos[j] + half[j] * sin[j];
    return y;
}

Vector rotate_stacked(Values x, Values cos_sin) {
    require(cos_sin.size() % 2 == 0, "rope_cache", cos_sin.size(), cos_sin.size() + 1);
    require(cos_sin.size() <= x.size(), "x", x.size(), cos_sin.size());
    Vector y(x.begin(), x.end());
    for (std::size_t j = 0; j < cos_sin.size(); j += 2) {
        y[j] = x[j] * cos_sin[j] - x[j + 1] * cos_sin[j + 1];
        y[j + 1] = x[j + 1] * cos_sin[j] + x[j] * cos_sin[j + 1];
    }
    return y;
}

Vector rotate_complex(Values x, std::span<const std::complex<double>> freqs_cis) {
    require(2 * freqs_cis.size() <= x.size(), "x", x.size(), 2 * freqs_cis.size());
    Vector y(x.begin(), x.end());
    for (std::size_t i = 0; i < freqs_cis.size(); ++i) {
        const std::complex<double> z = std::complex(x[2 * i], x[2 * i + 1]) * freqs_cis[i];
        y[2 * i] = z.real();
        y[2 * i + 1] = z.imag();
    }
    return y;
}

std::vector<double> rotation_matrix(PairLayout layout, std::size_t head_dim, Values cos,
                                    Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(2 * cos.size() <= head_dim, "cos", cos.size(), head_dim / 2);
    std::vector<double> matrix(head_dim * head_dim);
    for (std::size_t j = 2 * cos.size(); j < head_dim; ++j) matrix[j * head_dim + j] = 1;
    for (std::size_t i = 0; i < cos.size(); ++i) {
        const Lanes from = lanes_of_pair(layout, 2 * cos.size(), i);
        const Lanes to = written_lanes_of_pair(layout, 2 * cos.size(), i);
        matrix[to.first * head_dim + from.first] = matrix[to.second * head_dim + from.second] =
            cos[i];
        matrix[to.first * head_dim + from.second] = -sin[i];
        matrix[to.second * head_dim + from.first] = sin[i];
    }
    return matrix;
}

Vector matrix_times_column(Values matrix, Values x) {
    require(matrix.size() == x.size() * x.size(), "matrix", matrix.size(), x.size() * x.size());
    Vector y(x.size());
    for (std::size_t row = 0; row < x.size(); ++row)
        for (std::size_t j = 0; j < x.size(); ++j) y[row] += matrix[row * x.size() + j] * x[j];
    return y;
}

Vector row_times_matrix(Values x, Values matrix) {
    require(matrix.size() == x.size() * x.size(), "matrix", matrix.size(), x.size() * x.size());
    Vector y(x.size());
    for (std::size_t column = 0; column < x.size(); ++column)
        for (std::size_t j = 0; j < x.size(); ++j)
            y[column] += x[j] * matrix[j * x.size() + column];
    return y;
}

Vector interleaved_to_half_split(Values x, std::size_t rotary_dim) {
    require(rotary_dim <= x.size(), "x", x.size(), rotary_dim);
    Vector y(x.begin(), x.end());
    for (std::size_t i = 0; i < rotary_dim / 2; ++i) {
        y[i] = x[2 * i];
        y[i + rotary_dim / 2] = x[2 * i + 1];
    }
    return y;
}

}  // namespace rope
