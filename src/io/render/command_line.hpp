// The command line that reproduces a report.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/report/report.hpp"

namespace rope::io {

// Returns a word for a shell, in single quotes if it has special characters.
std::string shell_word(std::string_view word);

// The same for several words, separated by spaces.
std::string shell_words(std::span<const std::string> words);

// Returns the flags of a Spec, without those that equal a default: --dim 128 --base 500000.
std::vector<std::string> spec_words(const Spec& spec);

// The words that named a subject other than a pipeline: a dump, or a program to audit.
struct SubjectWords {
    SubjectWords() = default;
    SubjectWords(std::vector<std::string> dump) : words(std::move(dump)) {}

    std::string command = "compare";
    std::vector<std::string> words;    // before the Spec
    std::vector<std::string> program;  // after --
};

// Returns the command of a report, quoted for a shell: "rope-check verify --dim 128 --pipeline
// bf16-angles --context 4096 --only table-accuracy". A subject other than a pipeline has its own
// words.
std::string command_line(const Report& report, std::string_view only = {},
                         const SubjectWords& subject = {});

// Returns the command that finds every failure again; it requires the same claims and max-error.
std::string reproducing_all(const Report& report, std::span<const std::string> required,
                            const SubjectWords& subject);

// Returns the command that finds one failure again with its exit code; it requires a claim.
std::string reproducing(const Report& report, const Finding& finding, const SubjectWords& subject);

}  // namespace rope::io
