// Configs of diffusers, which name a class of Python and no model_type.
#pragma once

#include <string>

#include "io/config/config_section.hpp"

namespace rope::io {

// "FluxTransformer2DModel", empty where the file is none of theirs. Throws InputError where the
// class is not one of model_classes.hpp: what it rotates is not in its config.
std::string diffusers_class(ConfigSection& root);

}  // namespace rope::io
