#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/sampled_vectors.hpp"
#include "rope/diagnose/cleared/xpos.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

// By which q or k is multiplied.
struct XposScale {
    Xpos xpos;
    XposSide side;
};

class XposFit {
  public:
    XposFit(const Spec& spec, const RotatedDump& dump)
        : spec_(spec),
          dump_(dump),
          sampled_(sampled_vectors(JoinedHeads(dump))),
          logs_(xpos_logs(spec.rotary_dim)) {}

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
        const double base = 1 / std::abs(a), usual = Xpos().base, sign = a > 0 ? 1 : -1;
        const Xpos xpos{std::abs(usual / base - 1) < 0.02 ? usual : few_digits(base, 1e-3),
                        std::round(-2 * b / a) / 2 + 0.0};
        const double allowed = 16 * half_spacing(dump_.format, 1);
        const bool fits = each_pair([&](double position, double zeta, double ratio) {
            return std::abs(ratio - zeta * sign * (position - xpos.centre) / xpos.base) <= allowed;
        });
        if (!fits) return std::nullopt;
        return XposScale{xpos, a > 0 ? XposSide::query : XposSide::key};
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
                    !look(dump_.positions[one.row], logs_[i], portable::log(y / x)))
                    return false;
            }
        return true;
    }

    const Spec& spec_;
    const RotatedDump& dump_;
    std::vector<SampledVector> sampled_;
    std::vector<double> logs_;
};

// None where a scale takes numbers to where they have fewer bits.
std::optional<RotatedDump> without(const XposScale& scale, const Spec& spec,
                                   const RotatedDump& dump) {
    try {
        return without_xpos(spec, dump, scale.xpos, scale.side);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::optional<Cleared> cleared_of_xpos(const Spec& asked, const RotatedDump& dump) {
    if (!dump.more_positions.empty() || asked.pairs() < 4 ||
        dump.positions.size() * asked.head_dim > most_changed_lanes)
        return std::nullopt;
    const auto scale = XposFit(asked, dump).found();
    if (!scale) return std::nullopt;
    auto turned = without(*scale, asked, dump);
    if (!turned) return std::nullopt;
    const bool is_query = scale->side == XposSide::query;
    const std::string base = decimal(scale->xpos.base), centre = decimal(scale->xpos.centre);
    return Cleared{
        {"vector-scale",
         {{"rule", std::string("xpos")},
          {"side", std::string(is_query ? "query" : "key")},
          {"base", scale->xpos.base},
          {"centre", scale->xpos.centre}},
         "pair i is multiplied by ((2i/d + 0.4)/1.4)^(" + std::string(is_query ? "(m" : "−(m") +
             " − " + centre + ")/" + base + "), as xPos does to " + (is_query ? "q" : "k") +
             ": --xpos " + base + ":" + centre},
        *std::move(turned),
        4};
}

}  // namespace rope
