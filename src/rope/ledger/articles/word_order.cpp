// Article 000, §1: what attention knows of order, and what it should know.
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/attention.hpp"
#include "rope/ledger/quantity/rotation.hpp"

namespace rope::ledger {
namespace {

void derive_equivariance(Derivation& d) {
    const std::vector<double> in_order{1, 2, 3}, shuffled{3, 2, 1};
    d.say(
        "Take tokens 1, 2, 3 of one lane, with q = k = v, and the same shuffled to 3, 2, 1. "
        "Without a mask a token attends to the set of all.");
    const BigReal first =
        d.number("what token 1 gets, in order", attended(1, in_order), "2.575210");
    const BigReal last = d.number("what token 1 gets, shuffled", attended(1, shuffled), "2.575210");
    d.confirm("Each token gets the same and takes it along: attention is equivariant.",
              absolute(first - last) < rounding_residue());
    d.say(
        "A decoder masks what comes later. Then token 1 sees itself alone in order, and all "
        "three when it is last.");
    const BigReal masked = d.number("what token 1 gets in order, causal mask",
                                    attended(1, std::span(in_order).first(1)), "1");
    d.refute("With a causal mask the values do depend on order.",
             absolute(masked - last) > real(1));
}

void derive_multiplicative(Derivation& d) {
    d.say(
        "For numbers, f(m − n) = f(m)·f(n) with m = n gives f(m)² = f(0) at every m: only 0, 1 "
        "and ±1 by turns are left. A cosine fails.");
    const BigReal of_difference = d.number("cos(2 − 1)", cosine(real(1)), "0.540302305868139717");
    const BigReal of_both =
        d.number("cos 2·cos 1", cosine(real(2)) * cosine(real(1)), "-0.224845095366152870");
    d.say("What is meant holds for matrices, with a transpose: R(m)R(n)ᵀ = R(m − n).");
    const BigReal apart =
        distance(rotation(real(2)) * transposed(rotation(real(1))), rotation(real(1)));
    d.refute("No score that changes with distance obeys the law as it is written.",
             apart < rounding_residue() && absolute(of_difference - of_both) > real(0.1));
}

// "What is the temperature of the weather in Shanghai today? Please tell me …", word by word.
constexpr std::array<std::string_view, 15> words{
    "today", "Shanghai", "weather",  "of",      "temperature", "how much",    "?", "please",
    "tell",  "me",       "Shanghai", "exactly", "of",          "temperature", "."};

std::vector<int> places_of(std::string_view word) {
    std::vector<int> places;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) places.push_back(static_cast<int>(i));
    return places;
}

void derive_sentence(Derivation& d) {
    d.say(
        "The example is to show 'weather' and 'temperature' at the same distance in two halves of "
        "a sentence of 15 tokens.");
    const double weathers =
        d.number("places of 'weather'", static_cast<double>(places_of("weather").size()), "1");
    d.say("'Shanghai' and 'temperature' do what is meant.");
    const auto shanghai = places_of("Shanghai"), temperature = places_of("temperature");
    const double first = d.number("their distance in the first half", temperature[0] - shanghai[0],
                                  "3", "positions");
    const double second = d.number("their distance in the second half",
                                   temperature[1] - shanghai[1], "3", "positions");
    d.refute("The second half has no 'weather' to compare.", weathers == 1 && first == second);
}

constexpr Entry word_order_entries[] = {
    {"000-equivariance", "§1.1", "Shuffling the tokens leaves each one's attention as it was.",
     Status::on_a_range, derive_equivariance},
    {"000-multiplicative", "§1.3", "f(m − n) = f(m)·f(n).", Status::false_as_stated,
     derive_multiplicative},
    {"000-example", "§1.3", "The sentence has the pair weather, temperature in both halves.",
     Status::false_as_stated, derive_sentence},
};

}  // namespace

std::span<const Entry> word_order() { return word_order_entries; }

}  // namespace rope::ledger
