#include "cli/command/claims.hpp"

#include <gtest/gtest.h>

#include "cli/shell/arguments.hpp"
#include "cli/shell/options.hpp"

namespace rope::cli {
namespace claims_test {

using ledger::DerivedClaim;
using ledger::Entry;

// A claim whose number agrees with what is recorded, or is off by two in its last digit.
DerivedClaim derived_by(const Entry& entry, std::optional<std::size_t> corrupted) {
    return {{nullptr, &entry}, ledger::derive(entry, corrupted)};
}

TEST(Claims, ExitWithOneIfANumberOfAnyIsOff) {
    const auto all = ledger::all_claims();
    const Entry& entry = *all.front().entry;
    const DerivedClaim right = derived_by(entry, {}), wrong = derived_by(entry, 0);
    EXPECT_EQ(exit_code_of({right, right}), 0);
    EXPECT_EQ(exit_code_of({right, wrong}), 1);
}

std::vector<std::string_view> asked(const std::vector<std::string>& words) {
    std::vector<std::string_view> ids;
    for (const auto& claim : claims_asked_for(parse(claims_command, words)))
        ids.push_back(claim.entry->id);
    return ids;
}

TEST(Claims, AreChosenByIdAndByWork) {
    EXPECT_EQ(asked({}).size(), ledger::all_claims().size());
    EXPECT_EQ(asked({"all"}), asked({}));
    EXPECT_EQ(asked({"001-c3-R3"}), std::vector<std::string_view>{"001-c3-R3"});
    EXPECT_EQ(asked({"001"}).size(), ledger::find_work("001").entries.size());
    EXPECT_EQ(asked({"001-c3-R3", "001"}).front(), "001-c3-R3");
    EXPECT_EQ(asked({"001-c3-R3", "all"}).size(), ledger::all_claims().size());  // once each
}

}  // namespace claims_test
}  // namespace rope::cli
