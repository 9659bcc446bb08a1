#include "rope/diagnose/search/roundings.hpp"

#include <array>
#include <vector>

#include "base/text.hpp"

namespace rope {

std::span<const RoundingMistake> rounding_mistakes() {
    using enum Format;
    // clang-format off
    static constexpr std::array table{
        //              mistake               format      what                                                                inv_freq  position  product   table
        RoundingMistake{"inv-freq-precision", "bfloat16", "inv_freq was rounded to bfloat16",                                {bfloat16, float32,  float32,  float64}},
        RoundingMistake{"inv-freq-precision", "float16",  "inv_freq was rounded to float16",                                 {float16,  float32,  float32,  float64}},
        RoundingMistake{"angle-precision",    "bfloat16", "position·inv_freq was rounded to bfloat16",                       {float32,  float32,  bfloat16, float64}},
        RoundingMistake{"angle-precision",    "float16",  "position·inv_freq was rounded to float16",                        {float32,  float32,  float16,  float64}},
        RoundingMistake{"position-precision", "bfloat16", "positions were rounded to bfloat16",                              {float32,  bfloat16, float32,  float64}},
        RoundingMistake{"position-precision", "float16",  "positions were rounded to float16",                               {float32,  float16,  float32,  float64}},
        RoundingMistake{"angle-precision",    "tf32",     "inv_freq and positions were rounded to TF32, as in a matrix product", {tf32, tf32,     float32,  float64}},
        RoundingMistake{"inv-freq-precision", "tf32",     "inv_freq was rounded to TF32",                                    {tf32,     float32,  float32,  float64}},
        RoundingMistake{"angle-precision",    "float16",  "inv_freq, positions and their product were rounded to float16",   {float16,  float16,  float16,  float64}},
        RoundingMistake{"angle-precision",    "bfloat16", "inv_freq, positions and their product were rounded to bfloat16",  {bfloat16, bfloat16, bfloat16, float64}},
        RoundingMistake{"inv-freq-precision", "bfloat16", "inv_freq and positions were rounded to bfloat16",                 {bfloat16, bfloat16, float32,  float64}},
        RoundingMistake{"inv-freq-precision", "float16",  "inv_freq and positions were rounded to float16",                  {float16,  float16,  float32,  float64}},
        RoundingMistake{"angle-precision",    "bfloat16", "inv_freq and position·inv_freq were rounded to bfloat16",         {bfloat16, float32,  bfloat16, float64}},
        RoundingMistake{"angle-precision",    "float16",  "inv_freq and position·inv_freq were rounded to float16",          {float16,  float32,  float16,  float64}},
        RoundingMistake{"angle-precision",    "bfloat16", "positions and position·inv_freq were rounded to bfloat16",        {float32,  bfloat16, bfloat16, float64}},
        RoundingMistake{"recurrence",         "float32",  "angles are accumulated in float32 from position to position: angle ← angle + θ", {.method = Rounding::Method::accumulated}},
        RoundingMistake{"recurrence",         "float32",  "θ is multiplied by base^(−2/d) in float32 from pair to pair, as ggml does", {.method = Rounding::Method::recurrence}},
    };
    // clang-format on
    return table;
}

NamedMistake RoundingMistake::named() const {
    NamedMistake one{std::string(mistake), {{"format", std::string(format)}}, std::string(what)};
    std::vector<std::string> rounded;
    if (rounding.inv_freq != Format::float32) rounded.emplace_back("inv_freq");
    if (rounding.position != Format::float32) rounded.emplace_back("positions");
    if (rounding.product != Format::float32) rounded.emplace_back("product");
    if (rounded.size() > 1) one.parameters.emplace_back("rounded", join(rounded, {}, " and "));
    return one;
}

}  // namespace rope
