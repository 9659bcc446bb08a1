// A key of a rope section is spelled only in the table of keys.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "rope/spec/spec.hpp"

namespace rope {
namespace field_names_test {

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
const std::set<std::string> reports_of_a_plan{"src/io/explain/diff.cpp",
                                              "src/io/explain/explanation.cpp",
                                              "src/io/explain/readings_output.cpp",
                                              "src/io/render/report_json.cpp",
                                              "src/io/suite/suite_files.cpp",
                                              "src/rope/spec/spectrum.cpp",
                                              "src/rope/report/metric.cpp"};

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
            if (path == "src/rope/changes/mistakes.cpp") continue;  // placeholders of sentences
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

}  // namespace field_names_test
}  // namespace rope
