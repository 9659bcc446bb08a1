#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/sampled_vectors.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

// ln of what multiplies pair i at position m is ln ζ_i·(m − c)/s; s is negative for k.
struct XposScale {
    double s, c;
    double times(double log_zeta, double position) const { return log_zeta * (position - c) / s; }
};

double log_zeta(const Spec& spec, std::size_t pair) {
    return portable::log((2.0 * static_cast<double>(pair) / spec.rotary_dim + 0.4) / 1.4);
}

class XposFit {
  public:
    XposFit(const Spec& spec, const RotatedDump& dump)
        : spec_(spec), dump_(dump), sampled_(sampled_vectors(JoinedHeads(dump))) {}

    // Least squares of ln|y|/|x| = ln ζ_i·(a·m + b), of which s = 1/a and c = −b/a are usual
    // numbers where they may be.
    std::optional<XposScale> found() const {
        double w = 0, m1 = 0, m2 = 0, e = 0, me = 0;
        each_pair([&](double position, double zeta, double ratio) {
            w += zeta * zeta, m1 += zeta * zeta * position, m2 += zeta * zeta * position * position;
            e += zeta * ratio, me += zeta * ratio * position;
            return true;
        });
        const double a = (w * me - m1 * e) / (w * m2 - m1 * m1), b = (e - a * m1) / w;
        if (!(std::abs(a) > 1e-6 && std::abs(a) < 1)) return std::nullopt;
        const double usual = std::copysign(512, a);
        const XposScale scale{std::abs(a * usual - 1) < 0.02 ? usual : few_digits(1 / a, 1e-3),
                              std::round(-2 * b / a) / 2 + 0.0};
        const double allowed = 16 * half_spacing(dump_.format, 1);
        const bool fits = each_pair([&](double position, double zeta, double ratio) {
            return std::abs(ratio - scale.times(zeta, position)) <= allowed;
        });
        return fits ? std::optional(scale) : std::nullopt;
    }

  private:
    // Its position, ln ζ_i and ln|y|/|x|, until it is told to stop.
    template <class Look>
    bool each_pair(const Look& look) const {
        for (const SampledVector& one : sampled_)
            for (std::size_t i = 0; i < spec_.pairs(); ++i) {
                const Lanes read = lanes_of_pair(spec_, i),
                            written = written_lanes_of_pair(spec_, i);
                const double x = portable::hypot(one.before[read.first], one.before[read.second]);
                const double y =
                    portable::hypot(one.after[written.first], one.after[written.second]);
                if (x == 0 && y == 0) continue;
                if (!(x > 0 && y > 0) ||
                    !look(dump_.positions[one.row], log_zeta(spec_, i), portable::log(y / x)))
                    return false;
            }
        return true;
    }

    const Spec& spec_;
    const RotatedDump& dump_;
    std::vector<SampledVector> sampled_;
};

StridedRows without(const XposScale& scale, const Spec& spec, const RotatedDump& dump) {
    std::vector<double> all(dump.positions.size() * spec.head_dim);
    for (std::size_t row = 0; row < dump.positions.size(); ++row) {
        double* const y = all.data() + row * spec.head_dim;
        dump.after.read(row, 0, spec.head_dim, y);
        for (std::size_t i = 0; i < spec.pairs(); ++i) {
            const auto [first, second] = written_lanes_of_pair(spec, i);
            const double by = portable::exp(scale.times(log_zeta(spec, i), dump.positions[row]));
            y[first] /= by;
            y[second] /= by;
        }
    }
    return {std::move(all), spec.head_dim};
}

}  // namespace

std::optional<Cleared> cleared_of_xpos(const Spec& asked, const RotatedDump& dump) {
    if (!dump.more_positions.empty() || asked.pairs() < 4 ||
        dump.positions.size() * asked.head_dim > most_changed_lanes)
        return std::nullopt;
    const auto scale = XposFit(asked, dump).found();
    if (!scale) return std::nullopt;
    const std::string centre = decimal(scale->c), base = decimal(scale->s);
    Cleared cleared{{"vector-scale",
                     {{"rule", std::string("xpos")}, {"base", scale->s}, {"centre", scale->c}},
                     "pair i is multiplied by ((2i/d + 0.4)/1.4)^((m − " + centre + ")/" + base +
                         "), as xPos does: --xpos " + decimal(std::abs(scale->s)) + ":" + centre},
                    dump,
                    4};
    std::get<RotatedDump>(cleared.dump).after = without(*scale, asked, dump);
    return cleared;
}

}  // namespace rope
