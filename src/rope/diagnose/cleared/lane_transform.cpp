#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/sampled_vectors.hpp"
#include "rope/number/format.hpp"
#include "rope/number/hadamard.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

using Vector = std::vector<double>;

class TransformedLanes {
  public:
    TransformedLanes(const Spec& spec, const RotatedDump& dump, std::size_t lanes, bool is_before)
        : spec_(spec), dump_(dump), lanes_(lanes), is_before_(is_before) {}

    bool is_found() const {
        constexpr std::size_t least = 4;
        std::vector<SampledVector> sampled = sampled_vectors(JoinedHeads(dump_));
        return sampled.size() >= least && std::ranges::all_of(sampled, [&](SampledVector& each) {
                   if (keeps_pairs(each)) return false;
                   transform_lanes(each);
                   return keeps_pairs(each);
               });
    }

    Cleared cleared() const {
        RotatedDump changed = dump_;
        change(changed);
        const std::string of = lanes_ == spec_.head_dim ? "all " : "each ";
        // a pair's rounding is of its row's size, and the smallest pairs are a quarter of it
        return {{"lane-transform",
                 {{"applied", std::string(is_before_ ? "before" : "after")},
                  {"lanes", std::uint64_t{lanes_}}},
                 "a Hadamard transform of " + of + decimal(lanes_) + " lanes " +
                     (is_before_ ? "precedes" : "follows") + " the rotation"},
                std::move(changed),
                16};
    }

  private:
    void transform_lanes(SampledVector& one) const {
        const std::span<double> all = is_before_ ? one.before : one.after;
        for (std::size_t from = 0; from < all.size(); from += lanes_)
            hadamard_transform(all.subspan(from, lanes_));
    }

    // Of its lanes, where the norm is that of x.
    static double root_mean_square(const Vector& x) {
        double squares = 0;
        for (const double each : x) squares += each * each;
        return std::sqrt(squares / static_cast<double>(x.size()));
    }

    double tolerance(const Vector& x) const {
        return 16 * half_spacing(dump_.format, 1) * root_mean_square(x);
    }

    bool keeps_pairs(const SampledVector& one) const {
        const double factor = root_mean_square(one.after) / root_mean_square(one.before);
        const double allowed = tolerance(one.before);
        for (std::size_t i = 0; i < spec_.rotary_dim / 2; ++i) {
            const Lanes read = lanes_of_pair(spec_, i), written = written_lanes_of_pair(spec_, i);
            const double x = std::hypot(one.before[read.first], one.before[read.second]);
            const double y = std::hypot(one.after[written.first], one.after[written.second]);
            if (!(std::abs(y / factor - x) <= allowed)) return false;
        }
        return true;
    }

    // Pairs that are small beside their row are left out, as those are that are zero; lanes that do
    // not rotate become what they are on the other side, where they are within rounding of it.
    void change(RotatedDump& changed) const {
        constexpr double small = 0.25;
        Vector before, after;
        SampledVector one{0, Vector(spec_.head_dim), Vector(spec_.head_dim)};
        const std::vector<std::size_t> passed = passed_lanes(spec_);
        for (std::size_t row = 0; row < dump_.positions.size(); ++row) {
            dump_.before.read(row, 0, spec_.head_dim, one.before.data());
            dump_.after.read(row, 0, spec_.head_dim, one.after.data());
            transform_lanes(one);
            const double size = root_mean_square(one.before), allowed = tolerance(one.before);
            for (std::size_t i = 0; i < spec_.rotary_dim / 2; ++i) {
                const Lanes read = lanes_of_pair(spec_, i),
                            written = written_lanes_of_pair(spec_, i);
                if (!(std::hypot(one.before[read.first], one.before[read.second]) < small * size))
                    continue;
                one.before[read.first] = one.before[read.second] = 0;
                one.after[written.first] = one.after[written.second] = 0;
            }
            for (const std::size_t lane : passed)
                if (std::abs(one.after[lane] - one.before[lane]) <= allowed)
                    one.after[lane] = one.before[lane];
            before.insert(before.end(), one.before.begin(), one.before.end());
            after.insert(after.end(), one.after.begin(), one.after.end());
        }
        changed.before = StridedRows(std::move(before), spec_.head_dim);
        changed.after = StridedRows(std::move(after), spec_.head_dim);
    }

    const Spec& spec_;
    const RotatedDump& dump_;
    std::size_t lanes_;
    bool is_before_;
};

}  // namespace

void clear_of_transform(const Spec& asked, const RotatedDump& dump,
                        const IsExplained& is_explained) {
    constexpr std::size_t least = 16;
    if (dump.positions.size() * asked.head_dim > most_changed_lanes) return;
    std::size_t lanes = 1;
    while (asked.head_dim % (2 * lanes) == 0) lanes *= 2;
    // H of all lanes undone by that of each half keeps the norms of half_split pairs, and is
    // refused
    for (const Spec& spec : in_both_layouts(asked))
        for (std::size_t each = lanes; each >= least; each /= 2)
            for (const bool is_before : {false, true}) {
                const TransformedLanes transformed(spec, dump, each, is_before);
                if (transformed.is_found() && is_explained(transformed.cleared())) return;
            }
}

}  // namespace rope
