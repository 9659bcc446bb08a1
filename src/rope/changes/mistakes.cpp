#include "rope/changes/mistakes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "base/decimal.hpp"
#include "base/text.hpp"

namespace rope {

extern const std::string_view mistakes_text;

namespace {

std::vector<Mistake> parse_mistakes(std::string_view text) {
    std::map<std::string_view, std::string_view> advice;  // by name
    std::vector<Mistake> all;
    for (const std::string_view line : split(text, "\n")) {
        if (line.empty() || line.starts_with('#')) continue;
        std::vector<std::string_view> fields = split(line, " | ");
        fields.resize(3);
        if (line.starts_with("== ")) {
            all.push_back({fields[0].substr(3), fields[1], fields[2], {}});
        } else if (all.empty()) {
            advice.emplace(fields[0], fields[1]);
        } else {
            const auto named = advice.find(fields[2]);
            all.back().sentences.push_back(
                {fields[0], fields[1], named == advice.end() ? fields[2] : named->second});
        }
    }
    return all;
}

}  // namespace

std::span<const Mistake> mistakes() {
    static const std::vector<Mistake> table = parse_mistakes(mistakes_text);
    return table;
}

const Mistake& find_mistake(std::string_view id) {
    return one_of(mistakes(), &Mistake::id, "mistake", id);
}

bool has_mistake(std::span<const NamedMistake> mistakes, std::string_view id) {
    return std::ranges::find(mistakes, id, &NamedMistake::mistake) != mistakes.end();
}

const FieldValue* find_value(const Parameters& parameters, std::string_view key) {
    const auto found =
        std::ranges::find(parameters, key, &std::pair<std::string, FieldValue>::first);
    return found == parameters.end() ? nullptr : &found->second;
}

std::optional<double> number_in(const Parameters& parameters, std::string_view key) {
    const FieldValue* value = find_value(parameters, key);
    const auto* x = value ? std::get_if<double>(value) : nullptr;
    return x ? std::optional(*x) : std::nullopt;
}

namespace {

bool holds(std::string_view when, const Parameters& values) {
    while (!when.empty()) {
        const std::string_view one = when.substr(0, when.find("; "));
        when.remove_prefix(std::min(when.size(), one.size() + 2));
        const std::size_t equals = one.find('=');
        const FieldValue* value = find_value(values, one.substr(0, equals));
        if (value == nullptr) return false;
        if (equals != one.npos && text_of(*value) != one.substr(equals + 1)) return false;
    }
    return true;
}

// Returns the text for "{key}", "{+key}" or "{|key|}" of a sentence.
std::string filled_in(std::string_view placeholder, const Parameters& values) {
    const char form = placeholder.front();
    if (form == '+') placeholder.remove_prefix(1);
    if (form == '|') placeholder = placeholder.substr(1, placeholder.size() - 2);
    const FieldValue* value = find_value(values, placeholder);
    assert(value != nullptr);
    if (form != '+' && form != '|') return text_of(*value);
    const double number = std::get<double>(*value);
    const std::string size = decimal(std::abs(number));
    return form == '|' ? size : (number < 0 ? "− " : "+ ") + size;
}

}  // namespace

NamedMistake named(std::string_view id, Parameters parameters, const Parameters& context) {
    Parameters values = parameters;
    values.insert(values.end(), context.begin(), context.end());
    const std::vector<Sentence>& sentences = find_mistake(id).sentences;
    const auto sentence = std::ranges::find_if(
        sentences, [&](const Sentence& one) { return holds(one.when, values); });
    assert(sentence != sentences.end());
    return {std::string(id), std::move(parameters),
            filled(sentence->text, [&](std::string_view name) { return filled_in(name, values); }),
            std::string(sentence->advice)};
}

}  // namespace rope
