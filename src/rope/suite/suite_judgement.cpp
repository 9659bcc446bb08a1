#include "rope/suite/suite_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rope {
namespace {

double ratio_of(double error, double allowed) {
    if (error == 0) return 0;
    const double ratio = error / allowed;
    return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

}  // namespace

SuiteTest::SuiteTest(const SuiteCase& suite_case, const SuiteValues& values, SuiteOutput output,
                     Format format)
    : case_(suite_case),
      values_(values),
      output_(output),
      format_(format),
      want_(values.answer(output, format)) {}

SuiteWorst SuiteTest::worst(std::span<const double> got, Arithmetic arithmetic) const {
    const std::vector<double> angle = angle_allowances(case_, values_.plan(), arithmetic);
    const double rounding = rounding_allowance(format_, values_.plan().attention_factor);
    const std::vector<SuitePair> pairs = suite_pairs(case_.spec);
    const std::vector<double>& x = values_.input(output_);
    const std::size_t width = case_.spec.head_dim;
    std::vector<double> allowed(width);
    SuiteWorst worst;
    for (std::size_t row = 0; row < case_.rows(); ++row) {
        std::fill(allowed.begin(), allowed.end(), 0.0);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            auto [from, to] = std::pair(pairs[i].reads, pairs[i].writes);
            if (output_ == SuiteOutput::dx) std::swap(from, to);
            const double a = x[row * width + from[0]], b = x[row * width + from[1]];
            const double norm = std::sqrt(a * a + b * b);
            for (const std::size_t lane : to)
                allowed[lane] = norm * (angle[row * pairs.size() + i] + rounding);
        }
        for (std::size_t lane = 0; lane < width; ++lane) {
            const std::size_t k = row * width + lane;
            const double ratio = ratio_of(std::abs(got[k] - want_[k]), allowed[lane]);
            if (ratio > worst.ratio) worst = {ratio, row, lane, got[k], want_[k], allowed[lane]};
        }
    }
    return worst;
}

}  // namespace rope
