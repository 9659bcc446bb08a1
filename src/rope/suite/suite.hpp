// Conformance suite to test any implementation of RoPE without this tool.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/exact/format.hpp"
#include "rope/rows/golden_vectors.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// A Spec and diagnostic positions.
struct SuiteCase {
    std::string id;             // "yarn-interleaved"
    Spec spec;                  // valid
    PositionsByAxis positions;  // integers, one list for each axis

    std::size_t rows() const { return positions.front().size(); }
};

// Returns cases of every rope_type in every layout, every axis scheme, partial rotary dimensions
// and several head sizes.
std::vector<SuiteCase> suite_cases();

inline constexpr std::array suite_formats{Format::float64, Format::float32, Format::bfloat16,
                                          Format::float16};

// Results of an implementation: R(m)q, R(m)k, and R(m)ᵀ·dy, the gradient of the rotation.
enum class SuiteOutput { q_rot, k_rot, dx };
inline constexpr std::array suite_outputs{SuiteOutput::q_rot, SuiteOutput::k_rot, SuiteOutput::dx};

std::string_view to_string(SuiteOutput output);
std::string_view input_of(SuiteOutput output);  // "q", "k", "dy"

// Inputs of a case and their exact results.
class SuiteValues {
  public:
    // `place` is the index of the case; it seeds the random vectors. The case must outlive this
    // object.
    SuiteValues(const SuiteCase& suite_case, std::uint64_t place);

    const FrequencyPlan& plan() const { return plan_; }
    // Returns rows × head_dim values, row-major, with at most 8 significant bits and magnitudes
    // from 2^-6 to 6: they are exact in every format.
    const std::vector<double>& input(SuiteOutput output) const;
    // Returns the result in the same shape; each value is the nearest number of the format.
    std::vector<double> answer(SuiteOutput output, Format format) const;

  private:
    const SuiteCase& case_;
    FrequencyPlan plan_;
    std::array<std::vector<double>, suite_outputs.size()> inputs_;
};

// Dimensions that a pair is read from and written to, and the axis that rotates it.
struct SuitePair {
    std::array<std::size_t, 2> reads, writes;
    std::uint32_t axis;
};
std::vector<SuitePair> suite_pairs(const Spec& spec);

// Tolerance of one value of an answer: |x|·(angle + rounding), where |x| is the norm of the pair
// before. angle_tolerances() returns a·min(2, K·2^-24·|m|·θ) for each row and pair, for angles
// computed by this arithmetic, as float32 numbers rounded up.
std::vector<double> angle_tolerances(const SuiteCase& suite_case, const FrequencyPlan& plan,
                                     Arithmetic arithmetic);
// rounding_tolerance() covers cos, sin, two products, their sum, the result, and the suite's value.
double rounding_tolerance(Format format, double amplitude);

// Value with the largest ratio of error to tolerance. Dimensions that do not rotate must not
// change.
struct SuiteWorst {
    double ratio = 0;  // |got − want|/allowed; infinite for NaN and for any error if allowed = 0
    std::size_t row = 0, dimension = 0;
    double got = 0, want = 0, allowed = 0;

    bool holds() const { return ratio <= 1; }
};

// Test of one output of a case in one format. The case and its values must outlive this object.
class SuiteTest {
  public:
    SuiteTest(const SuiteCase& suite_case, const SuiteValues& values, SuiteOutput output,
              Format format)
        : case_(suite_case),
          values_(values),
          output_(output),
          format_(format),
          want_(values.answer(output, format)) {}

    // Returns the worst of rows × head_dim values for angles computed by this arithmetic.
    SuiteWorst worst(std::span<const double> got, Arithmetic arithmetic) const;
    const std::vector<double>& want() const { return want_; }

  private:
    const SuiteCase& case_;
    const SuiteValues& values_;
    SuiteOutput output_;
    Format format_;
    std::vector<double> want_;
};

// Results of implementations with a known mistake, to show that a test detects it.

struct WrongAnswer {
    std::string_view mistake;  // an id of docs/mistakes.md
    std::string_view what;     // "rope_theta is 500000"
    std::string_view of_case;  // a SuiteCase's id
    SuiteOutput output;
    std::vector<double> y;  // rows × head_dim, in float32
};

// Returns at least one wrong answer for each mistake.
std::vector<WrongAnswer> wrong_answers(std::span<const SuiteCase> cases);

}  // namespace rope
