// Finds tensors by the names on a command line and by usual names.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/system/read_file.hpp"
#include "io/tensor/array.hpp"
#include "io/text/rows.hpp"

namespace rope::io {
namespace {

// The usual names of a kind, the likeliest first, in pairs "a/b" for two tensors, and the options
// that name such tensors, "cos=" and "sin=": a row of data/tensors.jsonl. transformers before 4.38
// has cos_cached, ONNX cos_cache, llama2.c freqs_cos; freqs of [d/2] are inv_freq. Other names
// belong to the kind if they consist of `words` and have a word of `one_of`.
struct UsualNames {
    std::vector<std::string> roles, names, one_of, words;

    // "cos=NAME and sin=NAME"
    std::string options() const {
        return join(roles, [](const std::string& role) { return role + "NAME"; }, " and ");
    }
};

enum class Side { before, plain, roped, result, after };

// Words in names of vectors by which these are before or after the rotation.
struct SideWords {
    Side side;
    std::vector<std::string> words;
};

constexpr std::size_t unrotated_results = 2;  // of TensorNames::sides

struct TensorNames {
    std::vector<UsualNames> kinds = {};     // in the order of Usual
    std::vector<SideWords> sides = {};      // the decisive ones first
    std::vector<std::string> neutral = {};  // other words in names of vectors
};

// q, k, qkv and kv have the words of the row "vectors", which comes last.
TensorNames read_names() {
    TensorNames all;
    for (const Row& row : rows_of(tensor_rows, "data/tensors.jsonl")) {
        const auto texts = [&row](const char* key) {
            return row.has(key) ? row.texts(key) : std::vector<std::string>{};
        };
        if (row.text("tensor") != "vectors") {
            all.kinds.push_back({texts("roles"), texts("names"), texts("one_of"), texts("words")});
            continue;
        }
        all.neutral = texts("words");
        all.sides = {{Side::before, texts("before")},
                     {Side::after, texts("after")},
                     {Side::before, texts("unrotated_results")},
                     {Side::result, texts("results")},
                     {Side::roped, texts("parts")}};
    }
    for (const Usual vectors : {Usual::q, Usual::k, Usual::qkv, Usual::kv}) {
        auto& words = all.kinds[static_cast<std::size_t>(vectors)].words;
        words = all.neutral;
        for (const SideWords& side : all.sides)
            words.insert(words.end(), side.words.begin(), side.words.end());
    }
    return all;
}

const TensorNames& tensor_names() {
    static const TensorNames all = read_names();
    return all;
}

const std::vector<UsualNames>& usual_names() { return tensor_names().kinds; }
const UsualNames& usual_names(Usual kind) { return usual_names()[static_cast<std::size_t>(kind)]; }

using TwoNames = std::pair<std::string_view, std::string_view>;
std::vector<TwoNames> pairs_of(const UsualNames& kind) {
    std::vector<TwoNames> pairs;
    for (const std::string_view names : kind.names) {
        const std::size_t slash = names.find('/');
        pairs.emplace_back(names.substr(0, slash), names.substr(slash + 1));
    }
    return pairs;
}

void require_both(const std::string& one, const std::string& other, const char* names) {
    if (one.empty() != other.empty())
        throw InputError(std::string(names) + " belong together, and only " +
                         printable(one.empty() ? other : one) + " is given; give both");
}

// Whether the second of two words is the number of a layer: "layer_3", "h_3".
bool is_layer(std::string_view word, std::string_view number) {
    constexpr std::size_t most_digits = 5;
    constexpr std::string_view words[] = {"layer", "layers", "block", "blocks", "blk", "h"};
    return !number.empty() && number.size() <= most_digits &&
           number.find_first_not_of("0123456789") == number.npos &&
           std::ranges::count(words, word) > 0;
}

// The words of a name behind its last dot, in lower case and without the number of a layer:
// "model.hook_rot_q" has hook, rot and q, "layer_3_q" only q.
std::vector<std::string> words_of(std::string_view name) {
    std::string words = lower_case(name.substr(name.rfind('.') + 1));
    std::ranges::replace(words, '-', '_');
    if (words.ends_with('_')) return {};  // an empty word belongs to no kind
    const auto parts = split(words, "_");
    std::vector<std::string> all;
    for (std::size_t k = 0; k < parts.size(); ++k)
        if (k + 1 < parts.size() && is_layer(parts[k], parts[k + 1]))
            ++k;
        else
            all.emplace_back(parts[k]);
    return all;
}

// The name behind the last dot, without the underscores that it starts with.
std::string_view own_name(std::string_view name) {
    name.remove_prefix(name.rfind('.') + 1);
    return name.substr(std::min(name.find_first_not_of('_'), name.size()));
}

// "cu_seqlens" of cu_seqlens_cpu and cu_seqlens_cpu_tensor
std::string_view without_place(std::string_view name) {
    constexpr std::string_view places[] = {"cpu", "gpu",  "cuda",   "host",
                                           "np",  "list", "tensor", "device"};
    const std::size_t end = name.rfind('_');
    const bool is_placed =
        end != name.npos && end > 0 && std::ranges::count(places, name.substr(end + 1)) > 0;
    return is_placed ? without_place(name.substr(0, end)) : name;
}

bool is_in(const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::count(words, word) > 0;
}

// Whether the name consists of the kind's words, and perhaps a place.
bool has_words_of(const UsualNames& kind, std::string_view name) {
    const std::vector<std::string> words = words_of(without_place(name));
    const auto is_telling = [&](const std::string& word) { return is_in(kind.one_of, word); };
    return std::ranges::any_of(words, is_telling) &&
           std::ranges::all_of(words, [&](const std::string& word) {
               return is_telling(word) || is_in(kind.words, word);
           });
}

// Vectors by the words of their name. `rest`: the words that determine no side.
struct NamedVectors {
    Side side;
    std::string name;
    std::vector<std::string> rest = {};
};

NamedVectors vectors_called(const std::string& name) {
    NamedVectors one{Side::plain, name, words_of(name)};
    const auto has_word_of = [&](const SideWords& side) {
        return std::ranges::any_of(one.rest,
                                   [&](const auto& word) { return is_in(side.words, word); });
    };
    const auto& [kinds, sides, neutral] = tensor_names();
    const auto decisive = std::ranges::find_if(sides, has_word_of);
    if (decisive != sides.end()) one.side = decisive->side;
    std::erase_if(one.rest, [&](const std::string& word) { return !is_in(neutral, word); });
    return one;
}

// The name up to its last dot, and its words without those of a side but norm and proj.
std::string stem_of(const std::string& name) {
    const auto& sides = tensor_names().sides;
    const auto is_of_side = [&](const std::string& word) {
        return std::ranges::any_of(sides, [&](const SideWords& side) {
            return &side != &sides[unrotated_results] && is_in(side.words, word);
        });
    };
    std::vector<std::string> words = words_of(name);
    std::erase_if(words, is_of_side);
    return name.substr(0, name.rfind('.') + 1) + join(words, {}, "_");
}

// The number behind the word for a layer: 3 of "model.layers.3.self_attn.q", "blk.3.q", "h_3_q".
std::optional<std::uint64_t> layer_in(const std::string& name) {
    std::string spaced = lower_case(name);
    std::ranges::replace_if(spaced, [](char c) { return c == '.' || c == '/'; }, '_');
    const auto words = split(spaced, "_");
    for (std::size_t k = 1; k < words.size(); ++k)
        if (is_layer(words[k - 1], words[k])) return std::stoull(std::string(words[k]));
    return std::nullopt;
}

// Whether a name in _pos or _positions is that of a limit, as max_position, or of single tokens, as
// mask_position.
bool is_of_no_row(const std::string& name) {
    constexpr std::string_view others[] = {"max",    "maximum", "n",      "num",     "original",
                                           "end",    "mask",    "masked", "target",  "label",
                                           "labels", "image",   "video",  "selected"};
    return std::ranges::any_of(words_of(name), [&](const std::string& word) {
        return std::ranges::count(others, word) > 0;
    });
}

// Whether a name has a kind, such as start_pos, which is no position_ids although it ends in _pos.
bool has_meaning(const std::string& name) {
    return std::ranges::any_of(usual_names(), [&](const UsualNames& kind) {
        return is_in(kind.names, name) || has_words_of(kind, name);
    });
}

using FilePart = DumpTensors::FilePart;

std::optional<FilePart> layer_of(const std::string& name) {
    const auto layer = layer_in(name);
    return layer ? std::optional(FilePart{fmt::format("layer {}", *layer), layer}) : std::nullopt;
}

std::optional<FilePart> prefix_of(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot == name.npos ? std::nullopt : std::optional(FilePart{name.substr(0, dot)});
}

constexpr const char* full_attention = "full_attention";
constexpr const char* sliding_attention = "sliding_attention";

// The kind of layers in a name, empty if it has none, and the name behind the last dot without it:
// "full_attention" and "cos" of cos_global, "sliding_attention" and "inv_freq" of
// rotary_emb_local.inv_freq.
std::pair<std::string, std::string> kind_of_layers(std::string name) {
    const std::size_t own = name.rfind('.') + 1;
    std::ranges::replace(name, '.', '_');
    std::string kind, rest;
    std::size_t at = 0;
    for (const std::string_view word : split(name, "_")) {
        const bool is_full = word == "full" || word == "global";
        if (is_full || word == "sliding" || word == "local" || word == "swa")
            kind = is_full ? full_attention : sliding_attention;
        else if (at >= own && word != "attention" && word != "attn")
            rest += (rest.empty() ? "" : "_") + std::string(word);
        at += word.size() + 1;
    }
    return {kind, rest};
}

// The tables and inv_freq that two kinds of layers have: the names by kind of each. inv_freq
// without a kind belongs to the other one.
using NamesByKind = std::map<std::string, std::map<std::string, std::string>>;
NamesByKind names_by_kind(const std::vector<std::string>& names) {
    NamesByKind all;
    for (const std::string& name : names) {
        const auto [kind, rest] = kind_of_layers(name);
        const std::string_view role = role_called(rest);
        const std::vector<std::string> words = words_of(rest);  // of rope_cos
        const bool is_table = role.starts_with("cos") || role == "sin=" || role == "angles=" ||
                              is_in(words, "cos") || is_in(words, "sin");
        if (role == "inv_freq=" || (is_table && !kind.empty())) all[rest].emplace(kind, name);
    }
    std::erase_if(all, [](const auto& one) { return one.second.size() != 2; });
    for (auto& [rest, by_kind] : all)
        if (auto other = by_kind.extract(""); !other.empty()) {
            other.key() = by_kind.contains(full_attention) ? sliding_attention : full_attention;
            by_kind.insert(std::move(other));
        }
    return all;
}

// The parts with usual arrays of the same names.
template <class PartOf>
std::vector<FilePart> several_parts(const std::vector<std::string>& names, const PartOf& part_of) {
    std::map<std::string, std::vector<FilePart>> parts_with;
    for (const std::string& name : names)
        if (const auto part = part_of(name); part && is_usual(name)) {
            auto& parts = parts_with[join(words_of(name), {}, "_")];
            if (std::ranges::count(parts, part->name, &FilePart::name) == 0) parts.push_back(*part);
        }
    std::vector<FilePart> several;
    for (const auto& [name, parts] : parts_with)
        for (const FilePart& part : parts)
            if (parts.size() > 1 && std::ranges::count(several, part.name, &FilePart::name) == 0)
                several.push_back(part);
    return several;
}

// "has 1,048,576 bytes, and this shape as f16 524,288; did you mean f32?" if another type fits the
// file; else empty.
std::string other_raw_type(const RawArrays& raw, std::uint64_t size) {
    constexpr std::pair<std::uint64_t, const char*> types[] = {
        {8, "f64"}, {4, "f32"}, {2, "f16 or bf16"}};
    std::uint64_t count = 1;
    for (const std::uint64_t length : raw.shape) count *= length;
    const std::uint64_t asked = bytes_of(raw.element);
    for (const auto& [bytes, type] : types)
        if (count > 0 && bytes != asked && size % bytes == 0 && size / bytes == count)
            return "has " + grouped(size) + " bytes, and --raw asks for " + grouped(count * asked) +
                   "; did you mean " + type + "?";
    return "";
}

}  // namespace

bool is_usual(const std::string& name) { return !role_called(std::string(own_name(name))).empty(); }

std::string_view role_called(const std::string& name) {
    for (const UsualNames& kind : usual_names()) {
        const auto& roles = kind.roles;
        if (roles.empty()) continue;
        for (const auto& [one, other] : pairs_of(kind))
            if (name == one || name == other) return name == one ? roles.front() : roles.back();
        if (has_words_of(kind, name))
            return vectors_called(name).side <= Side::plain ? roles.front() : roles.back();
    }
    return "";
}

DumpTensors::DumpTensors(DumpFiles files) : files_(std::move(files)) {
    require_both(files_.cos, files_.sin, "cos=NAME and sin=NAME");
    require_both(files_.q, files_.q_rot, "q=NAME and q_rot=NAME");
    require_both(files_.k, files_.k_rot, "k=NAME and k_rot=NAME");
    if (files_.dump.empty()) return;
    if (files_.raw)
        raw_dump_ = load_raw(files_.dump);
    else
        dump_ = &open(files_.dump);
    if (dump_ == nullptr) return;
    names_ = dump_->names();
    std::ranges::copy_if(names_, std::back_inserter(placed_),
                         [](const std::string& name) { return without_place(name) != name; });
}

const TensorFile& DumpTensors::open(const std::string& path) {
    const auto found = opened_.find(path);
    if (found != opened_.end()) return found->second;
    const auto opened = opened_.emplace(path, open_tensor_file(path, files_.memory)).first;
    files_.memory.used += opened->second.memory();
    return opened->second;
}

NamedArray DumpTensors::load_raw(const std::string& path) {
    MemoryLimit& memory = files_.memory;
    const std::uint64_t left = memory.bytes - std::min(memory.used, memory.bytes);
    const std::string name = input_name(path);
    memory.require(name, read_input_head(path, 0, left).file_size);
    const FileBytes bytes = read_input(path, memory.bytes);
    memory.used += bytes.size();
    if (std::string other = other_raw_type(*files_.raw, bytes.size()); !other.empty())
        throw InputError(name + ": " + other);
    Array array = read_named(name, [&] {
        return typed_array(bytes, {0, bytes.size(), 0}, files_.raw->shape, files_.raw->element);
    });
    array.owner = bytes.owner();
    return {name, std::move(array)};
}

NamedArray DumpTensors::load(const std::string& value) {
    std::error_code error;
    const std::size_t colon = value.rfind(':');
    if (colon != value.npos && !std::filesystem::exists(value, error))
        return open(value.substr(0, colon)).named_array(value.substr(colon + 1));
    return open(value).sole_array();
}

std::optional<NamedArray> DumpTensors::named_positions(const std::string& value) {
    if (value.empty()) return std::nullopt;
    // a bare word can only be a member
    if (dump_ && (dump_->has(value) || value.find_first_of("./:") == value.npos))
        return dump_->named_array(value);
    return load(value);
}

std::optional<NamedArray> DumpTensors::named(const std::string& value) {
    if (!value.empty() && files_.raw) return load_raw(value);
    return named_positions(value);
}

std::optional<NamedArray> DumpTensors::usual(std::string_view name) const {
    if (!dump_) return std::nullopt;
    if (const auto own = of_kind_.find(name); own != of_kind_.end())
        return dump_->named_array(own->second);
    if (dump_->has(name)) return dump_->named_array(std::string(name));
    std::vector<std::string> names = ending_in(".", name);
    if (names.empty()) {  // _cos_cached of a module, layer_5_cos
        names = ending_in("_", name);
        std::erase_if(names, [&](const std::string& one) {
            return own_name(one) != name && join(words_of(one), {}, "_") != name;
        });
    }
    if (names.empty() && name.find("pos") != name.npos) {  // decoder_positions, rope_pos_ids
        names = ending_in("_", name);
        std::erase_if(names, [&](const std::string& one) {
            return format_of(dump_->named_array(one).array.element) || has_meaning(one) ||
                   is_of_no_row(one);
        });
    }
    if (names.empty())
        std::ranges::copy_if(placed_, std::back_inserter(names), [&](const std::string& one) {
            return without_place(own_name(one)) == name && std::ranges::count(names_, one) > 0;
        });
    if (names.size() != 1) return std::nullopt;
    return dump_->named_array(names.front());
}

std::vector<std::string> DumpTensors::ending_in(std::string_view before,
                                                std::string_view name) const {
    const std::string ending = std::string(before) + std::string(name);
    std::vector<std::string> names = names_;
    std::erase_if(names, [&](const std::string& one) { return !one.ends_with(ending); });
    return names;
}

std::vector<NamedArray> DumpTensors::all_of(Usual kind) const {
    std::vector<NamedArray> all;
    for (const std::string_view name : usual_names(kind).names)
        if (auto found = usual(name)) all.push_back(*std::move(found));
    if (read_as_.first == kind && !read_as_.second.empty()) all.push_back(*usual(read_as_.second));
    return all;
}

std::optional<NamedArray> DumpTensors::first_of(Usual kind) const {
    if (read_as_.first == kind && !read_as_.second.empty()) return usual(read_as_.second);
    const UsualNames& usual_ones = usual_names(kind);
    for (const std::string_view name : usual_ones.names)
        if (auto found = usual(name)) return found;
    if (!dump_ || usual_ones.one_of.empty()) return std::nullopt;
    std::vector<NamedArray> found;
    for (const std::string& one : names_)
        if (has_words_of(usual_ones, one) && !format_of(dump_->named_array(one).array.element))
            found.push_back(dump_->named_array(one));
    // of several, one may be 0 where another counts, or both are equal
    const auto is_zero = [](const NamedArray& one) {
        return std::ranges::count(one.array.values(), 0.0) == std::ssize(one.array.values());
    };
    if (!std::ranges::all_of(found, is_zero)) std::erase_if(found, is_zero);
    const auto is_first = [&](const NamedArray& one) {
        return one.array.values() == found.front().array.values();
    };
    if (found.empty() || !std::ranges::all_of(found, is_first)) return std::nullopt;
    return found.front();
}

std::optional<DumpTensors::Two> DumpTensors::first_two_of(Usual kind) const {
    for (const auto& [first, second] : pairs_of(usual_names(kind))) {
        auto one = usual(first);
        auto other = one ? usual(second) : std::nullopt;
        if (other) return Two(*std::move(one), *std::move(other));
    }
    return kind == Usual::cos_and_sin && dump_ ? only_cos_and_sin() : std::nullopt;
}

std::optional<DumpTensors::Two> DumpTensors::only_cos_and_sin() const {
    std::optional<Two> found;
    for (const std::string& cos : names_) {
        const std::size_t at = lower_case(cos).rfind("cos");
        if (at == cos.npos) continue;
        std::string sin = cos;
        for (std::size_t k = 0; k < 3; ++k)  // in upper or lower case
            sin[at + k] = static_cast<char>(cos[at + k] + "sin"[k] - "cos"[k]);
        if (std::ranges::count(names_, sin) == 0) continue;
        Two two = arrays_of({cos, sin});
        if (two.first.array.shape != two.second.array.shape) continue;
        if (found) return std::nullopt;
        found = std::move(two);
    }
    return found;
}

DumpTensors::Sides DumpTensors::sides_by_words(Usual kind) const {
    if (!dump_) return {};
    std::vector<NamedVectors> all;
    for (const std::string& name : names_)
        if (has_words_of(usual_names(kind), name)) all.push_back(vectors_called(name));
    const auto those = [&](const auto& belongs) {
        std::vector<NamedVectors> found;
        std::ranges::copy_if(all, std::back_inserter(found), belongs);
        return found;
    };
    const auto on = [&](Side side) {
        return those([side](const NamedVectors& one) { return one.side == side; });
    };
    std::vector<NamedVectors> after = on(Side::after);
    if (after.empty()) after = on(Side::result);
    std::vector<NamedVectors> before =
        those([](const NamedVectors& one) { return one.side <= Side::plain; });
    const auto shape_of = [&](const NamedVectors& one) {
        return dump_->named_array(one.name).array.shape;
    };
    const std::vector<NamedVectors> roped = on(Side::roped);
    if (after.empty() && before.size() == 1 && roped.size() == 1 &&
        shape_of(before.front()) == shape_of(roped.front()))
        after = roped;
    else if (before.empty() || !after.empty())  // of MLA, the part that will rotate
        before.insert(before.end(), roped.begin(), roped.end());
    if (after.size() == 1) {
        std::vector<NamedVectors> alike = before;
        std::erase_if(alike, [&](const auto& one) { return one.rest != after.front().rest; });
        if (!alike.empty()) before = std::move(alike);
    }
    const auto only = [&](const std::vector<NamedVectors>& found) {
        return found.size() == 1 ? std::optional(dump_->named_array(found.front().name))
                                 : std::nullopt;
    };
    return {only(before), only(after)};
}

DumpTensors::Sides DumpTensors::sides(Usual kind) const {
    if (auto both = first_two_of(kind)) return {std::move(both->first), std::move(both->second)};
    Sides found = sides_by_words(kind);
    for (const auto& [before, after] : pairs_of(usual_names(kind))) {
        if (found.before || found.after) break;
        found = {usual(before), usual(after)};
    }
    return found;
}

std::optional<DumpTensors::Two> DumpTensors::vectors(Usual kind) const {
    Sides own = sides(kind);
    if (!own.after) return std::nullopt;
    if (!own.before && other_) own.before = other_->sides(kind).before;
    if (!own.before && other_) own.before = reference_->sides(kind).after;
    if (!own.before) return std::nullopt;
    return Two(*std::move(own.before), *std::move(own.after));
}

std::vector<DumpTensors::NamedTwo> DumpTensors::other_vectors(Usual kind) const {
    if (!dump_) return {};
    std::map<std::string, std::vector<NamedVectors>> by_stem;
    for (const std::string& name : names_) {
        const auto words = words_of(name);
        const Array& array = dump_->named_array(name).array;
        if (array.format() && array.shape.size() > 1 &&
            std::ranges::any_of(words, [&](const std::string& word) {
                return is_in(usual_names(kind).one_of, word);
            }))
            by_stem[stem_of(name)].push_back(vectors_called(name));
    }
    std::vector<NamedTwo> found;
    for (const auto& [stem, all] : by_stem) {
        if (all.size() != 2) continue;
        const bool is_first = all[0].side < all[1].side;
        const auto &before = all[is_first ? 0 : 1], &after = all[is_first ? 1 : 0];
        if (before.side <= Side::plain && after.side > Side::plain)
            found.push_back({before.name, after.name});
    }
    return found;
}

DumpTensors::Two DumpTensors::arrays_of(const NamedTwo& names) const {
    return {dump_->named_array(names.before), dump_->named_array(names.after)};
}

void DumpTensors::require_whole_pairs() const {
    for (const Usual kind : {Usual::cos_and_sin, Usual::q, Usual::k}) {
        const std::vector<TwoNames> all = pairs_of(usual_names(kind));
        for (const auto& [first, second] :
             std::span(all).first(kind == Usual::cos_and_sin ? all.size() : 1)) {
            const bool has_first = usual(first).has_value();
            if (has_first == usual(second).has_value()) continue;
            throw InputError(fmt::format("{}: holds {} without {}; save both, or name them with {}",
                                         dump_->name(), has_first ? first : second,
                                         has_first ? second : first, usual_names(kind).options()));
        }
    }
}

std::optional<DumpTensors::NamedLayer> DumpTensors::layer_of_names() const {
    if (!of_kind_.empty()) return NamedLayer{kind_, printable(of_kind_.begin()->second, 100)};
    std::vector<std::string> names;
    for (const std::string* one : {&files_.q, &files_.q_rot, &files_.k, &files_.k_rot})
        if (!one->empty()) names.push_back(*one);
    if (names.empty() && dump_) names = names_;
    std::optional<NamedLayer> found;
    for (const std::string& name : names) {
        const auto layer = layer_in(name);
        if (layer && found && layer != found->number) return std::nullopt;
        if (layer && !found) found = {decimal(*layer), printable(name, 100), layer};
    }
    return found;
}

std::vector<DumpTensors::FilePart> DumpTensors::parts() const {
    std::vector<FilePart> layers = several_parts(names_, layer_of);
    std::ranges::sort(layers, {}, &FilePart::layer);
    if (!layers.empty()) return layers;
    std::vector<FilePart> all = several_parts(names_, prefix_of);
    const auto has_positions = [&](const FilePart& part) {
        return std::ranges::any_of(
            pairs_of(usual_names(Usual::position_ids)),
            [&](const auto& one) { return dump_->has(part.name + "." + std::string(one.first)); });
    };
    if (!all.empty() && std::ranges::all_of(all, has_positions)) return all;
    if (names_by_kind(names_).empty() || vectors(Usual::q) || vectors(Usual::k)) return {};
    return {{full_attention, {}, true}, {sliding_attention, {}, true}};
}

void DumpTensors::select(const FilePart& part) {
    names_ = dump_->names();
    const std::vector<FilePart> all = parts();
    of_kind_.clear();
    if (part.is_kind) {
        kind_ = part.name;
        for (auto& [usual, by_kind] : names_by_kind(names_))
            for (auto& [kind, name] : by_kind)
                if (kind == kind_)
                    of_kind_[usual] = name;
                else
                    std::erase(names_, name);
        return;
    }
    std::erase_if(names_, [&](const std::string& name) {
        const auto own = part.layer ? layer_of(name) : prefix_of(name);
        // other prefixes may be those of arrays that all parts share
        return own && own->name != part.name &&
               (part.layer || std::ranges::count(all, own->name, &FilePart::name) > 0);
    });
}

bool DumpTensors::has_axis_of(std::uint64_t length) const {
    return dump_ && std::ranges::any_of(names_, [&](const std::string& name) {
               return std::ranges::count(dump_->named_array(name).array.shape, length) > 0;
           });
}

std::optional<NamedArray> DumpTensors::only() const {
    if (raw_dump_) return raw_dump_;
    if (!dump_ || names_.size() != 1) return std::nullopt;
    return dump_->named_array(names_.front());
}

std::vector<std::string> DumpTensors::names_except(const std::set<std::string>& loaded) const {
    if (!dump_ || dump_->has("")) return {};
    std::vector<std::string> names = names_;
    std::erase_if(names, [&](const std::string& one) {
        return loaded.contains(dump_->name() + ":" + printable(one));
    });
    return names;
}

// "holds 2 arrays called inv_freq; name one with inv_freq=NAME, such as layers.0.inv_freq", or
// nothing
std::string DumpTensors::say_that_there_are_several() const {
    for (const UsualNames& kind : usual_names()) {
        if (kind.roles.empty() || kind.roles[0].starts_with('-')) continue;
        for (const TwoNames& one : pairs_of(kind))
            if (const auto names = ending_in(".", one.first); names.size() > 1)
                return fmt::format("{}: holds {} arrays called {}; name one with {}, such as {}",
                                   dump_->name(), names.size(), one.first, kind.options(),
                                   printable(names.front()));
    }
    return "";
}

std::string DumpTensors::say_what_is_missing() const {
    if (!dump_)
        return "give a dump such as dump.npz, or arrays such as cos=FILE and sin=FILE, "
               "inv_freq=FILE or q=FILE and q_rot=FILE";
    if (std::string several = say_that_there_are_several(); !several.empty()) return several;
    const std::string names = join(names_, [](const std::string& name) { return printable(name); });
    return dump_->name() +
           ": holds no cos and sin, no cos_sin, no q and q_rot and no inv_freq; name its tensors "
           "with ROLE=TENSOR, such as cos=NAME and sin=NAME or q=NAME and q_rot=NAME; it has " +
           (names.empty() ? "no arrays" : printable(names, 1000));
}

}  // namespace rope::io
