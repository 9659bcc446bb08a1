#include <fmt/format.h>

#include "base/decimal.hpp"
#include "io/explain/explanation.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

Json infimum_json(const BaseBound& found) {
    if (!found.infimum && found.proved) return nullptr;
    Json json{{"base", nullptr}, {"binding_position", nullptr}, {"certified", found.proved}};
    if (found.infimum) {
        json["base"] = json_number(found.infimum->base);
        json["binding_position"] = or_null(found.infimum->position);
    }
    if (!found.proved) json["ratio"] = json_number(found.ratio);
    return json;
}

Json island_json(const Island& island) {
    return {{"from", json_number(island.from.base)},
            {"from_position", or_null(island.from.position)},
            {"to", json_number(island.to.base)},
            {"to_position", or_null(island.to.position)},
            {"certified", false}};
}

Json largest_failing_json(const BaseBound& found) {
    if (found.largest_failing == std::nullopt) return nullptr;
    return {{"base", json_number(*found.largest_failing)},
            {"searched_to", json_number(found.searched_to)},
            {"ratio", json_number(found.ratio)},
            {"certified", found.largest_failing_proved()}};
}

Json judged_json(const BaseBoundReport& report) {
    if (!report.judged) return nullptr;
    const BaseScan& scan = *report.judged;
    return {{"base", json_number(report.spec.rope_theta)},
            {"holds", scan.holds()},
            {"first_negative", or_null(scan.first_negative)},
            {"searched_to", or_null(scan.searched_to)},
            {"minimum", {{"value", json_number(scan.least)}, {"position", scan.least_position}}}};
}

std::string json_of(const BaseBoundReport& report) {
    const PairCounts pairs = report.asked.pairs;
    Json json{{"dim", 2 * (pairs.rotating + pairs.passing)},
              {"rotary_dim", 2 * pairs.rotating},
              {"rope_type", report.spec.scaling.rope_type},
              {"context", report.asked.context}};
    if (report.found) {
        json["infimum"] = infimum_json(*report.found);
        json["on_grid"] = nullptr;
        if (const auto base = report.found->on_grid)
            json["on_grid"] = {
                {"digits", report.asked.digits}, {"base", json_number(*base)}, {"certified", true}};
        json["islands"] = json_array(report.found->islands, island_json);
        json["largest_failing"] = largest_failing_json(*report.found);
    }
    json["base"] = judged_json(report);
    return json_document("rope-check-base-bound/1", json);
}

std::string steps(const BaseBound& found) {
    return fmt::format("tried to {} in steps of × {}",
                       significant(std::floor(found.searched_to), 15), plain(found.ratio));
}

std::string every_base_fails(std::string_view which) {
    return fmt::format("proved: every {}base up to {} fails", which, plain(largest_base));
}

std::vector<std::string> infimum_row(const BaseBound& found) {
    const std::string name = found.proved ? "smallest base" : "first base that holds";
    if (!found.infimum) return {name, "none", found.proved ? every_base_fails("") : "not proved"};
    std::string text = found.proved ? "proved" : "not proved";
    if (const auto& s = found.infimum->position)
        text += fmt::format("; B({}) = 0 at this base", grouped(*s));
    return {name, significant(found.infimum->base, 15), text};
}

std::vector<std::vector<std::string>> rows(const BaseBound& found, const BaseQuestion& asked) {
    std::vector<std::vector<std::string>> rows{infimum_row(found)};
    if (!found.infimum) return rows;
    const std::string round =
        fmt::format("smallest with {} digit{}", asked.digits, asked.digits == 1 ? "" : "s");
    rows.push_back({round, found.on_grid ? plain(*found.on_grid) : "none",
                    found.on_grid ? "proved; no smaller one holds" : every_base_fails("such ")});
    if (found.searched_to == 0) {
        rows.push_back({"intervals of bases", "", "not searched; --search-to sets how far"});
        return rows;
    }
    const bool ends_below = found.largest_failing && found.largest_failing_proved();
    rows.push_back({"intervals of bases", grouped(found.islands.size()),
                    ends_below ? "--search-to is below the smallest base" : steps(found)});
    if (found.largest_failing && !ends_below)
        rows.push_back({"largest that fails", significant(*found.largest_failing, 15),
                        "in the search; not proved"});
    return rows;
}

// "630000 holds; so does each base searched from 3325752 to 6299782": a base to choose.
std::string answer(const BaseBound& found) {
    if (!found.on_grid) return "";
    std::string text = plain(*found.on_grid) + " holds";
    if (found.largest_failing && found.ends_well() && found.searched_to > *found.largest_failing)
        text += fmt::format("; so does each base searched from {} to {}",
                            significant(std::ceil(*found.largest_failing), 15),
                            significant(std::floor(found.searched_to), 15));
    return text;
}

// Above the largest searched base that fails, all hold; below it only the listed intervals do.
std::string advice(const BaseBound& found) {
    const bool was_searched = found.infimum && found.searched_to > found.infimum->base;
    if (!found.largest_failing || !was_searched) return "";
    if (!found.ends_well())
        return fmt::format(
            "the search ended at {}, where the base still fails; --search-to {} "
            "searches further",
            significant(found.searched_to, 6), significant(10 * found.searched_to, 2));
    return fmt::format("below {}, the bases of these intervals hold:",
                       significant(std::ceil(*found.largest_failing), 15));
}

void add_islands(Document& document, const BaseBound& found, bool verbose) {
    constexpr std::size_t brief_list = 10;
    const std::size_t count = found.islands.size();
    const std::size_t listed = verbose ? count : std::min(count, brief_list);
    Cells cells{{"interval from", "to", "B(s) = 0 at its start: s", "at its end: s"}, "rrrr"};
    const auto position = [](const IslandEnd& end) {
        return end.position ? grouped(*end.position) : std::string();
    };
    for (const auto& [from, to] : std::span(found.islands).first(listed))
        cells.add(significant(from.base, 12),
                  to.position ? significant(to.base, 12) : "beyond the search", position(from),
                  position(to));
    document.gap().table(cells, 2);
    if (listed < count)
        document.line("  ", fmt::format("… and {} more; --verbose lists all", count - listed));
}

// "base 10000 with rope_type yarn"
std::string words(const Spec& spec) {
    std::string text = "base " + plain(spec.rope_theta);
    if (spec.scaling.rope_type != "default") text += " with rope_type " + spec.scaling.rope_type;
    return text;
}

std::string how_far(const BaseScan& scan) {
    if (!scan.searched_to)
        return "at every distance, since at least as many pairs pass through as rotate";
    if (!scan.first_negative)
        return fmt::format("to s = {}, which is how far it was searched",
                           grouped(*scan.searched_to));
    return fmt::format("to s = {}, and B(s) < 0 first at s = {}", grouped(*scan.first_negative - 1),
                       grouped(*scan.first_negative));
}

void add_judged(Document& document, const Spec& spec, const BaseScan& scan) {
    const std::string verdict =
        scan.holds() ? "holds " + how_far(scan)
                     : "fails: B(s) < 0 first at s = " + grouped(*scan.first_negative);
    document.verdict = words(spec) + " " + verdict + "\n";
    document.gap().line("  ", words(spec) + " " + verdict);
    document.line("  ", fmt::format("least B(s), s = 0…{}: {} at s = {}", grouped(scan.context),
                                    significant(scan.least, 6), grouped(scan.least_position)));
}

}  // namespace

Document base_bound_document(const BaseBoundReport& report, bool verbose) {
    const PairCounts pairs = report.asked.pairs;
    const std::string passing =
        pairs.passing == 0 ? "" : fmt::format(" + {}", std::uint64_t{pairs.passing});
    Document document;
    document.json = json_of(report);
    document.heading(
        "##", report.found
                  ? fmt::format("bases b ≥ 1 with B(s) = Σ cos(s·b^(−2i/{})){} ≥ 0, s = 0…{}",
                                2 * pairs.rotating, passing, grouped(report.asked.context))
                  : fmt::format("B(s) = Σ cos(s·θ_i){} of {} pairs", passing, pairs.rotating));
    if (!report.assumed.empty())
        document.line("  ", "no config is given: by default " + report.assumed);
    if (report.judged) add_judged(document, report.spec, *report.judged);
    if (!report.found) {
        document.gap().line("  ",
                            "the bases that hold are searched for unscaled frequencies only:");
        document.line("  ",
                      fmt::format("rope-check base-bound --dim {} --rotary-dim {} --context {}",
                                  2 * (pairs.rotating + pairs.passing), 2 * pairs.rotating,
                                  report.asked.context));
        return document;
    }
    if (const std::string what = answer(*report.found); !what.empty()) {
        document.gap().line("  ", what);
        document.verdict += what + "\n";
    }
    document.gap().table({{"", "base", ""}, "lrl", rows(*report.found, report.asked)}, 2);
    if (const std::string what = advice(*report.found); !what.empty())
        document.gap().line("  ", what);
    if (!report.found->islands.empty()) add_islands(document, *report.found, verbose);
    return document;
}

}  // namespace rope::io
