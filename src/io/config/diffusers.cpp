#include "io/config/diffusers.hpp"

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/config/model_classes.hpp"

namespace rope::io {

std::string diffusers_class(ConfigSection& root) {
    const auto own = root.text({"_class_name"});
    if (!own || find_model_class(own->value) != nullptr) return own ? own->value : "";
    throw InputError(own->from + " is " + printable(own->value, 60) +
                     ", a class of diffusers whose rotation is not known here; give it without "
                     "--config, such as --dim 128 --layout interleaved --rope axes=blocks,"
                     "mrope_section=8,28,28");
}

}  // namespace rope::io
