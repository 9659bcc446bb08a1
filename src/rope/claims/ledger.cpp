#include "rope/claims/ledger.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/text.hpp"
#include "rope/claims/derivation.hpp"

namespace rope::ledger {

namespace {

Status status_named(std::string_view name) {
    const auto found = std::ranges::find(verdicts(), name, &Word::name);
    if (found == verdicts().end())
        throw std::logic_error("data/claims: no status is named '" + std::string(name) + "'");
    return static_cast<Status>(found - verdicts().begin());
}

Computations computations() {
    Computations all;
    for (const auto add : {articles_000_and_002, article_001, articles_003_and_004, papers_on_decay,
                           papers_on_bases, papers_since_2023})
        add(all);
    return all;
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

// Adds the works of a text; moves the computation of each entry out of `compute`.
void take_text(std::vector<Work>& all, std::string_view text, Computations& compute) {
    for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.empty() || line.starts_with("# ")) continue;
        if (!line.starts_with("== ") && !line.starts_with("-- ")) {
            take_line(all.back().entries.back(), line);
            continue;
        }
        const auto fields = split(line.substr(3), " | ");
        if (line.starts_with("== ")) {
            all.push_back({fields.at(0), fields.at(1), {}});
            continue;
        }
        const auto own = compute.extract(fields.at(0));
        if (own.empty())
            throw std::logic_error("data/claims: nothing computes '" + std::string(fields[0]) +
                                   "', or it is there twice");
        all.back().entries.push_back({.work = nullptr,
                                      .id = fields[0],
                                      .section = fields.at(2),
                                      .status = status_named(fields[1]),
                                      .compute = own.mapped()});
    }
}

}  // namespace

const std::vector<Work>& works() {
    static const std::vector<Work> table = [] {
        std::vector<Work> all;
        Computations compute = computations();
        for (const std::string_view text : claims_texts()) take_text(all, text, compute);
        if (!compute.empty())
            throw std::logic_error("data/claims has no '" + std::string(compute.begin()->first) +
                                   "'");
        for (Work& work : all)
            for (Entry& entry : work.entries) entry.work = &work;
        return all;
    }();
    return table;
}

std::vector<const Entry*> all_entries() {
    std::vector<const Entry*> all;
    for (const Work& work : works())
        for (const Entry& entry : work.entries) all.push_back(&entry);
    return all;
}

}  // namespace rope::ledger
