// Rotations of a pair, written as the articles do: a row vector times a matrix.
#pragma once

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

struct Row2 {
    BigReal x, y;
};

// [[a, b], [c, d]]
struct Matrix2 {
    BigReal a, b, c, d;
};

Matrix2 rotation(const BigReal& angle);    // [[cos, sin], [−sin, cos]]
Matrix2 reflection(const BigReal& angle);  // [[cos, sin], [sin, −cos]]
Matrix2 identity2();

Row2 operator*(const Row2& v, const Matrix2& m);
Matrix2 operator*(const Matrix2& m, const Matrix2& n);
Matrix2 transposed(const Matrix2& m);
BigReal determinant(const Matrix2& m);
BigReal dot(const Row2& v, const Row2& w);

// The largest difference of two entries.
BigReal distance(const Matrix2& m, const Matrix2& n);

// What rounding leaves of an identity between numbers of order 1 at 320 bits.
BigReal rounding_residue();

}  // namespace rope::ledger
