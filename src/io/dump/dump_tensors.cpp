// Finds tensors by the names on a command line and by usual names.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/file/read_file.hpp"
#include "io/json/rows.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {
namespace {

// The usual names of a kind, the likeliest first, in pairs "a/b" for two tensors, and the options
// that name such a tensor: a row of data/tensors.jsonl. transformers before 4.38 has cos_cached,
// ONNX cos_cache, llama2.c freqs_cos; freqs of [d/2] are inv_freq.
struct UsualNames {
    std::string options;
    std::vector<std::string> names;
};

const std::vector<UsualNames>& usual_names() {  // in the order of Usual
    static const std::vector<UsualNames> all = [] {
        std::vector<UsualNames> kinds;
        for (const Row& row : rows_of(tensor_rows, "data/tensors.jsonl"))
            kinds.push_back({row.text("options", ""), row.texts("names")});
        return kinds;
    }();
    return all;
}

const UsualNames& usual_names(Usual kind) { return usual_names()[static_cast<std::size_t>(kind)]; }

struct TwoNames {
    std::string_view first, second;
};
std::vector<TwoNames> pairs_of(const UsualNames& kind) {
    std::vector<TwoNames> pairs;
    for (const std::string_view names : kind.names) {
        const std::size_t slash = names.find('/');
        pairs.push_back({names.substr(0, slash), names.substr(slash + 1)});
    }
    return pairs;
}

void require_both(const std::string& one, const std::string& other, const char* names) {
    if (one.empty() != other.empty())
        throw InputError(std::string(names) + " belong together; give both");
}

// Whether a name has a kind, such as start_pos, which is no position_ids although it ends in _pos.
bool has_meaning(const std::string& name) {
    return std::ranges::any_of(usual_names(), [&](const UsualNames& kind) {
        return std::ranges::count(kind.names, name) > 0;
    });
}

}  // namespace

bool is_usual(const std::string& name) {
    const auto is_called = [&](std::string_view usual) {
        return name == usual || name.ends_with("." + std::string(usual));
    };
    constexpr std::size_t kinds = 1 + static_cast<std::size_t>(Usual::position_ids);
    for (const UsualNames& kind : std::span(usual_names()).first(kinds))
        for (const auto& [first, second] : pairs_of(kind))
            if (is_called(first) || is_called(second)) return true;
    return false;
}

DumpTensors::DumpTensors(DumpFiles files) : files_(std::move(files)) {
    require_both(files_.cos, files_.sin, "--cos and --sin");
    require_both(files_.q, files_.q_rot, "--q and --q-rot");
    require_both(files_.k, files_.k_rot, "--k and --k-rot");
    if (files_.dump.empty()) return;
    if (files_.raw)
        raw_dump_ = load_raw(files_.dump);
    else
        dump_ = &open(files_.dump);
}

const TensorFile& DumpTensors::open(const std::string& path) {
    const auto found = opened_.find(path);
    if (found != opened_.end()) return found->second;
    const auto opened = opened_.emplace(path, open_tensor_input(path, files_.memory)).first;
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
    if (dump_->has(name)) return dump_->named_array(std::string(name));
    std::vector<std::string> names = ending_in(".", name);
    if (names.empty() && name.find("pos") != name.npos) {  // decoder_positions, rope_pos_ids
        names = ending_in("_", name);
        std::erase_if(names, [&](const std::string& one) {
            return format_of(dump_->named_array(one).array.element) || has_meaning(one);
        });
    }
    if (names.size() != 1) return std::nullopt;
    return dump_->named_array(names.front());
}

std::vector<std::string> DumpTensors::ending_in(std::string_view before,
                                                std::string_view name) const {
    const std::string ending = std::string(before) + std::string(name);
    std::vector<std::string> names = dump_->names();
    std::erase_if(names, [&](const std::string& one) { return !one.ends_with(ending); });
    return names;
}

std::vector<NamedArray> DumpTensors::all_of(Usual kind) const {
    std::vector<NamedArray> all;
    for (const std::string_view name : usual_names(kind).names)
        if (auto found = usual(name)) all.push_back(*std::move(found));
    return all;
}

std::optional<NamedArray> DumpTensors::first_of(Usual kind) const {
    for (const std::string_view name : usual_names(kind).names)
        if (auto found = usual(name)) return found;
    return std::nullopt;
}

std::optional<DumpTensors::Two> DumpTensors::first_two_of(Usual kind) const {
    for (const auto& [first, second] : pairs_of(usual_names(kind))) {
        auto one = usual(first);
        auto other = one ? usual(second) : std::nullopt;
        if (other) return Two(*std::move(one), *std::move(other));
    }
    return std::nullopt;
}

std::optional<DumpTensors::Two> DumpTensors::vectors(Usual kind) const {
    if (auto own = first_two_of(kind); own || !other_) return own;
    for (const bool is_given : {true, false})
        for (const auto& [before, after] : pairs_of(usual_names(kind))) {
            const auto rotated = usual(after);
            if (!rotated) continue;
            const auto given = is_given ? other_->usual(before) : reference_->usual(after);
            if (given) return Two(*given, *rotated);
        }
    return std::nullopt;
}

void DumpTensors::require_whole_pairs() const {
    const auto require = [&](const TwoNames& names, const char* options) {
        const bool has_first = usual(names.first).has_value();
        if (has_first == usual(names.second).has_value()) return;
        throw InputError(fmt::format("{}: holds {} without {}; save both, or name them with {}",
                                     dump_->name(), has_first ? names.first : names.second,
                                     has_first ? names.second : names.first, options));
    };
    for (const TwoNames& names : pairs_of(usual_names(Usual::cos_and_sin)))
        require(names, "--cos and --sin");
    require(pairs_of(usual_names(Usual::q)).front(), "--q and --q-rot");
    require(pairs_of(usual_names(Usual::k)).front(), "--k and --k-rot");
}

bool DumpTensors::has_axis_of(std::uint64_t length) const {
    return dump_ && std::ranges::any_of(dump_->names(), [&](const std::string& name) {
               return std::ranges::count(dump_->named_array(name).array.shape, length) > 0;
           });
}

std::optional<NamedArray> DumpTensors::only() const {
    if (raw_dump_) return raw_dump_;
    if (!dump_ || dump_->names().size() != 1) return std::nullopt;
    return dump_->named_array(dump_->names().front());
}

std::vector<std::string> DumpTensors::names_besides(const std::set<std::string>& loaded) const {
    if (!dump_ || dump_->has("")) return {};
    std::vector<std::string> names = dump_->names();
    std::erase_if(names, [&](const std::string& one) {
        return loaded.contains(dump_->name() + ":" + printable(one));
    });
    return names;
}

// "holds 2 inv_freq; name one with --inv-freq, such as layers.0.inv_freq", or nothing
std::string DumpTensors::say_that_there_are_several() const {
    for (const UsualNames& kind : usual_names()) {
        if (kind.options.empty()) continue;
        for (const TwoNames& one : pairs_of(kind))
            if (const auto names = ending_in(".", one.first); names.size() > 1)
                return fmt::format("{}: holds {} {}; name one with {}, such as {}", dump_->name(),
                                   names.size(), one.first, kind.options, printable(names.front()));
    }
    return "";
}

std::string DumpTensors::say_what_is_missing() const {
    if (!dump_)
        return "give a dump such as dump.npz, or --cos and --sin, --cos-sin, --angles, --inv-freq, "
               "or "
               "--q and --q-rot";
    if (std::string several = say_that_there_are_several(); !several.empty()) return several;
    const std::string names =
        join(dump_->names(), [](const std::string& name) { return printable(name); });
    return dump_->name() +
           ": holds no cos and sin, no cos_sin, no q and q_rot and no inv_freq; name its tensors "
           "with --cos and --sin, --q and --q-rot …; it has " +
           printable(names, 1000);
}

}  // namespace rope::io
