#include "io/command_line.hpp"

#include <algorithm>

#include "io/printable.hpp"
#include "io/spec_flags.hpp"
#include "rope/decimal.hpp"
#include "rope/pipeline.hpp"

namespace rope::io {

std::string shell_word(std::string_view word) {
    const bool is_bare = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-+=.,/:@%").find(c) != std::string_view::npos;
    });
    if (is_bare) return std::string(word);
    std::string quoted = "'";
    for (const char c : printable(word)) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

namespace {

std::string spec_words(const Spec& spec) {
    const Spec plain;
    const Scaling& scaling = spec.scaling;
    std::string words;
    const auto add = [&words](std::string_view flag, const std::string& value) {
        words += " " + std::string(flag) + " " + value;
    };
    add("--dim", decimal(std::uint64_t{spec.head_dim}));
    if (spec.rotary_dim != spec.head_dim)
        add("--rotary-dim", decimal(std::uint64_t{spec.rotary_dim}));
    if (spec.layout != plain.layout) add("--layout", std::string(to_string(spec.layout)));
    if (spec.max_position_embeddings != plain.max_position_embeddings)
        add("--max-position", decimal(spec.max_position_embeddings));
    if (spec.rope_theta != plain.rope_theta) add("--base", decimal(spec.rope_theta));
    if (scaling.rope_type != plain.scaling.rope_type)
        add("--rope-type", shell_word(scaling.rope_type));
    if (scaling.factor) add("--factor", decimal(*scaling.factor));
    if (scaling.low_freq_factor) add("--low-freq-factor", decimal(*scaling.low_freq_factor));
    if (scaling.high_freq_factor) add("--high-freq-factor", decimal(*scaling.high_freq_factor));
    if (scaling.original_max_position_embeddings)
        add("--original-max-position", decimal(*scaling.original_max_position_embeddings));
    return words;
}

}  // namespace

std::string command_line(const Report& report, std::string_view only,
                         std::span<const std::string> dump) {
    const Subject& subject = report.subject;
    std::string words = subject.pipeline.empty() ? "rope-check compare" : "rope-check verify";
    for (const std::string& word : dump) words += " " + shell_word(word);
    words += spec_words(report.spec);
    if (!subject.pipeline.empty()) {
        if (subject.pipeline != default_pipeline)
            words += " --pipeline " + shell_word(subject.pipeline);
        if (subject.context != report.spec.max_position_embeddings)
            words += " --context " + decimal(subject.context);
    }
    if (subject.seed != Subject{}.seed) words += " --seed " + decimal(subject.seed);
    if (!only.empty()) words += " --only " + std::string(only);
    return words;
}

}  // namespace rope::io
