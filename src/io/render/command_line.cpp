#include <algorithm>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/draft/spec_flags.hpp"
#include "io/render/results.hpp"
#include "io/text/number.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope::io {

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

namespace {

void add(std::vector<std::string>& words, std::string_view flag, std::string_view value) {
    words.emplace_back(flag);
    words.emplace_back(value);
}

std::string word_of(const std::optional<double>& value) { return plain(*value); }
std::string word_of(const std::optional<std::uint64_t>& value) { return decimal(*value); }
std::string word_of(const std::optional<bool>& value) { return *value ? "true" : "false"; }
std::string word_of(const std::vector<double>& list) { return join(list, plain, ","); }

// "rope_type=yarn,factor=4,…", the value of --rope.
std::string rope_text(const Spec& spec) {
    std::string text;
    const auto set = [&](std::string_view key, std::string_view value) {
        text += (text.empty() ? "" : ",") + std::string(key) + "=" + std::string(value);
    };
    const Spec usual;
    const Scaling& scaling = spec.scaling;
    if (spec.rotary_offset != 0) set("rotary_offset", decimal(spec.rotary_offset));
    if (spec.direction != usual.direction) set("direction", to_string(spec.direction));
    if (scaling.rope_type != usual.scaling.rope_type) set("rope_type", scaling.rope_type);
    for (const ScalingField& field : scaling_fields())
        std::visit(
            [&](auto member) {
                if (is_set(scaling.*member)) set(field.name, word_of(scaling.*member));
            },
            field.member);
    if (spec.seq_len) set("seq_len", decimal(*spec.seq_len));
    if (spec.axes.scheme != AxisScheme::single) set("axes", to_string(spec.axes.scheme));
    if (const auto& sections = spec.axes.sections; !sections.empty())
        set("mrope_section", join(sections, {}, ","));
    return text;
}

}  // namespace

std::vector<std::string> spec_words(const Spec& spec) {
    std::vector<std::string> words;
    const Spec usual;
    add(words, "--dim", decimal(spec.head_dim));
    if (spec.rotary_dim != spec.head_dim) add(words, "--rotary-dim", decimal(spec.rotary_dim));
    if (spec.layout != usual.layout) add(words, "--layout", to_string(spec.layout));
    if (spec.max_position_embeddings != usual.max_position_embeddings)
        add(words, "--max-position", decimal(spec.max_position_embeddings));
    if (spec.rope_theta != usual.rope_theta) add(words, "--base", plain(spec.rope_theta));
    if (const std::string rope = rope_text(spec); !rope.empty()) add(words, rope_option, rope);
    return words;
}

namespace {

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
