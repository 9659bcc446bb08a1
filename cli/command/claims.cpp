#include <algorithm>

#include "base/suggest.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/progress.hpp"
#include "io/explain/explanation.hpp"

namespace rope::cli {
namespace {

int run_claims(const Arguments& arguments) {
    const std::vector<const ledger::Entry*> claims = claims_asked_for(arguments);
    if (!arguments.has("ID")) {
        deliver_document(io::claims_document(claims), arguments);
        return 0;
    }
    std::vector<ledger::Derivation> now;
    TaskCount* derived = begin_part(arguments, 0, 1);
    if (derived != nullptr) derived->all = claims.size();
    for (const ledger::Entry* claim : claims) {
        now.push_back(ledger::derive(*claim));
        if (derived != nullptr) ++derived->ended;
    }
    deliver_document(io::claims_document(now), arguments);
    return exit_code_of(now);
}

}  // namespace

std::vector<const ledger::Entry*> claims_asked_for(const Arguments& arguments) {
    std::vector<const ledger::Entry*> all = ledger::all_entries();
    if (!arguments.has("ID")) return all;
    std::vector<std::string_view> known{"all"};
    for (const ledger::Work& work : ledger::works()) known.push_back(work.key);
    for (const ledger::Entry* one : all) known.push_back(one->id);
    std::vector<const ledger::Entry*> asked;
    for (const std::string& word : arguments.values("ID")) {
        const auto is_meant = [&](const ledger::Entry* one) {
            return word == "all" || word == one->work->key || word == one->id;
        };
        if (std::ranges::none_of(all, is_meant)) throw unknown_word("claim", word, known);
        for (const ledger::Entry* one : all)
            if (is_meant(one) && std::ranges::count(asked, one) == 0) asked.push_back(one);
    }
    return asked;
}

int exit_code_of(const std::vector<ledger::Derivation>& claims) {
    return std::ranges::all_of(claims, &ledger::Derivation::is_supported) ? 0 : 1;
}

constinit const Command claims_command{
    .name = "claims",
    .run = run_claims,
};

}  // namespace rope::cli
