// Specs drawn from an input, and right dumps for them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "io/render/results.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/rope/golden_vectors.hpp"

namespace rope::fuzz {

inline constexpr std::uint64_t lengths[] = {2048, 4096, 8192, 16384, 32768, 131072, 128, 1000};

struct DrawnKey {
    Draw& draw;
    Spec& spec;

    void operator()(std::optional<double> Scaling::* member) const {
        constexpr double usual[] = {1, 2, 4, 8, 32, 0.5, 0.25, 1.5, 16, 40};
        spec.scaling.*member = draw.one_in(2) ? draw.between_powers(-1, 2) : draw.one_of(usual);
    }
    void operator()(std::optional<std::uint64_t> Scaling::* member) const {
        spec.scaling.*member = draw.one_of(lengths);
    }
    void operator()(std::optional<bool> Scaling::* member) const {
        spec.scaling.*member = draw.one_in(2);
    }
    void operator()(std::vector<double> Scaling::* member) const {
        for (std::uint32_t i = 0; i < spec.pairs(); ++i)
            (spec.scaling.*member).push_back(draw.between_powers(-0.5, 1.5));
    }
};

inline void draw_scaling(Draw& draw, const Variant& variant, Spec& spec) {
    spec.scaling.rope_type = variant.name;
    for (const UsedKey& key : variant.keys)
        if (key.is_required || draw.one_in(3)) std::visit(DrawnKey{draw, spec}, key.member);
    if (short_length(spec)) spec.seq_len = draw.one_of(lengths);
}

// A Spec with one axis. Throws InputError if the values drawn are invalid.
inline Spec drawn_spec(Draw& draw, std::uint64_t most_pairs = 16) {
    constexpr double bases[] = {10000, 500000, 1000000, 160000, 5000000, 2000, 100};
    constexpr PairLayout layouts[] = {PairLayout::half_split, PairLayout::interleaved,
                                      PairLayout::interleaved_to_half_split};
    Spec spec;
    spec.rotary_dim = static_cast<std::uint32_t>(2 * (1 + draw.below(most_pairs)));
    spec.head_dim = spec.rotary_dim;
    if (draw.one_in(4)) spec.head_dim += static_cast<std::uint32_t>(2 * draw.below(8));
    spec.layout = draw.one_of(layouts);
    spec.rope_theta = draw.one_in(2) ? draw.between_powers(1, 8) : draw.one_of(bases);
    spec.max_position_embeddings = draw.one_of(lengths);
    draw_scaling(draw, draw.one_in(2) ? draw.one_of(variants()) : variants()[0], spec);
    validate(spec);
    return spec;
}

inline std::string words_of(const Spec& spec) { return io::shell_words(io::spec_words(spec)); }

inline const SessionOptions& one_thread() {
    static const SessionOptions options = [] {
        SessionOptions all;
        all.threads = 1;
        all.claims = false;
        return all;
    }();
    return options;
}

inline StridedRows rows_of(const std::vector<double>& values, std::uint64_t columns) {
    return {values, columns};
}

// The positions on all axes except the first.
inline PositionsByAxis behind_the_first(const PositionsByAxis& positions) {
    return {positions.begin() + 1, positions.end()};
}

// The golden values at `made_at` as a dump with rows at `positions`.
inline TableDump table_of(const Spec& spec, const PositionsByAxis& made_at,
                          const PositionsByAxis& positions, Format format) {
    const GoldenVectors golden = golden_vectors_at(spec, made_at, format, {});
    return {positions[0],
            spec.pairs(),
            rows_of(golden.table.cos, spec.pairs()),
            rows_of(golden.table.sin, spec.pairs()),
            format,
            "drawn",
            behind_the_first(positions)};
}
inline RotatedDump vectors_of(const Spec& spec, const PositionsByAxis& made_at,
                              const PositionsByAxis& positions, Format format) {
    const GoldenVectors golden = golden_vectors_at(spec, made_at, format, 1);
    return {positions[0],
            rows_of(golden.q, spec.head_dim),
            rows_of(golden.q_rot, spec.head_dim),
            format,
            "drawn",
            behind_the_first(positions)};
}

inline std::string violated(const Report& report) {
    std::string all;
    for (const Finding& finding : report.findings)
        if (finding.verdict == Verdict::violated) all += finding.check + " ";
    return all;
}
inline std::string named(const Report& report) {
    std::string all;
    for (const Explanation& one : report.diagnosis) {
        all += "\n  " + one.mistake + ": " + one.what;
        for (const auto* others : {&one.equivalent, &one.also_fits})
            for (const std::string& other : *others) all += "; or " + other;
    }
    return all;
}

}  // namespace rope::fuzz
