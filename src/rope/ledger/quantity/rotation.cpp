#include "rope/ledger/quantity/rotation.hpp"

#include <algorithm>
#include <functional>

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

Matrix2 rotation(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, -1.0 * s, c};
}

Matrix2 reflection(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, s, -1.0 * c};
}

Matrix2 identity2() { return {real(1), real(0), real(0), real(1)}; }

Row2 operator*(const Row2& v, const Matrix2& m) {
    return {v.x * m.a + v.y * m.c, v.x * m.b + v.y * m.d};
}

Matrix2 operator*(const Matrix2& m, const Matrix2& n) {
    const Row2 first = Row2{m.a, m.b} * n, second = Row2{m.c, m.d} * n;
    return {first.x, first.y, second.x, second.y};
}

Matrix2 transposed(const Matrix2& m) { return {m.a, m.c, m.b, m.d}; }

BigReal determinant(const Matrix2& m) { return m.a * m.d - m.b * m.c; }

BigReal dot(const Row2& v, const Row2& w) { return v.x * w.x + v.y * w.y; }

BigReal distance(const Matrix2& m, const Matrix2& n) {
    const BigReal differences[] = {absolute(m.a - n.a), absolute(m.b - n.b), absolute(m.c - n.c),
                                   absolute(m.d - n.d)};
    return *std::ranges::max_element(differences, std::less<>{});
}

BigReal rounding_residue() { return real(0x1p-300); }

}  // namespace rope::ledger
