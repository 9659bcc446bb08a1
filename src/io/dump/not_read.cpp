#include "io/dump/not_read.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/dump/tensor_names.hpp"

namespace rope::io {
namespace {

constexpr std::size_t most_of_a_dump = 32;
constexpr std::size_t most_named = 6;

bool is_called(const std::string& name, std::string_view usual) {
    return name == usual || name.ends_with("." + std::string(usual));
}

bool is_one_of(const std::string& name, std::span<const std::string_view> usual) {
    return std::ranges::any_of(usual, [&](std::string_view one) { return is_called(name, one); });
}

bool is_one_of(const std::string& name, std::span<const TwoNames> usual) {
    return std::ranges::any_of(usual, [&](const TwoNames& one) {
        return is_called(name, one.first) || is_called(name, one.second);
    });
}

// "cos", "model.layers.0.self_attn.rotary_emb.inv_freq"
bool is_usual(const std::string& name) {
    return is_one_of(name, cos_and_sin_names) || is_one_of(name, cos_sin_names) ||
           is_one_of(name, angle_names) || is_one_of(name, inv_freq_names) ||
           is_one_of(name, position_names) || is_one_of(name, q_names) || is_one_of(name, k_names);
}

}  // namespace

std::optional<Assumption> not_read(std::vector<std::string> names) {
    std::erase(names, "spec");  // what an export says of itself
    if (names.size() > most_of_a_dump)
        std::erase_if(names, [](const std::string& name) { return !is_usual(name); });
    if (names.empty()) return std::nullopt;
    const std::size_t more = names.size() - std::min(names.size(), most_named);
    names.resize(names.size() - more);
    std::string text = join(names, [](const std::string& name) { return printable(name, 100); });
    if (more > 0) text += " and " + decimal(more) + " more";
    return Assumption{"not_read", std::move(text),
                      "the file's other arrays; options such as --q and --inv-freq select them"};
}

}  // namespace rope::io
