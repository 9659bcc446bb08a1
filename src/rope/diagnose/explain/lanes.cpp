#include "rope/diagnose/explain/lanes.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/explain/mistakes.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

constexpr std::size_t most_rows = 64;

struct Application {
    PairLayout pairs, table;
    double first_sign, second_sign;  // of x_p·s in the first and the second lane of a pair
    std::string_view mistake, what;
};

constexpr std::array applications{
    Application{PairLayout::half_split, PairLayout::interleaved, -1, 1, "pair-layout",
                "rotate_half pairs lanes i and i + d/2, and the table is f0 f0 f1 f1"},
    Application{PairLayout::interleaved, PairLayout::half_split, -1, 1, "pair-layout",
                "lanes 2i and 2i + 1 are paired, and the table is cat(f, f)"},
    Application{PairLayout::half_split, PairLayout::half_split, 1, 1, "rotate-half-sign",
                "rotate_half returns cat(x2, x1) without its minus sign"},
    Application{PairLayout::interleaved, PairLayout::interleaved, 1, 1, "rotate-half-sign",
                "the first lane of a pair lacks its minus sign"},
    Application{PairLayout::half_split, PairLayout::half_split, -1, -1, "rotate-half-sign",
                "both halves have a minus sign"},
    Application{PairLayout::interleaved, PairLayout::interleaved, -1, -1, "rotate-half-sign",
                "both lanes of a pair have a minus sign"},
};

std::size_t column_of(PairLayout table, std::size_t lane, std::size_t pairs) {
    return table == PairLayout::interleaved ? lane / 2 : lane % pairs;
}

double worst_error(const RotatedDump& dump, const Spec& asked, const Frequencies& plan,
                   const Application& application, double storage) {
    const std::size_t d = asked.rotary_dim, pairs = d / 2;
    double worst = 0;
    std::size_t looked = 0;
    for (const std::size_t row : diagnostic_rows(dump.positions, true, {})) {
        if (++looked > most_rows) break;
        const auto m = static_cast<double>(dump.positions[row]);
        std::vector<double> c(pairs), s(pairs);
        for (std::size_t i = 0; i < pairs; ++i) {
            const double turns = m * plan.theta[i] / (2 * std::numbers::pi);
            const auto phase = static_cast<std::uint64_t>((turns - std::floor(turns)) * 0x1p63)
                               << 1;
            kernels().cos_sin_of_turns(1, &phase, &c[i], &s[i]);
        }
        for (std::size_t i = 0; i < pairs; ++i) {
            const Lanes lanes = lanes_of_pair(application.pairs, d, i);
            for (const bool second : {false, true}) {
                const std::size_t lane = second ? lanes.second : lanes.first;
                const std::size_t t = column_of(application.table, lane, pairs);
                const double x = dump.before.at(row, lane);
                const double partner = dump.before.at(row, second ? lanes.first : lanes.second);
                const double sign = second ? application.second_sign : application.first_sign;
                const double want = plan.amplitude * (x * c[t] + sign * partner * s[t]);
                const double drift = std::min(2.0, plan.angle_k[t] * 0x1p-24 * m * plan.theta[t]);
                const double allowed =
                    plan.amplitude * (std::abs(x) + std::abs(partner)) * (storage + drift);
                const double error = std::abs(dump.after.at(row, lane) - want);
                if (!(error <= allowed)) return std::numeric_limits<double>::infinity();
                worst = std::max(worst, allowed == 0 ? 0 : error / allowed);
            }
        }
    }
    return worst;
}

}  // namespace

std::optional<Explanation> explain_lanes(const Spec& asked, const Dump& dump, double before) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr || frequency_restarts(asked.axes) != 1 || asked.rotary_offset != 0 ||
        asked.direction != Direction::forward)
        return std::nullopt;
    const Frequencies plan = frequencies_of(asked);
    const double storage = sample_vectors(*vectors, {{}, {}, asked.head_dim}, {}).storage;
    for (const Application& application : applications) {
        const double after = worst_error(*vectors, asked, plan, application, storage);
        if (!(after <= 1)) continue;
        Explanation one;
        one.mistake = application.mistake;
        if (application.pairs != application.table)
            one.parameters = {{"pairs", std::string(to_string(application.pairs))},
                              {"table", std::string(to_string(application.table))}};
        one.what = application.what;
        one.before = before;
        one.after = after;
        one.advice = find_mistake(one.mistake).advice;
        return one;
    }
    return std::nullopt;
}

}  // namespace rope
