#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggest.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/arguments.hpp"

namespace rope::cli::options_test {

const std::vector<Option> options{{.name = "FILE", .value = "FILE", .reads = Reads::file},
                                  {.name = "--context", .value = "N"},
                                  {.name = "--only", .value = "CHECK", .repeats = true},
                                  {.name = "--output", .value = "FILE", .alias = "-o"},
                                  {.name = "--quiet", .alias = "-q"}};
const Command command{.name = "try", .options = options, .run = nullptr};

Arguments parse(const std::vector<std::string>& words) { return cli::parse(command, words); }

std::string refusal(const std::vector<std::string>& words) {
    try {
        parse(words);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Parse, KeepsEveryValueAsText) {
    EXPECT_EQ(parse({"--context", "010"}).value("--context"), "010");
    EXPECT_EQ(parse({"--context=0x40"}).value("--context"), "0x40");
    EXPECT_EQ(parse({"--context", ""}).value("--context"), "");
    EXPECT_EQ(parse({"--context", "-5"}).value("--context"), "-5");
    EXPECT_EQ(parse({"--context", "[1,2]"}).value("--context"), "[1,2]");
    EXPECT_EQ(parse({"--context", "a=b"}).value("--context"), "a=b");
    EXPECT_EQ(parse({"--context", "{}"}).value("--context"), "{}");
    EXPECT_EQ(parse({"--context", "\"x\""}).value("--context"), "\"x\"");
}

TEST(Parse, KnowsAliasesByTheirName) {
    EXPECT_EQ(parse({"-o", "x.json"}).value("--output"), "x.json");
    EXPECT_EQ(parse({"-ox.json"}).value("--output"), "x.json");
    EXPECT_EQ(parse({"-o", "-"}).value("--output"), "-");
    EXPECT_TRUE(parse({"-q"}).has("--quiet"));
    EXPECT_TRUE(parse({"-qo", "x.json"}).has("--quiet"));
    EXPECT_FALSE(parse({}).has("--quiet"));
}

TEST(Parse, KeepsRepeatsInOrder) {
    const Arguments arguments = parse({"--only", "b", "--quiet", "--only=a", "--only", "b"});
    EXPECT_EQ(arguments.values("--only"), (std::vector<std::string>{"b", "a", "b"}));
}

TEST(Parse, LeavesSpecFlagsAsTyped) {
    const Arguments arguments = parse({"--head-dim", "64", "--base=5e5"});
    ASSERT_EQ(arguments.spec_flags.size(), 2U);
    EXPECT_EQ(arguments.spec_flags[0].name, "--head-dim");
    EXPECT_EQ(arguments.spec_flags[0].value, "64");
    EXPECT_EQ(arguments.spec_flags[1].name, "--base");
    EXPECT_EQ(arguments.spec_flags[1].value, "5e5");
    EXPECT_TRUE(arguments.given.empty());
}

TEST(Parse, TakesOnePositionalArgument) {
    EXPECT_EQ(parse({"a.npz", "-q"}).value("FILE"), "a.npz");
    EXPECT_EQ(parse({"--", "-q"}).value("FILE"), "-q");
    EXPECT_EQ(
        refusal({"a", "b"}),
        "unexpected argument 'b' for 'try'; it is neither a file nor a folder nor a built-in model "
        "(rope-check list models)");
    EXPECT_EQ(refusal({"a", "--", "-b"}),
              "unexpected argument '-b' for 'try'; it is neither a file nor a folder nor a "
              "built-in model "
              "(rope-check list models)");
    EXPECT_EQ(refusal({"-x", "--", "a"}),
              "unknown option '-x' for 'try'; see rope-check try --help");
}

Arguments parse_with_program(const std::vector<std::string>& words) {
    Command with_program = command;
    with_program.rest = Rest::program;
    return cli::parse(with_program, words);
}

TEST(Parse, WordsAfterTwoDashesAreTheProgram) {
    const Arguments arguments =
        parse_with_program({"a", "--context", "5", "--", "./run", "--dim", "--", "", "-q", "--x="});
    EXPECT_EQ(arguments.value("FILE"), "a");
    EXPECT_EQ(arguments.value("--context"), "5");
    EXPECT_EQ(arguments.rest, (std::vector<std::string>{"./run", "--dim", "--", "", "-q", "--x="}));
    EXPECT_TRUE(arguments.spec_flags.empty());
    EXPECT_FALSE(arguments.has("--quiet"));
    EXPECT_TRUE(parse_with_program({"a", "--"}).rest.empty());
    EXPECT_TRUE(parse({"--", "a"}).rest.empty());
}

TEST(Parse, KeepsEachFileThatAnOptionNamesToBeRead) {
    const auto inputs = [](const std::vector<std::string>& words) {
        std::vector<std::string> all;
        for (const Input& input : parse(words).inputs)
            all.push_back(input.option + " " + input.path.string());
        return all;
    };
    EXPECT_EQ(inputs({"a", "--config", "m", "-o", "x"}),
              (std::vector<std::string>{"FILE a", "--config m", "--config m/config.json"}));
    EXPECT_TRUE(inputs({"", "--only", "a"}).empty());
}

TEST(Parse, HelpWinsOverUnknownOptions) {
    EXPECT_TRUE(parse({"--zebra", "--help"}).has("--help"));
    EXPECT_TRUE(parse({"--zebra", "-h"}).has("-h"));
}

TEST(EditDistance, CountsEditsAndSwaps) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("verify", "verify"), 0U);
    EXPECT_EQ(edit_distance("verfy", "verify"), 1U);
    EXPECT_EQ(edit_distance("verifyy", "verify"), 1U);
    EXPECT_EQ(edit_distance("vermfy", "verify"), 1U);
    EXPECT_EQ(edit_distance("--dmi", "--dim"), 1U);  // a swap is one edit
    EXPECT_EQ(edit_distance("abc", "cba"), 2U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, IsSymmetric) {
    const std::string_view words[] = {"", "a", "verify", "compare", "plot-decay", "plot-angles"};
    for (const auto a : words) {
        for (const auto b : words) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
    }
}

TEST(Nearest, IsAtMostTwoEditsAway) {
    const std::string_view known[] = {"verify", "compare", "plot-decay"};
    EXPECT_EQ(nearest("verfiy", known), "verify");
    EXPECT_EQ(nearest("vrfy", known), "verify");
    EXPECT_EQ(nearest("vy", known), "");
    EXPECT_EQ(nearest("", known), "");
    EXPECT_EQ(nearest(std::string(100'000, 'x'), known), "");
}

TEST(Nearest, SuggestsNothingIfEveryShortWordIsNear) {
    const std::string_view known[] = {"-o", "-q"};
    EXPECT_EQ(nearest("xy", known), "");
    EXPECT_EQ(nearest("-x", known), "");
}

TEST(UnknownWord, SuggestsOrLists) {
    const std::string_view known[] = {"text", "json"};
    EXPECT_STREQ(unknown_word("format", "jsn", known).what(),
                 "unknown format 'jsn'; did you mean 'json'?");
    EXPECT_STREQ(unknown_word("format", "zebra", known).what(),
                 "unknown format 'zebra'; known: text, json");
    EXPECT_STREQ(unknown_word("format", "a\nb", known).what(),
                 "unknown format 'a\\nb'; known: text, json");
}

TEST(UnknownWord, ListsOptionsThatContainIt) {
    const std::string_view known[] = {"qwen3-8b", "phi-4", "qwen2.5-7b"};
    EXPECT_STREQ(unknown_word("model", "qwen", known).what(),
                 "unknown model 'qwen'; with it in the name: qwen3-8b, qwen2.5-7b");
    EXPECT_STREQ(unknown_word("model", "q", known).what(),
                 "unknown model 'q'; known: qwen3-8b, phi-4, qwen2.5-7b");
}

TEST(UnknownWord, ListsNoMoreThanAFewLinesHold) {
    const std::vector<std::string_view> known(142, "001-c3");
    const std::string said = unknown_word("claim", "zebra", known).what();
    EXPECT_TRUE(said.ends_with("001-c3, … (142)")) << said;
    EXPECT_LT(said.size(), 300u);
}

using ledger::Derivation;
using ledger::Entry;

TEST(Claims, ExitWithOneIfANumberOfAnyIsOff) {
    const Entry& entry = *ledger::all_entries().front();
    Entry other = entry;  // with another number in its text
    std::ranges::find(other.lines, ledger::Line::Kind::number, &ledger::Line::kind)->figure = "7";
    const Derivation right = derive(entry), wrong = derive(other);
    EXPECT_EQ(exit_code_of({right, right}), 0);
    EXPECT_EQ(exit_code_of({right, wrong}), 1);
}

std::vector<std::string_view> asked(const std::vector<std::string>& words) {
    std::vector<std::string_view> ids;
    for (const Entry* entry : claims_asked_for(parse(described(claims_command), words)))
        ids.push_back(entry->id);
    return ids;
}

TEST(Claims, AreChosenByIdAndByWork) {
    EXPECT_EQ(asked({}).size(), ledger::all_entries().size());
    EXPECT_EQ(asked({"all"}), asked({}));
    EXPECT_EQ(asked({"001-c3-R3"}), std::vector<std::string_view>{"001-c3-R3"});
    EXPECT_EQ(asked({"001"}).size(), ledger::works().at(1).entries.size());
    EXPECT_EQ(asked({"001-c3-R3", "001"}).front(), "001-c3-R3");
    EXPECT_EQ(asked({"001-c3-R3", "all"}).size(), ledger::all_entries().size());  // once each
}

}  // namespace rope::cli::options_test
