// The command line of a report, drift from a baseline as text, and the failures and the outcome
// of a run.
#include "io/render/results.hpp"

#include <fmt/format.h>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/model/spec_flags.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

std::string times_over(const Drift& drift) {
    const double times = std::abs(*drift.difference) / drift.allowed;
    return std::isfinite(times) && times > 1 ? ", " + significant(times, 3) + "x the tolerance"
                                             : "";
}

std::string change_text(const Drift& drift) {
    const std::string old = field_text(drift.recorded.value);
    if (drift.change == Change::vanished) return "was " + old + ", now absent";
    if (drift.change == Change::added) return "is " + old + ", not in the baseline";
    std::string text = "was " + old + ", now " + field_text(drift.now);
    const auto number = [](double x) {
        return x == std::round(x) ? position_text(x) : significant(x, 3);
    };
    if (drift.difference && *drift.difference != 0)
        text += ": difference " + number(*drift.difference) +
                (drift.recorded.kind == MetricClass::report
                     ? ", which does not count"
                     : ", allowed " + number(drift.allowed) + times_over(drift));
    return text;
}

std::string_view word_for(const Drift& drift) {
    if (drift.fails) return "DRIFT";
    return drift.change == Change::same && drift.difference.value_or(0) == 0 ? "same " : "note ";
}

// "no drift: 131 metrics as in b.json"
std::string drift_line(const DriftReport& report) {
    std::size_t metrics = 0, same = 0, failing = 0, added = 0, better = 0;
    for (const RunDrift& run : report.runs)
        for (const Drift& drift : run.drifts) {
            ++metrics;
            same += drift.change == Change::same ? 1 : 0;
            failing += drift.fails ? 1 : 0;
            added += drift.change == Change::added ? 1 : 0;
            better += drift.change == Change::better ? 1 : 0;
        }
    const std::string file = printable(report.file);
    std::string text = failing > 0
                           ? fmt::format("{} of {} metrics drifted from {}", failing, metrics, file)
                           : fmt::format("no drift: {} metrics as in {}", same, file);
    if (added > 0) text += fmt::format(" · {} new", added);
    if (better > 0) text += fmt::format(" · {} better than recorded", better);
    return text;
}

bool is_of_spec(const Drift& one) { return one.recorded.name.find("spec/") != std::string::npos; }

// If metrics of the config itself drifted, keeps only these, because the others follow from them;
// keeps none if `all` follow from a diagnosis. Returns the number of the others.
std::size_t drop_derived(std::vector<Drift>& drifts, bool all) {
    if (!all && std::ranges::none_of(drifts, is_of_spec)) return 0;
    return std::erase_if(drifts, [&](const Drift& one) { return all || !is_of_spec(one); });
}

const std::vector<Report>& reports_of(const RunDrift& run, const Results& results) {
    return results.reports.empty() ? run.reports : results.reports;
}

// The diagnosis, unless the report above has it, or the failures, causes first; then the notes.
std::string run_text(const RunDrift& run, const Results& results, bool quiet, bool verbose) {
    std::vector<Drift> listed = failing(run.drifts);
    const bool is_explained = !drift_cause(run, results).empty();
    const std::size_t derived = verbose ? 0 : drop_derived(listed, is_explained);
    if (derived > 0) quiet = true;  // notes on metrics have the same cause
    for (const Drift& drift : run.drifts)
        if (!drift.fails && (verbose || (!quiet && drift.change != Change::same)))
            listed.push_back(drift);
    std::size_t width = 0;
    for (const Drift& drift : listed) width = std::max(width, drift.recorded.name.size());
    std::string lines;
    if (is_explained && results.reports.empty())
        for (const Report& report : run.reports) {
            if (report.diagnosis.empty()) continue;
            const std::string same = same_diagnosis(run.reports, report);
            lines += report.subject.layers + (report.subject.layers.empty() ? "" : ":\n") +
                     (same.empty() ? diagnosis_text(report) : "diagnosis: " + same + "\n\n");
        }
    for (const Drift& drift : listed)
        lines +=
            fmt::format("{} {:<{}}  {}{}\n", word_for(drift), printable(drift.recorded.name), width,
                        change_text(drift),
                        drift.change == Change::better ? "; baseline update would tighten it" : "");
    if (derived > 0)
        lines += fmt::format("      {}{} metric{} drifted (-v lists {})\n", derived,
                             listed.empty() ? "" : " other", derived == 1 ? "" : "s",
                             derived == 1 ? "it" : "them");
    return lines;
}

constexpr std::size_t longest_reason = 1000;

// "config.json: rope_theta": the origin of the field if a file has it, else any file's origin.
std::string place_of(const Report& report, std::string_view field) {
    std::string place;
    for (const Origin& origin : report.origins)
        if (!origin.from.starts_with('-') && origin.from.find(": ") != origin.from.npos)
            if (place.empty() || origin.field == field) place = origin.from;
    return place;
}

// The usual causes of the diagnosed mistakes; empty without a diagnosis.
std::string usual_cause(std::span<const Report> reports) {
    std::string text;
    for (const Report& report : reports)
        for (const Explanation& one : report.diagnosis)
            if (!one.advice.empty() && text.find(cause_of(one)) == text.npos)
                text += (text.empty() ? "" : "; ") + cause_of(one);
    return text;
}

std::string mistakes_of(const Report& report) {
    const auto what = [](const Explanation& one) { return printable(one.what, longest_reason); };
    return join(report.diagnosis, what, " and ");
}

std::vector<Failure> drift_failures(const RunDrift& run, const Results& results) {
    const std::vector<Report>& reports = reports_of(run, results);
    const std::string cause = drift_cause(run, results),
                      again = "rope-check baseline check " + shell_word(results.drift->file);
    std::vector<Drift> drifts = failing(run.drifts);
    std::string followed;
    if (const std::size_t derived = drop_derived(drifts, !cause.empty()); derived > 0)
        followed = fmt::format("; {}{} metric{} drifted", derived, drifts.empty() ? "" : " other",
                               derived == 1 ? "" : "s");
    std::vector<Failure> failures;
    if (!cause.empty())
        failures.push_back(
            {"drift", shell_words(run.command), cause + followed, again, usual_cause(reports)});
    for (const Drift& one : drifts) {
        const std::string& name = one.recorded.name;
        failures.push_back(
            {"drift", shell_words(run.command), drift_sentence(one) + followed, again, "",
             reports.empty() ? "" : place_of(reports[0], name.substr(name.rfind('/') + 1))});
    }
    return failures;
}

// "k: " if a run has several subjects.
std::string of_subject(const Report& report) {
    const std::string& layers = report.subject.layers;
    return layers.empty() ? "" : printable(layers) + ": ";
}

// The name of a dump or program, and the parameters, which include a pipeline.
std::string subject_text(const Report& report) {
    const Subject& subject = report.subject;
    const bool is_named = subject.pipeline.empty() && !subject.origin.empty();
    return (is_named ? printable(subject.origin, longest_reason) + ": " : "") + parameters(report);
}

std::string reason_of(const Finding& finding, const Report& report) {
    if (finding.kind == Kind::claim)
        return claim_line(finding, report.subject) +
               (finding.note.empty() ? "" : "; " + printable(finding.note, longest_reason));
    const std::string measured = error_text(finding);
    if (!report.diagnosis.empty()) return mistakes_of(report) + "; " + measured;
    if (!finding.note.empty()) return printable(finding.note, longest_reason) + "; " + measured;
    return measured;
}

}  // namespace

std::string drift_sentence(const Drift& drift) {
    return printable(drift.recorded.name) + " " + change_text(drift);
}

std::string accepted_line(const DriftReport& report) {
    std::vector<std::string> checks;
    for (const RunDrift& run : report.runs)
        for (std::string& check : accepted_violations(run.drifts))
            if (std::ranges::count(checks, check) == 0) checks.push_back(std::move(check));
    if (checks.empty()) return "";
    return "recorded as violated: " + printable(join(checks));
}

bool DriftReport::fails() const {
    return std::ranges::any_of(
        runs, [](const RunDrift& run) { return std::ranges::any_of(run.drifts, &Drift::fails); });
}

std::string drift_cause(const RunDrift& run, const Results& results) {
    const std::vector<Drift> drifts = failing(run.drifts);
    const bool has_failed = std::ranges::any_of(
        drifts, [](const Drift& one) { return one.recorded.name.ends_with("/verdict"); });
    if (!has_failed || std::ranges::any_of(drifts, is_of_spec)) return "";
    std::vector<std::string> causes;
    const std::vector<Report>& reports = reports_of(run, results);
    for (const Report& report : reports) {
        if (report.diagnosis.empty()) continue;
        const std::string same = same_diagnosis(reports, report);
        causes.push_back(of_subject(report) + (same.empty() ? mistakes_of(report) : same));
    }
    return join(causes, {}, "; ");
}

std::string drift_text(const Results& results, const TextOptions& options) {
    const DriftReport& report = *results.drift;
    std::string text;
    for (const RunDrift& run : report.runs) {
        const std::string lines = run_text(run, results, options.quiet, options.verbose);
        if (lines.empty()) continue;
        text += "rope-check " + shell_words(run.command) + ":\n" + lines;
    }
    const std::string accepted = accepted_line(report);
    if (!accepted.empty()) text += wrapped(accepted, 5);
    return text + drift_line(report) + "\n";
}

int exit_code(const Results& results) {
    bool violated =
        (results.drift && results.drift->fails()) || (results.strict && gates(results.lint));
    for (const Report& report : results.reports)
        violated = violated || rope::exit_code(report, results.required) == 1;
    if (violated) return 1;
    return nothing_checked(results).empty() ? 0 : 2;
}

std::string nothing_checked(const Results& results) {
    if (results.reports.empty()) return "";
    std::map<std::string, std::vector<std::string>> all;  // checks by reason
    for (const Report& report : results.reports) {
        for (const Finding& finding : report.findings) {
            const bool counts = results.drift || gates(finding, results.required);
            if (counts && finding.verdict != Verdict::not_applicable) return "";
            const std::string reason = !counts ? "a claim does not count unless --require names it"
                                       : finding.note.empty()
                                           ? "it does not apply here"
                                           : printable(finding.note, longest_reason);
            if (std::ranges::count(all[reason], finding.check) == 0)
                all[reason].push_back(finding.check);
        }
    }
    const auto text = [](const auto& one) { return one.first + " (" + join(one.second) + ")"; };
    return "nothing was checked: " + join(all, text, "; ");
}

// The command that fails for a warning about the config, or about a dump without one.
std::string strict_command(const SubjectWords& own) {
    const bool has_config = !own.config.empty();
    std::vector<std::string> words{"rope-check", has_config ? "explain" : own.command};
    const std::vector<std::string>& named = has_config ? own.config : own.words;
    words.insert(words.end(), named.begin(), named.end());
    words.emplace_back("--strict");
    return shell_words(words);
}

Failure failure_of(const Finding& finding, const Report& report, const Results& results) {
    const bool is_claim = finding.kind == Kind::claim;
    const bool has_field = !report.diagnosis.empty() && !report.diagnosis[0].parameters.empty();
    return {of_subject(report) + (is_claim ? "claim " : "") + finding.check,
            subject_text(report),
            reason_of(finding, report),
            command_line(report, results.required, results.text.dump, &finding),
            is_claim ? "" : usual_cause({&report, 1}),
            place_of(report, has_field ? report.diagnosis[0].parameters[0].first : "")};
}

std::vector<Failure> failures(const Results& results) {
    std::vector<Failure> all;
    for (const Report& report : results.reports)
        for (const Finding& finding : report.findings)
            if (finding.verdict == Verdict::violated && gates(finding, results.required))
                all.push_back(failure_of(finding, report, results));
    if (const std::string why = nothing_checked(results); !why.empty()) {
        const Report& first = results.reports.front();
        all.push_back({"nothing-checked", parameters(first), why,
                       command_line(first, {}, results.text.dump, &first.findings.front())});
    }
    for (const Lint& one : results.lint)
        if (results.strict && one.severity != Severity::note)
            all.push_back({one.id, "", one.where + ": " + one.message,
                           strict_command(results.text.dump), "", one.where});
    if (!results.drift) return all;
    for (const RunDrift& run : results.drift->runs)
        std::ranges::move(drift_failures(run, results), std::back_inserter(all));
    return all;
}

std::string doubt_lines(const Results& results) {
    std::string text;
    for (const Report& report : results.reports)
        if (const std::string doubt = doubt_of(report.subject); !doubt.empty())
            text += "note: " + doubt + "\n";
    return text;
}

std::string headline(const Results& results) {
    const auto outcome = [&](const Report& report) {
        return of_subject(report) + outcome_line(report, results.required);
    };
    std::string text = join(results.reports, outcome, "; ");
    if (!results.drift) return text;
    text += (text.empty() ? "" : "; ") + drift_line(*results.drift);
    const std::string accepted = accepted_line(*results.drift);
    return accepted.empty() ? text : text + "; " + accepted;
}

std::string shell_word(std::string_view word) {
    const bool is_bare = !word.empty() && std::ranges::all_of(word, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-+=.,/:@%").find(c) != std::string_view::npos;
    });
    if (is_bare) return std::string(word);
    std::string quoted = "'";
    for (const char c : printable(word, word.size()))
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string shell_words(std::span<const std::string> words) { return join(words, shell_word, " "); }

std::vector<std::string> spec_words(const Spec& spec) {
    Spec usual;
    usual.rotary_dim = spec.head_dim;
    std::vector<Flag> flags, of_rope;
    for (const SpecFlag& flag : spec_flags()) {
        const auto value = setting_value(spec, flag.field);
        const bool is_usual = flag.field != "head_dim" && value == setting_value(usual, flag.field);
        if (flag.set && !is_usual)
            (is_rope_flag(flag.name) ? of_rope : flags).push_back({flag.name, setting_text(value)});
    }
    flags.insert(flags.end(), of_rope.begin(), of_rope.end());
    return words_of_flags(flags);
}

std::string command_line(const Report& report, std::span<const std::string> required,
                         const SubjectWords& own, const Finding* failure) {
    const Subject& subject = report.subject;
    const bool is_dump = subject.pipeline.empty();
    std::vector<std::string> words{"rope-check", is_dump ? own.command : "verify"};
    const auto add = [&](const std::string& flag, const std::string& value) {
        words.insert(words.end(), {flag, value});
    };
    words.insert(words.end(), own.words.begin(), own.words.end());
    std::vector<std::string> config =
        own.can_repeat_config || report.layer ? own.config : spec_words(report.spec);
    if (report.layer && std::ranges::count(config, "--layers") == 0)
        config.insert(config.end(), {"--layers", decimal(*report.layer)});
    std::ranges::move(config, std::back_inserter(words));
    if (!is_dump && subject.pipeline != default_pipeline) add("--pipeline", subject.pipeline);
    if (!is_dump && subject.context != report.spec.max_position_embeddings)
        add("--context", decimal(subject.context));
    if (subject.seed != Subject{}.seed) add("--seed", decimal(subject.seed));
    if (failure != nullptr) add("--only", failure->check);
    for (const std::string& claim : required)
        if (failure == nullptr || failure->check == claim) add("--require", claim);
    const Finding* limit = failure != nullptr ? failure : find_finding(report, "max-error");
    if (limit != nullptr && limit->check == "max-error" && limit->verdict == Verdict::violated)
        add("--max-error", decimal(limit->allowed));
    if (!own.program.empty()) words.emplace_back("--");
    words.insert(words.end(), own.program.begin(), own.program.end());
    return shell_words(words);
}

}  // namespace rope::io
