// Finds tensors by the names on a command line and by usual names.
#include "io/dump/dump_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/file/read_file.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {
namespace {

// The usual names of a kind, the likeliest first, and the options that name such a tensor.
struct UsualNames {
    Usual kind;
    const char* options;
    std::string_view names;  // "a b", or pairs "a/b c/d"
};
// transformers before 4.38 has cos_cached, ONNX cos_cache, llama2.c freqs_cos; freqs of [d/2] are
// inv_freq.
constexpr std::array usual_names{
    UsualNames{Usual::cos_and_sin, "--cos and --sin",
               "cos/sin cos_cached/sin_cached cos_cache/sin_cache cos_table/sin_table "
               "freqs_cos/freqs_sin cosines/sines"},
    UsualNames{Usual::cos_sin, "--cos-sin",
               "cos_sin cos_sin_cache cos_sin_cached freqs_cis_real_imag freqs_cis rope_cache "
               "sincos_rows sincos sin_cos embed_positions pe"},
    UsualNames{Usual::q, "--q and --q-rot",
               "q/q_rot q/q_embed q/q_rotated q/q_out query/query_rot query/query_embed "
               "query/query_out query_states/query_states_rot query_states/q_embed q/q_roped "
               "x/x_out q_in/q_out q_pre/q_post q_before/q_after x/y x/x_rot x/out input/output "
               "before/after q_pe/q_pe_rot q_pe/q_pe_out"},
    UsualNames{Usual::k, "--k and --k-rot",
               "k/k_rot k/k_embed k/k_rotated k/k_out key/key_rot key/key_embed key/key_out "
               "key_states/key_states_rot key_states/k_embed k/k_roped k_before/k_after k_in/k_out "
               "k_pre/k_post k_pe/k_pe_rot k_pe/k_pe_out"},
    UsualNames{Usual::inv_freq, "--inv-freq", "inv_freq freqs _freqs"},
    UsualNames{Usual::angles, nullptr, "angles freqs emb rotary_pos_emb"},
    UsualNames{Usual::position_ids, nullptr,
               "position_ids positions pos cache_position position pos_ids input_pos "
               "token_positions segment_positions input_positions position_id inputs_position "
               "cache_positions"},
    UsualNames{Usual::start, nullptr,
               "start_pos offset index_pos seqlen_offsets position_offset cache_seqlens "
               "past_length past_key_values_length kv_offset pos_offset n_past past_len "
               "past_seen_tokens past_kv_length past_kv_len offsets rope_offset q_rope_offset "
               "start_index cache_update_index cache_offset cache_len cache_length cur_len"},
    UsualNames{Usual::mask, nullptr, "attention_mask padding_mask"},
    UsualNames{Usual::sequence_ends, nullptr,
               "cu_seqlens cu_seqlens_q cu_seq_lens cu_seq_lens_q query_start_loc qo_indptr indptr "
               "cu_doc_lens cu_seqlens_q_padded"},
    UsualNames{Usual::sequence_lengths, nullptr, "seq_lens seq_lens_k"},
    UsualNames{Usual::segments, nullptr,
               "segment_ids decoder_segment_ids document_ids doc_ids sequence_ids "
               "inputs_segmentation seq_ids sample_ids packed_ids"},
    UsualNames{Usual::grid_sizes, nullptr,
               "grid_sizes grid_thw image_grid_thw video_grid_thw grid_hw grid_hws image_grid_hws"},
};

std::vector<std::string_view> names_of(Usual kind) {
    return split(std::ranges::find(usual_names, kind, &UsualNames::kind)->names, " ");
}

struct TwoNames {
    std::string_view first, second;
};
std::vector<TwoNames> pairs_of(Usual kind) {
    std::vector<TwoNames> pairs;
    for (const std::string_view names : names_of(kind)) {
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
    return std::ranges::any_of(usual_names, [&](const UsualNames& one) {
        return std::ranges::count(split(one.names, " "), std::string_view(name)) > 0;
    });
}

}  // namespace

bool is_usual(const std::string& name) {
    const auto is_called = [&](std::string_view usual) {
        return name == usual || name.ends_with("." + std::string(usual));
    };
    for (const auto& [kind, options, all] : usual_names)
        for (const auto& [first, second] : pairs_of(kind))
            if (kind <= Usual::position_ids || kind >= Usual::q)
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
    for (const std::string_view name : names_of(kind))
        if (auto found = usual(name)) all.push_back(*std::move(found));
    return all;
}

std::optional<NamedArray> DumpTensors::first_of(Usual kind) const {
    for (const std::string_view name : names_of(kind))
        if (auto found = usual(name)) return found;
    return std::nullopt;
}

std::optional<DumpTensors::Two> DumpTensors::first_two_of(Usual kind) const {
    for (const auto& [first, second] : pairs_of(kind)) {
        auto one = usual(first);
        auto other = one ? usual(second) : std::nullopt;
        if (other) return Two(*std::move(one), *std::move(other));
    }
    return std::nullopt;
}

std::optional<DumpTensors::Two> DumpTensors::vectors(Usual kind) const {
    if (auto own = first_two_of(kind); own || !other_) return own;
    for (const bool is_given : {true, false})
        for (const auto& [before, after] : pairs_of(kind)) {
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
    for (const TwoNames& names : pairs_of(Usual::cos_and_sin)) require(names, "--cos and --sin");
    require(pairs_of(Usual::q).front(), "--q and --q-rot");
    require(pairs_of(Usual::k).front(), "--k and --k-rot");
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
    for (const auto& [kind, options, all] : usual_names) {
        if (options == nullptr) continue;
        for (const TwoNames& one : pairs_of(kind))
            if (const auto names = ending_in(".", one.first); names.size() > 1)
                return fmt::format("{}: holds {} {}; name one with {}, such as {}", dump_->name(),
                                   names.size(), one.first, options, printable(names.front()));
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
