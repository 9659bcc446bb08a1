#include "io/config/no_rope.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/config/model_classes.hpp"

namespace rope::io {
namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw InputError(what + ": there is no RoPE to verify");
}

void refuse_other_class(const ConfigSection& model, const std::string& model_type) {
    const OtherClass* other = find_other_class(model_type);
    if (other == nullptr) return;
    const std::string head = model.file() + ": " + model_type;
    if (other->instead.empty())
        throw InputError(head +
                         " rotates image patches or frames, not one sequence; that is not "
                         "covered");
    refuse(head + " uses " + std::string(other->instead));
}

// position_embedding_type: what a class of this name does with it, and where it is absent.
void refuse_position_embedding_type(ConfigSection& model, const std::string& model_type) {
    constexpr std::array<std::string_view, 3> rotary{"rope", "rotary", "ROPE"};
    const auto type = model.text({"position_embedding_type"});
    if (type && std::find(rotary.begin(), rotary.end(), type->value) == rotary.end())
        refuse(type->from + " is '" + printable(type->value) + "'");
    if (type) return;
    if (model_type == "esm")
        refuse(model.file() +
               ": esm uses learned absolute positions unless "
               "position_embedding_type is 'rotary'");
    if (model_type == "granitemoehybrid")
        refuse(model.file() +
               ": granitemoehybrid rotates only where position_embedding_type is "
               "'rope'");
}

// Speech encoders that rotate hidden states, where they are asked to.
void refuse_position_embeddings_type(ConfigSection& model, const std::string& model_type) {
    if (model_type != "wav2vec2-conformer" && model_type != "wav2vec2-bert" &&
        model_type != "seamless_m4t")
        return;
    const auto type = model.text({"position_embeddings_type"});
    if (!type || type->value != "rotary")
        refuse(model.file() + ": " + model_type +
               " rotates only where position_embeddings_type is 'rotary'");
}

}  // namespace

void refuse_without_rope(ConfigSection& model, const std::string& model_type) {
    refuse_other_class(model, model_type);
    if (const auto alibi = model.boolean("alibi"); alibi && alibi->value)
        refuse(alibi->from + " is true: the model uses ALiBi");
    const auto in_memory = model.boolean("use_mem_rope");
    if (in_memory && !in_memory->value) refuse(in_memory->from + " is false");
    if (!in_memory && model_type == "zamba2")
        refuse(model.file() + ": zamba2 rotates only where use_mem_rope is true");
    // Baichuan's 7B rotates and its 13B does not, under one model_type
    constexpr std::uint64_t baichuan_13b = 5120;
    if (model_type == "baichuan")
        if (const auto hidden = model.whole({"hidden_size"}, 1, std::uint64_t{1} << 32);
            hidden && hidden->value == baichuan_13b)
            refuse(hidden->from + " is 5120: Baichuan-13B uses ALiBi");
    refuse_position_embedding_type(model, model_type);
    refuse_position_embeddings_type(model, model_type);
}

}  // namespace rope::io
