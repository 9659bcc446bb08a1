// The diagnosis of dumps of several axes with one fault or two: grids of two, text, an image and a
// video of more.
#include <numeric>
#include <utility>

#include "tests/fuzz/faulty.hpp"

namespace rope::fuzz {
namespace {

struct AxisKind {
    AxisScheme scheme;
    std::uint32_t sections;  // 0: none are given
    std::uint32_t axes;
};
constexpr AxisKind kinds[] = {{AxisScheme::sectioned, 3, 3}, {AxisScheme::interleaved, 3, 3},
                              {AxisScheme::blocks, 3, 3},    {AxisScheme::height_width_time, 3, 3},
                              {AxisScheme::axial, 0, 2},     {AxisScheme::halves, 0, 2},
                              {AxisScheme::even_odd, 0, 2},  {AxisScheme::alternating, 0, 2}};

Spec drawn_spec_of_axes(Draw& draw) {
    constexpr double bases[] = {10000, 500000, 1000000, 5000000, 256, 100};
    const AxisKind& kind = draw.one_of(kinds);
    Spec spec;
    spec.axes.scheme = kind.scheme;
    std::uint32_t pairs =
        kind.sections == 0 ? 8 + 2 * static_cast<std::uint32_t>(draw.below(9)) : 0;
    for (std::uint32_t k = 0; k < kind.sections; ++k) {
        spec.axes.sections.push_back(4 + static_cast<std::uint32_t>(draw.below(8)));
        pairs += spec.axes.sections.back();
    }
    spec.rotary_dim = spec.head_dim = 2 * pairs;
    if (draw.one_in(4)) spec.head_dim += 2 * static_cast<std::uint32_t>(draw.below(8));
    if (draw.one_in(2)) spec.layout = PairLayout::interleaved;
    spec.rope_theta = draw.one_in(2) ? draw.between_powers(2, 7) : draw.one_of(bases);
    validate(spec);
    return spec;
}

// An id on each axis, the last two of which are those of rows and columns.
struct Sequence {
    PositionsByAxis ids;
    bool by_columns;  // whether an image's tokens go down its columns

    double next() const {
        double largest = -1;
        for (const auto& on_axis : ids)
            for (const double id : on_axis) largest = std::max(largest, id);
        return largest + 1;
    }
    void add_text(std::uint64_t tokens) {
        for (double id = next(); tokens > 0; --tokens, ++id)
            for (auto& on_axis : ids) on_axis.push_back(id);
    }
    void add_frames(std::uint64_t frames, std::uint64_t height, std::uint64_t width) {
        const double first = next();
        for (std::uint64_t t = 0; t < frames * height * width; ++t) {
            const auto token = t % (height * width);
            const auto down = by_columns ? token % height : token / width;
            const auto across = by_columns ? token / height : token % width;
            const std::uint64_t place[] = {t / (height * width), down, across};
            for (std::size_t axis = 0; axis < ids.size(); ++axis)
                ids[axis].push_back(first + static_cast<double>(place[3 - ids.size() + axis]));
        }
    }
};

PositionsByAxis drawn_ids(Draw& draw, std::uint32_t axes, bool by_columns) {
    Sequence sequence{PositionsByAxis(axes), by_columns};
    if (axes == 2) {
        sequence.add_frames(1, 4 + draw.below(6), 4 + draw.below(6));
        return sequence.ids;
    }
    sequence.add_text(8 + draw.below(9));
    sequence.add_frames(1, 3 + draw.below(4), 3 + draw.below(4));
    sequence.add_text(4 + draw.below(9));
    if (draw.one_in(2)) {
        sequence.add_frames(2 + draw.below(3), 2 + draw.below(3), 2 + draw.below(3));
        sequence.add_text(4);
    }
    return sequence.ids;
}

// Makes the ids others; what that is called.
std::string move(Draw& draw, PositionsByAxis& ids) {
    const std::size_t axis = draw.below(ids.size());
    const double by = 1 + static_cast<double>(draw.below(3));
    switch (draw.below(6)) {
        case 0:
            for (auto& on_axis : ids)
                for (double& id : on_axis) id += by;
            return "position-offset";
        case 1:
            for (double& id : ids[axis]) id += by;
            return "position-offset";
        case 2:
            for (double& id : ids[axis]) id *= 1 + by;
            return "position-scale";
        case 3:
            for (double& id : ids[axis]) id = std::min(id, 1 + by);
            return "position-collapse";
        case 4:
            for (auto& on_axis : ids) std::iota(on_axis.begin(), on_axis.end(), 0);
            return "position-source";
        default:
            std::swap(ids[axis], ids[(axis + 1) % ids.size()]);
            return "axis-map";
    }
}

// Makes pairs or frequencies others; what that is called.
std::string change(Draw& draw, Spec& spec) {
    if (draw.one_in(4)) {
        spec.direction = Direction::reverse;
        return "direction";
    }
    if (draw.one_in(2)) {
        spec.layout = spec.layout == PairLayout::half_split ? PairLayout::interleaved
                                                            : PairLayout::half_split;
        return "pair-layout";
    }
    spec.rope_theta *= draw.one_in(2) ? 50 : 3;
    return "base";
}

Faulty inject_on_axes(Draw& draw, const Spec& spec) {
    Draw again = draw;
    const PositionsByAxis ids = drawn_ids(draw, axis_count(spec.axes), false);
    // 16 bits leave room for other explanations of every value
    const Format format = draw.one_in(3) ? Format::float64 : Format::float32;
    Spec other = spec;
    PositionsByAxis made_at = ids;
    std::vector<std::string> faults;
    if (draw.one_in(8)) {
        made_at = drawn_ids(again, axis_count(spec.axes), true);
        faults = {"position-source", "axis-map"};  // of square images they are the same
    } else if (draw.one_in(2)) {
        faults.push_back(move(draw, made_at));
    }
    if (draw.one_in(2)) faults.push_back(change(draw, other));
    const bool is_of_vectors_alone =
        other.layout != spec.layout || other.direction != spec.direction;
    const bool of_vectors = is_of_vectors_alone || draw.one_in(2);
    return {dump_of(other, of_vectors, made_at, ids, format), faults};
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    const Spec spec = drawn_spec_of_axes(draw);
    require_no_false_name(spec, inject_on_axes(draw, spec));
}

}  // namespace rope::fuzz
