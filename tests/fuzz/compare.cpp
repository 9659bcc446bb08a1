// A small dump of any numbers with a Spec: its diagnosis, and its identification.
#include "io/render/results.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identify.hpp"
#include "tests/fuzz/specs.hpp"

namespace rope::fuzz {
namespace {

std::vector<double> drawn_positions(Draw& draw) {
    const std::uint64_t count = 1 + draw.below(24);
    const double first = draw.one_in(3) ? draw.within(-4e9, 4e9) : 0;
    std::vector<double> positions;
    for (std::uint64_t k = 0; k < count; ++k) positions.push_back(first + static_cast<double>(k));
    for (std::uint64_t more = draw.below(4); more > 0; --more)
        positions[draw.below(count)] = draw.one_in(2) ? draw.within(-4.2e9, 4.2e9) : 0;
    return positions;
}

// The numbers of another Spec, some of them replaced.
void spoil(Draw& draw, std::vector<double>& values) {
    constexpr double odd[] = {0, -0.0, 1, 1e300, 1e-320, HUGE_VAL, NAN};
    for (std::uint64_t more = draw.below(16); more > 0 && !values.empty(); --more) {
        const std::size_t first = draw.below(values.size());
        const std::size_t end =
            std::min(values.size(), first + (draw.one_in(4) ? draw.below(64) : 1));
        const double value = draw.one_in(2) ? draw.any_double() : draw.one_of(odd);
        for (std::size_t k = first; k < end; ++k) values[k] = value;
    }
}

RowGrid drawn_grid(Draw& draw, std::uint64_t rows) {
    RowGrid grid;
    const std::uint64_t heads = 1 + draw.below(4), length = rows / heads;
    if (rows % heads != 0) return grid;
    (draw.one_in(2) ? grid.head : grid.batch) = {heads, length};
    grid.sequence = {length, 1};
    return grid;
}

Dump drawn_dump(Draw& draw, const Spec& spec) {
    constexpr Format formats[] = {Format::float32, Format::bfloat16, Format::float16,
                                  Format::float64};
    const std::vector<double> at = drawn_positions(draw);
    const Format format = draw.one_of(formats);
    const GoldenVectors golden = golden_vectors_at(spec, {at}, format, draw.bits(1));
    const RowGrid grid = drawn_grid(draw, at.size());
    auto [c, s, q, rotated] =
        std::tuple(golden.table.cos, golden.table.sin, golden.q, golden.q_rot);
    auto inv_freq = golden.inv_freq;
    for (std::vector<double>* values : {&c, &s, &q, &rotated, &inv_freq})
        if (draw.one_in(3)) spoil(draw, *values);
    switch (draw.below(3)) {
        case 0:
            return TableDump{
                at, spec.pairs(), rows_of(c, spec.pairs()), rows_of(s, spec.pairs()), format, "x",
                {}, grid};
        case 1:
            return RotatedDump{at,
                               rows_of(q, spec.head_dim),
                               rows_of(rotated, spec.head_dim),
                               format,
                               "x",
                               {},
                               {},
                               grid};
        default:
            return FrequencyDump{inv_freq, format, "x"};
    }
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    const Spec made = drawn_spec(draw, 8);
    const Spec asked = draw.one_in(2) ? made : drawn_spec(draw, 8);
    const Dump dump = drawn_dump(draw, made);
    is_accepted([&] {
        CompareOptions how{.context = 1 + draw.below(256)};
        if (draw.one_in(3)) how.pipeline = &draw.one_of(pipelines());
        const Report report = compare(asked, dump, how, one_thread());
        require(!io::results_json({.reports = {report}}).empty(), "no JSON");
        require(!io::report_text(report, {.verbose = true}).empty(), "no text");
    });
    const Spec known[] = {asked};
    identify(dump, known);
    majority_of(dump, known);
}

}  // namespace rope::fuzz
