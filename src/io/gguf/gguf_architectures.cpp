#include <array>

#include "io/gguf/gguf_config.hpp"

namespace rope::io {
namespace {

constexpr std::array pairings{Word<GgmlPairs>{"unknown", GgmlPairs::unknown},
                              Word<GgmlPairs>{"none", GgmlPairs::none},
                              Word<GgmlPairs>{"norm", GgmlPairs::norm},
                              Word<GgmlPairs>{"neox", GgmlPairs::neox},
                              Word<GgmlPairs>{"mrope", GgmlPairs::mrope},
                              Word<GgmlPairs>{"imrope", GgmlPairs::imrope},
                              Word<GgmlPairs>{"norm_or_mrope", GgmlPairs::norm_or_mrope}};
constexpr std::array possessions{Word<SlidingHave>{"own_base", SlidingHave::own_base},
                                 Word<SlidingHave>{"another_base", SlidingHave::another_base},
                                 Word<SlidingHave>{"no_scaling", SlidingHave::unscaled},
                                 Word<SlidingHave>{"rotation", SlidingHave::rotation}};
constexpr std::array patterns{Word<SlidingPattern>{"period", SlidingPattern::period},
                              Word<SlidingPattern>{"list", SlidingPattern::list},
                              Word<SlidingPattern>{"either", SlidingPattern::either},
                              Word<SlidingPattern>{"unread", SlidingPattern::unread}};
constexpr std::array windows{Word<SlidingWindow>{"any", SlidingWindow::any},
                             Word<SlidingWindow>{"positive", SlidingWindow::positive},
                             Word<SlidingWindow>{"not_zero", SlidingWindow::not_zero}};

constexpr std::array<std::string_view, 8> architecture_keys{
    "architecture", "pairs", "instead", "sliding", "interval", "traits", "source", "example"};
constexpr std::array<std::string_view, 5> sliding_keys{"have", "period", "layers", "pattern",
                                                       "window"};

SlidingLayers sliding_of(const Row& own) {
    own.has_only(sliding_keys);
    SlidingLayers one{own.word(possessions, "have"), own.number("period"), own.number("layers")};
    if (own.has("pattern")) one.pattern = own.word(patterns, "pattern");
    if (own.has("window")) one.window = own.word(windows, "window");
    return one;
}

GgufArchitecture architecture_of(const Row& row) {
    row.has_only(architecture_keys);
    GgufArchitecture one{.name = row.text("architecture"), .pairs = row.word(pairings, "pairs")};
    if (row.has("instead")) one.instead = row.text("instead");
    if (row.has("sliding")) one.sliding = sliding_of(Row(row.at("sliding"), row.where("sliding")));
    one.interval = row.number("interval");
    one.traits = row.traits("architecture");
    return one;
}

Table<GgufArchitecture>& architectures() {
    static Table<GgufArchitecture> all(architecture_rows, "architecture", architecture_of);
    return all;
}

}  // namespace

const GgufArchitecture& find_gguf_architecture(std::string_view name) {
    const GgufArchitecture* const known = architectures().find(name);
    return known != nullptr ? *known : *architectures().find("*");
}

void add_architecture(const Row& row) { architectures().add(architecture_of(row)); }

}  // namespace rope::io
