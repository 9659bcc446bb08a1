// Where a config.json keeps what concerns rotary embeddings.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/config/config_section.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// Layers that share a rope section.
struct LayerSection {
    std::string layers;    // "all layers", "full_attention", "layers 0–2, 4–6", "NoPE: 3, 7"
    ConfigSection rope;    // rope_scaling, rope_parameters or one of its sections; may be empty
    bool nested = false;   // one of several in rope_parameters
    bool local = false;    // Gemma 3: the base is rope_local_base_freq
    bool plain = false;    // of the section only the base counts: it is for other layers
    bool assumed = false;  // by the model's class; the file has no section
    bool rotates = true;
    bool absent = false;                         // no layer is of this kind
    std::vector<std::uint32_t> numbers = {};     // of the layers, where they are known
    std::optional<Found<double>> base = {};      // of these layers alone (layer_rope_theta)
    std::optional<Found<double>> fraction = {};  // that rotates (partial_rotary_factors)
    std::optional<Found<std::uint64_t>> head_dim = {}, rotary_dim = {};
};

// A vision model beside the language model.
struct Tower {
    std::string path;        // "vision_config"
    std::string model_type;  // of a TowerClass, where it is one; else as the file says
};

// What is to be said of a key, by its path: that its value does not count, or from where another
// came.
struct KeyRemark {
    std::string path, what;
};

struct ConfigFile {
    std::shared_ptr<const nlohmann::json> root;
    std::shared_ptr<const nlohmann::json> default_root;
    std::string name;         // the file as it was named
    std::string model_type;   // empty where the file does not say
    ConfigSection model;      // the text model's own keys: the top level, or text_config
    ConfigSection defaults;   // what the model's class assumes
    ConfigSection attention;  // attn_config (DBRX, MPT); empty elsewhere
    ConfigSection overruled;  // a rope_parameters that rope_scaling replaces; empty elsewhere
    std::vector<LayerSection> layers;         // one at least
    std::optional<Found<PairLayout>> layout;  // empty: by the model_type
    std::vector<std::string> passed_over;     // rope keys in places that this file overrides
    std::optional<Tower> tower = {};
    // Sections that rotate by themselves: "depth_decoder_config".
    std::vector<std::string> other_models = {};
    std::vector<std::string> repeated = {};  // keys that say again what others do
    std::vector<KeyRemark> remarks = {};
    bool is_gguf = false;
    // A GGUF's, whose converter permutes q_proj and k_proj from half_split; else empty.
    std::string permuted_architecture = {};
    bool mscale_of_scores = true;  // Spec's, where the section has mscale_all_dim

    std::vector<std::string> traits = {};  // of the model's class: class_traits()

    bool has_trait(std::string_view trait) const {
        return std::ranges::find(traits, trait) != traits.end();
    }
    std::vector<std::string> read() const;
    // passed_over, the rope sections' unread keys, and the model's that look like rotary ones
    std::vector<std::string> ignored() const;
};

// Of a config.json; `name` stands for the file in messages. Throws InputError.
ConfigFile read_config(std::shared_ptr<const nlohmann::json> root, const std::string& name);

}  // namespace rope::io
