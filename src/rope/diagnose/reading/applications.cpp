#include "rope/diagnose/reading/applications.hpp"

#include <array>

#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

constexpr auto half = PairLayout::half_split;
constexpr auto interleaved = PairLayout::interleaved;

constexpr Application in_place(PairLayout layout, WrittenFirst written_first) {
    return {layout, layout, -1, 1, written_first};
}

// x1 = x1·c − x2·s; x2 = x2·c + x1·s
NamedMistake in_place_mistake(WrittenFirst written_first) {
    const bool first = written_first == WrittenFirst::first;
    return {"rotated-in-place",
            {{"written_first", std::string(first ? "first lane" : "second lane")}},
            first ? "the second lane of a pair is computed from what the first one became"
                  : "the first lane of a pair is computed from what the second one became"};
}

}  // namespace

std::span<const Application> applications() {
    static constexpr std::array all{
        Application{half, interleaved, -1, 1},  Application{interleaved, half, -1, 1},
        Application{half, half, 1, 1},          Application{interleaved, interleaved, 1, 1},
        Application{half, half, -1, -1},        Application{interleaved, interleaved, -1, -1},
        Application{half, interleaved, 1, 1},   Application{interleaved, half, 1, 1},
        Application{half, interleaved, -1, -1}, Application{interleaved, half, -1, -1},
        in_place(half, WrittenFirst::first),    in_place(interleaved, WrittenFirst::first),
        in_place(half, WrittenFirst::second),   in_place(interleaved, WrittenFirst::second),
    };
    return all;
}

NamedMistake layout_mistake(PairLayout own, PairLayout asked) {
    const std::string name(to_string(own));
    return {"pair-layout",
            {{"layout", name}},
            "pairs are " + name + ", not " + std::string(to_string(asked))};
}

std::vector<NamedMistake> mistakes_of(const Application& one, PairLayout asked) {
    std::vector<NamedMistake> mistakes;
    const std::string pairs(to_string(one.pairs)), table(to_string(one.table));
    if (one.pairs != one.table)
        mistakes.push_back(
            {"pair-layout",
             {{"pairs", pairs}, {"table", table}},
             one.pairs == half
                 ? "rotate_half pairs lanes i and i + d/2, and the table is f0 f0 f1 f1"
                 : "lanes 2i and 2i + 1 are paired, and the table is cat(f, f)"});
    else if (one.pairs != asked)
        mistakes.push_back(layout_mistake(one.pairs, asked));
    if (one.written_first != WrittenFirst::neither)
        mistakes.push_back(in_place_mistake(one.written_first));
    if (one.first_sign != one.second_sign) return mistakes;
    if (one.first_sign < 0)
        mistakes.push_back({"rotate-half-sign",
                            {},
                            one.pairs == half ? "both halves have a minus sign"
                                              : "both lanes of a pair have a minus sign"});
    else
        mistakes.push_back({"rotate-half-sign",
                            {},
                            one.pairs == half
                                ? "rotate_half returns cat(x2, x1) without its minus sign"
                                : "the first lane of a pair lacks its minus sign"});
    return mistakes;
}

Arrangement applied(const Application& application, const Spec& spec) {
    const std::size_t d = spec.rotary_dim, pairs = d / 2;
    Arrangement arrangement{{}, spec.head_dim, false};
    std::vector<std::vector<LaneTerm>> columns(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        const auto [first, second] = lanes_of_pair(application.pairs, d, i);
        const auto seen = [&](std::size_t lane, WrittenFirst written) {
            return lane + (application.written_first == written ? spec.head_dim : 0);
        };
        const std::size_t now_first = seen(first, WrittenFirst::first);
        const std::size_t now_second = seen(second, WrittenFirst::second);
        for (const LaneTerm& term :
             {LaneTerm{first, now_second, first, application.first_sign},
              LaneTerm{second, now_first, second, application.second_sign}}) {
            const bool repeated = application.table == PairLayout::interleaved;
            columns[repeated ? term.own / 2 : term.own % pairs].push_back(term);
        }
    }
    for (const auto& terms : columns) arrangement.columns.push_back({terms.at(0), terms.at(1)});
    return arrangement;
}

}  // namespace rope
