#include "rope/claims/ledger.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <stdexcept>
#include <string>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
std::span<const Word> verdicts() {
    static constexpr Word words[] = {
        {"definition", "fixes a name or a choice; there is nothing to prove"},
        {"theorem", "holds in all cases: the text proves it, the numbers are examples"},
        {"computed", "holds for the cases that are named; nothing is said of others"},
        {"true on a range", "holds for the cases that are named, and fails for others"},
        {"true under one reading",
         "the source leaves a meaning or an assumption open: it holds under one, and fails under "
         "another"},
        {"false as stated", "has a counterexample, or a slip in its notation"},
        {"empirical",
         "measured on random draws; the entry gives their number and the spread of the result"},
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
    steps_.push_back({std::string(line->text), {}, line->kind, holds});
}

void Derivation::finish() { next("the end"); }

bool Derivation::is_supported() const { return supports(steps_, entry_->status); }

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
    const bool for_it = std::ranges::count(steps, Line::Kind::in_favour, &Step::kind) > 0;
    const bool against_it = std::ranges::count(steps, Line::Kind::against, &Step::kind) > 0;
    using enum Status;
    if (status == false_as_stated) return sound && against_it;
    if (status == definition || status == theorem) return sound && for_it && !against_it;
    const bool has_limits = status == on_a_range || status == under_one_reading;
    return sound && for_it && (against_it || !has_limits);
}

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

BigReal Figure::last_place() const {
    return pow(real(10), real(static_cast<double>(exponent_ - decimals_)));
}

bool Figure::is_met_by(const BigReal& x) const {
    if (is_whole_) return x == value();
    return !(absolute(x - value()) > last_place() / 2.0) && mpfr_number_p(x.raw()) != 0;
}

std::string Number::text() const {
    return agrees() ? std::string(recorded.text()) : decimal(computed.to_double());
}

namespace {

Status status_named(std::string_view name) {
    const auto found = std::ranges::find(verdicts(), name, &Word::name);
    if (found == verdicts().end())
        throw std::logic_error("data/claims: no status is named '" + std::string(name) + "'");
    return static_cast<Status>(found - verdicts().begin());
}

Computations computations() {
    Computations all;
    for (const auto add : {articles_000_and_002, article_001, articles_003_and_004, papers_on_decay,
                           papers_on_bases, papers_since_2023})
        add(all);
    return all;
}

// "  label = figure unit"
Line number_line(std::string_view line) {
    const std::size_t equals = line.rfind(" = ");
    const std::string_view value = line.substr(equals + 3);
    const std::size_t space = std::min(value.find(' '), value.size());
    return {Line::Kind::number, line.substr(2, equals - 2), value.substr(0, space),
            value.substr(std::min(space + 1, value.size()))};
}

void take_line(Entry& entry, std::string_view line) {
    const auto after = [&](std::string_view prefix) {
        const bool found = line.starts_with(prefix);
        if (found) line.remove_prefix(prefix.size());
        return found;
    };
    if (line.starts_with("  "))
        entry.lines.push_back(number_line(line));
    else if (after("quote: "))
        entry.quote = line;
    else if (after("claim: "))
        entry.statement = line;
    else if (after("see: "))
        entry.see = line;
    else if (after("so: "))
        entry.lines.push_back({Line::Kind::in_favour, line});
    else if (after("but: "))
        entry.lines.push_back({Line::Kind::against, line});
    else
        entry.lines.push_back({Line::Kind::sentence, line});
}

// Adds the works of a text; moves the computation of each entry out of `compute`.
void take_text(std::vector<Work>& all, std::string_view text, Computations& compute) {
    for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.empty() || line.starts_with("# ")) continue;
        if (!line.starts_with("== ") && !line.starts_with("-- ")) {
            take_line(all.back().entries.back(), line);
            continue;
        }
        const auto fields = split(line.substr(3), " | ");
        if (line.starts_with("== ")) {
            all.push_back({fields.at(0), fields.at(1), {}});
            continue;
        }
        const auto own = compute.extract(fields.at(0));
        if (own.empty())
            throw std::logic_error("data/claims: nothing computes '" + std::string(fields[0]) +
                                   "', or it is there twice");
        all.back().entries.push_back({.work = nullptr,
                                      .id = fields[0],
                                      .section = fields.at(2),
                                      .status = status_named(fields[1]),
                                      .compute = own.mapped()});
    }
}

}  // namespace

const std::vector<Work>& works() {
    static const std::vector<Work> table = [] {
        std::vector<Work> all;
        Computations compute = computations();
        for (const std::string_view text : claims_texts()) take_text(all, text, compute);
        if (!compute.empty())
            throw std::logic_error("data/claims has no '" + std::string(compute.begin()->first) +
                                   "'");
        for (Work& work : all)
            for (Entry& entry : work.entries) entry.work = &work;
        return all;
    }();
    return table;
}

std::vector<const Entry*> all_entries() {
    std::vector<const Entry*> all;
    for (const Work& work : works())
        for (const Entry& entry : work.entries) all.push_back(&entry);
    return all;
}

}  // namespace rope::ledger
