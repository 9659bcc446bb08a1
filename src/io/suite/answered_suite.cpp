#include "io/suite/answered_suite.hpp"

#include <span>
#include <utility>

#include "io/suite/suite_answers.hpp"

namespace rope::io {
namespace {

// A case's answers in one format.
struct FormatAnswers {
    std::vector<SuiteTest> tests;
    std::vector<std::vector<double>> got;
};

bool explains(const FormatAnswers& answers, Arithmetic arithmetic) {
    for (std::size_t i = 0; i < answers.got.size(); ++i)
        if (!answers.tests[i].worst(answers.got[i], arithmetic).holds()) return false;
    return true;
}

Arithmetic most_exact(const FormatAnswers& answers) {
    for (const Arithmetic each : arithmetics)
        if (explains(answers, each)) return each;
    return least_exact;
}

void judge_format(const SuiteValues& values, Format format, SuiteAnswers& answers,
                  std::optional<Arithmetic> arithmetic, AnsweredCase& to) {
    FormatAnswers given;
    const std::size_t first = to.tests.size();
    for (const SuiteOutput output : suite_outputs) {
        auto got = answers.take(to.asked, format, output);
        to.tests.push_back({format, output, got.has_value()});
        if (!got) continue;
        given.tests.emplace_back(to.asked, values, output, format);
        given.got.push_back(std::move(*got));
    }
    const Arithmetic like = arithmetic.value_or(most_exact(given));
    std::size_t i = 0;
    for (AnsweredTest& test : std::span(to.tests).subspan(first)) {
        test.like = like;
        if (!test.is_answered) continue;
        test.worst = given.tests[i].worst(given.got[i], like);
        ++i;
    }
}

}  // namespace

AnsweredSuite judge_suite(const std::filesystem::path& folder, std::string program,
                          std::optional<Arithmetic> arithmetic, TaskCount* cases) {
    SuiteAnswers answers(folder);
    AnsweredSuite suite{std::move(program), arithmetic, {}};
    std::vector<SuiteCase> all = suite_cases();
    if (cases != nullptr) cases->all += all.size();
    for (SuiteCase& asked : all) {
        AnsweredCase& one = suite.cases.emplace_back(AnsweredCase{std::move(asked), {}});
        const SuiteValues values(one.asked, suite.cases.size() - 1);
        for (const Format format : suite_formats)
            judge_format(values, format, answers, arithmetic, one);
        for (const AnsweredTest& test : one.tests) {
            ++suite.tests;
            suite.answered += test.is_answered;
            suite.violated += test.is_answered && !test.worst.holds();
        }
        if (cases != nullptr) ++cases->ended;
    }
    answers.require_all_taken();
    return suite;
}

}  // namespace rope::io
