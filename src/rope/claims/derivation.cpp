#include "rope/claims/derivation.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <memory>
#include <stdexcept>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {

std::span<const Word> verdicts() {
    static constexpr Word words[] = {
        {"definition", "fixes a name or a choice; there is nothing to prove"},
        {"theorem", "holds in all cases: the text proves it, the numbers are examples"},
        {"computed", "holds for the cases that are named; nothing is said of others"},
        {"true on a range", "holds for the values that are named, and fails for others"},
        {"true under one reading",
         "the source leaves a meaning or an assumption open: it holds under one, and fails under "
         "another"},
        {"false as stated", "has a counterexample"},
        {"empirical",
         "measured on random draws, whose spread is given; the entry says for what share it holds"},
    };
    return words;
}

std::string_view to_string(Status status) {
    return verdicts()[static_cast<std::size_t>(status)].name;
}

const Line* Derivation::next(std::string_view wanted) {
    const std::vector<Line>& lines = entry_->lines;
    for (; line_ < lines.size() && lines[line_].kind == Line::Kind::sentence; ++line_)
        steps_.push_back({std::string(lines[line_].text)});
    const Line* line = line_ < lines.size() ? &lines[line_] : nullptr;
    const std::string_view found = line == nullptr                    ? "the end"
                                   : line->kind == Line::Kind::number ? "a number"
                                                                      : "a conclusion";
    if (found != wanted)
        throw std::logic_error(std::string(entry_->id) + ": the text has " + std::string(found) +
                               " where " + std::string(wanted) + " is computed");
    ++line_;
    return line;
}

BigReal Derivation::number(BigReal computed) {
    const Line* line = next("a number");
    steps_.back().numbers.push_back(
        {std::string(line->text), computed, Figure(line->figure), std::string(line->unit)});
    return computed;
}

void Derivation::conclude(bool holds) {
    const Line* line = next("a conclusion");
    const bool for_it = line->kind == Line::Kind::in_favour;
    steps_.push_back(
        {std::string(line->text), {}, for_it ? Evidence::in_favour : Evidence::against, holds});
}

void Derivation::finish() { next("the end"); }

Derivation derive(const Entry& entry) {
    Derivation derivation(entry);
    entry.compute(derivation);
    derivation.finish();
    return derivation;
}

bool supports(const std::vector<Step>& steps, Status status) {
    const bool sound = std::ranges::all_of(steps, [](const Step& step) {
        return step.holds && std::ranges::all_of(step.numbers, &Number::agrees);
    });
    const bool for_it = std::ranges::count(steps, Evidence::in_favour, &Step::evidence) > 0;
    const bool against_it = std::ranges::count(steps, Evidence::against, &Step::evidence) > 0;
    switch (status) {
        case Status::definition:
        case Status::theorem:
            return sound && for_it && !against_it;
        case Status::on_a_range:
        case Status::under_one_reading:
            return sound && for_it && against_it;
        case Status::false_as_stated:
            return sound && against_it;
        case Status::computed:
        case Status::empirical:
            break;
    }
    return sound && for_it;
}

namespace {

BigReal power_of_ten(long exponent) { return pow(real(10), real(static_cast<double>(exponent))); }

// Returns the decimal digits of an integer.
std::string digits_of(const BigReal& whole) {
    if (mpfr_zero_p(whole.raw()) != 0) return "0";
    mpfr_exp_t point = 0;
    const std::unique_ptr<char, decltype(&mpfr_free_str)> text(
        mpfr_get_str(nullptr, &point, 10, 0, whole.raw(), MPFR_RNDN), mpfr_free_str);
    const std::string digits = text.get();
    const std::size_t sign = digits.starts_with('-') ? 1 : 0;
    return digits.substr(0, sign + static_cast<std::size_t>(point));
}

}  // namespace

Figure::Figure(std::string_view text) : text_(text) {
    const std::size_t e = text.find('e');
    const std::size_t point = text.find('.');
    const std::string_view mantissa = text.substr(0, e);
    if (point != text.npos) decimals_ = static_cast<long>(mantissa.size() - point - 1);
    if (e != text.npos) {
        const char* last = text.data() + text.size();
        [[maybe_unused]] const auto read = std::from_chars(text.data() + e + 1, last, exponent_);
        assert(read.ptr == last);
    }
    is_whole_ = point == text.npos && e == text.npos;
}

BigReal Figure::value() const {
    BigReal x(0, exact_precision);
    [[maybe_unused]] const int refused = mpfr_set_str(x.raw(), text_.c_str(), 10, MPFR_RNDN);
    assert(refused == 0);
    return x;
}

BigReal Figure::last_place() const { return power_of_ten(exponent_ - decimals_); }

bool Figure::is_met_by(const BigReal& x) const {
    if (is_whole_) return x == value();
    return !(absolute(x - value()) > last_place() / 2.0) && mpfr_number_p(x.raw()) != 0;
}

std::string Figure::rounded(const BigReal& x) const {
    if (mpfr_number_p(x.raw()) == 0) return decimal(x.to_double());
    if (is_whole_ && mpfr_integer_p(x.raw()) == 0) return decimal(x.to_double());
    std::string digits = digits_of(nearest_whole(x / last_place()));
    const std::size_t sign = digits.starts_with('-') ? 1 : 0;
    const auto decimals = static_cast<std::size_t>(decimals_);
    if (digits.size() < sign + decimals + 1)
        digits.insert(sign, sign + decimals + 1 - digits.size(), '0');
    if (decimals > 0) digits.insert(digits.size() - decimals, ".");
    return exponent_ == 0 ? digits : digits + "e" + decimal(exponent_);
}

}  // namespace rope::ledger
