// Faulty rotations of a case's vectors: rows × head_dim float32 numbers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/exact/elementary.hpp"
#include "rope/exact/phase.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/readings.hpp"
#include "rope/suite/suite.hpp"

namespace rope {
namespace {

struct FaultySubject {
    const SuiteCase& right;
    const std::vector<double>& x;
};
using Answer = std::vector<double>;
using Frequencies = std::vector<PlannedFrequency>;

RotaryTable table_of(const SuiteCase& right, const FrequencyPlan& plan) {
    std::vector<std::uint64_t> positions(right.positions[0].begin(), right.positions[0].end());
    return build_table(plan, std::move(positions), Format::float64);
}

FrequencyPlan plan_of(const FaultySubject& subject) {
    return plan_frequencies(subject.right.spec, exact_precision);
}

void rotate_pair(double& x1, double& x2, double cos, double sin) {
    const double y1 = x1 * cos - x2 * sin;
    x2 = x2 * cos + x1 * sin;
    x1 = y1;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();  // the same sign on all machines

double stored(double y) { return std::isnan(y) ? nan : round_to(Format::float32, y); }

// Calls visit(position, pair, cos, sin) for each entry.
template <class Visit>
void for_each_entry(RotaryTable& table, const Visit& visit) {
    for (std::size_t k = 0; k < table.cos.size(); ++k)
        visit(static_cast<double>(table.positions[k / table.pairs]), k % table.pairs, table.cos[k],
              table.sin[k]);
}

// Computes in float64 and rounds once at the end. map(x1, x2, cos, sin) rotates a pair.
template <auto map = rotate_pair>
Answer turned(const FaultySubject& subject, const RotaryTable& table) {
    const Spec& spec = subject.right.spec;
    Answer y = subject.x;
    for (std::size_t k = 0; k < table.cos.size(); ++k) {
        const std::size_t row = k / table.pairs * spec.head_dim, i = k % table.pairs;
        const Dimensions from = dimensions_of_pair(spec, i),
                         to = written_dimensions_of_pair(spec, i);
        double x1 = subject.x[row + from.first], x2 = subject.x[row + from.second];
        map(x1, x2, table.cos[k], table.sin[k]);
        y[row + to.first] = stored(x1);
        y[row + to.second] = stored(x2);
    }
    return y;
}

template <auto map>
Answer by_pairs(const FaultySubject& subject) {
    return turned<map>(subject, table_of(subject.right, plan_of(subject)));
}

// change(spec) alters the Spec.
template <auto change>
Answer by_spec(const FaultySubject& subject) {
    Spec spec = subject.right.spec;
    change(spec);
    return GoldenRows(spec, Format::float32).rotated(subject.right.positions, subject.x);
}

constexpr auto right = by_spec<[](Spec&) {}>;

// change(y, i/d) alters dimension i of d after the rotation.
template <auto change>
Answer by_dimensions(const FaultySubject& subject) {
    Answer y = right(subject);
    const std::uint32_t dimensions = subject.right.spec.head_dim;
    for (std::size_t k = 0; k < y.size(); ++k)
        change(y[k], static_cast<double>(k % dimensions) / dimensions);
    return y;
}

// change(m, row) returns the position to use.
template <auto change>
Answer by_positions(const FaultySubject& subject) {
    PositionsByAxis positions = subject.right.positions;
    for (std::vector<double>& axis : positions)
        for (std::size_t row = 0; row < axis.size(); ++row) axis[row] = change(axis[row], row);
    return GoldenRows(subject.right.spec, Format::float32).rotated(positions, subject.x);
}

// change(pairs) alters the frequencies; positions are integers from 0 on one axis, as below.
template <auto change>
Answer by_frequencies(const FaultySubject& subject) {
    FrequencyPlan plan = plan_of(subject);
    change(plan.pairs);
    for (PlannedFrequency& pair : plan.pairs) pair.turn.reset();
    return turned(subject, table_of(subject.right, plan));
}

// angle(m, θ) returns the angle whose cos and sin are used.
template <auto angle>
Answer by_angles(const FaultySubject& subject) {
    const FrequencyPlan plan = plan_of(subject);
    RotaryTable table = table_of(subject.right, plan);
    for_each_entry(table, [&](double m, std::size_t pair, double& cos, double& sin) {
        const double phi = angle(m, plan.pairs[pair].inv_freq);
        if (std::isfinite(phi))
            rounded_cos_sin(BigReal(phi, exact_precision), plan.amplitude, Format::float64, cos,
                            sin);
        else
            cos = sin = nan;
    });
    return turned(subject, table);
}

// change(cos, sin, m) alters the table before the rotation.
template <auto change>
Answer by_entries(const FaultySubject& subject) {
    RotaryTable table = table_of(subject.right, plan_of(subject));
    for_each_entry(table,
                   [&](double m, std::size_t, double& cos, double& sin) { change(cos, sin, m); });
    return turned(subject, table);
}

double in_steps(double m, const BigReal& theta) {
    constexpr double last_step = 0x1p20;  // beyond it the angle is exact
    if (m > last_step) return (theta * m).to_double();
    const auto step = static_cast<float>(theta.to_double());
    float angle = 0;
    for (std::uint32_t at = 0; at < m; ++at) angle += step;
    return static_cast<double>(angle);
}

struct WrongRow {
    std::string_view mistake, what;
    Answer (*answer)(const FaultySubject& subject);
    std::string_view of_case = "default-half";
    SuiteOutput output = SuiteOutput::q_rot;
};

using enum Format;

constexpr WrongRow rows[] = {
    // pairing and signs
    {"pair-layout", "pairs are interleaved",
     by_spec<[](Spec& spec) { spec.layout = PairLayout::interleaved; }>},
    {"direction", "every pair rotates by -m*theta",
     by_spec<[](Spec& spec) { spec.direction = Direction::reverse; }>},
    {"direction", "the gradient is rotated by +m*theta", right, "default-half", SuiteOutput::dx},
    {"cos-sin-swapped", "cos and sin are swapped",
     by_entries<[](double& c, double& s, double) { std::swap(c, s); }>},
    {"table-indexing", "cos is read for sin",
     by_entries<[](double& c, double& s, double) { s = c; }>},
    {"sign", "cos is negated", by_entries<[](double& c, double&, double) { c = -c; }>},
    {"rotate-half-sign", "rotate_half returns (x2, x1)",
     by_pairs<[](double& x1, double& x2, double c, double s) {
         const double y1 = x1 * c + x2 * s;
         x2 = x2 * c + x1 * s;
         x1 = y1;
     }>},
    {"rotated-in-place", "x2 is computed from the new x1",
     by_pairs<[](double& x1, double& x2, double c, double s) {
         x1 = x1 * c - x2 * s;
         x2 = x2 * c + x1 * s;
     }>},
    {"rotary-dim", "all 16 dimensions rotate, not the first 8",
     by_spec<[](Spec& spec) { spec.rotary_dim = spec.head_dim; }>, "partial-half"},
    {"rotary-dim", "the last 8 dimensions rotate, not the first",
     by_spec<[](Spec& spec) { spec.rotary_offset = 8; }>, "partial-half"},
    {"dimension-scale", "dimension i of d is multiplied by 1 + i/d, as by a norm's weights",
     by_dimensions<[](double& y, double share) { y *= 1 + share; }>},
    {"dimension-shift", "i/d is added to dimension i of d, as by a bias",
     by_dimensions<[](double& y, double share) { y += share; }>},
    {"hadamard", "a Hadamard transform of all dimensions follows the rotation",
     [](const FaultySubject& of) {
         Answer y = right(of);
         const std::uint32_t dimensions = of.right.spec.head_dim;
         for (std::size_t k = 0; k < y.size(); k += dimensions)
             hadamard_transform(std::span(y).subspan(k, dimensions));
         return y;
     }},
    {"vector-scale", "1 + 0.1*ln(1 + floor(m/4096)) multiplies the rotated vectors",
     by_entries<[](double& c, double& s, double m) {
         const double scale = 1 + 0.1 * portable::log(1 + std::floor(m / 4096));
         c *= scale;
         s *= scale;
     }>},
    {"rotated-twice", "R(m) is applied twice",
     by_positions<[](double m, std::size_t) { return 2 * m; }>},
    {"not-rotated", "the answer is q", [](const FaultySubject& of) { return of.x; }},
    {"axis-map", "sections are interleaved",
     by_spec<[](Spec& spec) { spec.axes.scheme = AxisScheme::interleaved; }>, "sectioned-half"},
    // frequencies from a config or its reader
    {"base", "rope_theta is 500000, not 10000",
     by_spec<[](Spec& spec) { spec.rope_theta = 500000; }>},
    {"exponent-divisor", "exponents are 2i/head_dim, not 2i/rotary_dim",
     by_frequencies<[](Frequencies& pairs) {
         for (PlannedFrequency& pair : pairs)  // head_dim is twice rotary_dim
             mpfr_sqrt(pair.inv_freq.raw(), pair.inv_freq.raw(), MPFR_RNDN);
     }>,
     "partial-half"},
    {"exponent-start", "exponents start at 2/d", by_frequencies<[](Frequencies& pairs) {
         const BigReal step = pairs[1].inv_freq;
         for (PlannedFrequency& pair : pairs) pair.inv_freq = pair.inv_freq * step;
     }>},
    {"exponent-sign", "inv_freq is base^(2i/d)", by_frequencies<[](Frequencies& pairs) {
         for (PlannedFrequency& pair : pairs) pair.inv_freq = 1.0 / pair.inv_freq;
     }>},
    {"frequency-order", "pair i has the frequency of the i-th pair from the end",
     by_frequencies<[](Frequencies& pairs) { std::ranges::reverse(pairs); }>},
    {"inv-freq-entry", "pair 3 has twice its frequency",
     by_frequencies<[](Frequencies& pairs) { pairs[3].inv_freq = 2.0 * pairs[3].inv_freq; }>},
    {"scaling-missing", "factor 4 is not applied", by_spec<[](Spec& spec) { spec.scaling = {}; }>,
     "linear-half"},
    {"scaling-doubled", "factor 4 is applied twice",
     by_spec<[](Spec& spec) { spec.scaling.factor = 16; }>, "linear-half"},
    {"scaling-inverted", "factor 4 multiplies",
     by_spec<[](Spec& spec) { spec.scaling.factor = 0.25; }>, "linear-half"},
    {"scaling-type", "every frequency is divided by the factor",
     by_spec<[](Spec& spec) { spec.scaling.rope_type = "linear"; }>, "llama3-half"},
    {"scaling-parameter", "the trained length is 131072, not 8192", by_spec<[](Spec& spec) {
         spec.scaling.original_max_position_embeddings = spec.max_position_embeddings;
     }>,
     "llama3-half"},
    {"config-reading", "the config is read as vLLM does, which scales pair 0, too",
     by_spec<[](Spec& spec) { spec = read_as(find_reading("vllm"), spec, facts_of(spec)).spec; }>,
     "ntk-half"},
    {"attention-factor", "cos and sin are not multiplied by it",
     by_spec<[](Spec& spec) { spec.scaling.attention_factor = 1; }>, "yarn-half"},
    // positions
    {"position-offset", "positions are counted from 1",
     by_positions<[](double m, std::size_t) { return m + 1; }>},
    {"position-scale", "positions are divided by 4",
     by_positions<[](double m, std::size_t) { return m / 4; }>},
    {"position-collapse", "positions from 2048 on are 2047",
     by_positions<[](double m, std::size_t) { return std::min(m, 2047.0); }>},
    {"position-source", "row numbers are used for positions",
     by_positions<[](double, std::size_t row) { return static_cast<double>(row); }>},
    {"position-sign", "positions lose their sign",
     by_positions<[](double m, std::size_t) { return std::abs(m); }>, "negative-positions"},
    {"position-wrap", "positions start over every 4096",
     by_positions<[](double m, std::size_t) { return std::fmod(m, 4096); }>},
    {"position-precision", "positions are rounded to bfloat16",
     by_positions<[](double m, std::size_t) { return round_to(bfloat16, m); }>},
    {"position-precision", "positions are rounded to float16",
     by_angles<[](double m, const BigReal& theta) {
         const double rounded = round_to(float16, m);
         return std::isinf(rounded) ? rounded : (theta * rounded).to_double();
     }>},
    {"rows-swapped", "rows 3 and 4 are swapped",
     [](const FaultySubject& of) {
         SuiteCase other = of.right;
         std::swap(other.positions[0][3], other.positions[0][4]);
         return right({other, of.x});
     }},
    // number formats and memory
    {"inv-freq-precision", "inv_freq is rounded to bfloat16",
     by_frequencies<[](Frequencies& pairs) {
         for (PlannedFrequency& pair : pairs)
             pair.inv_freq =
                 BigReal(round_to(bfloat16, pair.inv_freq.to_double()), exact_precision);
     }>},
    {"angle-precision", "the angle is rounded to bfloat16",
     by_angles<[](double m, const BigReal& theta) {
         return round_to(bfloat16, (theta * m).to_double());
     }>},
    {"table-precision", "cos and sin are rounded to bfloat16",
     by_entries<[](double& c, double& s, double) {
         c = round_to(bfloat16, c);
         s = round_to(bfloat16, s);
     }>},
    {"recurrence", "theta is added up in float32, position by position", by_angles<in_steps>},
    {"table-truncated", "cos and sin are 0 from position 2048 on",
     by_entries<[](double& c, double& s, double m) {
         if (m >= 2048) c = s = 0;
     }>},
    {"uninitialised", "NaN from position 4096 on", by_entries<[](double& c, double& s, double m) {
         if (m >= 4096) c = s = nan;
     }>},
    // q and k exchanged
    {"head-order", "q_rot holds the rotation of k", right},
};

}  // namespace

std::vector<WrongAnswer> wrong_answers(std::span<const SuiteCase> cases) {
    std::vector<WrongAnswer> all;
    for (const WrongRow& row : rows) {
        const auto found = std::ranges::find(cases, row.of_case, &SuiteCase::id);
        const SuiteValues values(*found, static_cast<std::uint64_t>(found - cases.begin()));
        const bool is_of_k = row.mistake == "head-order";
        const auto& x = values.input(is_of_k ? SuiteOutput::k_rot : row.output);
        all.push_back({row.mistake, row.what, row.of_case, row.output, row.answer({*found, x})});
    }
    return all;
}

}  // namespace rope
