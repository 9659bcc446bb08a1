#include "io/tensor/readers/gguf_types.hpp"

#include <algorithm>
#include <array>

namespace rope::io {
namespace {

// ggml.h, enum ggml_type, and ggml.c, type_traits
constexpr std::array types{
    GgufTensorType{0, "F32", 1, 4, Element::float32},
    GgufTensorType{1, "F16", 1, 2, Element::float16},
    GgufTensorType{2, "Q4_0", 32, 18},
    GgufTensorType{3, "Q4_1", 32, 20},
    GgufTensorType{6, "Q5_0", 32, 22},
    GgufTensorType{7, "Q5_1", 32, 24},
    GgufTensorType{8, "Q8_0", 32, 34},
    GgufTensorType{9, "Q8_1", 32, 36},
    GgufTensorType{10, "Q2_K", 256, 84},
    GgufTensorType{11, "Q3_K", 256, 110},
    GgufTensorType{12, "Q4_K", 256, 144},
    GgufTensorType{13, "Q5_K", 256, 176},
    GgufTensorType{14, "Q6_K", 256, 210},
    GgufTensorType{15, "Q8_K", 256, 292},
    GgufTensorType{16, "IQ2_XXS", 256, 66},
    GgufTensorType{17, "IQ2_XS", 256, 74},
    GgufTensorType{18, "IQ3_XXS", 256, 98},
    GgufTensorType{19, "IQ1_S", 256, 50},
    GgufTensorType{20, "IQ4_NL", 32, 18},
    GgufTensorType{21, "IQ3_S", 256, 110},
    GgufTensorType{22, "IQ2_S", 256, 82},
    GgufTensorType{23, "IQ4_XS", 256, 136},
    GgufTensorType{24, "I8", 1, 1, Element::int8},
    GgufTensorType{25, "I16", 1, 2, Element::int16},
    GgufTensorType{26, "I32", 1, 4, Element::int32},
    GgufTensorType{27, "I64", 1, 8, Element::int64},
    GgufTensorType{28, "F64", 1, 8, Element::float64},
    GgufTensorType{29, "IQ1_M", 256, 56},
    GgufTensorType{30, "BF16", 1, 2, Element::bfloat16},
    GgufTensorType{34, "TQ1_0", 256, 54},
    GgufTensorType{35, "TQ2_0", 256, 66},
    GgufTensorType{39, "MXFP4", 32, 17},
};

}  // namespace

const GgufTensorType* find_gguf_tensor_type(std::uint32_t number) {
    const auto* found = std::find_if(types.begin(), types.end(),
                                     [&](const auto& type) { return type.number == number; });
    return found == types.end() ? nullptr : found;
}

}  // namespace rope::io
