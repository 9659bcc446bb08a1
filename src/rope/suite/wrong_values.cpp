#include <limits>

#include "rope/suite/wrong_rows.hpp"

namespace rope {
namespace {

using enum Format;
using Frequencies = std::vector<PlannedFrequency>;

double in_steps(double m, const BigReal& theta) {
    constexpr double last_step = 0x1p20;  // after which the angle is right
    if (m > last_step) return (theta * m).to_double();
    const auto step = static_cast<float>(theta.to_double());
    float angle = 0;
    for (std::uint32_t at = 0; at < m; ++at) angle += step;
    return static_cast<double>(angle);
}

constexpr WrongRow values_rows[] = {
    {"inv-freq-precision", plain_case, "inv_freq is rounded to bfloat16",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) {
             for (PlannedFrequency& pair : pairs) {
                 pair.inv_freq =
                     BigReal(round_to(bfloat16, pair.inv_freq.to_double()), exact_precision);
                 pair.turn.reset();
             }
         });
     }},
    {"angle-precision", plain_case, "the angle is rounded to bfloat16",
     [](const FaultySubject& of) {
         return by_angles(of, [](double m, const BigReal& theta) {
             return round_to(bfloat16, (theta * m).to_double());
         });
     }},
    {"table-precision", plain_case, "cos and sin are rounded to bfloat16",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double) {
             return TableEntry{round_to(bfloat16, z.cos), round_to(bfloat16, z.sin)};
         });
     }},
    {"recurrence", plain_case, "theta is added up in float32, position by position",
     [](const FaultySubject& of) { return by_angles(of, in_steps); }},
    {"table-truncated", plain_case, "cos and sin are 0 from position 2048 on",
     [](const FaultySubject& of) {
         return by_entries(of,
                           [](TableEntry z, double m) { return m < 2048 ? z : TableEntry{0, 0}; });
     }},
    {"uninitialised", plain_case, "NaN from position 4096 on",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double m) {
             constexpr double lost = std::numeric_limits<double>::quiet_NaN();
             return m < 4096 ? z : TableEntry{lost, lost};
         });
     }},
};

}  // namespace

std::span<const WrongRow> wrong_values() { return values_rows; }

}  // namespace rope
