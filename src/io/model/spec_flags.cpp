// The flags for a Spec, and the numbers that they take.
#include "io/model/spec_flags.hpp"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/readings.hpp"

namespace rope::io {
namespace {

std::vector<double> numbers_in(const std::string& flag, const TensorFile& file) {
    const std::vector<std::string> names = file.names();
    const std::string usual = "inv_freq";
    if (names.size() == 1) return file.array(names[0]).values();
    if (file.has(usual)) return file.array(usual).values();
    throw InputError(flag + ": " + file.name() + " has " + decimal(names.size()) +
                     " arrays, none of them " + usual + "; save the one array in a separate file");
}

// Reads "1,0.5,0.25", or a file that holds the numbers: its only array, or the one called inv_freq.
// Throws InputError naming the flag, or IoError.
std::vector<double> number_list(const std::string& flag, const std::string& value) {
    std::error_code none;
    if (std::filesystem::is_regular_file(value, none))
        return numbers_in(flag, open_tensor_file(value));
    return mapped<double>(split_list(value),
                          [&](const std::string& part) { return parse_real(flag, part); });
}

template <auto Field, std::uint64_t least, std::uint64_t most>
void set_whole(Spec& spec, const Flag& flag) {
    using Number = std::remove_reference_t<decltype(spec.*Field)>;
    spec.*Field = static_cast<Number>(parse_whole(flag.name, flag.value, least, most));
}

// Sets a key of the rope section by the type of its member.
struct KeySetter {
    const ScalingField& field;
    Spec& spec;
    const Flag& flag;

    void operator()(std::optional<double> Scaling::* member) const {
        spec.scaling.*member = parse_real(flag.name, flag.value);
    }
    void operator()(std::optional<std::uint64_t> Scaling::* member) const {
        spec.scaling.*member =
            parse_whole(flag.name, flag.value, static_cast<std::uint64_t>(field.range.least),
                        static_cast<std::uint64_t>(field.range.most));
    }
    void operator()(std::optional<bool> Scaling::* member) const {
        if (flag.value != "true" && flag.value != "false")
            throw InputError(flag.name, ": '" + printable(flag.value) + "' is not true or false");
        spec.scaling.*member = flag.value == "true";
    }
    void operator()(std::vector<double> Scaling::* member) const {
        spec.scaling.*member = number_list(flag.name, flag.value);
    }
};

// Sets a field by its word; a refusal names the flag.
template <auto parse, auto field>
void set_word(Spec& spec, const Flag& flag) try {
    std::invoke(field, spec) = parse(flag.value);
} catch (const InputError& error) {
    throw error.renamed(flag.name);
}

AxisScheme& axis_scheme(Spec& spec) { return spec.axes.scheme; }

void set_mrope_section(Spec& spec, const Flag& flag) {
    spec.axes.sections =
        mapped<std::uint32_t>(split_list(flag.value), [&](const std::string& part) {
            return static_cast<std::uint32_t>(parse_whole(flag.name, part, 0, max_head_dim));
        });
    if (spec.axes.scheme == AxisScheme::single) spec.axes.scheme = AxisScheme::sectioned;
}

std::string text_of(const nlohmann::json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_array() ? join(value, text_of, ",") : json_text(value);
}

// Returns the keys and values of a JSON object; a null is absent.
std::vector<Flag> pairs_of_json(const std::string& text) {
    const nlohmann::json object = parse_json(text, std::string(rope_option));
    std::vector<Flag> pairs;
    for (const auto& [key, value] : object.items())
        if (!value.is_null()) pairs.push_back({key, text_of(value)});
    return pairs;
}

// {} is replaced by the default.
std::string help_of(const ScalingField& field) {
    std::string help(field.help);
    const std::size_t gap = help.find("{}");
    for (const Variant& variant : variants())
        if (const UsedKey* key = find_key(variant.keys, field.member); key && gap != help.npos)
            return help.replace(gap, 2, default_text(*key));
    return help;
}

// By the kind of the member.
constexpr std::array<std::string_view, std::variant_size_v<ScalingMember>> value_words{
    "REAL", "N", "true|false", "LIST|FILE"};

SpecFlag flag_of(const ScalingField& field) {
    return {std::string(rope_option) + " " + std::string(field.name),
            "",
            value_words[field.member.index()],
            help_of(field),
            field.name,
            [&field](Spec& spec, const Flag& flag) {
                std::visit(KeySetter{field, spec, flag}, field.member);
            }};
}

std::vector<SpecFlag> all_flags() {
    // clang-format off
    std::vector<SpecFlag> flags{
    {"--model", "", "NAME", "a built-in model; rope-check list models", "model",
     nullptr},
    {"--layers", "", "NAME", "layers to use: full_attention, sliding or a layer's number", "layers",
     nullptr},
    {"--reading", "", "NAME", "library by whose rules the config is read: " + join(readings(), &Reading::name) + " (default: transformers)", "reading",
     nullptr},
    {"--dim", "--head-dim", "N", "head dimension (head_dim)", "head_dim",
     set_whole<&Spec::head_dim, 2, max_head_dim>},
    {"--rotary-dim", "", "N", "dimensions that rotate (default: all)", "rotary_dim",
     set_whole<&Spec::rotary_dim, 2, max_head_dim>},
    {"--rope rotary_offset", "", "N", "first dimension that rotates (0)", "rotary_offset",
     set_whole<&Spec::rotary_offset, 0, max_head_dim - 2>},
    {"--layout", "", "LAYOUT", "pairs: half (i, i + d/2; NeoX, rotate_half), interleaved (2i, 2i + 1; GPT-J) or interleaved-to-half (read interleaved, written half)", "layout",
     set_word<parse_pair_layout, &Spec::layout>},
    {"--rope direction", "", "forward|reverse", "forward: rotate by mθ; reverse: by −mθ, as nanochat does", "direction",
     set_word<parse_direction, &Spec::direction>},
    {"--max-position", "", "N", "max_position_embeddings", "max_position_embeddings",
     set_whole<&Spec::max_position_embeddings, 1, max_context>},
    {"--base", "--rope-theta", "REAL", "rope_theta, the base of the frequencies", "rope_theta",
     [](Spec& spec, const Flag& flag) { spec.rope_theta = parse_real(flag.name, flag.value); }},
    {"--rope rope_type", "", "TYPE", join(variants(), &Variant::name), "rope_type",
     [](Spec& spec, const Flag& flag) { spec.scaling.rope_type = flag.value; }},
    };
    // clang-format on
    for (const ScalingField& field : scaling_fields()) flags.push_back(flag_of(field));
    // clang-format off
    flags.insert(flags.end(), {
    {"--rope seq_len", "", "N", "sequence length for dynamic, longrope and qwen_ntk", "seq_len",
     set_whole<&Spec::seq_len, 1, max_context>},
    {"--rope axes", "", "SCHEME", "single; M-RoPE: sectioned, interleaved, interleaved4, height_width_time; images and video: axial, halves, blocks, even_odd, alternating", "axes",
     set_word<parse_axis_scheme, axis_scheme>},
    {"--rope mrope_section", "", "LIST", "pairs per axis, such as 16,24,24", "mrope_section",
     set_mrope_section},
    });
    // clang-format on
    return flags;
}

bool is_word(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

std::vector<Flag> pairs_of_rope(const std::string& text) {
    if (text.starts_with('{')) return pairs_of_json(text);
    std::vector<Flag> pairs;
    for (const std::string& part : split_list(text)) {
        const std::size_t equals = part.find('=');
        if (equals != part.npos)
            pairs.push_back({part.substr(0, equals), part.substr(equals + 1)});
        else if (!pairs.empty())
            pairs.back().value += "," + part;  // of a list
        else if (is_word(part))
            pairs.push_back({"rope_type", part});
        else
            throw InputError(
                std::string(rope_option) + ": '" + printable(text) +
                "' is not KEY=VALUE, such as rope_type=linear,factor=4, or a JSON object");
    }
    return pairs;
}

// The flag that a key sets; configs write rope_type as type, too.
const SpecFlag& flag_of_key(const std::string& key) {
    std::vector<std::string_view> keys;
    for (const SpecFlag& flag : spec_flags()) {
        const bool has_key = is_rope_flag(flag.name) || flag.field == "rope_theta";
        if (has_key && (flag.field == key || (flag.field == "rope_type" && key == "type")))
            return flag;
        if (has_key) keys.push_back(flag.field);
    }
    throw unknown_word("key of --rope", key, keys).about(std::string(rope_option));
}

}  // namespace

std::span<const SpecFlag> spec_flags() {
    static const std::vector<SpecFlag> flags = all_flags();
    return flags;
}

bool is_rope_flag(std::string_view name) {
    return name.starts_with(rope_option) && name.substr(rope_option.size()).starts_with(' ');
}

std::vector<std::string> words_of_flags(std::span<const Flag> flags) {
    std::vector<std::string> words;
    std::set<std::string, std::less<>> keys;  // of the last --rope
    for (const Flag& flag : flags) {
        const std::string name(find_spec_flag(flag.name).name);
        if (!is_rope_flag(name)) {
            words.insert(words.end(), {name, flag.value});
            keys.clear();
            continue;
        }
        const std::string pair = name.substr(rope_option.size() + 1) + "=" + flag.value;
        if (keys.empty() || keys.contains(name)) {
            keys.clear();
            words.insert(words.end(), {std::string(rope_option), pair});
        } else {
            words.back() += "," + pair;
        }
        keys.insert(name);
    }
    return words;
}

std::vector<Flag> flags_of_rope(const std::string& text) {
    std::vector<Flag> flags;
    for (const Flag& pair : pairs_of_rope(text)) {
        const std::string& name = flag_of_key(pair.name).name;
        if (const auto same = std::ranges::find(flags, name, &Flag::name); same != flags.end())
            throw InputError(std::string(rope_option) + ": " + printable(pair.name) +
                             " is given twice, as '" + printable(same->value) + "' and '" +
                             printable(pair.value) + "'; give it once");
        flags.push_back({name, pair.value});
    }
    return flags;
}

const SpecFlag& find_spec_flag(std::string_view name) {
    for (const SpecFlag& flag : spec_flags())
        if (name == flag.name || (name == flag.alias && !flag.alias.empty())) return flag;
    throw InputError("'" + printable(name) + "' is not a flag of a config");
}

}  // namespace rope::io
