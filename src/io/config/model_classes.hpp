// What a model's class does where its config.json is silent, by model_type.
#pragma once

#include <span>
#include <string_view>

#include "rope/spec/spec.hpp"

namespace rope::io {

// A class that rotates queries and keys along one sequence.
struct ModelClass {
    std::string_view model_type;
    std::string_view defaults;  // JSON: the keys that it assumes, and their values
    PairLayout layout;
    std::string_view source;
};

// A class that does not.
struct OtherClass {
    std::string_view model_type;
    std::string_view instead;  // "ALiBi"
    std::string_view source;
};

// A class that rotates image patches or frames.
struct TowerClass {
    std::string_view model_type;
    std::string_view form;  // "2-D: h block then w block, …"
    std::string_view source;
    std::string_view flags = {};  // of a Spec that turns alike, but for its dimensions
};

// A class that holds its language model in a section of its own.
struct Wrapper {
    std::string_view model_type;
    std::string_view held;  // the section's model_type where it names none
};

std::span<const ModelClass> model_classes();
std::span<const OtherClass> other_classes();

// Null where there is no row.
const ModelClass* find_model_class(std::string_view model_type);
const OtherClass* find_other_class(std::string_view model_type);
const TowerClass* find_tower_class(std::string_view model_type);
const Wrapper* find_wrapper(std::string_view model_type);

}  // namespace rope::io
