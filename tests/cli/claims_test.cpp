#include "cli/command/claims.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/shell/arguments.hpp"

namespace rope::cli {
namespace claims_test {

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
    for (const Entry* entry : claims_asked_for(parse(claims_command, words)))
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

}  // namespace claims_test
}  // namespace rope::cli
