#include "cli/command/judging.hpp"
#include "cli/shell/report_output.hpp"

namespace rope::cli {

std::vector<Option> with_question_options(std::vector<Option> own) {
    own.push_back({.name = "--only",
                   .value = "CHECK",
                   .help = "run only this check; rope-check list checks",
                   .repeats = true});
    own.push_back({.name = "--require",
                   .value = "CLAIM",
                   .help = "exit 1 if this claim fails",
                   .repeats = true});
    own.push_back({.name = "--max-error",
                   .value = "REAL",
                   .help = "exit 1 if an error of cos or sin exceeds REAL"});
    own.push_back(
        {.name = "--seed", .value = "N", .help = "seed of the random vectors (default: 1)"});
    own.push_back(threads_option());
    return own;
}

std::vector<Option> with_judging_options(std::vector<Option> own, std::string_view output) {
    own = with_question_options(std::move(own));
    own.push_back({.name = "--baseline",
                   .value = "FILE",
                   .help = "exit 1 if a metric drifted from this baseline",
                   .reads = Reads::file});
    own.push_back(
        {.name = "--strict", .help = "exit 1 on a warning, or a metric missing from the baseline"});
    for (const Option& option : report_options(output)) own.push_back(option);
    return own;
}

}  // namespace rope::cli
