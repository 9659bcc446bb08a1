// The words of data/readings.txt and data/lint.jsonl.
#pragma once

#include <initializer_list>

#include "rope/readings/readings.hpp"

namespace rope {

// Whether all of the conditions hold, which spaces separate.
bool hold(std::string_view conditions, const Spec& spec, const ConfigFacts& facts);

// A literal, a key of the Spec or a fact; empty where there is none.
std::optional<double> number_named(std::string_view name, const Spec& spec,
                                   const ConfigFacts& facts);

// Names in the rules that begin so, such as "top.KEY", each once.
std::vector<std::string_view> names_in(std::string_view text,
                                       std::initializer_list<std::string_view> kinds);

// Throws InputError where it is "refuse …".
void act(std::string_view action, Spec& spec, const ConfigFacts& facts);

// Which layers turn, by a rule of "layers RULE"; empty where the config does not say.
std::optional<LayerNumbers> layers_by(std::string_view rule, const ConfigFacts& facts);

}  // namespace rope
