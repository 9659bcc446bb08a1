// No output replaces an input: for every option that names a file, and each way to name it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "cli/shell/output.hpp"
#include "io/audit/request.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::cli::inputs_test {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

bool has_output(const Command& command) {
    const std::vector<Option> options = options_of(command);
    return std::any_of(options.begin(), options.end(),
                       [](const Option& option) { return option.name == "--output"; });
}

std::string refusal(const Words& words) {
    return error_message<InputError>([&] { cli::run(words); });
}

std::string refusal_of(std::string_view output, std::string_view option) {
    return fmt::format("--output: '{}' is the input that {} names; choose another name", output,
                       option);
}

bool writes(const Command& command, const std::string& format) {
    try {
        (void)command.targets(parse(command, Words{"-o", format + "x"}));
        return true;
    } catch (const InputError&) {
        return false;
    }
}

// The options for files that the command writes.
std::string format_of(const Command& command) {
    for (const char* format : {"json:", "svg:"})
        if (writes(command, format)) return format;
    return "html:";
}

// "cos=" for the argument ROLE=TENSOR; otherwise empty.
std::string role_of(const Option& option) {
    const bool has_roles = option.name.find('=') != option.name.npos;
    return has_roles ? std::string(option.words.front()) : "";
}

// The command with this value for the option; a positional argument comes after earlier ones.
Words words_with(const Command& command, const Option& option, const std::string& value) {
    Words words{std::string(command.name)};
    if (option.name.starts_with('-'))
        words.emplace_back(option.name);
    else
        for (const Option& other : command.options) {
            if (other.name == option.name) break;
            if (!other.name.starts_with('-'))
                words.emplace_back(other.words.empty() ? "other" : other.words.front());
        }
    words.push_back(role_of(option) + value);
    return words;
}

struct Named {
    std::string value, file;  // the argument, and the file that it names
};

std::vector<Named> ways_to_name_an_input(Reads reads) {
    switch (reads) {
        case Reads::tensor:
            return {{"in", "in"}, {"in:cos", "in"}};
        case Reads::config:
            return {{"in", "in"}, {"folder", "folder/config.json"}};
        case Reads::module:
            return {{"in:f", "in.py"},
                    {"folder.in:f", "folder/in.py"},
                    {"folder:f", "folder/__init__.py"},
                    {"folder.in:f", "folder/__init__.py"},
                    {"in.py:f", "in.py"},
                    {"./in.py::C.f", "in.py"},
                    {"folder/in.py:f", "folder/in.py"}};
        case Reads::request: {
            std::vector<Named> all;
            for (const std::string_view name : io::audit_files)
                for (const std::string folder : {"folder/", "folder/k/"})
                    all.push_back({"folder", folder + std::string(name)});
            return all;
        }
        default:
            return {{"in", "in"}};
    }
}

// A working folder with the named file and links to it.
class Inputs : public testing::Test {
  protected:
    Inputs() { fs::current_path(folder_.path()); }
    ~Inputs() override { fs::current_path(before_); }

    Words ways_to(const std::string& file) {
        for (const char* name : {"folder", "linked", "link", "hard"}) fs::remove_all(name);
        fs::create_directories("folder/k");
        fs::create_directory_symlink(".", "linked");
        folder_.write(file, "precious");
        fs::create_symlink(file, "link");
        fs::create_hard_link(file, "hard");
        return {file,
                "./" + file,
                "link",
                "hard",
                "linked/" + file,
                "folder/../" + file,
                fs::absolute(file).string()};
    }

    TemporaryFolder folder_;
    fs::path before_ = fs::current_path();
};

TEST_F(Inputs, AreNeverReplacedByAnOutputOfAnyOption) {
    std::size_t options = 0;
    for (const Command& command : commands()) {
        if (!has_output(command)) continue;
        const std::string format = format_of(command);
        for (const Option& option : options_of(command)) {
            if (option.reads == Reads::nothing) continue;
            ++options;
            for (const auto& [value, file] : ways_to_name_an_input(option.reads))
                for (const std::string& way : ways_to(file)) {
                    Words words = words_with(command, option, value);
                    const std::string role = role_of(option);
                    const std::string name = role.empty() ? std::string(option.name) : role;
                    words.insert(words.end(), {"-o", format + way});
                    EXPECT_EQ(refusal(words), refusal_of(way, name)) << command.name;
                    EXPECT_EQ(content_of(file), "precious") << command.name << ' ' << option.name;
                }
        }
    }
    EXPECT_GE(options, 30u) << "--config of 12 commands, 4 of compare, and more";
}

// Add new labels here, or mark the file that their options read.
TEST_F(Inputs, AreDeclaredByEveryOptionWhoseValueMayNameAFile) {
    const std::set<std::string_view> labels_of_no_file = {
        "BASE",
        "CHECK",
        "CLAIM",
        "FORMAT",
        "LAYOUT",
        "LETTERS",
        "LIST",
        "LIST|A:B|A:B:STEP|HxW",
        "N|A:B",
        "N[,K]",
        "Q,K",
        "TYPE:SHAPE",
        "NAME=REAL",
        "MODE",
        "HxW",
        "KEY=VALUE,…",  // add_rope declares a list's file
        "I",
        "N",
        "NAME",
        "POSITIONS",
        "REAL",
        "SCHEME",
        "SECONDS",
        "SIZE",
        "TEXT",
        "TYPE",
        "WHAT",
        "WHEN",
        "HOW",
        "WORD",
        "forward|reverse",
        "true|false"};
    for (const Command& command : commands())
        for (const Option& option : options_of(command)) {
            const bool is_known = option.value.empty() || labels_of_no_file.contains(option.value);
            const bool is_output = option.name == "--output" || option.name == "--suite";
            EXPECT_TRUE(is_known || option.reads != Reads::nothing || is_output)
                << command.name << ' ' << option.name << ": does " << option.value
                << " name a file?";
        }
}

TEST_F(Inputs, AreLookedForByEveryCommandThatWrites) {
    for (const Command& command : commands())
        EXPECT_EQ(command.targets != nullptr, has_output(command)) << command.name;
}

TEST_F(Inputs, OfAnAuditedProgramAreNotReplacedEither) {
    const std::pair<Words, const char*> programs[] = {
        {{"./in"}, "in"},
        {{"python3", "in"}, "in"},
        {{"python3", "-m", "folder.in"}, "folder/in.py"},
        {{"python3", "x", "in.py:f"}, "in.py"},
        {{"python3", "--weights=in"}, "in"}};
    for (const auto& [program, file] : programs)
        for (const std::string& way : ways_to(file)) {
            Words words{"audit", "-o", "json:" + way, "--"};
            words.insert(words.end(), program.begin(), program.end());
            EXPECT_EQ(refusal(words), refusal_of(way, "COMMAND"));
        }
}

TEST_F(Inputs, OfAFunctionAreFoundInPythonsFoldersToo) {
    ways_to("folder/in.py");
    ::setenv("PYTHONPATH", "missing:folder", 1);
    EXPECT_EQ(refusal({"audit", "--python", "in:f", "-o", "json:folder/in.py"}),
              refusal_of("folder/in.py", "--python"));
    ::unsetenv("PYTHONPATH");
}

TEST_F(Inputs, AreNotReplacedByTheOutputThatIsTheDefault) {
    folder_.write("decay.svg", "precious");
    EXPECT_EQ(refusal({"plot-decay", "--config", "decay.svg"}),
              refusal_of("decay.svg", "--config"));
}

TEST_F(Inputs, AreNoDevicesNorOtherFilesOfTheirFolder) {
    fs::create_directory("folder");
    const auto judges_targets = [](const Words& words) {
        return error_message<InputError>([&] {
            for (const Command& command : commands())
                if (command.name == words.front())
                    (void)command.targets(parse(command, Words(words.begin() + 1, words.end())));
        });
    };
    EXPECT_EQ(judges_targets({"explain", "--config", "/dev/null", "-o", "json:/dev/null"}),
              "[no error]");
    EXPECT_EQ(judges_targets({"explain", "--config", "folder", "-o", "folder/explained.json"}),
              "[no error]");
    EXPECT_EQ(judges_targets({"audit", "check", "folder", "-o", "folder/report.json"}),
              "[no error]");
    EXPECT_EQ(judges_targets({"explain", "--config", "-", "-o", "json:-"}), "[no error]");
}

TEST_F(Inputs, AndOutputsAreDifferentFiles) {
    ways_to("old");
    fs::create_symlink("later", "dangling");
    const std::pair<const char*, const char*> same[] = {
        {"new", "new"},       {"new", "./new"}, {"new", "linked/new"},
        {"old", "link"},      {"old", "hard"},  {"folder/new", "linked/folder/new"},
        {"later", "dangling"}};
    for (const auto& [a, b] : same)
        EXPECT_EQ(
            refusal({"verify", "-o", fmt::format("json:{}", a), "-o", fmt::format("text:{}", b)}),
            fmt::format("--output: '{}' and '{}' are the same file; give each its own", a, b));
    EXPECT_EQ(content_of("old"), "precious");
}

}  // namespace rope::cli::inputs_test
