#include "rope/spec/spec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <numbers>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "rope/spec/frequency.hpp"
#include "rope/spec/spectrum.hpp"
#include "rope/specs.hpp"

namespace rope::spec_test {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const Spec& spec) {
    try {
        validate(spec);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

struct Row {
    std::function<void(Spec&)> change;
    const char* message;  // empty: accepted
};

void expect(const Spec& start, std::initializer_list<Row> rows) {
    for (const auto& [change, message] : rows) {
        Spec spec = start;
        change(spec);
        EXPECT_EQ(refusal(spec), message);
    }
}

TEST(InputError, ConsistsOfItsFieldValueAndRange) {
    const InputError error("factor", "-2", "greater than 0");
    EXPECT_STREQ(error.what(), "factor is -2; it must be greater than 0");
    const InputError renamed = error.renamed("config.json: rope_scaling.factor");
    EXPECT_STREQ(renamed.what(),
                 "config.json: rope_scaling.factor is -2; it must be greater than 0");
    EXPECT_EQ(renamed.field, "config.json: rope_scaling.factor");
    EXPECT_EQ(renamed.value, "-2");
    EXPECT_EQ(renamed.wanted, "greater than 0");
    const InputError other("short_factor", "has 0 values; it must have 64");
    EXPECT_STREQ(other.renamed("--rope short_factor").what(),
                 "--rope short_factor has 0 values; it must have 64");
    EXPECT_TRUE(InputError("m.json: is not an object").field.empty());
}

TEST(InputError, OfAnOptionHasTheOptionAsItsField) {
    const InputError value("--seed", ": 'x' is not a whole number");
    EXPECT_STREQ(value.what(), "--seed: 'x' is not a whole number");
    EXPECT_EQ(value.field, "--seed");
    EXPECT_STREQ(value.renamed("--threads").what(), "--threads: 'x' is not a whole number");
    const InputError word = InputError("unknown pipeline 'x'").about("--pipeline");
    EXPECT_STREQ(word.what(), "unknown pipeline 'x'");
    EXPECT_EQ(word.field, "--pipeline");
}

// Other values, by the names of options and keys: tests/io/config_test.cpp,
// tests/cli/cases/bad_input.txt
TEST(Spec, StatesTheRangeOfEachField) {
    // clang-format off
    expect(spec_of(128, 1e4), {
        {[](Spec& s) { s.head_dim = 0; },          "head_dim is 0; it must be an even number from 2 to 65536"},
        {[](Spec& s) { s.head_dim = 65538; },      "head_dim is 65538; it must be an even number from 2 to 65536"},
        {[](Spec& s) { s.rotary_dim = 0; },        "rotary_dim is 0; it must be an even number from 2 to head_dim (128)"},
        {[](Spec& s) { s.head_dim = s.rotary_dim = 2; },     ""},
        {[](Spec& s) { s.head_dim = s.rotary_dim = 65536; }, ""},
        {[](Spec& s) { s.max_position_embeddings = 0; },               "max_position_embeddings is 0; it must be a whole number from 1 to 4294967296"},
        {[](Spec& s) { s.max_position_embeddings = max_context + 1; }, "max_position_embeddings is 4294967297; it must be a whole number from 1 to 4294967296"},
        {[](Spec& s) { s.max_position_embeddings = max_context; },     ""},
        {[](Spec& s) { s.rope_theta = 1.5e30; },    "rope_theta is 1.5e+30; it must be a number from 1 to 1e30"},
        {[](Spec& s) { s.rope_theta = nan_value; }, "rope_theta is nan; it must be a number from 1 to 1e30"},
        {[](Spec& s) { s.rope_theta = 1; },         ""},
    });
    expect(spec_of(128, 5e5, llama3(8)), {
        {[](Spec& s) { s.scaling.factor = nan_value; },      "factor is nan; it must be greater than 0 (1e-9 to 1e9)"},
        {[](Spec& s) { s.scaling.factor = 1e300; },          "factor is 1e+300; it must be greater than 0 (1e-9 to 1e9)"},
        {[](Spec& s) { s.scaling.factor = 0.5; },            ""},
        {[](Spec& s) { s.scaling.low_freq_factor.reset(); }, "low_freq_factor is missing; rope_type llama3 needs it, a number greater than 0"},
        {[](Spec& s) { s.scaling.low_freq_factor = 4; },     ""},
        {[](Spec& s) { s.scaling.original_max_position_embeddings.reset(); }, "original_max_position_embeddings is missing; rope_type llama3 needs it, a whole number from 1 to 4294967296"},
        {[](Spec& s) { s.scaling.original_max_position_embeddings = 0; },     "original_max_position_embeddings is 0; it must be a whole number from 1 to 4294967296"},
    });
    // clang-format on
}

TEST(Spec, NamesEveryRopeTypeItKnows) {
    const std::string message = refusal(spec_of(128, 1e4, Scaling{"yran", {}, {}, {}, {}}));
    EXPECT_EQ(message.rfind("rope_type is 'yran'; it must be one of ", 0), 0U) << message;
    for (const Variant& variant : variants())
        EXPECT_NE(message.find(variant.name), std::string::npos) << variant.name;
}

TEST(Spec, ReadsTheNamesOfBothLayouts) {
    EXPECT_EQ(parse_pair_layout("half"), PairLayout::half_split);
    for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved})
        EXPECT_EQ(parse_pair_layout(to_string(layout)), layout);
    EXPECT_EQ(parse_pair_layout("neox"), PairLayout::half_split);
    EXPECT_EQ(parse_pair_layout("rotate_half"), PairLayout::half_split);
    EXPECT_EQ(parse_pair_layout("GPT-J"), PairLayout::interleaved);
    EXPECT_EQ(parse_pair_layout("NeoX"), PairLayout::half_split);
    for (const char* wrong : {"", "neo", "half "})
        EXPECT_THROW(parse_pair_layout(wrong), InputError);
}

using Names = std::vector<std::string>;

constexpr std::array<std::uint64_t, 2> positions{0, 4096};

TEST(Difference, OfASpecFromItselfIsNothing) {
    for (const Spec& spec :
         {spec_of(128, 1e4), spec_of(64, 5e5, llama3(32), 131072), spec_of(128, 1e4, he_xu())}) {
        const Difference same = difference(spec, spec, positions);
        EXPECT_EQ(differing(same), Names{});
        EXPECT_EQ(same.worst().relative, 0);
        EXPECT_EQ(same.angles[1].worst, 0);
        EXPECT_EQ(same.angles[1].pairs_lost, 0U);
    }
}

TEST(Difference, IsOfTheRotationNotOfTheWords) {
    const Spec plain = spec_of(128, 1e4);
    EXPECT_EQ(differing(difference(plain, spec_of(128, 1e4, linear(1)), positions)), Names{});
    // the context, and digits of θ beyond double's, do not change the rotation
    EXPECT_EQ(differing(difference(plain, spec_of(128, 1e4, {}, 4096), positions)), Names{});
    EXPECT_EQ(differing(difference(plain, spec_of(128, 1e4 * (1 + 1e-15), {}), positions)),
              Names{});
}

// transformers divides by llama3's factors in float64; a GGUF keeps them as float32.
TEST(Difference, OfFactorsRoundedToFloat32IsNoneUnlessExact) {
    const Spec a = spec_of(128, 5e5, llama3(8), 131072);
    Spec b = a;
    b.scaling = {
        .rope_type = "longrope", .original_max_position_embeddings = 8192, .attention_factor = 1};
    const FrequencyPlan plain = plan_frequencies(spec_of(128, 5e5), exact_precision);
    const FrequencyPlan scaled = plan_frequencies(a, exact_precision);
    for (std::size_t i = 0; i < 64; ++i)
        b.scaling.short_factor.push_back(
            static_cast<float>((plain.pairs[i].inv_freq / scaled.pairs[i].inv_freq).to_double()));
    b.scaling.long_factor = b.scaling.short_factor;
    const Difference found = difference(a, b, positions);
    EXPECT_GT(found.worst().relative, 1e-9);
    EXPECT_EQ(differing(found), Names{});
    EXPECT_EQ(differing(found, 0), Names{"inv_freq"});
    b.scaling.short_factor[40] *= 1 + 0x1p-21;
    EXPECT_EQ(differing(difference(a, b, positions)), Names{"inv_freq"});
}

// θ_i ∝ base^(−2i/d): a base larger by 1e−4 lowers the last inv_freq by (126/128)·1e−4
TEST(Difference, OfTheBaseIsLargestInTheLastPair) {
    const Difference bases = difference(spec_of(128, 10000), spec_of(128, 10001), positions);
    EXPECT_EQ(differing(bases), Names{"inv_freq"});
    EXPECT_EQ(bases.worst_pair, 63U);
    EXPECT_NEAR(bases.worst().relative, 1 - std::pow(10000.0 / 10001, 126.0 / 128), 1e-15);
    EXPECT_EQ(bases.inv_freq[0].relative, 0);
}

TEST(Difference, TurnsIntoAnglesWithThePosition) {
    const Difference halved = difference(spec_of(4, 1e4), spec_of(4, 1e4, linear(2)), positions);
    ASSERT_EQ(halved.angles.size(), 2U);
    EXPECT_EQ(halved.angles[0].worst, 0);
    EXPECT_EQ(halved.angles[1].position, 4096U);
    EXPECT_EQ(halved.angles[1].worst, 2048);  // pair 0: 4096·(1 − ½)
    EXPECT_EQ(halved.angles[1].pair, 0U);
    EXPECT_EQ(halved.angles[1].pairs_lost, 2U);  // pair 1: 4096·(0.01 − 0.005) = 20.48
    EXPECT_EQ(halved.worst().relative, 0.5);
}

TEST(Difference, NamesEveryFieldThatDiffers) {
    Spec a = spec_of(64, 1e4), b = spec_of(128, 1e4);
    b.rotary_dim = 64;
    b.layout = PairLayout::interleaved;
    EXPECT_EQ(differing(difference(a, b, positions)), (Names{"head_dim", "layout"}));
    b.rotary_dim = 32;
    EXPECT_EQ(differing(difference(a, b, positions)),
              (Names{"head_dim", "rotary_dim", "layout", "inv_freq"}));
    EXPECT_EQ(difference(a, b, positions).inv_freq.size(), 16U);
}

TEST(Difference, SeesWhichAxisTurnsAPair) {
    const Spec a = spec_of(8, 1e4);
    Spec b = a;
    b.axes = {AxisScheme::sectioned, {2, 1, 1}};
    EXPECT_EQ(differing(difference(a, b, positions)), Names{"axes"});
}

TEST(Difference, SeesTheMagnitudesOfYarn) {
    const Spec a = spec_of(64, 1e4, yarn(40), 163840);
    Spec b = a;
    b.scaling.mscale = b.scaling.mscale_all_dim = 1;
    const Difference magnitudes = difference(a, b, positions);
    EXPECT_EQ(differing(magnitudes),
              Names{"attention_factor"});  // scores are scaled, the vectors' rotations stay
    EXPECT_NEAR(magnitudes.attention_factor.a, 1.3688879454, 1e-10);
    EXPECT_EQ(magnitudes.attention_factor.b, 1);
    EXPECT_NEAR(magnitudes.softmax_scale_factor.b, 1.8738542071, 1e-10);
}

// A key of a rope section is spelled only in the table of keys.

namespace fs = std::filesystem;

const fs::path root = fs::path(ROPE_CHECK_TESTS).parent_path();

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Raw strings hold whole configs, which are data.
std::string without_raw_strings(std::string text) {
    for (std::size_t at = text.find("R\"("); at != text.npos; at = text.find("R\"(", at))
        text.erase(at, text.find(")\"", at) + 2 - at);
    return text;
}

// Whether a literal in the source is the key, by itself or at the end of a path.
bool spells(const std::string& source, const ScalingField& field) {
    const std::string name(field.name);
    for (const std::string& literal : {"\"" + name + "\"", "/" + name + "\""})
        if (source.find(literal) != source.npos) return true;
    return false;
}

// The name of a plan's multiplier of cos and sin in reports, whichever key gives it.
const std::set<std::string> reports_of_a_plan{
    "src/io/explain/diff.cpp",       "src/io/explain/explanation.cpp",
    "src/io/render/report_json.cpp", "src/io/audit/answered_suite.cpp",
    "src/rope/spec/spectrum.cpp",    "src/rope/checks/report.cpp"};

TEST(FieldNames, AreFoundWhereTheyAreSpelled) {
    const ScalingField& field = field_of(&Scaling::beta_fast);
    EXPECT_TRUE(spells("origin_of(draft, \"beta_fast\")", field));
    EXPECT_TRUE(spells("to.exact(\"spec/beta_fast\", 1)", field));
    EXPECT_FALSE(spells("scaling.beta_fast", field));
    EXPECT_FALSE(spells(without_raw_strings("R\"({\"beta_fast\": 32})\""), field));
}

TEST(FieldNames, AreSpelledOnlyInTheTable) {
    std::size_t read = 0;
    for (const char* folder : {"src", "cli", "plots"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string path = entry.path().lexically_relative(root).generic_string();
            if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
            const std::string source = without_raw_strings(text_of(entry.path()));
            ++read;
            if (path == "src/rope/spec/spec.cpp") continue;
            for (const ScalingField& field : scaling_fields()) {
                if (field.member == ScalingMember(&Scaling::attention_factor) &&
                    reports_of_a_plan.contains(path))
                    continue;
                EXPECT_FALSE(spells(source, field)) << path << " spells " << field.name;
            }
        }
    EXPECT_GT(read, 200u);
}

TEST(FieldNames, CoverEveryKeyOfScaling) {
    const std::string header = text_of(root / "src/rope/spec/spec.hpp");
    const std::size_t first = header.find("struct Scaling {");
    const std::string members = header.substr(first, header.find("operator==", first) - first);
    const std::regex member(R"(std::(optional|vector)<[^>]*> (\w+) = \{\};)");
    std::set<std::string> names;
    for (std::sregex_iterator it(members.begin(), members.end(), member), end; it != end; ++it)
        names.insert((*it)[2]);
    EXPECT_EQ(names.size(), scaling_fields().size());
    for (const std::string& name : names) EXPECT_NE(find_field(name), nullptr) << name;
}

// "unscaled 0-28, blended 29-34, interpolated 35-63"
std::string bands(const Spec& spec) {
    std::string text;
    for (const BandRun& run : band_runs(spectrum(spec)))
        text += (text.empty() ? "" : ", ") + std::string(to_string(run.band)) + " " +
                std::to_string(run.first) + "-" + std::to_string(run.last);
    return text;
}

Spec scaled(std::string type, double factor, std::uint64_t length = 4096) {
    Spec spec = spec_of(128, 1e4, linear(factor), length);
    spec.scaling.rope_type = std::move(type);
    return spec;
}

const Spec gemma_4 =
    spec_of(512, 1e6, {.rope_type = "proportional", .partial_rotary_factor = 0.25}, 131072);

TEST(Spectrum, BandsAreThoseOfTheModels) {
    EXPECT_EQ(bands(spec_of(128, 5e5, llama3(8), 131072)),  // Llama-3.1-8B
              "unscaled 0-28, blended 29-34, interpolated 35-63");
    EXPECT_EQ(bands(spec_of(64, 5e5, llama3(32), 131072)),  // Llama-3.2-1B
              "unscaled 0-14, blended 15-17, interpolated 18-31");
    EXPECT_EQ(bands(spec_of(128, 5e5, llama3(8, 4, 4), 131072)),  // without a ramp
              "unscaled 0-28, interpolated 29-63");
    EXPECT_EQ(bands(gemma_4), "unscaled 0-63, still 64-255");
}

TEST(Spectrum, BandsAreThoseOfTheRopeTypes) {
    EXPECT_EQ(bands(scaled("linear", 4)), "interpolated 0-63");
    EXPECT_EQ(bands(scaled("linear", 1)), "unscaled 0-63");
    // θ_0 does not change, and θ_last is divided by exactly the factor
    EXPECT_EQ(bands(scaled("ntk", 4)), "unscaled 0-0, interpolated 1-63");
    EXPECT_EQ(bands(scaled("dynamic", 2)), "unscaled 0-63");
    Spec longer = scaled("dynamic", 2);
    longer.seq_len = 8192;
    EXPECT_EQ(bands(longer), "unscaled 0-0, interpolated 1-63");
    EXPECT_EQ(bands(spec_of(128, 1e4, yarn(16), 65536)),
              "unscaled 0-20, blended 21-45, interpolated 46-63");
}

TEST(Spectrum, EachPairOfLongropeHasADifferentDivisor) {
    Spec spec = spec_of(8, 1e4, {}, 8192);
    spec.scaling = {.rope_type = "longrope",
                    .original_max_position_embeddings = 4096,
                    .short_factor = {1, 1, 1.5, 2},
                    .long_factor = {1, 2, 3, 4}};
    const std::vector<BandRun> runs = band_runs(spectrum(spec));
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].first, 2U);
    EXPECT_EQ(runs[1].band, Band::interpolated);
    EXPECT_DOUBLE_EQ(runs[1].least, 1.5);
    EXPECT_DOUBLE_EQ(runs[1].most, 2);
}

TEST(Spectrum, TellsWavelengthsAndTurns) {
    const auto pairs = spectrum(spec_of(128, 5e5, llama3(8), 131072));
    ASSERT_EQ(pairs.size(), 64U);
    EXPECT_EQ(pairs[0].inv_freq, 1);
    EXPECT_DOUBLE_EQ(pairs[0].wavelength, 2 * std::numbers::pi);
    EXPECT_DOUBLE_EQ(pairs[0].turns(2 * std::numbers::pi), 1);
    EXPECT_DOUBLE_EQ(pairs[63].divisor, 8);
    EXPECT_DOUBLE_EQ(pairs[63].unscaled / pairs[63].inv_freq, 8);
    const SpectralPair still = spectrum(gemma_4).back();
    EXPECT_EQ(still.inv_freq, 0);
    EXPECT_TRUE(std::isinf(still.wavelength));
    EXPECT_EQ(still.turns(131072), 0);
}

TEST(CriticalDimension, IsThePapersFormula) {
    struct Row {
        std::uint32_t rotary_dim;
        double base;
        std::uint64_t length;
        std::uint32_t dimensions;
    };
    // clang-format off
    for (const auto& [rotary_dim, base, length, dimensions] : {
             Row{128, 1e4, 2048, 82},    Row{128, 1e4, 4096, 92},   Row{128, 1e4, 8192, 100},
             Row{128, 1e4, 16384, 110},  Row{128, 1e4, 32768, 120}, Row{128, 5e5, 8192, 70},
             Row{128, 1e6, 32768, 80},   Row{64, 1e4, 2048, 42},    Row{128, 5e6, 131072, 84},
             Row{128, 500, 4096, 128},   Row{128, 1e4, 6, 0},       Row{128, 1, 6, 0},
             Row{128, 1, 7, 128}}) {
        EXPECT_EQ(critical_dimension(rotary_dim, base, length), dimensions) << base << " " << length;
        const Spec spec = spec_of(rotary_dim, base, {}, length);
        EXPECT_EQ(critical_dimension(spec, spectrum(spec)).counted, dimensions) << base << " " << length;
    }
    // clang-format on
}

TEST(CriticalDimension, UsesTheTrainedLength) {
    const Spec llama = spec_of(128, 5e5, llama3(8), 131072);
    const CriticalDimension unscaled = critical_dimension(llama, spectrum(llama));
    EXPECT_EQ(unscaled.trained_length, 8192U);
    EXPECT_EQ(unscaled.counted, 70U);
    ASSERT_EQ(unscaled.never_turn.size(), 29U);
    EXPECT_EQ(unscaled.never_turn.front(), 35U);
    EXPECT_EQ(unscaled.formula, 70U);

    // linear by 4 at 16384 rotates like θ at 4096; the formula is about θ
    const Spec stretched = scaled("linear", 4, 16384);
    const CriticalDimension linear = critical_dimension(stretched, spectrum(stretched));
    EXPECT_EQ(linear.trained_length, 16384U);
    EXPECT_EQ(linear.counted, 92U);
    EXPECT_FALSE(linear.formula);

    // two halves of 64 dimensions, each with 42 by the formula
    const Spec halves = on_axes(spec_of(128, 1e4), {AxisScheme::halves});
    const CriticalDimension both = critical_dimension(halves, spectrum(halves));
    EXPECT_EQ(both.counted, 84U);
    EXPECT_EQ(both.formula, 84U);

    // no pair of He & Xu rotates more than a quarter turn
    const Spec quarter = spec_of(128, 1e4, he_xu());
    EXPECT_EQ(critical_dimension(quarter, spectrum(quarter)).counted, 0U);
    // a pair with θ = 0 never makes a turn
    EXPECT_LE(critical_dimension(gemma_4, spectrum(gemma_4)).counted, 128U);
}

}  // namespace rope::spec_test
