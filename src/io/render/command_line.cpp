#include <algorithm>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/draft/spec_flags.hpp"
#include "io/json/json_text.hpp"
#include "io/render/results.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope::io {
namespace {

void add(std::vector<std::string>& words, std::string_view flag, std::string_view value) {
    words.emplace_back(flag);
    words.emplace_back(value);
}

// All words of the command; those in `asked` come before a program's.
std::string command_with(const Report& report, const std::vector<std::string>& asked,
                         const SubjectWords& own) {
    const Subject& subject = report.subject;
    const bool is_dump = subject.pipeline.empty();
    std::vector<std::string> words{"rope-check", is_dump ? own.command : "verify"};
    words.insert(words.end(), own.words.begin(), own.words.end());
    for (std::string& word : spec_words(report.spec)) words.push_back(std::move(word));
    if (!is_dump && subject.pipeline != default_pipeline)
        add(words, "--pipeline", subject.pipeline);
    if (!is_dump && subject.context != report.spec.max_position_embeddings)
        add(words, "--context", decimal(subject.context));
    if (subject.seed != Subject{}.seed) add(words, "--seed", decimal(subject.seed));
    words.insert(words.end(), asked.begin(), asked.end());
    if (!own.program.empty()) words.emplace_back("--");
    words.insert(words.end(), own.program.begin(), own.program.end());
    return shell_words(words);
}

}  // namespace

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

std::string command_line(const Report& report, std::string_view only, const SubjectWords& own) {
    std::vector<std::string> asked;
    if (!only.empty()) add(asked, "--only", only);
    return command_with(report, asked, own);
}

std::string reproducing_all(const Report& report, std::span<const std::string> required,
                            const SubjectWords& own) {
    std::vector<std::string> asked;
    for (const std::string& claim : required) add(asked, "--require", claim);
    if (const Finding* limit = find_finding(report, "max-error");
        limit != nullptr && limit->verdict == Verdict::violated)
        add(asked, "--max-error", decimal(limit->allowed));
    return command_with(report, asked, own);
}

std::string reproducing(const Report& report, const Finding& finding, const SubjectWords& own) {
    std::vector<std::string> asked;
    add(asked, "--only", finding.check);
    if (finding.kind == Kind::claim) add(asked, "--require", finding.check);
    if (finding.check == "max-error") add(asked, "--max-error", decimal(finding.allowed));
    return command_with(report, asked, own);
}

}  // namespace rope::io
