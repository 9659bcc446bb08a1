#include "io/base_bound/base_bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/base_bound/bounding.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat formats[] = {{"text", ".txt"}, {"json", ".json"}};

std::vector<Option> options() {
    return with_output(
        {
            {.name = "--context",
             .value = "N",
             .help = "require B ≥ 0 at distances 0 to N (default: max_position_embeddings)"},
            {.name = "--digits",
             .value = "N",
             .help = "digits of the smallest round base, 1 to 6 (default: 2)"},
            {.name = "--search-to",
             .value = "BASE",
             .help = "search for islands up to this base, at most 1000 times the infimum (default: "
                     "10 times)"},
            {.name = "--quick",
             .help =
                 "find the first base that holds in steps of 0.5 %, without a proof or islands"},
        },
        {"auto, text or json; auto is text on a terminal, else json",
         "write to x.txt, x.json, FORMAT:FILE or -", "do not report which files were written",
         "every island"});
}

BaseQuestion question_of(const Arguments& arguments, const Spec& spec) {
    BaseQuestion question{pairs_to_bound(spec), context_to_bound(arguments, spec)};
    question.prove = !arguments.has("--quick");
    if (const auto digits = arguments.value("--digits"))
        question.digits = static_cast<int>(io::parse_whole("--digits", *digits, 1, 6));
    const auto search_to = arguments.value("--search-to");
    if (!search_to) return question;
    if (!question.prove)
        throw InputError(
            "--search-to limits the search for islands, which --quick skips; give one of them");
    question.search_to = io::parse_real("--search-to", *search_to);
    if (!(*question.search_to >= 1 && *question.search_to <= largest_base))
        throw InputError(fmt::format("--search-to: '{}' is not from 1 to 1e30", *search_to));
    return question;
}

// A base that the user chose, not the default.
bool asks_about_base(const Arguments& arguments) {
    return arguments.has("--config") ||
           std::ranges::any_of(arguments.spec_flags, [](const io::Flag& flag) {
               const std::string_view name = io::find_spec_flag(flag.name).name;
               return name == "--base" || name == "--model";
           });
}

std::vector<Target> targets(const Arguments& arguments) {
    return formatted_targets(formats, arguments);
}

int run(const Arguments& arguments) {
    const Spec spec = spec_to_bound(arguments);
    io::BaseBoundReport report{question_of(arguments, spec), {}, {}};
    report.found = bound_base(report.asked);
    const bool judges = asks_about_base(arguments);
    if (judges)
        report.judged = {spec.rope_theta,
                         scan_base(report.asked.pairs, spec.rope_theta, report.asked.context)};
    for (const Target& target : targets(arguments)) {
        deliver(target.path,
                target.format == "json" ? io::base_bound_json(report, ROPE_CHECK_VERSION)
                                        : io::base_bound_text(report, arguments.has("--verbose")),
                arguments);
    }
    return judges && report.judged->scan.first_negative ? 1 : 0;
}

}  // namespace

constinit const Command base_bound_command{
    .name = "base-bound",
    .summary = "find the bases that keep the score of two equal tokens ≥ 0 within a context",
    .examples =
        "  rope-check base-bound --dim 128 --context 4096\n"
        "  rope-check base-bound --dim 128 --context 1048576 --quick\n"
        "  rope-check base-bound --dim 128 --context 32768 --base 1e6     exit 1 if B(s) < 0\n",
    .options = options,
    .repeats_spec = false,
    .run = run,
    .targets = targets,
};

}  // namespace rope::cli
