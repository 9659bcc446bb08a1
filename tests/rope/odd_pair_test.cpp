// One frequency of its own in a wide head, beside positions that leave no pair a line: found
// whichever pair it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace odd_pair_test {

const Spec spec = spec_of(144, 10000);

// Three rows share a position; one pair turns by 3 radians a position.
TableDump wrapped_with_odd(std::uint32_t odd) {
    OwnTable table{{}, spec.pairs(), {}, {}};
    for (int m = 0; m < 200; ++m) {
        table.positions.push_back(m);
        const int shared = m / 3;
        for (std::uint32_t i = 0; i < table.pairs; ++i) {
            const double theta = i == odd ? 3 : std::pow(10000, -2.0 * i / spec.rotary_dim);
            const double angle = shared * theta;
            table.cos.push_back(static_cast<float>(std::cos(angle)));
            table.sin.push_back(static_cast<float>(std::sin(angle)));
        }
    }
    return table;
}

// The mistakes, by name; of an entry with its pair.
std::vector<std::string> named(const TableDump& dump) {
    std::vector<std::string> names;
    for (const Explanation& one : diagnose(spec, dump).explanations) {
        names.push_back(one.mistake);
        if (one.mistake == "inv-freq-entry")
            names.back() +=
                " " + std::to_string(std::get<std::uint64_t>(one.parameters.at(0).second));
    }
    std::ranges::sort(names);
    return names;
}

TEST(OddPair, OfAWideHeadIsFoundWhicheverItIs) {
    for (const std::uint32_t odd : {0u, 9u, 26u, 35u, 44u, 53u, 62u, 71u})
        EXPECT_EQ(named(wrapped_with_odd(odd)),
                  (std::vector<std::string>{"inv-freq-entry " + std::to_string(odd),
                                            "position-collapse"}));
}

}  // namespace odd_pair_test
}  // namespace rope
