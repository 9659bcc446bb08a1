// Every array of the suite, under the name by which readers find it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/tensor/writers/written_array.hpp"
#include "rope/suite/suite.hpp"

namespace rope::io {

// Of a case ID: ID/shape, which is rows, head_dim and pairs; ID/attention_factor, ID/rounding of
// each dtype, ID/positions [axes, rows], ID/pairs [pairs, 5], ID/inv_freq, ID/q, ID/k and ID/dy
// [rows, head_dim], ID/angle/ARITHMETIC [rows, pairs], and ID/DTYPE/q_rot, k_rot and dx.
std::vector<WrittenArray> case_arrays(const SuiteCase& suite_case, const SuiteValues& values);

// "yarn-interleaved/bfloat16/q_rot"
std::string answer_name(const SuiteCase& suite_case, Format format, SuiteOutput output);

// The right answer's name and "/wrong/base", or "/wrong/direction-2" of the second of a mistake.
std::vector<std::string> wrong_names(std::span<const WrongAnswer> wrong);

}  // namespace rope::io
