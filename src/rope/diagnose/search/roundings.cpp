#include "rope/diagnose/search/roundings.hpp"

#include <array>
#include <vector>

#include "base/text.hpp"

namespace rope {

std::span<const RoundingMistake> rounding_mistakes() {
    using enum Format;
    constexpr RoundingMode away = RoundingMode::nearest_away, cut = RoundingMode::toward_zero;
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
        RoundingMistake{"angle-precision",    "tf32",     "inv_freq and positions were cut off to TF32, as tensor cores do to float32", {.inv_freq = tf32, .position = tf32, .mode = cut}},
        RoundingMistake{"angle-precision",    "tf32",     "inv_freq and positions were rounded to TF32 with ties away from zero, as cvt.rna does", {.inv_freq = tf32, .position = tf32, .mode = away}},
        RoundingMistake{"inv-freq-precision", "bfloat16", "inv_freq was cut off to bfloat16",                                {.inv_freq = bfloat16, .mode = cut}},
        RoundingMistake{"angle-precision",    "bfloat16", "position·inv_freq was cut off to bfloat16",                       {.product = bfloat16, .mode = cut}},
        RoundingMistake{"position-precision", "bfloat16", "positions were cut off to bfloat16",                              {.position = bfloat16, .mode = cut}},
        RoundingMistake{"inv-freq-precision", "bfloat16", "inv_freq and positions were cut off to bfloat16",                 {.inv_freq = bfloat16, .position = bfloat16, .mode = cut}},
        RoundingMistake{"table-precision",    "bfloat16", "cos and sin were cut off to bfloat16",                             {.table = bfloat16, .mode = cut}},
        RoundingMistake{"table-precision",    "float16",  "cos and sin were cut off to float16",                              {.table = float16, .mode = cut}},
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
    if (rounding.mode != RoundingMode::nearest_even)
        one.parameters.emplace_back(
            "rounding", rounding.mode == RoundingMode::toward_zero ? "toward zero" : "ties away");
    if (rounded.size() > 1) one.parameters.emplace_back("rounded", join(rounded, {}, " and "));
    return one;
}

}  // namespace rope
