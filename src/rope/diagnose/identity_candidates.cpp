// Frequencies by which an unknown dump may have been made.
#include "rope/diagnose/identity_candidates.hpp"

#include <algorithm>
#include <cmath>

#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr std::uint64_t usual_lengths[] = {2048,  4096,  8192,   16384, 32768,
                                           40960, 65536, 131072, 262144};

class Candidates {
  public:
    Candidates(const Spec& plain, std::span<const Spec> known, const std::vector<PhaseLine>& lines)
        : plain_(plain), lines_(lines) {
        add(plain, 0);
        for (const Spec& spec : known) add_known(spec);
        for (const double base : usual_bases) {
            Spec spec = plain;
            spec.rope_theta = base;
            add(spec, 0);
        }
        if (lines.empty()) return;
        bases();
        for (const double base : bases_) add_scaled(base);
        add_proportional();
        add_linear();
        add_factors();
    }

    std::vector<Frequencies> list() && { return std::move(list_); }

  private:
    void add(const Spec& spec, int cost) {
        try {
            validate(spec);
        } catch (const InputError&) {
            return;
        }
        Frequencies one = frequencies_of(spec);
        one.cost = cost;
        one.takes_any_amplitude =
            spec.scaling.rope_type == "yarn" || spec.scaling.rope_type == "longrope";
        list_.push_back(std::move(one));
    }

    void add_known(const Spec& spec) {
        if (spec.pairs() != plain_.pairs() || axis_count(spec.axes) > 1) return;
        Spec other = spec;
        other.head_dim = plain_.head_dim;
        other.rotary_dim = plain_.rotary_dim;
        other.layout = plain_.layout;
        add(other, 0);
    }

    // Of few digits first: 1e-5 is below what an unknown implementation is allowed.
    void bases() {
        std::vector<double> fitted;
        for (std::size_t pairs = lines_.size(); pairs >= 4; pairs = pairs * 3 / 4) {
            const PowerLaw law = fit_power_law(lines_, pairs, false);
            if (!(law.base > 1 && law.base < 1e30)) continue;
            const double plain = few_digits(law.base, 5e-3);
            if (std::abs(plain - law.base) <= 1e-5 * law.base) add_base(plain);
            fitted.push_back(few_digits(law.base, std::max(3e-7, 4 * law.base_error)));
        }
        if (bases_.empty()) fitted.push_back(fit_power_law(lines_, lines_.size(), false).base);
        for (const double base : fitted) add_base(base);
    }
    void add_base(double base) {
        if (std::find(bases_.begin(), bases_.end(), base) == bases_.end()) bases_.push_back(base);
    }

    void add_scaled(double base) {
        Spec spec = plain_;
        spec.rope_theta = base;
        add(spec, 0);
        const std::vector<double> theta = list_.back().theta;
        if (!(lines_.back().theta > 0) || theta.size() != lines_.size()) return;
        const double factor =
            few_digits(theta.back() / lines_.back().theta,
                       std::max(1e-5, 4 * lines_.back().error / lines_.back().theta));
        if (!(factor > 1.01 && factor < 1e6)) return;
        for (const std::uint64_t length : usual_lengths)
            for (const char* type : {"yarn", "llama3"}) {
                Spec scaled = spec;
                scaled.scaling.rope_type = type;
                scaled.scaling.factor = factor;
                scaled.scaling.original_max_position_embeddings = length;
                scaled.max_position_embeddings =
                    static_cast<std::uint64_t>(factor * static_cast<double>(length));
                if (scaled.scaling.rope_type == "llama3") {
                    const FrequencyFactors fitted = fit_llama3(scaled, lines_);
                    for (const auto& [low, high] : {FrequencyFactors{1, 4}, {1, 1}, fitted}) {
                        scaled.scaling.low_freq_factor = low;
                        scaled.scaling.high_freq_factor = high;
                        add(scaled, 1);
                    }
                    continue;
                }
                add(scaled, 1);
                scaled.scaling.truncate = false;
                add(scaled, 1);
            }
    }

    // Every frequency divided by one factor, under any base.
    void add_linear() {
        const PowerLaw law = fit_power_law(lines_, lines_.size(), true);
        if (!(law.base > 1 && law.base < 1e30) || std::abs(law.scale - 1) < 1e-3) return;
        const double error = std::max(1e-5, 4 * law.base_error);
        for (const double tolerance : {5e-3, std::max(3e-7, 4 * law.base_error)}) {
            Spec spec = plain_;
            spec.rope_theta = few_digits(law.base, tolerance);
            if (std::abs(spec.rope_theta - law.base) > error * law.base) continue;
            const std::vector<double> theta = frequencies_of(spec).theta;
            double sum = 0, weights = 0;
            for (std::size_t i = 0; i < lines_.size(); ++i) {
                if (!(lines_[i].theta > 0 && lines_[i].error > 0)) continue;
                sum += lines_[i].weight() * portable::log(theta[i] / lines_[i].theta);
                weights += lines_[i].weight();
            }
            spec.scaling.rope_type = "linear";
            spec.scaling.factor = few_digits(portable::exp(sum / weights), 1e-5);
            add(spec, 0);
        }
    }

    // Gemma 4: the last pairs do not rotate, and the exponent is over the whole head.
    void add_proportional() {
        std::size_t turning = lines_.size();
        while (turning > 0 && std::abs(lines_[turning - 1].theta) <= 4 * lines_[turning - 1].error)
            --turning;
        if (turning == 0 || turning == lines_.size()) return;
        if (plain_.layout == PairLayout::interleaved) return;  // there it is a partial head
        for (const double base : bases_) {
            Spec spec = plain_;
            spec.rope_theta = few_digits(base, 1e-5);
            spec.scaling.rope_type = "proportional";
            spec.scaling.partial_rotary_factor =
                static_cast<double>(turning) / static_cast<double>(lines_.size());
            add(spec, 0);
        }
    }

    // Each pair's own divisor, as in longrope's lists and ggml's freq_factors. A list of one number
    // a pair fits nearly any frequencies; theirs begin near 1 and never decrease (Ding et al.,
    // arXiv 2402.13753).
    void add_factors() {
        Spec spec = plain_;
        spec.scaling.rope_type = "longrope";
        const std::vector<double> theta = frequencies_of(plain_).theta;
        double before = 0, known_to = 0;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const double factor = theta[i] / lines_[i].theta;
            const double error = std::max(1e-6, 4 * lines_[i].error / lines_[i].theta) * factor;
            if (!(factor > 0.9 && factor < 1000 && factor >= before - known_to - error)) return;
            before = factor;
            known_to = error;
            spec.scaling.short_factor.push_back(
                few_digits(factor, std::max(1e-7, lines_[i].error / lines_[i].theta)));
        }
        const std::vector<double>& factors = spec.scaling.short_factor;
        if (!(factors.front() < 1.25 && factors.back() > 1.01 * factors.front())) return;
        spec.scaling.long_factor = factors;
        spec.scaling.original_max_position_embeddings = spec.max_position_embeddings;
        spec.scaling.attention_factor = 1;
        add(spec, 2);
    }

    const Spec& plain_;
    const std::vector<PhaseLine>& lines_;
    std::vector<double> bases_;
    std::vector<Frequencies> list_;
};

}  // namespace

std::vector<Frequencies> identity_candidates(const Spec& plain, std::span<const Spec> known,
                                             const std::vector<PhaseLine>& lines) {
    return Candidates(plain, known, lines).list();
}

}  // namespace rope
