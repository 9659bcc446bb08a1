#include "rope/session/own_table.hpp"

#include <algorithm>

#include "base/decimal.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/judge/registry.hpp"
#include "rope/session/table_replay.hpp"
#include "rope/session/vectors_report.hpp"

namespace rope {
namespace {

constexpr PairLayout layouts[] = {PairLayout::half_split, PairLayout::interleaved,
                                  PairLayout::interleaved_to_half_split};

double ratio_of(const Finding& finding) { return finding.observed / finding.allowed; }

Explanation explained(const char* mistake, std::string what,
                      std::vector<std::pair<std::string, FieldValue>> parameters) {
    Explanation one;
    one.mistake = mistake;
    one.parameters = std::move(parameters);
    one.what = std::move(what);
    one.advice = find_mistake(mistake).advice;
    return one;
}

std::vector<Explanation> mistakes_of(const TableApplication& how, const Spec& asked) {
    std::vector<Explanation> all;
    const std::string layout(to_string(how.place.layout));
    if (how.place.layout != asked.layout)
        all.push_back(explained(
            "pair-layout", "pairs are " + layout + ", not " + std::string(to_string(asked.layout)),
            {{"layout", layout}}));
    if (how.place.direction != asked.direction)
        all.push_back(explained("direction", "every pair rotates in the opposite direction", {}));
    if (how.swapped)
        all.push_back(explained("cos-sin-swapped", "cos and sin of the table are swapped", {}));
    if (how.row == TableRow::row_number)
        all.push_back(
            explained("position-source",
                      "rows of the table are taken by row number: position_ids are ignored",
                      {{"source", std::string("row number")}}));
    if (how.row == TableRow::next || how.row == TableRow::previous) {
        const double offset = how.row == TableRow::next ? 1 : -1;
        all.push_back(explained("position-offset",
                                std::string("every vector is rotated by the table's row of "
                                            "position m ") +
                                    (offset > 0 ? "+" : "−") + " 1, not m",
                                {{"offset", offset}}));
    }
    return all;
}

std::vector<TableApplication> applications(const Spec& asked) {
    std::vector<TableApplication> all;
    const Direction other =
        asked.direction == Direction::forward ? Direction::reverse : Direction::forward;
    for (const PairLayout layout : layouts)
        for (const bool swapped : {false, true})
            for (const Direction direction : {asked.direction, other})
                for (const TableRow row :
                     {TableRow::own, TableRow::row_number, TableRow::next, TableRow::previous}) {
                    all.push_back({asked, swapped, row});
                    all.back().place.layout = layout;
                    all.back().place.direction = direction;
                }
    std::ranges::stable_sort(
        all, {}, [&](const TableApplication& how) { return mistakes_of(how, asked).size(); });
    return all;
}

void diagnose_use(Report& report, const TableReplay& replay, double before) {
    for (const TableApplication& how : applications(report.spec)) {
        if (!replay.explains(how)) continue;
        Finding after = finding_of(find_check("table-accuracy"));
        replay.judge(how).report_to(after);
        report.diagnosis = mistakes_of(how, report.spec);
        for (Explanation& one : report.diagnosis) {
            one.before = before;
            one.after = ratio_of(after);
            for (const Explanation& other : report.diagnosis)
                if (other.mistake != one.mistake) one.together.push_back(other.mistake);
        }
        return;
    }
    report.observations.push_back(
        "no layout, direction, exchange of cos and sin, or choice of the "
        "table's rows explains every value");
}

std::optional<PairLayout> layout_by(Spec place, const TableReplay& replay) {
    for (const PairLayout layout : layouts) {
        place.layout = layout;
        if (replay.explains({place})) return layout;
    }
    return std::nullopt;
}

// Of so many lanes as the table is for.
Spec place_by(const TableUse& use, const TableDump& table) {
    Spec place = use.place;
    place.rotary_dim = 2 * table.pairs;
    if (place.rotary_dim + place.rotary_offset > place.head_dim)
        throw InputError("the table is for rotary_dim " + decimal(place.rotary_dim) +
                         "; heads have " + decimal(place.head_dim) + " lanes");
    return place;
}

}  // namespace

std::optional<PairLayout> layout_by_table(const TableUse& use, const RotatedDump& vectors,
                                          const TableDump& table) {
    return layout_by(place_by(use, table), TableReplay(vectors, table));
}

Report judge_by_table(const TableUse& use, const RotatedDump& vectors, const TableDump& table,
                      const SessionOptions& options) {
    Spec place = place_by(use, table);
    require_checks(options.only, {"table-accuracy", "pass-through"}, "a dump's own table");
    const TableReplay replay(vectors, table);
    place.layout =
        use.layout ? *use.layout : layout_by(place, replay).value_or(PairLayout::half_split);
    Report report = report_on(place, vectors, options);
    report.subject.origin += " by " + table.origin;
    for (const Assumption& one : table.read_as)
        if (one.what == "cache_layout") report.subject.read_as.push_back(one);
    report.subject.read_as.push_back({"pair_layout", std::string(to_string(report.spec.layout)),
                                      use.layout ? use.from : "the values"});
    if (is_asked(options.only, "table-accuracy")) {
        Finding finding = finding_of(find_check("table-accuracy"));
        finding.statement = "|y − R(table)x| ≤ 2u(|c·x1| + |s·x2|)";
        finding.source = "the dump's own table";
        replay.judge({report.spec}).report_to(finding);
        report.findings.push_back(finding);
        if (finding.verdict == Verdict::violated) diagnose_use(report, replay, ratio_of(finding));
    }
    if (report.spec.rotary_dim < report.spec.head_dim && is_asked(options.only, "pass-through"))
        report.findings.push_back(find_passed_lanes(report.spec, vectors));
    return report;
}

}  // namespace rope
