#include "rope/ledger/derivation/derivation.hpp"

#include <algorithm>
#include <utility>

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

std::string_view to_string(Status status) {
    switch (status) {
        case Status::theorem:
            return "theorem";
        case Status::on_a_range:
            return "true on a range";
        case Status::false_as_stated:
            return "false as stated";
        case Status::empirical:
            break;
    }
    return "empirical";
}

BigReal Derivation::number(std::string label, BigReal computed, std::string_view recorded,
                           std::string_view unit) {
    const Figure figure(recorded);
    if (numbers_++ == corrupted_) computed = computed + figure.last_place() * 2.0;
    steps_.back().numbers.push_back({std::move(label), computed, figure, std::string(unit)});
    return computed;
}

double Derivation::number(std::string label, double computed, std::string_view recorded,
                          std::string_view unit) {
    return number(std::move(label), real(computed), recorded, unit).to_double();
}

void Derivation::confirm(std::string sentence, bool holds) {
    steps_.push_back({std::move(sentence), {}, Evidence::in_favour, holds});
}

void Derivation::refute(std::string sentence, bool holds) {
    steps_.push_back({std::move(sentence), {}, Evidence::against, holds});
}

bool supports(const Derivation& derivation, Status status) {
    const auto& steps = derivation.steps();
    const bool sound = std::ranges::all_of(steps, [](const Step& step) {
        return step.holds && std::ranges::all_of(step.numbers, &Number::agrees);
    });
    const bool for_it = std::ranges::count(steps, Evidence::in_favour, &Step::evidence) > 0;
    const bool against_it = std::ranges::count(steps, Evidence::against, &Step::evidence) > 0;
    switch (status) {
        case Status::theorem:
            return sound && for_it && !against_it;
        case Status::on_a_range:
            return sound && for_it && against_it;
        case Status::false_as_stated:
            return sound && against_it;
        case Status::empirical:
            break;
    }
    return sound && for_it;
}

}  // namespace rope::ledger
