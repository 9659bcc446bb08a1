#include "rope/diagnose/explain/parts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/decimal.hpp"
#include "base/text.hpp"

namespace rope {
namespace {

using Numbers = std::vector<std::uint64_t>;

struct GroupSet {
    Numbers batches, heads;
    bool is_product = false;  // every head of every batch entry
};

GroupSet set_of(const std::vector<std::size_t>& groups, const RowGroups& rows) {
    std::set<std::uint64_t> batches, heads;
    for (const std::size_t group : groups) {
        batches.insert(rows.batch_of(group));
        heads.insert(rows.head_of(group));
    }
    return {{batches.begin(), batches.end()},
            {heads.begin(), heads.end()},
            batches.size() * heads.size() == groups.size()};
}

std::string list(const Numbers& numbers) {
    std::vector<std::uint32_t> all(numbers.begin(), numbers.end());
    return ranges(all, 8);
}

std::string said(const char* one, const char* several, const Numbers& numbers,
                 std::uint64_t count) {
    return std::string(numbers.size() == 1 ? one : several) + " " + list(numbers) + " of " +
           decimal(count);
}

void add_part(Explanation& one, const std::vector<std::size_t>& groups, const RowGroups& rows) {
    const std::string name = name_of_part(groups, rows);
    if (name.empty()) return;
    const GroupSet part = set_of(groups, rows);
    if (part.batches.size() < rows.batches() || !part.is_product)
        one.parameters.emplace_back("batch", list(part.batches));
    if (part.heads.size() < rows.heads() || !part.is_product)
        one.parameters.emplace_back("heads", list(part.heads));
    one.what = name + ": " + one.what;
}

// Batch entries of which the same heads are in the part, together: "entry 0, both heads" and
// "entries 1–2, head 0", where no entries times heads say it. As it is where that takes many.
std::vector<ExplainedPart> in_products(const ExplainedPart& part, const RowGroups& rows) {
    constexpr std::size_t most = 4;
    if (part.groups.size() == rows.count() || set_of(part.groups, rows).is_product) return {part};
    std::map<std::uint64_t, std::set<std::uint64_t>> heads;
    for (const std::size_t group : part.groups)
        heads[rows.batch_of(group)].insert(rows.head_of(group));
    std::map<std::set<std::uint64_t>, std::vector<std::size_t>> products;
    for (const std::size_t group : part.groups)
        products[heads[rows.batch_of(group)]].push_back(group);
    if (products.size() > most) return {part};
    std::vector<ExplainedPart> all;
    for (auto& [same, groups] : products) all.push_back({std::move(groups), part.explanations});
    return all;
}

bool is_same(const Explanation& a, const Explanation& b) {
    return a.mistake == b.mistake && a.what == b.what;  // a parameter may be NaN
}

}  // namespace

std::string name_of_part(const std::vector<std::size_t>& groups, const RowGroups& rows) {
    if (groups.size() == rows.count()) return "";
    const GroupSet part = set_of(groups, rows);
    if (!part.is_product)
        return decimal(groups.size()) + " of " + decimal(rows.count()) + " sequences of heads";
    std::string name;
    if (part.batches.size() < rows.batches())
        name = said("batch entry", "batch entries", part.batches, rows.batches());
    if (part.heads.size() < rows.heads())
        name += (name.empty() ? "" : ", ") + said("head", "heads", part.heads, rows.heads());
    return name;
}

std::string position_name(std::size_t row, const RowGroups& rows) {
    std::vector<double> ids;
    for (std::uint32_t axis = 0; axis < rows.axes(); ++axis)
        ids.push_back(rows.position(row, axis));
    return ids.size() == 1 ? decimal(ids[0]) : "(" + join(ids) + ")";
}

std::string positions_of(const std::vector<std::size_t>& wrong, const RowGroups& rows) {
    if (rows.axes() == 1) {
        std::vector<double> positions;
        for (const std::size_t row : wrong) positions.push_back(rows.position(row));
        std::ranges::sort(positions);
        positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
        return ranges(positions, 4);
    }
    std::vector<std::string> names;
    for (const std::size_t row : wrong)
        if (const std::string name = position_name(row, rows); std::ranges::count(names, name) == 0)
            names.push_back(name);
    if (names.size() > 4) {
        names.resize(4);
        names.emplace_back("…");
    }
    return join(names);
}

std::vector<Explanation> joined(const std::vector<ExplainedPart>& found, const RowGroups& rows) {
    std::vector<ExplainedPart> parts;
    for (const ExplainedPart& part : found)
        for (ExplainedPart& one : in_products(part, rows)) parts.push_back(std::move(one));
    std::vector<Explanation> all;
    std::size_t explained = 0;
    for (const ExplainedPart& part : parts) explained += part.groups.size();
    const auto is_shared = [&](const Explanation& one) {
        return parts.size() > 1 && explained == rows.count() &&
               std::all_of(parts.begin(), parts.end(), [&](const ExplainedPart& part) {
                   return std::any_of(
                       part.explanations.begin(), part.explanations.end(),
                       [&](const Explanation& other) { return is_same(one, other); });
               });
    };
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const Explanation& one : parts[p].explanations) {
            const bool shared = is_shared(one);
            if (shared && p > 0) continue;
            all.push_back(one);
            if (!shared) add_part(all.back(), parts[p].groups, rows);
        }
    std::stable_sort(all.begin(), all.end(), [](const Explanation& a, const Explanation& b) {
        return a.before > b.before;
    });
    for (Explanation& one : all) {
        one.together.clear();
        for (const Explanation& other : all)
            if (&one != &other) one.together.push_back(other.mistake);
    }
    return all;
}

}  // namespace rope
