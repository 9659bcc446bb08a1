#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/model/models.hpp"
#include "io/render/results.hpp"
#include "io/text/number.hpp"
#include "rope/changes/mistakes.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/spec/readings.hpp"

namespace rope::io {
namespace {

bool is_claim(const Finding& finding) { return finding.kind == Kind::claim; }

using Required = std::vector<std::string>;

bool is_failure(const Finding& finding, const Required& required) {
    return finding.verdict == Verdict::violated && gates(finding, required);
}

std::size_t widest_check(const Report& report, const Required& required) {
    std::size_t width = 0;
    for (const Finding& finding : report.findings)
        if (gates(finding, required)) width = std::max(width, finding.check.size());
    return width;
}

// Returns the number of cosines and sines that were compared, "200 of 6,400" if some are left out.
std::string judged_of(std::uint64_t values, std::uint64_t left_out) {
    return (left_out > 0 ? grouped(values - 2 * left_out) + " of " : "") + grouped(values);
}

// " · 8,388,608 values · all 17,179,869,184 pairs of positions", " · 200 of 6,400 values · …"
std::string how_much(const Report& report) {
    std::string text;
    if (const Finding* table = find_finding(report, "table-accuracy"); table && table->samples > 0)
        text += " · " + judged_of(table->samples, report.subject.left_out) + " values";
    const Finding* relative = find_finding(report, "relative-position");
    if (relative == nullptr || relative->verdict == Verdict::not_applicable) return text;
    auto pairs = finding_field<std::uint64_t>(*relative, "position_pairs");
    if (const auto own = finding_field<std::uint64_t>(*relative, "distinct_positions"))
        pairs = *own * *own;  // several heads at one position count once
    if (pairs == 1U) text += " · the only pair of positions";
    if (pairs > 1U) text += " · all " + grouped(*pairs) + " pairs of positions";
    return text;
}

// "9 checks passed", "1 of 9 checks failed"
std::string outcome_of(std::uint32_t hold, std::uint32_t violated, std::string_view what) {
    const std::uint32_t all = hold + violated;
    const std::string counted = fmt::format("{} {}{}", all, what, all == 1 ? "" : "s");
    if (violated > 0) return fmt::format("{} of {} failed", violated, counted);
    return counted + " passed";
}

// " · 1 of 2 required claims failed"; empty if no claim is required
std::string outcome_of_claims(const Report& report, const Required& required) {
    std::uint32_t hold = 0, violated = 0;
    for (const Finding& finding : report.findings) {
        if (!is_claim(finding) || !gates(finding, required)) continue;
        hold += finding.verdict == Verdict::holds ? 1 : 0;
        violated += finding.verdict == Verdict::violated ? 1 : 0;
    }
    return hold + violated == 0 ? "" : " · " + outcome_of(hold, violated, "required claim");
}

std::string claims_group(const Report& report, bool verbose) {
    std::string lines;
    for (const Finding& finding : report.findings)
        if (is_claim(finding)) lines += claim_text(finding, report.subject, verbose);
    const bool are_all = std::ranges::all_of(report.findings, is_claim);
    if (lines.empty() || (!verbose && !are_all)) return "";
    return "claims about decay:\n" + lines;
}

// "He & Xu:  two equal tokens score 1 at distance 0. At distance n = 2,048 they score 0.12, …"
std::string scaled_line(const Report& report) {
    const Finding* decay = find_finding(report, "score-decay");
    if (decay == nullptr || report.subject.pipeline.empty()) return "";
    const auto base = finding_field<double>(*decay, "score_at_end");
    const auto scaled = finding_field<double>(*decay, "score_at_end_scaled");
    if (!base || !scaled) return "";
    return hanging(
        "He & Xu:  ",
        fmt::format(
            "two equal tokens score 1 at distance 0. At distance n = {}{} they score {:.2f}, "
            "or {:.2f} with θ scaled by π/(2n) (rope-check plot-decay)",
            grouped(report.spec.max_position_embeddings),
            has_default(report.origins, "max_position_embeddings")
                ? " (the default; --max-position sets it)"
                : "",
            *base, *scaled));
}

// Laws do not depend on the config: a wrong base, layout, direction or offset passes them.
std::string blind_laws_note(const Report& report) {
    const auto violated = [&](Kind kind) {
        return std::ranges::any_of(report.findings, [&](const Finding& f) {
            return f.kind == kind && f.verdict == Verdict::violated && f.check != "max-error";
        });
    };
    const bool checked_a_law = std::ranges::any_of(report.findings, [](const Finding& f) {
        return f.kind == Kind::law && f.verdict == Verdict::holds;
    });
    // a pipeline's faults are known, and a diagnosis says more
    if (!report.subject.pipeline.empty() || !report.diagnosis.empty()) return "";
    if (!checked_a_law || violated(Kind::law) || !violated(Kind::conformance)) return "";
    constexpr double inaccurate = 0.1;  // in radians, of angles that are those of the config
    const Finding* table = find_finding(report, "table-accuracy");
    if (is_marginal(report) || (table != nullptr && table->observed <= inaccurate)) return "";
    return "note: the values are a rotation, but not the one of this config\n";
}

// A note if only laws could be checked, since float32 has no accurate angles at these positions.
std::string carried_note(const Report& report) {
    std::optional<std::uint64_t> carried_to;
    bool asked = false;
    for (const Finding& finding : report.findings) {
        if (finding.kind != Kind::conformance) continue;
        if (finding.verdict != Verdict::not_applicable) return "";
        asked = true;
        if (!carried_to) carried_to = finding_field<std::uint64_t>(finding, "carried_to");
    }
    if (!asked || !carried_to || summarize(report).holds == 0) return "";
    if (report.subject.nearest_position <= static_cast<double>(*carried_to))
        return hanging("note: ", "the angles match the config up to position " +
                                     grouped(*carried_to) + ", beyond which float32 is too coarse");
    return hanging(
        "note: ",
        "no angle was compared with the config: float32 is too coarse at these positions");
}

std::string resolved_group(const Report& report) {
    std::string lines;
    for (const Origin& origin : report.origins)
        lines += fmt::format("     {} from {}\n", origin.field, printable(origin.from));
    return lines;
}

// "read as: cache_layout half (rotary_dim/2 columns) · axes sd (shape [50, 32]) · …"
std::string read_as_line(const Subject& subject) {
    constexpr std::string_view elsewhere[] = {"other_axes", "rounded_positions", "differing",
                                              "not_read",   "pair_not_read",     "still_layers",
                                              "layer",      "possible_positions"};
    std::vector<Assumption> read_as = subject.read_as;
    std::erase_if(read_as, [&](const Assumption& one) {
        return std::ranges::count(elsewhere, one.what) > 0;
    });
    const auto word = [](const Assumption& one) {
        return one.what + (one.value.empty() ? "" : " " + printable(one.value, 1000)) + " (" +
               printable(one.from, 1000) + ")";
    };
    return read_as.empty() ? "" : wrapped("read as: " + join(read_as, word, " · "), 9);
}

// "not read: x, y, offset (the file's other arrays: …)"
std::string not_read_line(const Subject& subject) {
    const Assumption* left = find_assumption(subject.read_as, "not_read");
    if (left == nullptr) return "";
    return wrapped("not read: " + printable(left->value, 1000) + " (" + left->from + ")", 10);
}

std::string note(const std::string& text) {
    return text.empty() ? "" : wrapped("note: " + text, 6);
}

// A note with the reason of an assumption; empty without it.
std::string note_of(const Subject& subject, std::string_view what) {
    const Assumption* found = find_assumption(subject.read_as, what);
    return found == nullptr ? "" : note(printable(found->from, 1000));
}

// "the frequencies are scaled by the wrong rule (scaling-type rope_type=linear factor=4)"
std::string described(const std::string& name) {
    const auto known = std::ranges::find(mistakes(), name.substr(0, name.find(' ')), &Mistake::id);
    return known == mistakes().end() ? name : fmt::format("{} ({})", known->what, name);
}

std::string explanation_text(const Explanation& one, const Report& report) {
    std::string text = hanging("  ", printable(one.what, 1000));
    text += hanging("     usual cause: ", cause_of(one));
    if (one.before != 0) text += hanging("     error of a pair: ", effect_text(one, report));
    for (const std::string& name : one.equivalent)
        text += hanging(name == scores_unchanged ? "     note: " : "     or: ",
                        printable(described(name), 1000));
    for (const std::string& name : one.also_fits)
        text += hanging("     the data do not distinguish it from: ", printable(name, 1000));
    return text;
}

// All failures, each cause once, and the command that reproduces them.
std::string failures_group(const Report& report, const TextOptions& options,
                           const Required& required, std::size_t width) {
    std::string text, cause;
    for (Finding finding : report.findings) {
        if (!is_failure(finding, required)) continue;
        if ((!report.diagnosis.empty() && !options.verbose) || finding.note == cause)
            finding.note.clear();
        else
            cause = finding.note;
        text += failure_text(finding, report, width, options.verbose);
    }
    if (text.empty()) return "";
    return text + "reproduce: " + command_line(report, required, options.dump) + "\n\n";
}

// The passed checks if `verbose`, else only those with a remark and those that do not apply.
std::string passed_group(const Report& report, const TextOptions& options, const Required& required,
                         std::size_t width) {
    std::string text;
    for (const Finding& finding : report.findings) {
        if (is_claim(finding) || is_failure(finding, required)) continue;
        const bool has_remark =
            !finding.note.empty() &&
            (finding.verdict == Verdict::holds || finding.kind == Kind::conformance ||
             finding_field<std::uint64_t>(finding, "carried_to"));
        if (options.verbose || has_remark) text += outcome_text(finding, width, options.verbose);
    }
    return text;
}

// The identified parameters of a dump without a config.
std::string identity_group(const Report& report) {
    if (report.identity.empty()) return "";
    std::string text = hanging("identified: ", printable(report.identity, 4096));
    if (report.identity.starts_with("--"))
        text +=
            hanging("            ",
                    "this config was inferred from the dump; give your model's config to check it");
    return text + "\n";
}

}  // namespace

std::string same_diagnosis(std::span<const Report> reports, const Report& report) {
    for (const Report& one : reports) {
        if (&one == &report || report.diagnosis.empty()) break;
        if (std::ranges::equal(one.diagnosis, report.diagnosis, {}, &Explanation::what,
                               &Explanation::what))
            return "the same as for " + one.subject.layers;
    }
    return "";
}

std::string effect_text(const Explanation& one, const Report& report) {
    const bool is_single = mistakes_with(report, one).empty();
    const std::string text =
        std::isfinite(one.before) ? brief(one.before) + " × its tolerance" : "not finite";
    if (is_single && one.after == 0) return text;
    return fmt::format("{} with {}, {} × {}", text,
                       is_single ? "this mistake" : "only this mistake left", brief(one.after),
                       is_single ? "without" : "with none");
}

std::string config_line(const Report& report) {
    if (find_assumption(report.subject.read_as, "pair_layout") != nullptr) return "";  // a table
    if (!report.identity.empty()) return "";
    const auto named = std::ranges::find_if(report.origins, [](const Origin& one) {
        return one.from.find(": ") != std::string::npos &&
               one.from.find(" default for ") == std::string::npos;
    });
    const std::string name = named != report.origins.end()
                                 ? config_name(named->from.substr(0, named->from.find(": "))) + ": "
                             : has_default(report.origins, "head_dim") ? "none is given: "
                                                                       : "";
    const char* base = has_default(report.origins, "rope_theta")
                           ? " (rope_theta is the default; --base sets it)"
                           : "";
    return hanging("config:   ", printable(name, 1000) + parameters(report) + base);
}

std::string diagnosis_text(const Report& report) {
    if (report.diagnosis.empty() && report.observations.empty()) return "";
    const std::string title = report.diagnosis.empty()
                                  ? "no known mistake explains every value; observations:"
                                  : diagnosis_title(report);
    std::string text = title.empty() ? "diagnosis:\n" : hanging("diagnosis: ", title);
    for (const Explanation& one : report.diagnosis) text += explanation_text(one, report);
    for (const std::string& fact : report.observations)
        text += hanging("     ", printable(fact, 1000));
    return text + "\n";
}

std::string reports_text(std::span<const Report> reports, const TextOptions& options,
                         const Required& required) {
    if (reports.size() == 1) return report_text(reports[0], options, required);
    std::string text;
    for (std::size_t k = 0; k < reports.size(); ++k) {
        const Report& report = reports[k];
        text += (k > 0 ? "\n" : "") + report.subject.layers + ":\n";
        const std::string same = options.verbose ? "" : same_diagnosis(reports, report);
        text += same.empty() ? report_text(report, options, required)
                             : fmt::format("diagnosis: {} (-v prints it)\n{}\n", same,
                                           outcome_line(report, required));
    }
    return text;
}

std::string outcome_line(const Report& report, const Required& required) {
    const Summary sum = summarize(report);
    const std::string checks = sum.holds + sum.violated == 0
                                   ? "no law and no conformance check applied"
                                   : outcome_of(sum.holds, sum.violated, "check");
    return checks + outcome_of_claims(report, required) + how_much(report);
}

std::string report_text(const Report& report, const TextOptions& options,
                        const Required& required) {
    const std::size_t width = widest_check(report, required);
    std::string text;
    text += identity_group(report);
    text += diagnosis_text(report) + failures_group(report, options, required, width);
    std::string doubt = note(doubt_of(report.subject)) + carried_note(report);
    // first, since all else depends on the positions
    if (!note_of(report.subject, "differing").empty())
        text = std::exchange(doubt, "") + "\n" + text;
    const bool fails = summarize(report).violated > 0;
    if (const std::string possible = note_of(report.subject, "possible_positions");
        fails && !possible.empty())
        text = possible + "\n" + text;
    if (!fails) doubt += note_of(report.subject, "still_layers");
    if (options.quiet) return text + doubt + outcome_line(report, required) + "\n";
    text += accuracy_text(report, options.verbose);
    text += passed_group(report, options, required, width);
    text += claims_group(report, options.verbose) + scaled_line(report);
    if (options.verbose) text += resolved_group(report);
    if (!report.spec.reading.empty()) text += reading_sentence(report.spec) + "\n";
    text +=
        config_line(report) + read_as_line(report.subject) + not_read_line(report.subject) + doubt;
    for (const std::string& note : report.subject.notes)
        text += hanging("note: ", printable(note, 1000));
    return text + blind_laws_note(report) + outcome_line(report, required) + "\n";
}

}  // namespace rope::io
