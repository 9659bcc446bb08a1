// Diagnoses dumps with one position axis and one fault.
#include "rope/diagnose/diagnosis.hpp"

#include <algorithm>
#include <string>

#include "rope/spec/spectrum.hpp"
#include "tests/fuzz/specs.hpp"

namespace rope::fuzz {
namespace {

// Dumps with faults, and the names that their diagnosis may give.

struct Faulty {
    Dump dump;
    std::vector<std::string> faults;  // names of mistakes
};

Dump dump_of(const Spec& spec, bool of_vectors, const PositionsByAxis& made_at,
             const PositionsByAxis& positions, Format format) {
    if (of_vectors) return vectors_of(spec, made_at, positions, format);
    return table_of(spec, made_at, positions, format);
}

bool is_named(const Explanation& one, const std::string& fault) {
    const auto is_it = [&](const std::string& name) { return name.starts_with(fault); };
    return one.mistake == fault || std::ranges::any_of(one.equivalent, is_it) ||
           std::ranges::any_of(one.also_fits, is_it);
}

// The diagnosis names only these faults, or mistakes with the same numbers; for a right dump,
// nothing.
void require_no_false_name(const Spec& spec, const Faulty& faulty) {
    const Report report = compare(spec, faulty.dump, {}, one_thread());
    std::string what = words_of(spec) + " with";
    for (const std::string& fault : faulty.faults) what += " " + fault;
    what += ": " + violated(report) + named(report);
    require(!faulty.faults.empty() || violated(report).empty(), what);
    for (const Explanation& one : report.diagnosis)
        require(std::ranges::any_of(faulty.faults,
                                    [&](const std::string& fault) { return is_named(one, fault); }),
                what);
}

std::vector<double> near_and_far_positions(Draw& draw) {
    std::vector<double> positions;
    for (int m = 0; m < 24; ++m) positions.push_back(m);
    for (int far = 0; far < 8; ++far)
        positions.push_back(static_cast<double>(24 + draw.below(4096)));
    return positions;
}

Faulty inject(Draw& draw, const Spec& spec) {
    const PositionsByAxis positions = {near_and_far_positions(draw)};
    // 16-bit values allow other explanations
    const Format format = draw.one_in(3) ? Format::float64 : Format::float32;
    const bool of_vectors = draw.one_in(2);
    PositionsByAxis next = positions;
    for (double& m : next[0]) m += 1;
    Spec other = spec;
    switch (draw.below(5)) {
        case 0:
            return {dump_of(spec, of_vectors, positions, positions, format), {}};
        case 1:
            return {dump_of(spec, of_vectors, next, positions, format), {"position-offset"}};
        case 2:
            other.layout = spec.layout == PairLayout::half_split ? PairLayout::interleaved
                                                                 : PairLayout::half_split;
            return {dump_of(other, true, positions, positions, format), {"pair-layout"}};
        case 3:
            other.rope_theta = spec.rope_theta * (draw.one_in(2) ? 50 : 3);
            validate(other);
            if (differing(difference(spec, other, {})).empty()) throw InputError("no base is used");
            return {dump_of(other, of_vectors, positions, positions, format), {"base"}};
        default: {
            RotatedDump still = vectors_of(spec, positions, positions, format);
            still.after = still.before;
            return {still, {"not-rotated"}};
        }
    }
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    const Spec spec = drawn_spec(draw);
    if (spec.pairs() < 4) return;
    require_no_false_name(spec, inject(draw, spec));
}

}  // namespace rope::fuzz
