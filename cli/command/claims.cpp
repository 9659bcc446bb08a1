#include "cli/command/claims.hpp"

#include <algorithm>

#include "cli/shell/arguments.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/suggest.hpp"
#include "io/explain/claims.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat claims_formats[] = {
    {"text", ".txt"}, {"json", ".json"}, {"markdown", ".md"}};

std::vector<Option> claims_options() {
    return with_output(
        {{.name = "ID", .value = "CLAIM", .help = "derive these, step by step", .repeats = true},
         {.name = "--article",
          .value = "NAME",
          .help = "derive all of an article, 000 to 004, or of a paper, such as 2405.14591",
          .repeats = true},
         {.name = "--all", .help = "derive every claim; exit 1 unless all are supported"}},
        {"text, json or markdown (default: text on a terminal, else json)",
         "write to x.txt, x.json, x.md, FORMAT:FILE or -", "print no messages about written files",
         "no effect: derivations are always printed in full"});
}

std::vector<Target> claims_targets(const Arguments& arguments) {
    return formatted_targets(claims_formats, arguments);
}

template <class Claims>
std::string written(const Claims& claims, std::string_view format) {
    if (format == "json") return io::claims_json(claims, ROPE_CHECK_VERSION);
    return format == "markdown" ? io::claims_markdown(claims) : io::claims_text(claims);
}

template <class Any>
void deliver_claims(const std::vector<Any>& claims, const Arguments& arguments) {
    for (const Target& target : claims_targets(arguments))
        deliver(target.path, written(std::span<const Any>(claims), target.format), arguments);
}

int run_claims(const Arguments& arguments) {
    const std::vector<ledger::Claim> claims = claims_asked_for(arguments);
    if (!arguments.has("--all") && !arguments.has("--article") && !arguments.has("ID")) {
        deliver_claims(claims, arguments);
        return 0;
    }
    std::vector<ledger::DerivedClaim> now;
    TaskCount* derived = begin_part(arguments, 0, 1);
    if (derived != nullptr) derived->all = claims.size();
    for (const ledger::Claim& claim : claims) {
        now.push_back(ledger::derived(claim));
        if (derived != nullptr) ++derived->ended;
    }
    deliver_claims(now, arguments);
    return exit_code_of(now);
}

}  // namespace

std::vector<ledger::Claim> claims_asked_for(const Arguments& arguments) {
    std::vector<ledger::Claim> all = ledger::all_claims();
    const auto ids = arguments.values("ID"), works = arguments.values("--article");
    if (arguments.has("--all") && !(ids.empty() && works.empty()))
        throw InputError("--all", "derives every claim; leave out IDs and --article");
    if (ids.empty() && works.empty()) return all;
    std::vector<std::string_view> known_ids, known_works;
    for (const ledger::Claim& one : all) known_ids.push_back(one.entry->id);
    for (const ledger::Work& work : ledger::works()) known_works.push_back(work.key);
    std::vector<ledger::Claim> asked;
    for (const std::string& id : ids) {
        const auto found = std::ranges::find(known_ids, id);
        if (found == known_ids.end()) throw unknown_word("claim", id, known_ids);
        asked.push_back(all[static_cast<std::size_t>(found - known_ids.begin())]);
    }
    for (const std::string& key : works) {
        if (std::ranges::count(known_works, key) == 0)
            throw unknown_word("article", key, known_works).about("--article");
        std::ranges::copy_if(all, std::back_inserter(asked),
                             [&](const ledger::Claim& one) { return one.work->key == key; });
    }
    return asked;
}

int exit_code_of(const std::vector<ledger::DerivedClaim>& claims) {
    return std::ranges::all_of(claims, &ledger::DerivedClaim::supported) ? 0 : 1;
}

constinit const Command claims_command{
    .name = "claims",
    .summary = "derive what articles and papers state, and where it holds",
    .doing = "deriving",
    .examples =
        "  rope-check claims                                     list them\n"
        "  rope-check claims 001-c3-R3                           derive one, step by step\n"
        "  rope-check claims --article 001 --format markdown     all of an article\n"
        "  rope-check claims --all -q                            every one: exit 1 if any fails\n",
    .options = claims_options,
    .repeats_spec = false,
    .takes_config = false,
    .run = run_claims,
    .targets = claims_targets,
};

}  // namespace rope::cli
