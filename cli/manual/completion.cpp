#include <algorithm>
#include <functional>

#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/manual/manual.hpp"
#include "io/model/models.hpp"
#include "io/shape/dump_hints.hpp"
#include "rope/readings/readings.hpp"
#include "rope/session/judge.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope::cli {
namespace {

using Words = std::vector<std::string>;

template <class List, class NameOf>
Words names_among(const List& list, const NameOf& name_of) {
    Words names;
    for (const auto& one : list) names.emplace_back(std::invoke(name_of, one));
    return names;
}

Words claim_ids() {
    Words ids;
    for (const Check& check : checks())
        if (check.kind == Kind::claim) ids.emplace_back(check.id);
    return ids;
}

struct Vocabulary {
    std::string_view option;
    Words (*words)();
};

constexpr Vocabulary vocabularies[] = {
    {"--cache-layout",
     [] {
         return names_among(io::cache_layouts(),
                            [](io::CacheLayout layout) { return to_string(layout); });
     }},
    {"--color", [] { return Words{"auto", "always", "never"}; }},
    {"--layout",
     [] {
         return Words{"half", "interleaved", "interleaved-to-half", "neox", "rotate_half", "gptj"};
     }},
    {"--config", [] { return names_among(io::models(), &io::Model::name); }},
    {"--only", [] { return names_among(checks(), &Check::id); }},
    {"--pipeline", [] { return names_among(pipelines(), &Pipeline::name); }},
    {"--reading", [] { return names_among(readings(), &Reading::name); }},
    {"--require", claim_ids},
    {"--rope",
     [] {
         return names_among(
             variants(), [](const Variant& one) { return "rope_type=" + std::string(one.name); });
     }},
};

struct Shell {
    std::string_view name;
    std::string (*script)();
};
constexpr Shell shells[] = {
    {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

}  // namespace

std::vector<std::string> words_for(const Option& option) {
    if (!option.words.empty()) return {option.words.begin(), option.words.end()};
    const auto known = std::ranges::find(vocabularies, option.name, &Vocabulary::option);
    if (known != std::end(vocabularies)) return known->words();
    const std::size_t bar = option.value.find('|');  // "true|false", but not "A:B|A:B:STEP"
    if (bar == option.value.npos || option.value.find(':') != option.value.npos) return {};
    return {std::string(option.value.substr(0, bar)), std::string(option.value.substr(bar + 1))};
}

std::string completion_script(std::string_view shell) {
    return item_named(shell, shells, &Shell::name, "shell").script();
}

}  // namespace rope::cli
