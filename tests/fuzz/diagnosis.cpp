// Of a dump with one fault nothing is named but that fault, or what makes the same numbers.
#include "rope/diagnose/diagnosis.hpp"

#include <optional>

#include "rope/frequency/difference.hpp"
#include "tests/fuzz/specs.hpp"

namespace rope::fuzz {
namespace {

struct Faulty {
    Dump dump;
    std::string fault;
};

std::vector<double> drawn_positions(Draw& draw) {
    std::vector<double> positions;
    for (int m = 0; m < 24; ++m) positions.push_back(m);
    for (int far = 0; far < 8; ++far)
        positions.push_back(static_cast<double>(24 + draw.below(4096)));
    return positions;
}

Dump made(const Spec& spec, bool of_vectors, const std::vector<double>& made_at,
          const std::vector<double>& positions, Format format) {
    if (of_vectors) return vectors_of(spec, made_at, positions, format);
    return table_of(spec, made_at, positions, format);
}

Faulty inject(Draw& draw, const Spec& spec) {
    const std::vector<double> positions = drawn_positions(draw);
    // 16 bits leave room for other explanations of every value
    const Format format = draw.one_in(3) ? Format::float64 : Format::float32;
    const bool of_vectors = draw.one_in(2);
    std::vector<double> next = positions;
    for (double& m : next) m += 1;
    Spec other = spec;
    switch (draw.below(5)) {
        case 0:
            return {made(spec, of_vectors, positions, positions, format), ""};
        case 1:
            return {made(spec, of_vectors, next, positions, format), "position-offset"};
        case 2:
            other.layout = spec.layout == PairLayout::half_split ? PairLayout::interleaved
                                                                 : PairLayout::half_split;
            return {made(other, true, positions, positions, format), "pair-layout"};
        case 3:
            other.rope_theta = spec.rope_theta * (draw.one_in(2) ? 50 : 3);
            validate(other);
            if (differing(difference(spec, other, {})).empty()) throw InputError("no base is used");
            return {made(other, of_vectors, positions, positions, format), "base"};
        default: {
            RotatedDump still = vectors_of(spec, positions, positions, format);
            still.after = still.before;
            return {still, "not-rotated"};
        }
    }
}

bool is_named(const Explanation& one, const std::string& fault) {
    const auto is_it = [&](const std::string& name) { return name.starts_with(fault); };
    return one.mistake == fault || std::ranges::any_of(one.equivalent, is_it) ||
           std::ranges::any_of(one.also_fits, is_it);
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    const Spec spec = drawn_spec(draw);
    if (spec.pairs() < 4) return;
    const Faulty faulty = inject(draw, spec);
    const Report report = compare(spec, faulty.dump, {}, one_thread());
    const std::string what =
        words_of(spec) + " with " + faulty.fault + ": " + violated(report) + named(report);
    require(!faulty.fault.empty() || violated(report).empty(), what);
    for (const Explanation& one : report.diagnosis) require(is_named(one, faulty.fault), what);
}

}  // namespace rope::fuzz
