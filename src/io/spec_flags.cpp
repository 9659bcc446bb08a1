#include "io/spec_flags.hpp"

#include <array>

#include "io/number.hpp"
#include "io/printable.hpp"

namespace rope::io {
namespace {

template <auto Field>
void set_dim(Spec& spec, const Flag& flag) {
    spec.*Field = static_cast<std::uint32_t>(parse_whole(flag.name, flag.value, 2, max_head_dim));
}

template <auto Field>
void set_scaling(Spec& spec, const Flag& flag) {
    spec.scaling.*Field = parse_real(flag.name, flag.value);
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

void set_original_max_position(Spec& spec, const Flag& flag) {
    spec.scaling.original_max_position_embeddings =
        parse_whole(flag.name, flag.value, 1, max_context);
}

// clang-format off
constexpr std::array<SpecFlag, 10> flags{{
    {"--dim", "--head-dim", "N", "lanes of one attention head", "head_dim",
     set_dim<&Spec::head_dim>},
    {"--rotary-dim", "", "N", "lanes that rotate, the first ones of the head (default: all)", "rotary_dim",
     set_dim<&Spec::rotary_dim>},
    {"--layout", "", "half|interleaved", "which lanes form a pair: (i, i + d/2) or (2i, 2i + 1)", "layout",
     set_layout},
    {"--max-position", "", "N", "max_position_embeddings: positions the model was made for", "max_position_embeddings",
     set_max_position},
    {"--base", "--rope-theta", "REAL", "rope_theta, the base of the frequencies", "rope_theta",
     set_base},
    {"--rope-type", "", "TYPE", "how the frequencies are scaled: default, linear, llama3, he_xu", "rope_type",
     set_rope_type},
    {"--factor", "", "REAL", "how far the frequencies are stretched", "factor",
     set_scaling<&Scaling::factor>},
    {"--low-freq-factor", "", "REAL", "llama3: longer wavelengths than L0/this are stretched", "low_freq_factor",
     set_scaling<&Scaling::low_freq_factor>},
    {"--high-freq-factor", "", "REAL", "llama3: shorter wavelengths than L0/this are kept", "high_freq_factor",
     set_scaling<&Scaling::high_freq_factor>},
    {"--original-max-position", "", "N", "L0, the context before stretching", "original_max_position_embeddings",
     set_original_max_position},
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
