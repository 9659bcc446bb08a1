#include "rope/diagnose/cleared/xpos.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

// ln ζ_i as a sum, of which the first times m/512 is exact.
struct LogScale {
    double high, low;

    double times(double exponent) const {
        return portable::exp(exponent * high) * portable::exp(exponent * low);
    }
};

std::vector<LogScale> log_scales(std::uint32_t rotary_dim) {
    std::vector<LogScale> all;
    for (std::uint32_t lane = 0; lane < rotary_dim; lane += 2) {
        const double d = rotary_dim;
        const BigReal exact = natural_log(real(5.0 * lane + 2 * d) / (7 * d));
        const double high = static_cast<float>(exact.to_double());
        all.push_back({high, (exact - high).to_double()});
    }
    return all;
}

// Numbers of about 1 keep all bits of their format.
void require_range(const RotatedDump& dump, double position, double log_scale) {
    const double most = dump.format == Format::float16 ? 6 : 64;  // of float32's exponents, half
    if (std::abs(log_scale) > most)
        throw InputError("--xpos",
                         ": at position " + decimal(position) + " vectors are multiplied by e^" +
                             decimal(std::round(log_scale)) + ", beyond what " +
                             std::string(to_string(dump.format)) +
                             " keeps exact; give fewer positions, or the centre that was used");
}

}  // namespace

std::vector<double> xpos_logs(std::uint32_t rotary_dim) {
    std::vector<double> all;
    for (const LogScale& one : log_scales(rotary_dim)) all.push_back(one.high + one.low);
    return all;
}

// ζ in float32 is off by up to 3·2⁻²⁴, which its power has |exponent| times; the power, and its
// products with cos and sin, add 4·2⁻²⁴.
RotatedDump without_xpos(const Spec& spec, RotatedDump dump, const Xpos& xpos, XposSide side) {
    if (!dump.more_positions.empty() || spec.axes.scheme != AxisScheme::single)
        throw InputError("--xpos", ": positions have several axes; xPos has one");
    const std::vector<LogScale> logs = log_scales(spec.rotary_dim);
    const std::uint64_t lanes = spec.head_dim;
    double farthest = 0;
    std::vector<double> values(dump.positions.size() * lanes);
    for (std::size_t row = 0; row < dump.positions.size(); ++row) {
        double* to = values.data() + row * lanes;
        dump.after.read(row, 0, lanes, to);
        const double sign = side == XposSide::query ? 1 : -1;
        const double exponent = sign * (dump.positions[row] - xpos.centre) / xpos.base;
        farthest = std::max(farthest, std::abs(exponent));
        require_range(dump, dump.positions[row], exponent * logs.front().high);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [first, second] = written_lanes_of_pair(spec, i);
            const double scale = logs[i].times(exponent);
            to[first] /= scale;
            to[second] /= scale;
        }
    }
    dump.scale_rounding = (3 * farthest + 4) * 0x1p-24;
    dump.after = StridedRows(std::move(values), lanes);
    return dump;
}

}  // namespace rope
