// Wang et al., When Precision Meets Position: BFloat16 Breaks Down RoPE in Long-Context Training.
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/angle_error.hpp"
#include "rope/ledger/quantity/logit_drift.hpp"

namespace rope::ledger {
namespace {

const std::vector<std::uint64_t> lengths{64, 256, 1024, 4096, 8192};

// Numbers the drift of each length; returns them.
std::vector<double> drift(Derivation& d, Bfloat16Rotation rotation,
                          const std::vector<const char*>& recorded) {
    std::vector<double> means = logit_drift(rotation, lengths);
    for (std::size_t i = 0; i < means.size(); ++i)
        means[i] = d.number("T = " + decimal(lengths[i]), means[i], recorded[i]);
    return means;
}

void derive_broken(Derivation& d) {
    d.say(
        "Exactly, a query at m and the first token's key score alike wherever both are moved to. "
        "Rotate exactly and cast q and k to bfloat16, as in the paper, at shifts 0 and 16. The "
        "mean of |difference of the logits| over a sequence of T queries:");
    const std::vector<double> means =
        drift(d, Bfloat16Rotation::rounded_once,
              {"0.0066574", "0.0074485", "0.0079098", "0.0080635", "0.0079822"});
    d.confirm("It is not 0: the relative property is lost by about 2⁻⁹ of |q||k|/√d at any length.",
              means.front() > 0x1p-9);
}

void derive_growth(Derivation& d) {
    d.say(
        "Rotated exactly and cast once, each lane is off by half a spacing, wherever the token "
        "is.");
    const std::vector<double> once = logit_drift(Bfloat16Rotation::rounded_once, lengths);
    const double ratio = d.number("drift at T = 8192 over that at 64, cast once",
                                  once.back() / once.front(), "1.1990");
    d.say("With cos, sin and arithmetic in bfloat16, as in transformers, the drift is:");
    const std::vector<double> table =
        drift(d, Bfloat16Rotation::arithmetic,
              {"0.0107716", "0.0116935", "0.0117567", "0.0121771", "0.0122970"});
    d.refute(
        "Over 128 times the length it grows by a fifth at most: more in trained models comes from "
        "their norms, not from arithmetic.",
        ratio < 1.25 && table.back() < 1.25 * table.front());
}

void derive_positions(Derivation& d) {
    d.say("The drift with cos, sin, arithmetic and position ids in bfloat16:");
    const std::vector<double> means =
        drift(d, Bfloat16Rotation::positions,
              {"0.0107716", "0.0348447", "0.0364294", "0.0909381", "1.1689759"});
    d.confirm("Then it grows a hundredfold: neighbours share a position.",
              means.back() > 100 * means.front());
}

void derive_distinct_positions(Derivation& d) {
    d.say("Whole numbers of 8 bits are exact to 256 only.");
    for (const auto& [last, recorded] : {std::pair{511U, "385"}, std::pair{2047U, "641"},
                                         std::pair{4095U, "769"}, std::pair{131071U, "1409"}})
        d.number("different positions of " + decimal(last + 1) + " in bfloat16",
                 static_cast<double>(distinct_positions(Format::bfloat16, last)), recorded);
    double lost = 0;
    while (round_to(Format::bfloat16, lost) == lost) ++lost;
    const double first = d.number("first whole number that bfloat16 lacks", lost, "257");
    const AngleRounding rounding{Format::float32, Format::bfloat16, Format::float32};
    d.number("worst angle error to 4096", worst_angle_error(128, 1e4, rounding, 0, 4096), "8.0",
             "rad");
    d.refute("From 257 on positions collide.", first == 257);
}

constexpr Entry bfloat16_relativity_entries[] = {
    {"bf16-relativity", "relative encoding", "bfloat16 breaks the relative property of RoPE.",
     Status::empirical, derive_broken},
    {"bf16-growth", "long contexts",
     "The arithmetic of bfloat16 makes the deviation grow with length.", Status::false_as_stated,
     derive_growth},
    {"bf16-position-growth", "follows",
     "With positions in bfloat16 the deviation grows with length.", Status::empirical,
     derive_positions},
    {"bf16-positions", "follows", "Position ids may be kept in bfloat16.", Status::false_as_stated,
     derive_distinct_positions, "rope-check verify --pipeline bf16-positions"},
};

}  // namespace

std::span<const Entry> bfloat16_relativity() { return bfloat16_relativity_entries; }

}  // namespace rope::ledger
