#include "rope/rows/pipeline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/text.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/codec.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/format.hpp"
#include "rope/exact/memory.hpp"
#include "rope/exact/phase.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

struct Row {
    Arithmetic arithmetic;
    std::string_view name, words;
};

constexpr std::array named_arithmetics{
    Row{Arithmetic::exact, "exact", "as accurate as float64"},
    Row{Arithmetic::rounded, "double", "as accurate as float64 inv_freq rounded to float32"},
    Row{Arithmetic::pow, "pow", "as accurate as inv_freq by float32 pow (transformers)"},
    Row{Arithmetic::exp, "exp", "as accurate as inv_freq by float32 exp and log"},
    Row{Arithmetic::iterative, "iterative", "as accurate as ggml's recurrence"},
};

// The power base^(-e) of a pair, with e = 2j/d and x = e·ln base. A scaled base has a larger log.
struct Power {
    double step, e,
        x;  // step: products of ggml's recurrence before this pair, since θ last restarted
    double log_base;
    bool is_first;  // e = 0
};

// ggml's VISION mode restarts its recurrence; other orders are divisors of the usual order.
bool recurs_in_order(const Spec& spec) {
    return spec.axes.scheme == AxisScheme::axial || spec.axes.scheme == AxisScheme::halves ||
           frequency_steps(spec.axes, spec.pairs()) == frequency_steps({}, spec.pairs());
}

Power power_of(const Spec& spec, const FrequencyStep& own, double step, const BigReal& inv_freq) {
    const double e = 2.0 * own.index / own.width;
    const double theta = inv_freq.to_double();
    const double x = std::max(e * std::abs(portable::log(spec.rope_theta)),
                              theta > 0 ? std::abs(portable::log(theta)) : 0);
    return {step, e, x, e > 0 ? x / e : 0, own.index == 0};
}

bool is_power_of_two(double theta) {
    int exponent;
    return std::frexp(theta, &exponent) == 0.5;
}

// Returns the error of rounding a number to float32, in units of 2^-24; at most `magnitude`.
double rounded(double magnitude) {
    return magnitude > 0 ? half_spacing(Format::float32, magnitude) * 0x1p24 : 0;
}

// Returns the relative error of θ_i before scaling, in units of 2^-24; an ulp is at most 2.
//   pow        e rounded if d is no power of two, times ln base; base: e; pow within 2 ulp: 4;
//              reciprocal: 1
//   exp        e as above; ln base and their product rounded; exp within 2 ulp: 4; reciprocal: 1
//   iterative  base^(-2/d) rounded, j times, and j products: 2j; 2/d rounded: x; 5 as above.
//              As the last class it allows for ln base/d rounded instead, and for 4 ulp: 3x + 9
double error_of(Arithmetic arithmetic, const Power& power) {
    const bool is_exact = static_cast<float>(power.e) == power.e;
    const double exponent = is_exact ? 0 : rounded(power.e) * power.log_base;
    const double pow = exponent + power.e + 5;
    if (arithmetic == Arithmetic::pow) return pow;
    const double logarithm = power.e * rounded(power.log_base) + rounded(power.x);
    const double exp = std::max(pow, exponent + logarithm + 5);
    if (arithmetic == Arithmetic::exp) return exp;
    return std::max({exp, 2 * power.step + power.x + 5, 3 * power.x + 9});
}

}  // namespace

std::string_view to_string(Arithmetic arithmetic) {
    return std::ranges::find(named_arithmetics, arithmetic, &Row::arithmetic)->name;
}

std::string_view in_words(Arithmetic arithmetic) {
    return std::ranges::find(named_arithmetics, arithmetic, &Row::arithmetic)->words;
}

// K = c·(error of θ_i) + 1 + blend: c is the conditioning by scaling, 1 the product with the
// position; scaling adds two rounded steps. `rounded` rounds only θ_i and the product; `exact` has
// the error of the last class in float64, whose unit is 2^-29 as large.
std::vector<double> angle_k(Arithmetic arithmetic, const Spec& spec, const FrequencyPlan& plan) {
    const bool in_order = recurs_in_order(spec);
    const double steps = spec.scaling.rope_type == "default" && in_order ? 1 : 3;
    const auto each = frequency_steps(spec.axes, spec.pairs());
    std::vector<double> all;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const PlannedFrequency& pair = plan.pairs[i];
        const Power power = power_of(spec, each[i], in_order ? each[i].index : i, pair.inv_freq);
        double k = pair.conditioning * error_of(arithmetic, power) + steps + pair.blend_error;
        if (arithmetic == Arithmetic::exact) k *= 0x1p-29;
        if (arithmetic == Arithmetic::rounded) k = 2;
        const bool is_exact =
            arithmetic == Arithmetic::iterative ? power.step == 0 : power.is_first;
        if (is_exact && is_power_of_two(pair.inv_freq.to_double())) k = 0;
        all.push_back(k);
    }
    return all;
}

std::span<const Pipeline> pipelines() {
    using enum Format;
    using enum AngleMethod;
    // clang-format off
    static constexpr std::array table{
        //       name               angle       inv_freq  position  product   table     m/factor  who
        Pipeline{"hf-fp32",         product,    float32,  float32,  float32,  float32,  false, "transformers, flash-attn: float32 throughout", ""},
        Pipeline{"exact",           exact,      float64,  float64,  float64,  float32,  false, "the truth, rounded once to float32", ""},
        Pipeline{"ggml",            recurrence, float32,  float32,  float32,  float32,  false, "llama.cpp: θ ← θ·base^(-2/d) in float32, pair after pair", ""},
        Pipeline{"bf16-table",      product,    float32,  float32,  float32,  bfloat16, false, "transformers under bfloat16: cos and sin cast to bfloat16", ""},
        Pipeline{"fp16-table",      product,    float32,  float32,  float32,  float16,  false, "transformers under float16: cos and sin cast to float16", ""},
        Pipeline{"vllm-bf16-cache", product,    float32,  float32,  float32,  bfloat16, true,  "vLLM: a cache in the model's bfloat16; linear scaling divides positions", ""},
        Pipeline{"bf16-angles",     product,    float32,  float32,  bfloat16, bfloat16, false, "position·inv_freq, of float32 factors, rounded to bfloat16",
                 "position·inv_freq was rounded to bfloat16 before cos; keep the angle in float32"},
        Pipeline{"bf16-positions",  product,    float32,  bfloat16, float32,  float32,  false, "positions made in the activations' bfloat16",
                 "position was rounded to bfloat16, so positions beyond 256 collapse; keep position_ids integer or float32"},
        Pipeline{"chatglm-fp16",    product,    float16,  float16,  float16,  float16,  false, "ChatGLM-6B: inv_freq, positions and their product in float16",
                 "inv_freq, position and their product were rounded to float16 before cos; build the table in float32 and cast it last"},
        Pipeline{"tf32",            product,    tf32,     tf32,     float32,  float32,  false, "a matrix product of positions and inv_freq in TF32",
                 "the outer product ran as a TF32 matrix product, which rounds both factors to TF32; multiply elementwise in float32"},
    };
    // clang-format on
    return table;
}

const Pipeline& find_pipeline(std::string_view name) {
    return one_of(pipelines(), &Pipeline::name, "pipeline", name);
}

Exactness expected_exactness(const Spec& spec, const Pipeline& pipeline,
                             const FrequencyPlan& plan) {
    Exactness exactness;
    switch (pipeline.method) {
        case AngleMethod::exact:
            exactness.angle_k.assign(plan.pairs.size(), 0);
            break;
        case AngleMethod::product:
            exactness.angle_k = angle_k(Arithmetic::pow, spec, plan);
            break;
        case AngleMethod::recurrence:
            exactness.angle_k = angle_k(Arithmetic::iterative, spec, plan);
            break;
    }
    const double a = plan.attention_factor;
    exactness.rounding = half_spacing(pipeline.table, a);
    if (pipeline.method == AngleMethod::exact) return exactness;
    // cos, sin and attention factor rounded to float32, their product, and the table's cast
    if (a != 1)
        exactness.rounding +=
            a * half_spacing(Format::float32, 1) + half_spacing(Format::float32, a);
    if (pipeline.table != Format::float32) exactness.rounding += half_spacing(Format::float32, a);
    return exactness;
}

namespace {

// Angles as ggml computes them. Linear scaling is freq_scale, all other scaling a divisor per pair.
class GgmlAngles {
  public:
    GgmlAngles() = default;
    GgmlAngles(const Spec& spec, const FrequencyPlan& exact_plan) {
        const BigReal base(spec.rope_theta, float32_precision);
        // the frequency order of other schemes is expressed by divisors
        const bool is_vision =
            spec.axes.scheme == AxisScheme::axial || spec.axes.scheme == AxisScheme::halves;
        Spec in_order = spec;
        if (!is_vision) in_order.axes = {};
        section_ = spec.pairs() / (is_vision ? 2 : 1);
        const BigReal exponent = BigReal(-1.0, float32_precision) / static_cast<double>(section_);
        theta_scale_ = static_cast<float>(pow(base, exponent).to_double());
        divisor_.assign(spec.pairs(), 1.0F);
        if (spec.scaling.rope_type == "linear" &&
            frequency_steps(spec.axes, spec.pairs()) ==
                frequency_steps(in_order.axes, spec.pairs())) {
            freq_scale_ = static_cast<float>(1.0 / *spec.scaling.factor);
            return;
        }
        const auto unscaled = base_frequencies(in_order, exact_precision);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i)
            divisor_[i] = static_cast<float>(
                (unscaled[i].inv_freq / exact_plan.pairs[i].inv_freq).to_double());
    }

    // Implements ggml_rope_cache_init with rope_yarn's ext_factor = 0, for some pairs.
    void fill(float position, PairRange pairs, float* angle) const {
        float theta = position;
        for (std::uint32_t i = 0; i < pairs.first + pairs.count; ++i) {
            if (i >= pairs.first) angle[i - pairs.first] = freq_scale_ * (theta / divisor_[i]);
            theta = (i + 1) % section_ == 0 ? position : theta * theta_scale_;
        }
    }

    // Returns the frequency of pair i without the roundings of the recurrence.
    BigReal frequency(std::uint32_t i) const {
        const BigReal scale(static_cast<double>(theta_scale_), exact_precision);
        return pow(scale, BigReal(i % section_, exact_precision)) /
               static_cast<double>(divisor_[i]) * static_cast<double>(freq_scale_);
    }

  private:
    float theta_scale_ = 1;       // base^(-2/n_dims)
    float freq_scale_ = 1;        // 1/factor of linear scaling
    std::vector<float> divisor_;  // freq_factors
    std::uint32_t section_ = 0;   // pairs until θ starts again (ggml VISION)
};

// Rows as a pipeline computes them: its roundings up to the angle, then our cos and sin of exactly
// this angle, since those of C libraries differ between machines.

struct Emulation {
    Pipeline pipeline;
    FrequencyPlan plan;  // exact
    GgmlAngles ggml;
    AlignedVector<float> inv_freq = {};  // as the pipeline rounds it
    std::vector<TurnRate> own = {};      // of the rounded inv_freq
    float position_divisor = 1;
};

float round_float(Format format, float x) {
    return format == Format::float32 ? x : static_cast<float>(round_to(format, x));
}

// Rounds cos and sin (double, finite) or angles (float32), in loops that compilers vectorise.
template <Format format, class Number>
void round_each(std::span<Number> values) {
    using Words = Codec<format>;
    constexpr bool are_finite = std::is_same_v<Number, double>;
    for (Number& value : values)
        if constexpr (are_finite && format == Format::float16)  // the faster way for this format
            value = Words::rounded(value);
        else
            value = Words::value(Words::nearest(static_cast<float>(value)));
}

template <class Number>
void round_all(Format format, std::span<Number> values) {
    if (format == Format::bfloat16) return round_each<Format::bfloat16>(values);
    if (format == Format::float16) return round_each<Format::float16>(values);
    if (format == Format::float32) return;
    for (Number& value : values) value = static_cast<Number>(round_to(format, value));
}

class EmulatedReader final : public RowReader {
  public:
    EmulatedReader(const Emulation& emulation, PairRange pairs)
        : emulation_(emulation),
          pairs_(pairs),
          largest_inv_freq_(
              *std::max_element(emulation.inv_freq.begin() + pairs.first,
                                emulation.inv_freq.begin() + pairs.first + pairs.count)) {
        const Pipeline& pipeline = emulation.pipeline;
        if (pipeline.method == AngleMethod::exact)
            truth_.emplace(emulation.plan, pairs.first, pairs.count);
        if (pipeline.method == AngleMethod::product && pipeline.position == Format::float32 &&
            pipeline.product == Format::float32 && emulation.position_divisor == 1)
            effective_.emplace(std::vector(emulation.own.begin() + pairs.first,
                                           emulation.own.begin() + pairs.first + pairs.count));
    }

    void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) override {
        if (truth_) {
            truth_->fill_rounded(rows, emulation_.pipeline.table, cos, sin);
            return;
        }
        if (!effective_ || !fill_near_exact(rows, cos, sin)) {
            fill_angles(rows);
            fill_effective(rows);
            round_cos_sin(cos, sin);
        }
        round_table(rows.size() * pairs_.count, cos, sin);
    }

    const double* effective_cos() const override {
        return effective_ ? effective_cos_.data() : nullptr;
    }
    const double* effective_sin() const override {
        return effective_ ? effective_sin_.data() : nullptr;
    }

  private:
    // Computes effective and float32 rows in one pass. Returns false if a rounding is undecided.
    bool fill_near_exact(std::span<const std::uint64_t> rows, double* cos, double* sin) {
        // For θ ≤ 1, a last position below 2^20 makes positions exact and all angles smaller than
        // 2^20.
        if (rows.back() >= (1U << 20) || largest_inv_freq_ > 1 || !is_aligned_run(rows))
            return false;
        for (auto* values : {&effective_cos_, &effective_sin_})
            values->resize(rows.size() * pairs_.count);
        for (auto* values : {&block_cos_, &block_sin_}) values->resize(pairs_.count);
        position_.assign(rows.begin(), rows.end());
        effective_->fill_row(rows[0], block_cos_.data(), block_sin_.data());
        return !kernels().round_near_exact(
            rows.size(), pairs_.count, position_.data(), &emulation_.inv_freq[pairs_.first],
            {block_cos_.data(), block_sin_.data()},
            {effective_->base_cos(), effective_->base_sin()},
            {effective_cos_.data(), effective_sin_.data()}, {cos, sin});
    }

    void fill_angles(std::span<const std::uint64_t> rows) {
        const Pipeline& pipeline = emulation_.pipeline;
        angle_.resize(rows.size() * pairs_.count);
        position_.resize(rows.size());
        for (std::size_t r = 0; r < rows.size(); ++r)
            position_[r] = round_float(pipeline.position,
                                       static_cast<float>(rows[r]) / emulation_.position_divisor);
        if (pipeline.method == AngleMethod::recurrence)
            for (std::size_t r = 0; r < rows.size(); ++r)
                emulation_.ggml.fill(position_[r], pairs_, &angle_[r * pairs_.count]);
        else
            kernels().multiply(rows.size(), pairs_.count, position_.data(),
                               &emulation_.inv_freq[pairs_.first], angle_.data());
        round_all(pipeline.product, std::span<float>(angle_));
    }

    void fill_effective(std::span<const std::uint64_t> rows) {
        if (!effective_) return;
        effective_cos_.resize(angle_.size());
        effective_sin_.resize(angle_.size());
        effective_->fill(rows, effective_cos_.data(), effective_sin_.data());
    }

    // Writes the float32 numbers nearest to cos and sin of these angles, proved (Ziv's test).
    void round_cos_sin(double* cos, double* sin) {
        const std::size_t n = angle_.size();
        if (is_finite() && !kernels().round_angles(n, angle_.data(), cos, sin)) return;
        near_cos_.resize(n);
        near_sin_.resize(n);
        kernels().cos_sin_of_angles(n, angle_.data(), near_cos_.data(), near_sin_.data());
        const std::size_t ambiguous =
            kernels().round_to_float32(n, cos_sin_error, near_cos_.data(), cos) +
            kernels().round_to_float32(n, cos_sin_error, near_sin_.data(), sin);
        for (std::size_t k = 0; ambiguous != 0 && k < n; ++k)
            if (!std::isfinite(angle_[k]))  // a position beyond float16
                cos[k] = sin[k] = std::nan("");
            else if (!rounds_alike(near_cos_[k], cos_sin_error) ||
                     !rounds_alike(near_sin_[k], cos_sin_error))
                rounded_cos_sin(BigReal(static_cast<double>(angle_[k]), exact_precision),
                                BigReal(1, float32_precision), Format::float32, cos[k], sin[k]);
    }

    // Positions beyond float16's range are infinite.
    bool is_finite() const {
        const Pipeline& pipeline = emulation_.pipeline;
        return pipeline.position != Format::float16 && pipeline.product != Format::float16;
    }

    // Multiplies by attention_factor in float32, then rounds to the table's format.
    void round_table(std::size_t n, double* cos, double* sin) const {
        const double amplitude = static_cast<float>(emulation_.plan.attention_factor);
        const Format format = emulation_.pipeline.table;
        if (amplitude == 1 && format == Format::float32) return;
        for (double* values : {cos, sin}) {
            for (std::size_t k = 0; k < n; ++k)
                values[k] = static_cast<float>(values[k] * amplitude);
            round_all(format, std::span(values, n));
        }
    }

    const Emulation& emulation_;
    PairRange pairs_;
    float largest_inv_freq_;
    std::optional<TruthRows> truth_;
    std::optional<ExactRows> effective_;
    AlignedVector<float> position_, angle_;
    AlignedVector<double> block_cos_, block_sin_, effective_cos_, effective_sin_, near_cos_,
        near_sin_;
};

class EmulatedRows final : public RowSource {
  public:
    EmulatedRows(const Spec& spec, const Pipeline& pipeline, std::uint64_t context)
        : context_(context), emulation_{pipeline, plan_frequencies(spec, exact_precision), {}, {}} {
        if (pipeline.method == AngleMethod::recurrence)
            emulation_.ggml = GgmlAngles(spec, emulation_.plan);
        exactness_ = expected_exactness(spec, pipeline, emulation_.plan);
        const bool divides = pipeline.divides_position && spec.scaling.rope_type == "linear";
        if (divides) emulation_.position_divisor = static_cast<float>(*spec.scaling.factor);
        for (const PlannedFrequency& pair : divides
                                                ? base_frequencies(spec, float32_precision)
                                                : plan_frequencies(spec, float32_precision).pairs)
            emulation_.inv_freq.push_back(
                round_float(pipeline.inv_freq, static_cast<float>(pair.inv_freq.to_double())));
        for (const float inv_freq : emulation_.inv_freq)
            emulation_.own.push_back(
                turn_rate(BigReal(static_cast<double>(inv_freq), exact_precision)));
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) effective_.push_back(own_frequency(i));
    }

    std::unique_ptr<RowReader> read(PairRange pairs) const override {
        return std::make_unique<EmulatedReader>(emulation_, pairs);
    }
    std::uint64_t rows() const override { return context_; }
    const std::vector<BigReal>* effective_inv_freq() const override { return &effective_; }
    const Exactness& exactness() const override { return exactness_; }
    Subject subject() const override {
        const std::string name(emulation_.pipeline.name);
        return {"pipeline " + name, name, context_};
    }

  private:
    // Returns the frequency that the pipeline uses, without its roundings at each position.
    BigReal own_frequency(std::uint32_t i) const {
        switch (emulation_.pipeline.method) {
            case AngleMethod::exact:
                return emulation_.plan.pairs[i].inv_freq;
            case AngleMethod::product:
                return BigReal(static_cast<double>(emulation_.inv_freq[i]), exact_precision) /
                       static_cast<double>(emulation_.position_divisor);
            case AngleMethod::recurrence:
                break;
        }
        return emulation_.ggml.frequency(i);
    }

    std::uint64_t context_;
    Emulation emulation_;
    Exactness exactness_;
    std::vector<BigReal> effective_;
};

class CachedKeys final : public RowSource {
  public:
    CachedKeys(const Spec& spec, std::uint64_t context)
        : spec_(spec),
          newest_(with_table_of(spec, context), find_pipeline(default_pipeline), context) {}

    std::unique_ptr<RowReader> read(PairRange pairs) const override {
        return std::make_unique<Reader>(spec_, pairs);
    }
    std::uint64_t rows() const override { return newest_.rows(); }
    const Exactness& exactness() const override { return newest_.exactness(); }
    Subject subject() const override { return newest_.subject(); }

  private:
    class Reader final : public RowReader {
      public:
        Reader(const Spec& spec, PairRange pairs) : spec_(spec), pairs_(pairs) {}

        void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) override {
            std::vector<float> angle(pairs_.count);
            for (const std::uint64_t row : rows) {
                plan_for(std::max(row + 1, *short_length(spec_)));
                for (std::uint32_t i = 0; i < pairs_.count; ++i)
                    angle[i] =
                        static_cast<float>(row) *
                        static_cast<float>(plan_.pairs[pairs_.first + i].inv_freq.to_double());
                kernels().cos_sin_of_angles(angle.size(), angle.data(), cos, sin);
                for (std::uint32_t i = 0; i < pairs_.count; ++i) {
                    *cos++ *= plan_.attention_factor;
                    *sin++ *= plan_.attention_factor;
                }
            }
        }

      private:
        void plan_for(std::uint64_t length) {
            if (length == planned_) return;
            planned_ = length;
            plan_ = plan_frequencies(with_table_of(spec_, length), Precision{64});
        }

        const Spec& spec_;
        PairRange pairs_;
        std::uint64_t planned_ = 0;
        FrequencyPlan plan_;
    };

    Spec spec_;
    EmulatedRows newest_;
};

}  // namespace

std::unique_ptr<RowSource> emulate(const Spec& spec, const Pipeline& pipeline,
                                   std::uint64_t context) {
    return std::make_unique<EmulatedRows>(spec, pipeline, context);
}

std::unique_ptr<RowSource> emulate_cached_keys(const Spec& spec, std::uint64_t context) {
    return std::make_unique<CachedKeys>(spec, context);
}

}  // namespace rope
