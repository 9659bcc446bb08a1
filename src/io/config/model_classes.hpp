// What a model's class does where its config.json is silent: the rows of data/classes.jsonl.
#pragma once

#include <map>
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
    std::string source = {};   // where its code was read
    std::string file = {};     // of a user's row: the file that it is in
    std::string assumes = {};  // JSON, the keys that it assumes, and their values; wrapper: of its
                               // section
    PairLayout layout = PairLayout::half_split;  // rope
    // rope: a key by which the class rotates or does not; the texts, or true or false, with which
    // it does
    struct Switch {
        std::string key;
        std::vector<std::string> rotary;
        bool rotates_by_default = true;  // where the key is absent
    };
    std::optional<Switch> rotates = {};
    // Where a key has a value (JSON), the model_type stands for another class.
    struct Becomes {
        std::string name, key, value;
    };
    std::optional<Becomes> becomes = {};
    std::vector<std::string> keys = {};     // rope: of class_keys(), those that it reads
    std::vector<std::string> ignores = {};  // rope: keys that look rotary, and change nothing
    std::vector<std::string> traits = {};   // rope: what it does otherwise than most, below
    // rope: keys that it does not read, by path, and those whose values count instead: themselves
    // where no key of the file does. "rope_parameters.x" is rope_scaling's x, too.
    std::map<std::string, std::string> unread = {};
    std::string form = {};     // tower: "2-D: h block then w block, …"
    std::string flags = {};    // tower: of a Spec that rotates alike, but for its dimensions
    std::string instead = {};  // other: "ALiBi"
    std::string holds = {};    // wrapper: the section's model_type where it names none
    std::string section = {};  // wrapper: where it is, if not where most have it
    std::string alone = {};    // wrapper: what it also assumes where it has no section
};

// A row of data/keys.jsonl: what a key of a config means, whatever the class.
struct ConfigKey {
    enum class ReadBy { classes, all, none };  // those whose rows list it; none: it repeats others
    std::string name, means;
    std::string value = {};  // of layers' keys: what the others are; layout: what true means
    ReadBy read_by = ReadBy::classes;
};
std::span<const ConfigKey> config_keys();

// The names of the keys that mean this and that somebody reads, in the order of the rows.
Keys keys_for(std::string_view means);
// The same, and before them the one that the class itself assumes: hidden_key for "hidden".
Keys keys_for(const ConfigFile& file, std::string_view means);

// Keys that some classes read, and that are nobody's in the config of another.
const Keys& class_keys();

// Null where there is no row of that kind. Valid until the program ends.
const ModelClass* find_class(std::string_view name, ModelClass::Is is);
const ModelClass* find_class(std::string_view name);  // of any kind
inline const ModelClass* find_model_class(std::string_view name) {
    return find_class(name, ModelClass::Is::rope);
}

// The classes of the program's rows that have it.
std::vector<std::string> classes_with_trait(std::string_view trait);

// A row of `file`, which replaces that of the same name. Throws InputError. Call it before any
// config is read.
void add_class(const Row& row, const std::string& file);

}  // namespace rope::io
