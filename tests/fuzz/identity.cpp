// A dump is identified as the Spec that made it, or as one with the same numbers.
#include "tests/fuzz/specs.hpp"

namespace rope::fuzz {
namespace {

std::vector<double> some_positions(Draw& draw) {
    std::vector<double> positions;
    const std::uint64_t count = 2 + draw.below(48);
    for (std::uint64_t m = 0; m < count; ++m) positions.push_back(static_cast<double>(m));
    for (std::uint64_t far = draw.below(8); far > 0; --far)
        positions.push_back(static_cast<double>(count + draw.below(4096)));
    return positions;
}

bool is_right(const Identity& found, const Spec& spec) {
    return rotate_alike(found.spec, spec) ||
           std::ranges::any_of(found.also,
                               [&](const Spec& other) { return rotate_alike(other, spec); });
}

// Another identification must be simpler, and may exceed the tolerances of checks a little.
void require_nearly_right(const Spec& found, const Dump& dump, const std::string& what) {
    const Report report = compare(found, dump, {}, one_thread());
    for (const Finding& finding : report.findings)
        require(finding.verdict != Verdict::violated || finding.observed <= 2 * finding.allowed,
                what + ": " + violated(report) + named(report));
}

}  // namespace

void try_input(Bytes input) {
    constexpr Format formats[] = {Format::float32,
                                  Format::float64};  // 16 bits distinguish fewer Specs
    Draw draw(input);
    const Spec spec = drawn_spec(draw);
    if (spec.pairs() < 4) return;  // several formulas fit so few pairs
    const Format format = draw.one_of(formats);
    const std::vector<double> positions = some_positions(draw);
    const Dump dump = draw.one_in(2) ? Dump(vectors_of(spec, {positions}, {positions}, format))
                                     : Dump(table_of(spec, {positions}, {positions}, format));
    const Spec known[] = {spec};
    const Identity found = identify_judged(dump, known);
    const std::string what = words_of(spec) + " identified as " + words_of(found.spec);
    const bool is_whole = spec.head_dim == spec.rotary_dim;
    require(found.fits || !is_whole, what + ", which does not fit");
    if (!found.fits || is_right(found, spec)) return;
    require_nearly_right(found.spec, dump, what);
}

}  // namespace rope::fuzz
