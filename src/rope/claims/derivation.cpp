#include "rope/claims/derivation.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <memory>
#include <utility>

#include "base/decimal.hpp"
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

namespace {

BigReal power_of_ten(long exponent) { return pow(real(10), real(static_cast<double>(exponent))); }

// The decimal digits of a whole number.
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
