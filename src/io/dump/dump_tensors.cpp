#include "io/dump/dump_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/file/read_file.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {
namespace {

void require_both(const std::string& one, const std::string& other, const char* names) {
    if (one.empty() != other.empty())
        throw InputError(std::string(names) + " belong together; give both");
}

}  // namespace

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
    const auto bytes = std::make_shared<const FileBytes>(read_input(path, memory.bytes));
    memory.used += bytes->size();
    Array array = read_named(name, [&] {
        return typed_array(*bytes, {0, bytes->size(), 0}, files_.raw->shape, files_.raw->element);
    });
    array.owner = bytes;
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
    const std::vector<std::string> names = ending_in(name);
    if (names.size() != 1) return std::nullopt;
    return dump_->named_array(names.front());
}

std::vector<std::string> DumpTensors::ending_in(std::string_view name) const {
    const std::string ending = "." + std::string(name);
    std::vector<std::string> names = dump_->names();
    std::erase_if(names, [&](const std::string& one) { return !one.ends_with(ending); });
    return names;
}

std::optional<NamedArray> DumpTensors::first_of(std::span<const std::string_view> names) const {
    for (const std::string_view name : names)
        if (auto found = usual(name)) return found;
    return std::nullopt;
}

std::optional<std::pair<NamedArray, NamedArray>> DumpTensors::first_of(
    std::span<const TwoNames> names) const {
    for (const auto& [first, second] : names) {
        auto one = usual(first);
        auto other = one ? usual(second) : std::nullopt;
        if (other) return std::pair(*std::move(one), *std::move(other));
    }
    return std::nullopt;
}

std::optional<std::pair<NamedArray, NamedArray>> DumpTensors::vectors(
    std::span<const TwoNames> names) const {
    if (auto own = first_of(names); own || !other_) return own;
    for (const bool is_given : {true, false})
        for (const auto& [before, after] : names) {
            const auto rotated = usual(after);
            if (!rotated) continue;
            const auto given = is_given ? other_->usual(before) : reference_->usual(after);
            if (given) return std::pair(*given, *rotated);
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
    for (const TwoNames& names : cos_and_sin_names) require(names, "--cos and --sin");
    require(q_names.front(), "--q and --q-rot");
    require(k_names.front(), "--k and --k-rot");
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
    const auto say = [&](std::string_view usual, const char* options) -> std::string {
        const std::vector<std::string> names = ending_in(usual);
        if (names.size() < 2) return "";
        return fmt::format("{}: holds {} {}; name one with {}, such as {}", dump_->name(),
                           names.size(), usual, options, printable(names.front()));
    };
    std::string text;
    const auto say_first = [&](std::string_view usual, const char* options) {
        if (text.empty()) text = say(usual, options);
    };
    for (const TwoNames& names : cos_and_sin_names) say_first(names.first, "--cos and --sin");
    for (const std::string_view name : cos_sin_names) say_first(name, "--cos-sin");
    for (const TwoNames& names : q_names) say_first(names.first, "--q and --q-rot");
    for (const TwoNames& names : k_names) say_first(names.first, "--k and --k-rot");
    for (const std::string_view name : inv_freq_names) say_first(name, "--inv-freq");
    return text;
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
