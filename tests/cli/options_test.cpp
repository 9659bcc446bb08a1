#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"

namespace rope::cli {
namespace options_test {

const Command command{
    .name = "try",
    .summary = "",
    .examples = "",
    .options =
        [] {
            return std::vector<Option>{{.name = "FILE", .value = "FILE", .reads = Reads::file},
                                       {.name = "--context", .value = "N"},
                                       {.name = "--only", .value = "CHECK", .repeats = true},
                                       {.name = "--output", .value = "FILE", .alias = "-o"},
                                       {.name = "--quiet", .alias = "-q"}};
        },
    .repeats_spec = false,
    .run = nullptr,
};

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

}  // namespace options_test
}  // namespace rope::cli
