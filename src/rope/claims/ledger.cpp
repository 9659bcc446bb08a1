#include "rope/claims/ledger.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/text.hpp"
#include "rope/claims/derivation.hpp"

namespace rope::ledger {

namespace {

Status status_named(std::string_view name) {
    using enum Status;
    for (const Status status :
         {definition, theorem, computed, on_a_range, false_as_stated, empirical})
        if (to_string(status) == name) return status;
    throw std::logic_error("data/claims: no status is named '" + std::string(name) + "'");
}

Compute computation_of(std::string_view id) {
    for (const std::span<const Computation> list :
         {article_000(), article_001(), article_001_scaled(), article_002(), articles_003_and_004(),
          papers_on_decay(), papers_on_bases(), papers_on_extension(), papers_since_2023()})
        for (const Computation& one : list)
            if (one.id == id) return one.compute;
    throw std::logic_error("data/claims: nothing computes '" + std::string(id) + "'");
}

// "  label = figure unit"
Line number_line(std::string_view line) {
    const std::size_t equals = line.rfind(" = ");
    const std::string_view value = line.substr(equals + 3);
    const std::size_t space = std::min(value.find(' '), value.size());
    return {Line::Kind::number, line.substr(2, equals - 2), value.substr(0, space),
            value.substr(std::min(space + 1, value.size()))};
}

void take_line(Entry& entry, std::string_view line) {
    const auto after = [&](std::string_view prefix) {
        const bool found = line.starts_with(prefix);
        if (found) line.remove_prefix(prefix.size());
        return found;
    };
    if (line.starts_with("  "))
        entry.lines.push_back(number_line(line));
    else if (after("quote: "))
        entry.quote = line;
    else if (after("claim: "))
        entry.statement = line;
    else if (after("see: "))
        entry.see = line;
    else if (after("so: "))
        entry.lines.push_back({Line::Kind::in_favour, line});
    else if (after("but: "))
        entry.lines.push_back({Line::Kind::against, line});
    else
        entry.lines.push_back({Line::Kind::sentence, line});
}

void take_text(std::vector<Work>& all, std::string_view text) {
    for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.empty() || line.starts_with("# ")) continue;
        if (!line.starts_with("== ") && !line.starts_with("-- ")) {
            take_line(all.back().entries.back(), line);
            continue;
        }
        const auto fields = split(line.substr(3), " | ");
        if (line.starts_with("== "))
            all.push_back({fields.at(0), fields.at(1), {}});
        else
            all.back().entries.push_back({.id = fields.at(0),
                                          .section = fields.at(2),
                                          .quote = {},
                                          .statement = {},
                                          .status = status_named(fields.at(1)),
                                          .lines = {},
                                          .compute = computation_of(fields.at(0))});
    }
}

}  // namespace

const std::vector<Work>& works() {
    static const std::vector<Work> table = [] {
        std::vector<Work> all;
        for (const std::string_view text : claims_texts()) take_text(all, text);
        return all;
    }();
    return table;
}

const Work& find_work(std::string_view key) { return one_of(works(), &Work::key, "work", key); }

std::vector<Claim> all_claims() {
    std::vector<Claim> all;
    for (const Work& work : works())
        for (const Entry& entry : work.entries) all.push_back({&work, &entry});
    return all;
}

DerivedClaim derived(const Claim& claim) { return {claim, derive(*claim.entry)}; }

}  // namespace rope::ledger
