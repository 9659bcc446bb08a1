#include "plots/figures/named_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plots/text/typography.hpp"
#include "rope/spec/spec.hpp"

namespace rope::plots {
namespace {

constexpr std::string_view scaled_type = "he_xu";

using Words = std::vector<std::pair<std::string, std::string>>;

// as a config spells it
std::string plain(double x) { return fmt::format("{}", x); }

Words words(const Spec& spec, std::string (*number)(double) = plain) {
    Words words = {
        {"head_dim", number(spec.head_dim)},
        {"rotary_dim", number(spec.rotary_dim)},
        {"rope_theta", number(spec.rope_theta)},
        {"max_position_embeddings", number(static_cast<double>(spec.max_position_embeddings))},
        {"rope_type", spec.scaling.rope_type}};
    if (spec.rotary_dim == spec.head_dim) words.erase(words.begin() + 1);
    if (spec.scaling.factor)
        words.emplace_back(name_of(&Scaling::factor), number(*spec.scaling.factor));
    return words;
}

std::string joined(const Words& words, std::string_view between, std::string_view separator) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : words)
        parts.push_back(fmt::format("{}{}{}", name, between, value));
    return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace

std::vector<NamedSpec> with_scaled(std::span<const NamedSpec> specs) {
    std::vector<NamedSpec> all;
    for (const NamedSpec& given : specs) {
        const bool is_scaled = given.spec.scaling.rope_type == scaled_type;
        const std::string other = is_scaled ? "base θ" : "scaled θ";
        NamedSpec form{specs.size() == 1 ? other : given.label + ", " + other, given.spec};
        form.spec.scaling = {};
        if (!is_scaled) form.spec.scaling.rope_type = scaled_type;
        all.push_back(given);
        all.insert(is_scaled ? all.end() - 1 : all.end(), std::move(form));
    }
    return all;
}

std::vector<NamedSpec> base_and_scaled(const Spec& spec) {
    NamedSpec base{"base θ", spec};
    base.spec.scaling = {};
    return with_scaled({&base, 1});
}

std::vector<std::pair<std::string, std::string>> parameters(std::span<const NamedSpec> specs) {
    Words lines;
    for (const auto& [label, spec] : specs)
        lines.emplace_back(label, joined(words(spec), "=", " "));
    return lines;
}

std::string shared_parameters(std::span<const NamedSpec> specs) {
    if (specs.empty()) return "";
    const auto typeset = [](double x) { return significant(x, 10); };
    Words shared = words(specs.front().spec, typeset);
    for (const NamedSpec& named : specs) {
        const Words own = words(named.spec, typeset);
        std::erase_if(shared,
                      [&](const auto& w) { return std::ranges::find(own, w) == own.end(); });
    }
    return joined(shared, " ", " · ");
}

}  // namespace rope::plots
