#include "io/config/spec_flags.hpp"

#include <algorithm>
#include <array>

#include "base/printable.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

template <auto Field>
void set_dim(Spec& spec, const Flag& flag) {
    spec.*Field = static_cast<std::uint32_t>(parse_whole(flag.name, flag.value, 2, max_head_dim));
}

template <auto Field>
void set_real(Spec& spec, const Flag& flag) {
    spec.scaling.*Field = parse_real(flag.name, flag.value);
}

template <auto Field>
void set_reals(Spec& spec, const Flag& flag) {
    std::vector<double>& list = spec.scaling.*Field;
    list.clear();
    for (const std::string& part : split_list(flag.value))
        list.push_back(parse_real(flag.name, part));
}

void set_truncate(Spec& spec, const Flag& flag) {
    if (flag.value != "true" && flag.value != "false")
        throw InputError(flag.name + ": '" + printable(flag.value) + "' is not true or false");
    spec.scaling.truncate = flag.value == "true";
}

void set_layout(Spec& spec, const Flag& flag) {
    if (flag.value != "half" && flag.value != "half_split" && flag.value != "interleaved")
        throw InputError(flag.name + ": '" + printable(flag.value) +
                         "' is not half, half_split or interleaved");
    spec.layout = parse_pair_layout(flag.value);
}

void set_base(Spec& spec, const Flag& flag) { spec.rope_theta = parse_real(flag.name, flag.value); }

void set_rope_type(Spec& spec, const Flag& flag) { spec.scaling.rope_type = flag.value; }

void set_max_position(Spec& spec, const Flag& flag) {
    spec.max_position_embeddings = parse_whole(flag.name, flag.value, 1, max_context);
}

void set_seq_len(Spec& spec, const Flag& flag) {
    spec.seq_len = parse_whole(flag.name, flag.value, 1, max_context);
}

void set_original_max_position(Spec& spec, const Flag& flag) {
    spec.scaling.original_max_position_embeddings =
        parse_whole(flag.name, flag.value, 1, max_context);
}

void set_axes(Spec& spec, const Flag& flag) {
    spec.axes.scheme = parse_axis_scheme(printable(flag.value));
}

void set_mrope_section(Spec& spec, const Flag& flag) {
    std::vector<std::uint32_t> sections;
    for (const std::string& part : split_list(flag.value))
        sections.push_back(
            static_cast<std::uint32_t>(parse_whole(flag.name, part, 0, max_head_dim)));
    spec.axes.sections = std::move(sections);
    if (spec.axes.scheme == AxisScheme::single) spec.axes.scheme = AxisScheme::sectioned;
}

// clang-format off
constexpr std::array<SpecFlag, 24> flags{{
    {"--model", "", "NAME", "a known model instead of a config; rope-check models lists them", "model",
     nullptr},
    {"--layers", "", "NAME", "layers to use if a model's layers differ, such as full_attention", "layers",
     nullptr},
    {"--dim", "--head-dim", "N", "lanes of one attention head", "head_dim",
     set_dim<&Spec::head_dim>},
    {"--rotary-dim", "", "N", "lanes that rotate, the first ones of the head (default: all)", "rotary_dim",
     set_dim<&Spec::rotary_dim>},
    {"--layout", "", "half|interleaved", "which lanes form a pair: (i, i + d/2) or (2i, 2i + 1)", "layout",
     set_layout},
    {"--max-position", "", "N", "max_position_embeddings: positions that the model supports", "max_position_embeddings",
     set_max_position},
    {"--base", "--rope-theta", "REAL", "rope_theta, the base of the frequencies", "rope_theta",
     set_base},
    {"--rope-type", "", "TYPE", "default, linear, dynamic, ntk, yarn, longrope, llama3, proportional, he_xu", "rope_type",
     set_rope_type},
    {"--factor", "", "REAL", "scaling factor of the context length", "factor",
     set_real<&Scaling::factor>},
    {"--low-freq-factor", "", "REAL", "llama3: wavelengths longer than L0/this are scaled", "low_freq_factor",
     set_real<&Scaling::low_freq_factor>},
    {"--high-freq-factor", "", "REAL", "llama3: wavelengths shorter than L0/this are kept", "high_freq_factor",
     set_real<&Scaling::high_freq_factor>},
    {"--original-max-position", "", "N", "L0, the original context length", "original_max_position_embeddings",
     set_original_max_position},
    {"--beta-fast", "", "REAL", "yarn: pairs that turn more often than this in L0 are kept (32)", "beta_fast",
     set_real<&Scaling::beta_fast>},
    {"--beta-slow", "", "REAL", "yarn: pairs that turn less often than this are fully scaled (1)", "beta_slow",
     set_real<&Scaling::beta_slow>},
    {"--truncate", "", "true|false", "yarn: round the ramp's ends to whole pairs (true)", "truncate",
     set_truncate},
    {"--mscale", "", "REAL", "yarn: attention factor is the ratio of this and --mscale-all-dim", "mscale",
     set_real<&Scaling::mscale>},
    {"--mscale-all-dim", "", "REAL", "yarn: see --mscale; DeepSeek's scores scale by its square", "mscale_all_dim",
     set_real<&Scaling::mscale_all_dim>},
    {"--attention-factor", "", "REAL", "yarn, longrope: multiplies cos and sin; overrides other formulas", "attention_factor",
     set_real<&Scaling::attention_factor>},
    {"--short-factor", "", "LIST", "longrope: a factor per pair up to L0, such as 1,1.02,1.1", "short_factor",
     set_reals<&Scaling::short_factor>},
    {"--long-factor", "", "LIST", "longrope: a factor per pair beyond L0", "long_factor",
     set_reals<&Scaling::long_factor>},
    {"--partial-rotary-factor", "", "REAL", "fraction of the head, or of proportional's pairs, that rotates", "partial_rotary_factor",
     set_real<&Scaling::partial_rotary_factor>},
    {"--seq-len", "", "N", "sequence length for dynamic and longrope", "seq_len",
     set_seq_len},
    {"--axis-map", "", "SCHEME", "single, sectioned, interleaved, interleaved4 (M-RoPE), axial, halves", "axes",
     set_axes},
    {"--mrope-section", "", "LIST", "pairs per axis, such as 16,24,24", "mrope_section",
     set_mrope_section},
}};
// clang-format on

}  // namespace

std::span<const SpecFlag> spec_flags() { return flags; }

const SpecFlag& find_spec_flag(std::string_view name) {
    for (const SpecFlag& flag : flags)
        if (name == flag.name || (name == flag.alias && !flag.alias.empty())) return flag;
    throw InputError("'" + printable(name) + "' is not a flag of a Spec");
}

}  // namespace rope::io
