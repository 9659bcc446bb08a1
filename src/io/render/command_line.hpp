// The command that runs a report again.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/report/report.hpp"

namespace rope::io {

// A word as a shell takes it: bare where that passes on unchanged, else between single quotes.
std::string shell_word(std::string_view word);

// Several, with blanks between them.
std::string shell_words(std::span<const std::string> words);

// --dim 128 --base 500000: the flags of a Spec, those that say the default left out.
std::vector<std::string> spec_words(const Spec& spec);

// What was typed to name a subject that is not a pipeline: a dump, or a program to audit.
struct SubjectWords {
    SubjectWords() = default;
    SubjectWords(std::vector<std::string> dump) : words(std::move(dump)) {}

    std::string command = "compare";
    std::vector<std::string> words;    // before the Spec
    std::vector<std::string> program;  // after --
};

// rope-check verify --dim 128 --pipeline bf16-angles --context 4096 --only table-accuracy
// Other reports are reproduced with their own words, quoted for a shell if necessary.
std::string command_line(const Report& report, std::string_view only = {},
                         const SubjectWords& subject = {});

// The one that finds every failure again; claims and a largest error are required again.
std::string reproducing_all(const Report& report, std::span<const std::string> required,
                            const SubjectWords& subject);

// The one that finds this finding again, with its exit code: a claim is required.
std::string reproducing(const Report& report, const Finding& finding, const SubjectWords& subject);

}  // namespace rope::io
