#include <algorithm>
#include <numeric>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/reading/other_readings.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

// None where the map does not fit so many pairs.
std::optional<std::vector<std::uint32_t>> axes_of(const AxisMap& map, std::uint32_t pairs) {
    try {
        return axis_of_pairs(map, pairs);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

class OtherAxes {
  public:
    OtherAxes(Readings& all, const DumpReading& plain)
        : all_(all), plain_(plain), axes_(plain.asked.axes), count_(axis_count(axes_)) {}

    void add_scheme(AxisScheme scheme) {
        AxisMap other{scheme, sections_for(scheme)};
        if (axis_count(other) > count_) return;
        const std::string name(to_string(scheme));
        add_map(name,
                "the pairs' axes are " + name + ", not " + std::string(to_string(axes_.scheme)),
                other);
    }

    void add_single_axes() {
        for (std::uint32_t a = 0; a < count_; ++a)
            add("axis " + decimal(a), "every pair follows axis " + decimal(a),
                std::vector<std::uint32_t>(pairs(), a), axes_);
    }

    void add_orders() {
        std::vector<std::uint32_t> order(count_);
        std::iota(order.begin(), order.end(), 0U);
        while (std::next_permutation(order.begin(), order.end())) {
            std::vector<std::uint32_t> axis = plain_.axis;
            for (std::uint32_t& a : axis) a = order[a];
            const std::string names = join(order);
            add("order " + names, "axes are taken in the order " + names, std::move(axis), axes_);
        }
    }

    void add_orders_of_sections() {
        if (axes_.sections.size() < 2) return;
        AxisMap other = axes_;
        std::sort(other.sections.begin(), other.sections.end());
        do {
            const std::string names = join(other.sections);
            add_map("sections " + names, "the sections are " + names, other);
        } while (std::next_permutation(other.sections.begin(), other.sections.end()));
    }

    // Those whose frequencies are others' as well.
    void add_ladders() {
        using enum AxisScheme;
        // of two equal sections both are the same
        const AxisScheme own = axes_.sections.empty() ? axial : blocks;
        for (const AxisScheme scheme :
             {sectioned, own, interleaved, height_width_time, even_odd, alternating}) {
            const AxisMap other{scheme, sections_for(scheme)};
            if (axis_count(other) == count_ && axes_of(other, pairs()) && !has_ladders_of(other))
                add_scheme(scheme);
        }
    }

  private:
    std::uint32_t pairs() const { return plain_.asked.pairs(); }

    bool has_ladders_of(const AxisMap& other) const {
        return frequency_steps(other, pairs()) == frequency_steps(axes_, pairs());
    }

    // The Spec's, or two halves.
    std::vector<std::uint32_t> sections_for(AxisScheme scheme) const {
        using enum AxisScheme;
        const bool has_none = scheme == axial || scheme == even_odd || scheme == alternating;
        if (has_none || !axes_.sections.empty())
            return has_none ? std::vector<std::uint32_t>{} : axes_.sections;
        return {pairs() / 2, pairs() - pairs() / 2};
    }

    void add(const std::string& map, const std::string& what, std::vector<std::uint32_t> axis,
             const AxisMap& frequencies) {
        if (axis == plain_.axis && has_ladders_of(frequencies)) return;
        DumpReading other = plain_;
        other.mistakes.push_back({"axis-map", {{"map", map}}, what});
        other.axis = std::move(axis);
        if (!has_ladders_of(frequencies)) other.asked.axes = frequencies;
        all_.push_back(std::move(other));
    }

    void add_map(const std::string& map, const std::string& what, const AxisMap& other) {
        if (auto axis = axes_of(other, pairs())) add(map, what, std::move(*axis), other);
    }

    Readings& all_;
    const DumpReading& plain_;
    const AxisMap& axes_;
    std::uint32_t count_;
};

}  // namespace

void add_axis_maps(Readings& all, const DumpReading& plain) {
    if (plain.samples.positions.size() < 2 || axis_count(plain.asked.axes) < 2) return;
    OtherAxes others(all, plain);
    others.add_single_axes();
    if (is_one_ladder(plain.asked.axes)) {
        others.add_scheme(AxisScheme::sectioned);
        others.add_scheme(AxisScheme::interleaved);
    }
    others.add_orders();
    others.add_orders_of_sections();
    others.add_ladders();
}

}  // namespace rope
