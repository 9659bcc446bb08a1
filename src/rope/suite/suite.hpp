// A conformance suite: what any implementation of RoPE can be tested by, without this tool.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope {

// One Spec at diagnostic positions.
struct SuiteCase {
    std::string id;             // "yarn-interleaved"
    Spec spec;                  // valid
    PositionsByAxis positions;  // whole, one list for each axis

    std::size_t rows() const { return positions.front().size(); }
};

// Every rope_type in every layout, every axis scheme, partial widths and head sizes.
std::vector<SuiteCase> suite_cases();

inline constexpr std::array suite_formats{Format::float64, Format::float32, Format::bfloat16,
                                          Format::float16};

// What an implementation answers: R(m)q, R(m)k, and R(m)ᵀ·dy, the gradient of the rotation.
enum class SuiteOutput { q_rot, k_rot, dx };
inline constexpr std::array suite_outputs{SuiteOutput::q_rot, SuiteOutput::k_rot, SuiteOutput::dx};

std::string_view to_string(SuiteOutput output);
std::string_view input_of(SuiteOutput output);  // "q", "k", "dy"

// A case's inputs and right answers.
class SuiteValues {
  public:
    // `place` is the case's number, which its random vectors follow from. The case must outlive it.
    SuiteValues(const SuiteCase& suite_case, std::uint64_t place);

    const FrequencyPlan& plan() const { return plan_; }
    // rows × head_dim, row-major, each of at most 8 significant bits and from 2^-6 to 6 in size: a
    // number of every format.
    const std::vector<double>& input(SuiteOutput output) const;
    // The same shape; each the number of the format that is nearest to the exact value.
    std::vector<double> answer(SuiteOutput output, Format format) const;

  private:
    const SuiteCase& case_;
    FrequencyPlan plan_;
    std::array<std::vector<double>, suite_outputs.size()> inputs_;
};

// The lanes of a pair as read and as written, and the axis that turns it.
struct SuitePair {
    std::array<std::size_t, 2> reads, writes;
    std::uint32_t axis;
};
std::vector<SuitePair> suite_pairs(const Spec& spec);

// How far an answer may be from the suite's, lane by lane, with |x| the norm of the pair before:
//     |x|·(angle + rounding)
// angle: a·min(2, K·2^-24·|m|·θ) by row and pair, for angles computed by this arithmetic, as
// float32 numbers, rounded up.
std::vector<double> angle_allowances(const SuiteCase& suite_case, const FrequencyPlan& plan,
                                     Arithmetic arithmetic);
// rounding: of cos, sin, both products, their sum and the answer, and of the suite's own value.
double rounding_allowance(Format format, double amplitude);

// An implementation's answer beside the suite's.

// The value that is worst by its allowance. Lanes that do not turn must be as they were.
struct SuiteWorst {
    double ratio = 0;  // |got − want|/allowed; infinite for NaN, and where nothing is allowed
    std::size_t row = 0, lane = 0;
    double got = 0, want = 0, allowed = 0;

    bool holds() const { return ratio <= 1; }
};

// One output of a case in one format. The case and its values must outlive it.
class SuiteTest {
  public:
    SuiteTest(const SuiteCase& suite_case, const SuiteValues& values, SuiteOutput output,
              Format format);

    // For angles computed by this arithmetic. Requires rows × head_dim values.
    SuiteWorst worst(std::span<const double> got, Arithmetic arithmetic) const;
    const std::vector<double>& want() const { return want_; }

  private:
    const SuiteCase& case_;
    const SuiteValues& values_;
    SuiteOutput output_;
    Format format_;
    std::vector<double> want_;
};

// What implementations with a known mistake answer, so that a test can show that it bites.

struct WrongAnswer {
    std::string_view mistake;  // an id of docs/mistakes.md
    std::string_view what;     // "rope_theta is 500000"
    std::string_view of_case;  // a SuiteCase's id
    SuiteOutput output;
    std::vector<double> y;  // rows × head_dim, in float32
};

// One of each mistake at least.
std::vector<WrongAnswer> wrong_answers(std::span<const SuiteCase> cases);

}  // namespace rope
