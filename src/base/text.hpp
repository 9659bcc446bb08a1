// Lists, ranges and templates as text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"

namespace rope {

// Returns "a, b, c": the items, or `of` each item, joined by the separator.
template <class List, class Of = std::identity>
std::string join(List&& list, const Of& of = {}, std::string_view separator = ", ") {
    std::string text;
    bool is_first = true;
    for (const auto& item : list) {
        if (!is_first) text += separator;
        is_first = false;
        if constexpr (std::is_arithmetic_v<std::decay_t<std::invoke_result_t<Of, decltype(item)>>>)
            text += decimal(std::invoke(of, item));
        else
            text += std::invoke(of, item);
    }
    return text;
}

// Returns of(item) of each item as an Element.
template <class Element, class List, class Of>
std::vector<Element> mapped(const List& list, const Of& of) {
    std::vector<Element> all;
    for (const auto& item : list) all.emplace_back(std::invoke(of, item));
    return all;
}

// Returns the item with that name. Throws unknown_word(), about the option, if there is none.
template <class List, class NameOf>
const auto& item_named(std::string_view word, const List& list, const NameOf& name_of,
                       std::string_view what, const std::string& option = {}) {
    const auto found = std::ranges::find(list, word, name_of);
    if (found != std::ranges::end(list)) return *found;
    throw unknown_word(what, word, mapped<std::string_view>(list, name_of)).about(option);
}

// Returns the item with that name. Throws "WHAT is 'NAME'; it must be one of …" with the nearest
// name if there is none.
template <class List, class NameOf>
const auto& one_of(const List& list, const NameOf& name_of, std::string_view what,
                   std::string_view name) {
    const auto found = std::ranges::find(list, name, name_of);
    if (found != std::ranges::end(list)) return *found;
    const std::string_view meant = nearest(name, mapped<std::string_view>(list, name_of));
    throw InputError(std::string(what), "'" + printable(name) + "'",
                     "one of " + join(list, name_of) +
                         (meant.empty() ? "" : "; did you mean '" + std::string(meant) + "'?"));
}

// "7", "0–28"
template <class Number>
std::string range(Number first, Number last) {
    return first == last ? decimal(first) : decimal(first) + "–" + decimal(last);
}

// 0, 1, 2, 5 -> "0–2, 5"; after `most` ranges follows "…".
template <class Number>
std::string ranges(const std::vector<Number>& ascending,
                   std::size_t most = std::numeric_limits<std::size_t>::max()) {
    std::vector<std::string> texts;
    std::size_t first = 0;
    for (std::size_t i = 1; i <= ascending.size(); ++i) {
        if (i < ascending.size() && ascending[i] == ascending[i - 1] + 1) continue;
        texts.push_back(texts.size() == most ? "…" : range(ascending[first], ascending[i - 1]));
        if (texts.size() > most) break;
        first = i;
    }
    return join(texts);
}

// "a | b", split at " | " -> "a", "b". An empty text has no parts.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + separator.size(), text.size()));
    }
    return parts;
}

// Returns the text with each {name} replaced by value(name).
template <class Value>
std::string filled(std::string_view text, const Value& value) {
    std::string all;
    for (std::size_t open; (open = text.find('{')) != text.npos;) {
        const std::size_t close = text.find('}', open);
        all += text.substr(0, open);
        all += value(text.substr(open + 1, close - open - 1));
        text.remove_prefix(close + 1);
    }
    return all.append(text);
}

}  // namespace rope
