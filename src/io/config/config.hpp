// Where a config keeps what concerns rotary embeddings, which layers of a model rotate, and what
// the model's class does if its config.json lacks a key.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/text/rows.hpp"
#include "rope/spec/readings.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// A value and the origin to report for it: "config.json: rope_scaling.factor".
template <typename T>
struct Found {
    T value;
    std::string from;
};

// Names of a key; the first that is present counts. "attn_config.rope_theta" is in an object,
// unless a key of the section has this name.
using Keys = std::vector<std::string_view>;

// One object of a config, read key by key, each by its type.
class ConfigSection {
  public:
    // What the file calls a key, by its path here.
    using Names = std::map<std::string, std::string>;

    // `path` leads to the object inside the file: "" or "rope_scaling." or "text_config.".
    // A null object is an empty section. The object must outlive the section. Origins and paths,
    // also of sections in it, have the names.
    ConfigSection(std::string file, std::string path, const nlohmann::json* object,
                  std::shared_ptr<const Names> names = nullptr)
        : file_(std::move(file)),
          path_(std::move(path)),
          object_(object),
          names_(std::move(names)) {}

    // From now on it has these names.
    void call_by(std::shared_ptr<const Names> names) { names_ = std::move(names); }

    // Each returns the first of the keys that is present and not null; a null counts as absent, as
    // in transformers. Throws InputError when the value has another type or is out of range:
    // config.json: head_dim is "128"; it must be a whole number from 2 to 65536
    std::optional<Found<std::uint64_t>> whole(const Keys& keys, std::uint64_t least,
                                              std::uint64_t most);
    std::optional<Found<double>> real(const Keys& keys);
    std::optional<Found<std::string>> text(const Keys& keys);
    std::optional<Found<bool>> boolean(std::string_view key);
    std::optional<Found<std::vector<double>>> reals(std::string_view key);
    std::optional<Found<std::vector<std::uint64_t>>> wholes(std::string_view key);
    std::optional<Found<std::vector<std::string>>> texts(std::string_view key);
    // The objects of a list; none if it is absent.
    std::vector<ConfigSection> sections(std::string_view key);

    bool has(std::string_view key) const;  // present and not null
    bool has_one_of(const Keys& keys) const {
        return std::ranges::any_of(keys, [&](std::string_view key) { return has(key); });
    }
    bool holds_null(std::string_view path) const;  // present and null
    bool holds_text(std::string_view key) const {
        return has(key) && object_->find(key)->is_string();
    }
    bool empty() const { return object_ == nullptr || object_->empty(); }
    const nlohmann::json* object() const { return object_; }  // null if it is absent
    // The object at a key, or at a path such as "thinker_config.text_config"; empty if it is
    // absent, null or false. Throws InputError for another value.
    ConfigSection section(std::string_view path) const;
    // The value of a key, or of a path "attn_config.rope"; null if it is absent or null.
    const nlohmann::json* at(std::string_view path) const;
    void mark_read(const Keys& keys) { read_.insert(keys.begin(), keys.end()); }
    // From now on the key is absent, and neither read nor unread.
    void hide(std::string_view key) { hidden_.emplace(key); }
    // The same section with nothing hidden and nothing read.
    ConfigSection shown() const { return {file_, path_, object_}; }
    const std::string& file() const { return file_; }
    std::string origin(std::string_view key) const;   // "config.json: rope_scaling.factor"
    std::string path_to(std::string_view key) const;  // "rope_scaling.factor"

    // The paths of keys that were and were not read, sorted, without those of null values.
    std::vector<std::string> read() const { return keys_by(true); }
    std::vector<std::string> unread() const { return keys_by(false); }

  private:
    template <typename T, typename Accepts>
    std::optional<Found<T>> value(const Keys& keys, Accepts accepts, const std::string& wanted);
    std::vector<std::string> keys_by(bool were_read) const;

    std::string file_;
    std::string path_;
    const nlohmann::json* object_;
    std::set<std::string, std::less<>> read_, hidden_;
    std::shared_ptr<const Names> names_;
};

// Returns the value that `read` finds; nothing if it has another type. For keys that the class
// may not read.
template <class Read>
auto read_value(Read read) -> std::optional<decltype(read()->value)> {
    try {
        const auto found = read();
        return found ? std::optional(found->value) : std::nullopt;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

// A remark on a key, by its path: its value does not count, or another key's counts.
struct KeyRemark {
    std::string path, what;
};

struct ConfigFile;

// The rows of a table whose conditions are about keys, and the names of these keys.
struct RuleRows {
    std::vector<RowText> rows;
    std::vector<std::string_view> names;

    RuleRows(std::string_view text, const char* file, std::initializer_list<std::string_view> kinds)
        : rows(row_texts_of(text, file)), names(names_in(text, kinds)) {}
};

// The sections that the places of rows name: the first where a place names none. The last is the
// class's, which may name keys.
using Places = std::vector<std::pair<std::string_view, ConfigSection*>>;

struct TranslatedConfig {
    nlohmann::json root = nlohmann::json::object();
    ConfigSection::Names names = {};  // by path in `root`
    std::vector<KeyRemark> remarks = {};
    bool is_of_one_file = true;  // else names begin with the file

    // Puts a value under `to`, a path such as "rope_scaling.factor"; the file calls it `name`.
    void put(const std::string& to, nlohmann::json value, const std::string& name);
    // Puts the values of rows as in data/params.jsonl whose conditions hold, of each path the
    // first; a row without a path only counts its key as read, refuses or remarks on it, adds a
    // fact, or ends the translation. Throws InputError.
    void translate(const RuleRows& rules, const Places& places, ConfigFacts& facts);
    // Throws InputError.
    ConfigFile read(const std::string& file) &&;
};

// Layers that share a rope section.
struct LayerSection {
    std::string layers;  // "all layers", "full_attention", "layers 0–2, 4–6", "NoPE: 3, 7"
    // rope_scaling, rope_parameters or one of its sections; may be empty
    ConfigSection rope{"", "", nullptr};
    bool nested = false;   // one of several in rope_parameters
    bool local = false;    // Gemma 3: the base is rope_local_base_freq
    bool plain = false;    // only the section's base counts: the rest is for other layers
    bool assumed = false;  // by the model's class; the file has no section
    bool rotates = true;
    bool absent = false;                      // no layer is of this kind
    std::vector<std::uint32_t> numbers = {};  // the layers' numbers, where they are known
};

struct ModelClass;

// A vision model in the config of a language model.
struct Tower {
    std::string path;         // "vision_config"
    const ModelClass* known;  // its class; null where there is no row
    std::string flags = {};   // flags_of_tower, where its class has flags
    std::string form = {};    // its class's, filled
};

struct ConfigFile {
    std::shared_ptr<const nlohmann::json> root;
    std::shared_ptr<const nlohmann::json> default_root;
    std::string name;         // the file as it was named
    std::string model_type;   // empty if the file does not say
    const ModelClass* known;  // the row of the model's class; null if there is none
    ConfigSection model;      // the text model's own keys: the top level, or text_config
    ConfigSection defaults;   // what the model's class assumes
    ConfigSection attention;  // attn_config (DBRX, MPT); else empty
    ConfigSection overruled;  // a rope_parameters that rope_scaling replaces; else empty
    std::shared_ptr<const nlohmann::json> merged = {};  // rope_parameters, with rope_scaling's keys
    std::vector<LayerSection> layers = {};              // one at least
    std::optional<Found<PairLayout>> layout = {};       // empty: by the model_type
    std::vector<std::string> passed_over = {};  // rope keys in places that this file overrides
    std::optional<Tower> tower = {};
    std::vector<std::string> other_models = {};  // sections that rotate: "depth_decoder_config"
    std::vector<std::string> repeated = {};      // keys that change nothing, or repeat others
    std::vector<KeyRemark> remarks = {};
    std::optional<std::uint64_t> assumed_layers = {};  // the class's number, where it counted
    bool lacks_layer_count = false;  // all layers are assumed to rotate alike, which it may change
    bool is_gguf = false;
    bool has_one_list = false;  // of factors for any length, rope_freqs.weight
    // The architecture of a GGUF whose converter permutes q_proj and k_proj from half_split.
    std::string permuted_architecture = {};
    bool mscale_of_scores = true;  // Spec's, where the section has mscale_all_dim

    // Whether the file or its class has one of the keys.
    bool has(const Keys& keys) const { return model.has_one_of(keys) || defaults.has_one_of(keys); }
    std::vector<std::string> traits() const;  // of the model's class
    bool has_trait(std::string_view trait) const;
    // Returns the name here of what the class calls a rope_type.
    std::string rope_type(const std::string& given) const;
    // The origin of the class's defaults: "config.json: model_type llama", or "config.json:
    // read as qwen3" if no key of the file names the class.
    std::string origin_of_class() const;
    std::vector<std::string> read() const;
    // passed_over, the rope sections' unread keys, and the model's that look like rotary ones
    std::vector<std::string> ignored() const;
};

// Reads a config.json, which messages call `name`. One with names of keys is translated from
// another format, and its keys mean the same in each class. Throws InputError.
ConfigFile read_config(std::shared_ptr<const nlohmann::json> root, const std::string& name,
                       const std::shared_ptr<const ConfigSection::Names>& names = nullptr);

// Whether the last part of a key's path has the name of a rotary key: "attention.rope_pattern".
bool concerns_rope(std::string_view key);

void drop_remarks(ConfigFile& file, const std::string& path);

// The class's key for its base in transformers 5, if that differs from version 4's, its rope_theta.
inline constexpr std::string_view default_theta = "default_theta";

// Returns the name of a rope_type here: su is longrope, deepseek_yarn and telechat3-yarn yarn,
// mrope and llm-foundry's no_scaling default.
std::string canonical_rope_type(std::string_view rope_type);

// Returns the section's whole number from 1 to `most`; 0 if there is none.
std::uint64_t count_of(ConfigSection& section, const Keys& keys, std::uint64_t most);

// Returns the section's model_type; empty if it has none.
std::string type_of(ConfigSection section);

// Adds the names "top.KEY", "section.KEY" and "class.KEY" whose keys are present: as
// traits, as texts, and as numbers. "null.KEY" needs a null at the top level, "unread.KEY" a key
// there that nothing read; a list of one text counts as that text.
void add_keys(ConfigFacts& facts, std::span<const std::string_view> names, const ConfigSection& top,
              const ConfigSection& section, const ConfigSection& assumed);

// Returns the keys that libraries other than transformers 5 read. Marks no key as read. Throws
// InputError.
ConfigFacts config_facts(const ConfigFile& file, const LayerSection& layer);

inline constexpr std::uint64_t most_layers = 65536;

// Returns num_hidden_layers, else the length of a list of the layers' kinds, else what the class
// assumes; 0 if the number is not known. Throws InputError.
std::uint64_t layer_count(ConfigFile& file);

// Returns the kind of attention of each layer, such as "sliding_attention", by layer_types or a
// pattern; empty if it is not known. 0: as many layers as layer_types lists. Throws InputError.
std::vector<std::string> attention_kinds(ConfigFile& file, std::uint64_t layers);

// Returns the kind of each layer that does not rotate, "linear_attention", "mamba", "conv", "NoPE";
// empty for a layer that does. No layers if no key distinguishes them, or all are of one kind.
// Throws InputError.
std::vector<std::string> unrotated_kinds(ConfigFile& file);

// Whether a section that is not empty has one section per layer type: every value is an object, or
// one for a type of attention is, as next to the length in Laguna XS.2's
// (huggingface/transformers#48798).
bool is_per_layer(const ConfigSection& section);

// Whether the file has swa_rope_parameters, and its class reads them.
bool has_sliding_section(const ConfigFile& file);

// Returns sets of layers, as rows of data/layers.jsonl and data/gguf.jsonl give them, with their
// section.
std::vector<LayerSection> sections_of(const nlohmann::json& sets, const ConfigSection& rope);

// Splits the sections of `rope`, which is empty where the config has none, over the layers.
std::vector<LayerSection> split_by_layers(ConfigFile& file, const ConfigSection& rope);

// Another row, which is meant where conditions on keys hold, "top.KEY=VALUE".
struct Becomes {
    std::string name, conditions;
};
// Reads a row's `becomes`, which names the other row by `key`.
std::optional<Becomes> becomes_of(const Row& row, const char* key);

// Whether conditions on the section's keys hold; these keys count as read then.
bool hold_of(ConfigSection& section, std::string_view conditions);

struct ModelClass {
    enum class Is {
        rope,     // rotates queries and keys along one sequence
        tower,    // rotates by positions in images or video
        other,    // does not rotate
        wrapper,  // holds its language model in a section
    };
    std::string name;  // model_type, or _class_name of diffusers
    Is is = Is::rope;
    std::string source = {};  // where its code was read
    std::string file = {};    // the file of a user's row
    // The keys that the class assumes, and their values; a wrapper assumes them of its section.
    nlohmann::json assumes = nlohmann::json::object();
    PairLayout layout = PairLayout::half_split;  // rope
    std::optional<Becomes> becomes = {};
    std::vector<std::string> keys = {};     // rope: those of class_keys() that it reads
    std::vector<std::string> ignores = {};  // rope: keys that look rotary, and change nothing
    std::vector<std::string> traits = {};   // its differences from most classes
    // rope: keys that it does not read, by path, and the keys whose values count instead: the same
    // key if no key of the file does. "rope_parameters.x" is rope_scaling's x, too.
    std::map<std::string, std::string> unread = {};
    // rope: its names of rope types, and the types here: ntk may be ntk_mixed.
    std::map<std::string, std::string> types = {};
    std::string form = {};  // tower, and rope on axes of images: "2-D: h block then w block, …"
    // tower: flags of a Spec that rotates alike, without its dimensions; {rope_theta} is that key
    std::string flags = {};
    std::string instead = {};  // other: "ALiBi"
    std::string holds = {};    // wrapper: the section's model_type if it names none
    std::string section = {};  // wrapper: its place, if that is unusual
    nlohmann::json alone = nlohmann::json::object();  // wrapper: further assumptions without one

    bool has_trait(std::string_view trait) const {
        return std::ranges::find(traits, trait) != traits.end();
    }
    // Whose defaults it has, by its source, "llama/configuration_llama.py …": "transformers'",
    // "diffusers'", or "the" if it is neither library.
    std::string owner() const;
    bool has_defaults() const { return !assumes.empty() || !alone.empty(); }
};

// A row of data/keys.jsonl: the meaning of a config's key, for any class.
struct ConfigKey {
    std::string name, means;
    std::string value = {};  // layers' keys: the kind of the other layers
    // The readers of the key: the classes whose rows list it ("classes"), these and all that are
    // not transformers' ("own_code"), "all", or "none", as it repeats others.
    std::string read_by;
    // Conditions by which its value, or each item of it, repeats the rest of a config: NeMo's
    // rope_percent, Bamba's attn_rotary_emb (vllm/model_executor/models/bamba.py), GPT-J's rotary
    // of mesh-transformer-jax, a base of sliding layers that is the base of all, GLM-5's
    // rope_interleave.
    std::string agrees = {};
};
std::span<const ConfigKey> config_keys();

// The names of the keys with this meaning that somebody reads, in the order of the rows.
Keys keys_for(std::string_view means);
// The same, after the key that the class itself names: hidden_key for "hidden".
Keys keys_for(const ConfigSection& assumed, std::string_view means);
inline Keys keys_for(const ConfigFile& file, std::string_view means) {
    return keys_for(file.defaults.shown(), means);
}

// Keys that only some classes read; in the config of another class they mean nothing.
const Keys& class_keys();

// Returns null if there is no row of that kind. The row is valid until the program ends.
const ModelClass* find_class(std::string_view name, std::optional<ModelClass::Is> is = {});
inline const ModelClass* find_model_class(std::string_view name) {
    return find_class(name, ModelClass::Is::rope);
}

// Returns the classes of the program's rows that have the trait.
std::vector<std::string> classes_with_trait(std::string_view trait);

// Adds a row of `file`, or replaces that of the same name. Throws InputError. Call it before any
// config is read.
void add_class(const Row& row, const std::string& file);

// Reads the params.json of Meta's and Mistral's own code as the config.json that transformers
// converts it to, except for the layout: both rotate neighbouring dimensions, as complex numbers
// (meta-llama/llama-models reference_impl/model.py, apply_rotary_emb; mistral-inference rope.py).
// Returns nothing for another object. Throws InputError.
std::optional<ConfigFile> read_params_json(const nlohmann::json& root, const std::string& name);

}  // namespace rope::io
