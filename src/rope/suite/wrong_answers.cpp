// Rotations with a fault, of a case's vectors: float32 numbers, rows × head_dim.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/exact/elementary.hpp"
#include "rope/exact/phase.hpp"
#include "rope/readings/readings.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/suite/suite.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {
namespace {

struct TableEntry {
    double cos, sin;
};

struct FaultySubject {
    const SuiteCase& right;
    const std::vector<double>& x;
};
using Answer = std::vector<double>;

RotaryTable table_of(const SuiteCase& right, const FrequencyPlan& plan) {
    std::vector<std::uint64_t> positions(right.positions[0].begin(), right.positions[0].end());
    return build_table(plan, std::move(positions), Format::float64);
}

FrequencyPlan plan_of(const FaultySubject& subject) {
    return plan_frequencies(subject.right.spec, exact_precision);
}

using PairMap = void (*)(double& x1, double& x2, const TableEntry& turn);

void rotate_pair(double& x1, double& x2, const TableEntry& turn) {
    const double y1 = x1 * turn.cos - x2 * turn.sin;
    x2 = x2 * turn.cos + x1 * turn.sin;
    x1 = y1;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();  // of one sign everywhere

double stored(double y) { return std::isnan(y) ? nan : round_to(Format::float32, y); }

// Its position, its pair, and where it is.
template <class Visit>
void for_each_entry(RotaryTable& table, const Visit& visit) {
    std::size_t k = 0;
    for (double& cos : table.cos) {
        visit(static_cast<double>(table.positions[k / table.pairs]), k % table.pairs, cos,
              table.sin[k]);
        ++k;
    }
}

// Every value in float64, rounded once at the end.
Answer turned(const FaultySubject& subject, const RotaryTable& table, PairMap map = rotate_pair) {
    const Spec& spec = subject.right.spec;
    Answer y = subject.x;
    for (std::size_t k = 0; k < table.cos.size(); ++k) {
        const std::size_t row = k / table.pairs * spec.head_dim, i = k % table.pairs;
        const Lanes from = lanes_of_pair(spec, i), to = written_lanes_of_pair(spec, i);
        double x1 = subject.x[row + from.first], x2 = subject.x[row + from.second];
        map(x1, x2, {table.cos[k], table.sin[k]});
        y[row + to.first] = stored(x1);
        y[row + to.second] = stored(x2);
    }
    return y;
}

Answer by_spec(const FaultySubject& subject, const std::function<void(Spec&)>& change) {
    Spec spec = subject.right.spec;
    change(spec);
    return GoldenRows(spec, Format::float32).rotated(subject.right.positions, subject.x);
}

Answer by_positions(const FaultySubject& subject,
                    const std::function<double(double m, std::size_t row)>& change) {
    PositionsByAxis positions = subject.right.positions;
    for (std::vector<double>& axis : positions)
        for (std::size_t row = 0; row < axis.size(); ++row) axis[row] = change(axis[row], row);
    return GoldenRows(subject.right.spec, Format::float32).rotated(positions, subject.x);
}

// Whole positions from 0 on, of one axis, for the following.
Answer by_frequencies(const FaultySubject& subject,
                      const std::function<void(std::vector<PlannedFrequency>&)>& change) {
    FrequencyPlan plan = plan_of(subject);
    change(plan.pairs);
    return turned(subject, table_of(subject.right, plan));
}

// The angle of which cos and sin are taken, at m positions of θ.
Answer by_angles(const FaultySubject& subject,
                 const std::function<double(double m, const BigReal& theta)>& angle) {
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

// cos and sin, before they turn a vector.
Answer by_entries(const FaultySubject& subject,
                  const std::function<TableEntry(TableEntry right, double m)>& change) {
    RotaryTable table = table_of(subject.right, plan_of(subject));
    for_each_entry(table, [&](double m, std::size_t, double& cos, double& sin) {
        const TableEntry entry = change({cos, sin}, m);
        cos = entry.cos;
        sin = entry.sin;
    });
    return turned(subject, table);
}

// R(m) of half-split pairs (x1, x2), which `map` turns into (y1, y2).
Answer by_pairs(const FaultySubject& subject, PairMap map) {
    return turned(subject, table_of(subject.right, plan_of(subject)), map);
}

// The explicit tables of wrong answers, by what goes wrong.

struct WrongRow {
    std::string_view mistake, of_case, what;
    Answer (*answer)(const FaultySubject& subject);
    SuiteOutput output = SuiteOutput::q_rot;
};

// The case of most of them.
inline constexpr std::string_view plain_case = "default-half";

std::span<const WrongRow> wrong_rotations();    // which lanes are paired, and with which signs
std::span<const WrongRow> wrong_frequencies();  // of a config or of its reader
std::span<const WrongRow> wrong_positions();
std::span<const WrongRow> wrong_values();  // of number formats and memory

}  // namespace

std::vector<WrongAnswer> wrong_answers(std::span<const SuiteCase> cases) {
    std::vector<WrongAnswer> all;
    for (const auto rows :
         {wrong_rotations(), wrong_frequencies(), wrong_positions(), wrong_values()})
        for (const WrongRow& row : rows) {
            const auto found = std::ranges::find(cases, row.of_case, &SuiteCase::id);
            const SuiteValues right(*found, static_cast<std::uint64_t>(found - cases.begin()));
            all.push_back({row.mistake, row.what, row.of_case, row.output,
                           row.answer({*found, right.input(row.output)})});
        }
    // two heads, q's and k's, each in the other's place
    const auto found = std::ranges::find(cases, plain_case, &SuiteCase::id);
    const SuiteValues right(*found, static_cast<std::uint64_t>(found - cases.begin()));
    all.push_back({"head-order", "q_rot holds the rotation of k", plain_case, SuiteOutput::q_rot,
                   right.answer(SuiteOutput::k_rot, Format::float32)});
    return all;
}

namespace {

constexpr WrongRow rotations_rows[] = {
    {"pair-layout", plain_case, "pairs are interleaved",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.layout = PairLayout::interleaved; });
     }},
    {"direction", plain_case, "every pair turns by -m*theta",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.direction = Direction::reverse; });
     }},
    {"direction", plain_case, "the gradient is turned by +m*theta",
     [](const FaultySubject& of) { return by_spec(of, [](Spec&) {}); }, SuiteOutput::dx},
    {"cos-sin-swapped", plain_case, "cos and sin are swapped",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double) { return TableEntry{z.sin, z.cos}; });
     }},
    {"table-indexing", plain_case, "cos is read for sin",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double) { return TableEntry{z.cos, z.cos}; });
     }},
    {"sign", plain_case, "cos is negated",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double) { return TableEntry{-z.cos, z.sin}; });
     }},
    {"rotate-half-sign", plain_case, "rotate_half returns (x2, x1)",
     [](const FaultySubject& of) {
         return by_pairs(of, [](double& x1, double& x2, const TableEntry& z) {
             const double y1 = x1 * z.cos + x2 * z.sin;
             x2 = x2 * z.cos + x1 * z.sin;
             x1 = y1;
         });
     }},
    {"rotated-in-place", plain_case, "x2 is computed from what x1 became",
     [](const FaultySubject& of) {
         return by_pairs(of, [](double& x1, double& x2, const TableEntry& z) {
             x1 = x1 * z.cos - x2 * z.sin;
             x2 = x2 * z.cos + x1 * z.sin;
         });
     }},
    {"rotary-dim", "partial-half", "all 16 dimensions turn, not the first 8",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.rotary_dim = spec.head_dim; });
     }},
    {"rotary-dim", "partial-half", "the last 8 dimensions turn, not the first",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.rotary_offset = 8; });
     }},
    {"lane-scale", plain_case, "dimension i of d is multiplied by 1 + i/d, as by a norm's weights",
     [](const FaultySubject& of) {
         Answer y = by_spec(of, [](Spec&) {});
         const std::uint32_t lanes = of.right.spec.head_dim;
         for (std::size_t k = 0; k < y.size(); ++k)
             y[k] *= 1 + static_cast<double>(k % lanes) / lanes;
         return y;
     }},
    {"lane-shift", plain_case, "i/d is added to dimension i of d, as by a bias",
     [](const FaultySubject& of) {
         Answer y = by_spec(of, [](Spec&) {});
         const std::uint32_t lanes = of.right.spec.head_dim;
         for (std::size_t k = 0; k < y.size(); ++k) y[k] += static_cast<double>(k % lanes) / lanes;
         return y;
     }},
    {"lane-transform", plain_case, "a Hadamard transform of all dimensions follows the rotation",
     [](const FaultySubject& of) {
         Answer y = by_spec(of, [](Spec&) {});
         const std::uint32_t lanes = of.right.spec.head_dim;
         for (std::size_t k = 0; k < y.size(); k += lanes)
             hadamard_transform(std::span(y).subspan(k, lanes));
         return y;
     }},
    {"vector-scale", plain_case, "1 + 0.1*ln(1 + floor(m/4096)) multiplies what is turned",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double m) {
             const double scale = 1 + 0.1 * portable::log(1 + std::floor(m / 4096));
             return TableEntry{scale * z.cos, scale * z.sin};
         });
     }},
    {"rotated-twice", plain_case, "R(m) is applied twice",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return 2 * m; });
     }},
    {"not-rotated", plain_case, "the answer is q", [](const FaultySubject& of) { return of.x; }},
    {"axis-map", "sectioned-half", "sections are interleaved",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.axes.scheme = AxisScheme::interleaved; });
     }},
};

std::span<const WrongRow> wrong_rotations() { return rotations_rows; }

using Frequencies = std::vector<PlannedFrequency>;

void set(PlannedFrequency& pair, BigReal inv_freq) {
    pair.inv_freq = std::move(inv_freq);
    pair.turn.reset();
}

constexpr WrongRow frequencies_rows[] = {
    {"base", plain_case, "rope_theta is 500000, not 10000",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.rope_theta = 500000; });
     }},
    {"exponent-divisor", "partial-half", "exponents are 2i/head_dim, not 2i/rotary_dim",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) {
             for (PlannedFrequency& pair : pairs) {
                 BigReal root(0, exact_precision);  // head_dim is twice rotary_dim
                 mpfr_sqrt(root.raw(), pair.inv_freq.raw(), MPFR_RNDN);
                 set(pair, std::move(root));
             }
         });
     }},
    {"exponent-start", plain_case, "exponents start at 2/d",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) {
             const BigReal step = pairs[1].inv_freq;
             for (PlannedFrequency& pair : pairs) set(pair, pair.inv_freq * step);
         });
     }},
    {"exponent-sign", plain_case, "inv_freq is base^(2i/d)",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) {
             for (PlannedFrequency& pair : pairs) set(pair, 1.0 / pair.inv_freq);
         });
     }},
    {"frequency-order", plain_case, "pair i has the frequency of the i-th pair from the end",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) { std::ranges::reverse(pairs); });
     }},
    {"inv-freq-entry", plain_case, "pair 3 has twice its frequency",
     [](const FaultySubject& of) {
         return by_frequencies(of,
                               [](Frequencies& pairs) { set(pairs[3], 2.0 * pairs[3].inv_freq); });
     }},
    {"scaling-missing", "linear-half", "factor 4 is not applied",
     [](const FaultySubject& of) { return by_spec(of, [](Spec& spec) { spec.scaling = {}; }); }},
    {"scaling-doubled", "linear-half", "factor 4 is applied twice",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.scaling.factor = 16; });
     }},
    {"scaling-inverted", "linear-half", "factor 4 multiplies",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.scaling.factor = 0.25; });
     }},
    {"scaling-type", "llama3-half", "every frequency is divided by the factor",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.scaling.rope_type = "linear"; });
     }},
    {"scaling-parameter", "llama3-half", "the trained length is 131072, not 8192",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) {
             spec.scaling.original_max_position_embeddings = spec.max_position_embeddings;
         });
     }},
    {"config-reading", "ntk-half", "the config is read as vLLM does, which scales pair 0, too",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) {
             spec = read_as(find_reading("vllm"), spec, facts_of(spec)).spec;
         });
     }},
    {"attention-factor", "yarn-half", "cos and sin are not multiplied by it",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.scaling.attention_factor = 1; });
     }},
};

std::span<const WrongRow> wrong_frequencies() { return frequencies_rows; }

using enum Format;

constexpr WrongRow positions_rows[] = {
    {"position-offset", plain_case, "positions are counted from 1",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return m + 1; });
     }},
    {"position-scale", plain_case, "positions are divided by 4",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return m / 4; });
     }},
    {"position-collapse", plain_case, "positions from 2048 on are 2047",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return std::min(m, 2047.0); });
     }},
    {"position-source", plain_case, "row numbers are used for positions",
     [](const FaultySubject& of) {
         return by_positions(of, [](double, std::size_t row) { return static_cast<double>(row); });
     }},
    {"position-sign", "negative-positions", "positions lose their sign",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return std::abs(m); });
     }},
    {"position-wrap", plain_case, "positions start over every 4096",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return std::fmod(m, 4096); });
     }},
    {"position-precision", plain_case, "positions are rounded to bfloat16",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return round_to(bfloat16, m); });
     }},
    {"position-precision", plain_case, "positions are rounded to float16",
     [](const FaultySubject& of) {
         return by_angles(of, [](double m, const BigReal& theta) {
             const double rounded = round_to(float16, m);
             return std::isinf(rounded) ? rounded : (theta * rounded).to_double();
         });
     }},
    {"rows-swapped", plain_case, "rows 3 and 4 are swapped",
     [](const FaultySubject& of) {
         const std::vector<double>& m = of.right.positions[0];
         return by_positions(of, [&](double own, std::size_t row) {
             return row == 3 ? m[4] : row == 4 ? m[3] : own;
         });
     }},
};

std::span<const WrongRow> wrong_positions() { return positions_rows; }

using enum Format;
using Frequencies = std::vector<PlannedFrequency>;

double in_steps(double m, const BigReal& theta) {
    constexpr double last_step = 0x1p20;  // after which the angle is right
    if (m > last_step) return (theta * m).to_double();
    const auto step = static_cast<float>(theta.to_double());
    float angle = 0;
    for (std::uint32_t at = 0; at < m; ++at) angle += step;
    return static_cast<double>(angle);
}

constexpr WrongRow values_rows[] = {
    {"inv-freq-precision", plain_case, "inv_freq is rounded to bfloat16",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) {
             for (PlannedFrequency& pair : pairs) {
                 pair.inv_freq =
                     BigReal(round_to(bfloat16, pair.inv_freq.to_double()), exact_precision);
                 pair.turn.reset();
             }
         });
     }},
    {"angle-precision", plain_case, "the angle is rounded to bfloat16",
     [](const FaultySubject& of) {
         return by_angles(of, [](double m, const BigReal& theta) {
             return round_to(bfloat16, (theta * m).to_double());
         });
     }},
    {"table-precision", plain_case, "cos and sin are rounded to bfloat16",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double) {
             return TableEntry{round_to(bfloat16, z.cos), round_to(bfloat16, z.sin)};
         });
     }},
    {"recurrence", plain_case, "theta is added up in float32, position by position",
     [](const FaultySubject& of) { return by_angles(of, in_steps); }},
    {"table-truncated", plain_case, "cos and sin are 0 from position 2048 on",
     [](const FaultySubject& of) {
         return by_entries(of,
                           [](TableEntry z, double m) { return m < 2048 ? z : TableEntry{0, 0}; });
     }},
    {"uninitialised", plain_case, "NaN from position 4096 on",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double m) {
             constexpr double lost = std::numeric_limits<double>::quiet_NaN();
             return m < 4096 ? z : TableEntry{lost, lost};
         });
     }},
};

std::span<const WrongRow> wrong_values() { return values_rows; }

}  // namespace

}  // namespace rope
