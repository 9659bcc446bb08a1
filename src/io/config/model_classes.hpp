// What a model's class does where its config.json lacks a key: the rows of data/classes.jsonl.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/config/config_file.hpp"
#include "io/json/rows.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

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
    // rope: a key by which the class rotates or does not, and the values with which it does: texts,
    // or true or false.
    struct Switch {
        std::string key;
        std::vector<std::string> rotary;
        bool rotates_by_default = true;  // where the key is absent
    };
    std::optional<Switch> rotates = {};
    // Where a key has a value (JSON), the model_type means another class.
    struct Becomes {
        std::string name, key, value;
    };
    std::optional<Becomes> becomes = {};
    std::vector<std::string> keys = {};     // rope: those of class_keys() that it reads
    std::vector<std::string> ignores = {};  // rope: keys that look rotary, and change nothing
    std::vector<std::string> traits = {};   // rope: its differences from most classes
    // rope: keys that it does not read, by path, and the keys whose values count instead: the same
    // key where no key of the file does. "rope_parameters.x" is rope_scaling's x, too.
    std::map<std::string, std::string> unread = {};
    std::string form = {};     // tower, and rope on axes of images: "2-D: h block then w block, …"
    std::string flags = {};    // tower: flags of a Spec that rotates alike, without its dimensions
    std::string instead = {};  // other: "ALiBi"
    std::string holds = {};    // wrapper: the section's model_type where it names none
    std::string section = {};  // wrapper: where it is, if not where most have it
    nlohmann::json alone = nlohmann::json::object();  // wrapper: what it also assumes without one

    bool has_defaults() const { return !assumes.empty() || !alone.empty(); }
};

// A row of data/keys.jsonl: what a key of a config means, whatever the class.
struct ConfigKey {
    std::string name, means;
    std::string value = {};  // layers' keys: the kind of the other layers; layout: what true means
    // The readers of the key: the classes whose rows list it, all, or none, as it repeats others.
    std::string read_by;
};
std::span<const ConfigKey> config_keys();

// The names of the keys with this meaning that somebody reads, in the order of the rows.
Keys keys_for(std::string_view means);
// The same, after the key that the class itself names: hidden_key for "hidden".
Keys keys_for(const ConfigFile& file, std::string_view means);

// Keys that only some classes read; in the config of another class they mean nothing.
const Keys& class_keys();

// Returns null where there is no row of that kind. The row is valid until the program ends.
const ModelClass* find_class(std::string_view name, ModelClass::Is is);
const ModelClass* find_class(std::string_view name);  // of any kind
inline const ModelClass* find_model_class(std::string_view name) {
    return find_class(name, ModelClass::Is::rope);
}

// Returns the classes of the program's rows that have the trait.
std::vector<std::string> classes_with_trait(std::string_view trait);

// Adds a row of `file`, or replaces that of the same name. Throws InputError. Call it before any
// config is read.
void add_class(const Row& row, const std::string& file);

}  // namespace rope::io
