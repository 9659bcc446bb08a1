// Every scaled rope type, with random parameters, satisfies every law and conformance in every
// right pipeline; wrong pipelines fail.
#include <gtest/gtest.h>

#include <cmath>

#include "rope/seeded.hpp"
#include "rope/specs.hpp"
#include "rope/subject/emulate.hpp"
#include "rope/verdicts.hpp"

namespace rope {
namespace scaled_laws_test {

class ScaledSpecs {
  public:
    explicit ScaledSpecs(std::uint64_t seed) : random_(seed) {}

    Spec next(const std::string& rope_type) {
        Spec spec = spec_of(4 + 2 * whole(0, 94), std::pow(10, real(2, 7)), {}, whole(64, 40000));
        Scaling& scaling = spec.scaling;
        scaling.rope_type = rope_type;
        scaling.factor = std::pow(2, real(0.1, 6));
        if (rope_type == "dynamic") spec.seq_len = whole(1, 200000);
        if (rope_type == "yarn" || rope_type == "longrope")
            scaling.original_max_position_embeddings = whole(64, 40000);
        if (rope_type == "yarn") add_yarn(scaling);
        if (rope_type == "longrope") {
            for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
                scaling.short_factor.push_back(real(1, 3));
                scaling.long_factor.push_back(real(1, 70));
            }
            spec.seq_len = whole(1, 80000);
        }
        if (rope_type == "proportional") scaling.partial_rotary_factor = real(0.1, 1);
        return spec;
    }

    std::uint64_t context() { return whole(2, 6000); }

  private:
    std::uint32_t whole(std::uint32_t least, std::uint32_t most) {
        return least + static_cast<std::uint32_t>(random_.below(most - least + 1));
    }
    double real(double least, double most) { return random_.within(least, most); }
    void add_yarn(Scaling& scaling) {
        if (whole(0, 1) == 1) scaling.truncate = whole(0, 1) == 1;
        if (whole(0, 1) == 1) scaling.mscale = scaling.mscale_all_dim = real(0.5, 1.5);
        if (whole(0, 2) == 0) scaling.attention_factor = real(0.5, 3);
    }

    Seeded random_;
};

class ScaledLaws : public testing::TestWithParam<const char*> {};

TEST_P(ScaledLaws, PassInEveryRightPipeline) {
    ScaledSpecs specs(20261121);
    for (int round = 0; round < 40; ++round) {
        const Spec spec = specs.next(GetParam());
        validate(spec);
        const std::uint64_t context = specs.context();
        for (const Pipeline& pipeline : pipelines()) {
            if (!pipeline.fault.empty()) continue;
            const std::string found = marks(spec, *emulate(spec, pipeline, context));
            EXPECT_EQ(found.find('X'), std::string::npos)
                << pipeline.name << " round " << round << ": " << found;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Types, ScaledLaws,
                         testing::Values("linear", "dynamic", "ntk", "yarn", "longrope",
                                         "proportional"),
                         [](const auto& row) { return std::string(row.param); });

TEST(Pipelines, WithAFaultFailTableAccuracyAndNameIt) {
    for (const Pipeline& pipeline : pipelines()) {
        if (pipeline.fault.empty()) continue;
        const Spec spec = spec_of(128, 10000);
        EXPECT_EQ(marks(spec, *emulate(spec, pipeline, 4200)).front(), 'X') << pipeline.name;
    }
}

}  // namespace scaled_laws_test
}  // namespace rope
