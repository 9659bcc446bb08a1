// Frequencies without positions are checked by the angles that they give.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/diagnose/diagnosis.hpp"
#include "tests/io/error_message.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope {
namespace frequency_rows_test {

FrequencyDump dump_of(const Spec& spec, Format format) {
    FrequencyDump dump{{}, format, "inv_freq"};
    for (const PlannedFrequency& pair : plan_frequencies(spec, exact_precision).pairs)
        dump.inv_freq.push_back(round_to(format, pair.inv_freq.to_double()));
    return dump;
}

std::string judged(const Spec& spec, const FrequencyDump& dump) {
    return marks(spec, *frequency_rows(spec, dump, 4096)).substr(0, 3);
}

TEST(Frequencies, OfTheSpecHoldInFloat32AndInDouble) {
    for (const Spec& spec :
         {spec_of(64, 10000), spec_of(128, 500000, llama3(8)), spec_of(96, 10000, linear(4))})
        for (const Format format : {Format::float32, Format::float64})
            EXPECT_EQ(judged(spec, dump_of(spec, format)), ". .");
}

TEST(Frequencies, OfAnotherBaseOrRoundedToBfloat16Fail) {
    const Spec spec = spec_of(64, 10000);
    EXPECT_EQ(judged(spec, dump_of(spec_of(64, 10001), Format::float32)).front(), 'X');
    for (const Format format : {Format::bfloat16, Format::float16})
        EXPECT_EQ(judged(spec, dump_of(spec, format)).front(), 'X');
}

TEST(Frequencies, BreakNoLaw) {
    const Spec spec = spec_of(64, 10000);
    FrequencyDump dump = dump_of(spec_of(64, 20000), Format::float32);
    dump.inv_freq[3] = -0.25;
    dump.inv_freq[4] = 0;
    const std::string found = marks(spec, *frequency_rows(spec, dump, 512));
    EXPECT_EQ(found.substr(4).find('X'), found.npos) << found;
}

// Values of uninitialised memory fail and are named, not refused.
TEST(Frequencies, ThatAreNotFiniteViolateEveryCheckAndAreNamed) {
    const Spec spec = spec_of(64, 10000);
    for (const double odd :
         {std::nan(""), -std::numeric_limits<double>::infinity(), 0x1p32, -1e300}) {
        FrequencyDump dump = dump_of(spec, Format::float32);
        dump.inv_freq[3] = odd;
        const std::string found = marks(spec, *frequency_rows(spec, dump, 512));
        EXPECT_EQ(std::ranges::count(found, 'X'), 8) << found;
        const Diagnosis diagnosis = diagnose(spec, dump);
        ASSERT_EQ(diagnosis.explanations.size(), 1);
        EXPECT_EQ(diagnosis.explanations[0].mistake, "inv-freq-entry");
    }
}

// Their angles determine them only up to whole turns.
TEST(Frequencies, OfMoreThanHalfATurnAreNamedByTheirValue) {
    const Spec spec = spec_of(64, 10000);
    for (const double odd : {7.5, -5.0, 1e9, 1e10}) {
        FrequencyDump dump = dump_of(spec, Format::float64);
        dump.inv_freq[3] = odd;
        const Diagnosis diagnosis = diagnose(spec, dump);
        ASSERT_EQ(diagnosis.explanations.size(), 1) << odd;
        const auto& parameters = diagnosis.explanations[0].parameters;
        EXPECT_EQ(parameters.back(), (std::pair<std::string, FieldValue>{"inv_freq", odd}));
    }
}

TEST(Frequencies, AreRefusedWhereTheyTurnNothing) {
    const Spec spec = spec_of(4, 10000);
    const auto refusal = [&](std::vector<double> inv_freq, std::uint64_t context) {
        return error_message<InputError>([&] {
            frequency_rows(spec, {std::move(inv_freq), Format::float32, "x.npy"}, context);
        });
    };
    EXPECT_EQ(refusal({1}, 8), "x.npy has 1 frequencies; rotary_dim 4 needs 2");
    EXPECT_EQ(refusal({1, 0.01}, 0), "context is 0; it must be from 1 to 4294967296");
}

}  // namespace frequency_rows_test
}  // namespace rope
