// A program that uses the installed library: exit 0 if a right table passes and a wrong one is
// diagnosed.
#include <cmath>
#include <cstdint>
#include <numeric>
#include <rope/session/session.hpp>
#include <vector>

// rows × 32 values each, row m for position m
rope::Report check(const std::vector<float>& cos, const std::vector<float>& sin) {
    const rope::Spec spec{.head_dim = 64, .rotary_dim = 64, .rope_theta = 500000};
    rope::TableDump table{.positions = std::vector<double>(cos.size() / 32),
                          .pairs = 32,
                          .cos = rope::StridedRows({cos.begin(), cos.end()}, 32),
                          .sin = rope::StridedRows({sin.begin(), sin.end()}, 32)};
    std::iota(table.positions.begin(), table.positions.end(), 0);
    return rope::compare(spec, table);
}

rope::Report check_base(double base) {
    std::vector<float> cos, sin;
    for (int m = 0; m < 512; ++m)
        for (int i = 0; i < 32; ++i) {
            const double angle = m * std::pow(base, -i / 32.0);
            cos.push_back(static_cast<float>(std::cos(angle)));
            sin.push_back(static_cast<float>(std::sin(angle)));
        }
    return check(cos, sin);
}

int main() {
    const rope::Report sound = check_base(500000), wrong = check_base(10000);
    if (rope::exit_code(sound, {}) != 0 || rope::exit_code(wrong, {}) != 1) return 1;
    return wrong.diagnosis.size() == 1 && wrong.diagnosis[0].mistake == "base" ? 0 : 2;
}
