// The known mistakes: their names, sentences and usual causes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/checks/report.hpp"

namespace rope {

// The sentence of a mistake with some parameters, and the advice that replaces the mistake's.
struct Sentence {
    std::string_view text, when, advice;
};

// One kind of mistake: an entry of data/mistakes.txt.
struct Mistake {
    std::string_view id;      // "pair-layout"
    std::string_view what;    // in a sentence, for the list of mistakes
    std::string_view advice;  // the usual cause, and the fix
    std::vector<Sentence> sentences;
};
std::span<const Mistake> mistakes();
// Throws InputError naming the known mistakes if no mistake has that id.
const Mistake& find_mistake(std::string_view id);

bool has_mistake(std::span<const NamedMistake> mistakes, std::string_view id);
// Returns the value of a parameter; null if there is none.
const FieldValue* find_value(const Parameters& parameters, std::string_view key);
// The same of a number; none if it is text.
std::optional<double> number_in(const Parameters& parameters, std::string_view key);

// The mistake with its sentence from the table of sentences. `context` holds further numbers and
// words that the sentence needs, such as {"asked", 10000.0}; they are not reported as parameters.
NamedMistake named(std::string_view id, Parameters parameters = {}, const Parameters& context = {});

}  // namespace rope
