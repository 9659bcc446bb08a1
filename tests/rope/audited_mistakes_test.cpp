// What programs with a known mistake answer to an audit, in every format: each must be named.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>

#include "rope/number/format.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/suite/audit.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace audited_mistakes_test {

// R(m)x of a program that was asked for a Spec.
using Program = std::function<Vector(const Spec& asked, double m, const Vector& x)>;
// The cosine and sine of a pair, to be changed.
using Entry = std::function<void(double m, double& cos, double& sin)>;
using Angle = std::function<double(double m, double theta)>;

const Spec plain = spec_of(32, 10000);

double right(double m, double theta) { return m * theta; }

Vector turned(const Spec& spec, double m, const Vector& x, const Angle& angle, const Entry& entry) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Vector cos, sin;
    for (const PlannedFrequency& pair : plan.pairs) {
        const double phi = angle(m, pair.inv_freq.to_double());
        cos.push_back(plan.attention_factor * std::cos(phi));
        sin.push_back(plan.attention_factor * std::sin(phi));
        entry(m, cos.back(), sin.back());
    }
    return rotate(spec, x, cos, sin);
}

Program by_angles(const Angle& angle) {
    return [=](const Spec& asked, double m, const Vector& x) {
        return turned(asked, m, x, angle, [](double, double&, double&) {});
    };
}
Program by_positions(const std::function<double(double)>& changed) {
    return by_angles([=](double m, double theta) { return changed(m) * theta; });
}
Program by_entries(const Entry& entry) {
    return [=](const Spec& asked, double m, const Vector& x) {
        return turned(asked, m, x, right, entry);
    };
}
Program by(const Spec& own) {
    return [=](const Spec&, double m, const Vector& x) {
        return turned(own, m, x, right, [](double, double&, double&) {});
    };
}
// Lanes i and i + d/2, written one after the other.
Program by_lanes(const std::function<void(double& x1, double& x2, double c, double s)>& turn) {
    return [=](const Spec& asked, double m, Vector x) {
        const FrequencyPlan plan = plan_frequencies(asked, exact_precision);
        for (std::uint32_t i = 0; i < asked.pairs(); ++i) {
            const double phi = m * plan.pairs[i].inv_freq.to_double();
            turn(x[i], x[i + asked.pairs()], std::cos(phi), std::sin(phi));
        }
        return x;
    };
}

Spec with(Spec spec, const std::function<void(Spec&)>& change) {
    change(spec);
    return spec;
}
Spec interleaved() {
    return with(plain, [](Spec& spec) { spec.layout = PairLayout::interleaved; });
}
Spec partial(std::uint32_t rotary_dim) {
    return with(plain, [=](Spec& spec) { spec.rotary_dim = rotary_dim; });
}
Spec yarn(double factor, bool truncates = true) {
    Scaling scaling;
    scaling.rope_type = "yarn";
    scaling.factor = factor;
    scaling.original_max_position_embeddings = 256;
    scaling.truncate = truncates;
    return spec_of(32, 10000, scaling);
}
Spec without_attention_factor(Spec spec) {
    spec.scaling.attention_factor = 1;
    return spec;
}

struct Row {
    const char* mistake;
    Spec asked;
    Program program;
    bool in_float32_alone = false;  // 16 bits of the answers hide it, or leave it to other names
    friend void PrintTo(const Row& row, std::ostream* out) { *out << row.mistake; }
};

Answers answers_of(const Row& row, Format format) {
    std::vector<double> positions;
    for (int m = 0; m < 24; ++m) positions.push_back(m);
    positions.insert(positions.end(), {63, 65, 100, 127, 129, 200, 255, 257, 300, 511, 513, 1000});
    Audit audit = plan_audit(row.asked, positions, 1);
    std::vector<double> y;
    for (std::uint64_t k = 0; k < audit.rows(); ++k) {
        Vector x;
        for (std::uint32_t lane = 0; lane < row.asked.head_dim; ++lane)
            x.push_back(audit.x(k, lane));
        const double m = audit.positions[0][k / audit.rows_per_place()];
        for (const double value : row.program(row.asked, m, x))
            y.push_back(round_to(format, value));
    }
    return {std::move(audit), {std::move(y), row.asked.head_dim}, format, ""};
}

// clang-format off
const Row rows[] = {
    {"pair-layout",        plain, by(interleaved())},
    {"pair-layout",        interleaved(), by(plain)},
    {"direction",          plain, by_positions([](double m) { return -m; })},
    {"cos-sin-swapped",    plain, by_entries([](double, double& c, double& s) { std::swap(c, s); })},
    {"sign",               plain, by_entries([](double, double& c, double&) { c = -c; })},
    {"rotate-half-sign",   plain, by_lanes([](double& x1, double& x2, double c, double s) {
                                      const double y1 = x1 * c + x2 * s;
                                      x2 = x2 * c + x1 * s;
                                      x1 = y1;
                                  })},
    {"rotated-in-place",   plain, by_lanes([](double& x1, double& x2, double c, double s) {
                                      x1 = x1 * c - x2 * s;
                                      x2 = x2 * c + x1 * s;
                                  })},
    {"base",               plain, by(spec_of(32, 500000))},
    {"exponent-divisor",   plain, by(spec_of(32, 100))},
    {"exponent-start",     plain, by_angles([](double m, double theta) { return m * theta * std::pow(10000, -1.0 / 16); })},
    {"exponent-sign",      plain, by_angles([](double m, double theta) { return m / theta; })},
    {"frequency-order",    plain, by_angles([](double m, double theta) { return m * std::pow(10000, -15.0 / 16) / theta; })},
    {"scaling-missing",    spec_of(32, 10000, linear(4)), by(plain)},
    {"scaling-doubled",    spec_of(32, 10000, linear(4)), by(spec_of(32, 10000, linear(16)))},
    {"scaling-inverted",   spec_of(32, 10000, linear(4)), by(spec_of(32, 10000, linear(0.25)))},
    {"scaling-type",       spec_of(32, 500000, llama3(8, 1, 4, 256)), by(spec_of(32, 500000, linear(8)))},
    {"scaling-parameter",  spec_of(32, 10000, linear(4)), by(spec_of(32, 10000, linear(3)))},
    {"attention-factor",   yarn(8), by(without_attention_factor(yarn(8)))},
    {"vector-scale",       plain, by_entries([](double m, double& c, double& s) {
                                      const double scale = 1 + 0.1 * std::log(1 + std::floor(m / 64));
                                      c *= scale;
                                      s *= scale;
                                  })},
    {"rotary-dim",         partial(16), by(plain)},
    {"rotary-dim",         plain, by(partial(16))},
    {"position-offset",    plain, by_positions([](double m) { return m + 1; })},
    {"position-scale",     plain, by_positions([](double m) { return 3 * m; })},
    {"position-collapse",  plain, by_positions([](double m) { return std::min(m, 255.0); })},
    {"position-wrap",      plain, by_positions([](double m) { return std::fmod(m, 128); })},
    {"inv-freq-precision", plain, by_angles([](double m, double theta) { return m * round_to(Format::bfloat16, theta); })},
    {"position-precision", plain, by_positions([](double m) { return round_to(Format::bfloat16, m); })},
    {"angle-precision",    plain, by_angles([](double m, double theta) { return round_to(Format::bfloat16, m * theta); })},
    {"table-precision",    plain, by_entries([](double, double& c, double& s) {
                                      c = round_to(Format::bfloat16, c);
                                      s = round_to(Format::bfloat16, s);
                                  }), true},
    {"table-truncated",    plain, by_entries([](double m, double& c, double& s) { c *= m < 128, s *= m < 128; })},
    {"uninitialised",      plain, by_entries([](double m, double& c, double&) { c = m == 255 ? std::nan("") : c; })},
    {"rotated-twice",      plain, by_positions([](double m) { return 2 * m; })},
    {"inv-freq-entry",     plain, by_angles([](double m, double theta) { return theta == 1 ? 0.7 * m : m * theta; })},
    {"not-rotated",        plain, by_positions([](double) { return 0; })},
};
// clang-format on

class AuditedMistake : public testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(Rope, AuditedMistake, testing::ValuesIn(rows));

// By its name, by one of the same numbers, or by one that an answer does not tell from it.
bool is_named(const Report& report, const std::string& mistake) {
    if (report.diagnosis.size() != 1) return false;
    const Explanation& one = report.diagnosis[0];
    const auto is_it = [&](const std::string& name) {
        return name.substr(0, name.find(' ')) == mistake;
    };
    return one.mistake == mistake || std::ranges::any_of(one.equivalent, is_it) ||
           std::ranges::any_of(one.also_fits, is_it);
}

TEST_P(AuditedMistake, IsNamedInEveryFormat) {
    for (const Format format : {Format::float32, Format::bfloat16, Format::float16}) {
        if (GetParam().in_float32_alone && format != Format::float32) continue;
        const Report report = audit(answers_of(GetParam(), format));
        std::string said;
        for (const Explanation& one : report.diagnosis)
            said += one.mistake + ": " + one.what + "; ";
        for (const std::string& one : report.observations) said += one + "; ";
        EXPECT_TRUE(is_named(report, GetParam().mistake)) << to_string(format) << ": " << said;
    }
}

TEST(AuditedPrograms, ThatAreRightHoldInEveryFormat) {
    for (const Spec& spec : {plain, interleaved(), partial(16), yarn(8)})
        for (const Format format : {Format::float32, Format::bfloat16, Format::float16})
            EXPECT_EQ(summarize(audit(answers_of({"", spec, by(spec)}, format))).violated, 0U)
                << to_string(format);
}

}  // namespace audited_mistakes_test
}  // namespace rope
