// Frequencies alone as rows: what would turn by exactly them.
#include <cmath>
#include <limits>

#include "base/decimal.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/exactness.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {
namespace {

class FrequencyRows final : public RowSource {
  public:
    FrequencyRows(const FrequencyDump& dump, std::uint64_t context, double amplitude,
                  Exactness exactness)
        : origin_(dump.origin),
          read_as_(dump.read_as),
          context_(context),
          amplitude_(amplitude),
          exactness_(std::move(exactness)) {
        for (const double inv_freq : dump.inv_freq) {
            turns_.push_back(is_frequency(inv_freq));
            effective_.emplace_back(turns_.back() ? inv_freq : 0, exact_precision);
        }
    }

    std::unique_ptr<RowReader> read(PairRange pairs) const override {
        return std::make_unique<Reader>(*this, pairs);
    }
    std::uint64_t rows() const override { return context_; }
    const std::vector<BigReal>* effective_inv_freq() const override { return &effective_; }
    const Exactness& exactness() const override { return exactness_; }
    Subject subject() const override {
        Subject subject{origin_, "", context_};
        subject.read_as = read_as_;
        return subject;
    }

  private:
    class Reader final : public RowReader {
      public:
        Reader(const FrequencyRows& source, PairRange pairs)
            : rows_(source.rates(pairs)), amplitude_(source.amplitude_) {
            for (std::uint32_t i = 0; i < pairs.count; ++i)
                if (!source.turns_[pairs.first + i]) undefined_.push_back(i);
        }
        void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) override {
            rows_.fill(rows, cos, sin);
            for (const std::size_t i : undefined_)
                for (std::size_t row = 0; row < rows.size(); ++row)
                    cos[row * rows_.pairs() + i] = sin[row * rows_.pairs() + i] =
                        std::numeric_limits<double>::quiet_NaN();
            for (std::size_t k = 0; amplitude_ != 1 && k < rows.size() * rows_.pairs(); ++k) {
                cos[k] *= amplitude_;
                sin[k] *= amplitude_;
            }
        }

      private:
        ExactRows rows_;
        double amplitude_;
        std::vector<std::size_t> undefined_;  // cos of what is no frequency
    };

    std::vector<TurnRate> rates(PairRange pairs) const {
        std::vector<TurnRate> rates;
        for (std::uint32_t i = 0; i < pairs.count; ++i)
            rates.push_back(turn_rate(effective_[pairs.first + i]));
        return rates;
    }

    std::string origin_;
    std::vector<Assumption> read_as_;
    std::uint64_t context_;
    double amplitude_;
    Exactness exactness_;
    std::vector<BigReal> effective_;  // 0 where that is no frequency
    std::vector<bool> turns_;
};

}  // namespace

std::unique_ptr<RowSource> frequency_rows(const Spec& spec, const FrequencyDump& dump,
                                          std::uint64_t context, const Pipeline* pipeline) {
    if (dump.inv_freq.size() != spec.pairs())
        throw InputError(dump.origin + " has " + decimal(dump.inv_freq.size()) +
                         " frequencies; rotary_dim " + decimal(spec.rotary_dim) + " needs " +
                         decimal(spec.pairs()));
    if (context == 0 || context > max_context)
        throw InputError("context", decimal(context), "from 1 to " + decimal(max_context));
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    return std::make_unique<FrequencyRows>(dump, context, plan.attention_factor,
                                           frequency_exactness(spec, plan, pipeline));
}

}  // namespace rope
