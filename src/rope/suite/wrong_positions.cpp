#include <algorithm>
#include <cmath>

#include "rope/suite/wrong_rows.hpp"

namespace rope {
namespace {

using enum Format;

constexpr WrongRow positions_rows[] = {
    {"position-offset", plain_case, "positions are counted from 1",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return m + 1; });
     }},
    {"position-scale", plain_case, "positions are divided by 4",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return m / 4; });
     }},
    {"position-collapse", plain_case, "positions from 2048 on are 2047",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return std::min(m, 2047.0); });
     }},
    {"position-source", plain_case, "row numbers are used for positions",
     [](const FaultySubject& of) {
         return by_positions(of, [](double, std::size_t row) { return static_cast<double>(row); });
     }},
    {"position-sign", "negative-positions", "positions lose their sign",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return std::abs(m); });
     }},
    {"position-wrap", plain_case, "positions start over every 4096",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return std::fmod(m, 4096); });
     }},
    {"position-precision", plain_case, "positions are rounded to bfloat16",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return round_to(bfloat16, m); });
     }},
    {"position-precision", plain_case, "positions are rounded to float16",
     [](const FaultySubject& of) {
         return by_angles(of, [](double m, const BigReal& theta) {
             const double rounded = round_to(float16, m);
             return std::isinf(rounded) ? rounded : (theta * rounded).to_double();
         });
     }},
    {"rows-swapped", plain_case, "rows 3 and 4 are swapped",
     [](const FaultySubject& of) {
         const std::vector<double>& m = of.right.positions[0];
         return by_positions(of, [&](double own, std::size_t row) {
             return row == 3 ? m[4] : row == 4 ? m[3] : own;
         });
     }},
};

}  // namespace

std::span<const WrongRow> wrong_positions() { return positions_rows; }

}  // namespace rope
