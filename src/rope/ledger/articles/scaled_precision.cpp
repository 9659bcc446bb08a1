// Article 001, §4: what scaled θ leaves in tables of 16 bits, beyond its context, and at another
// length.
#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/stored_rows.hpp"

namespace rope::ledger {
namespace {

void derive_first_change(Derivation& d) {
    d.say(
        "Near 1 a cosine must fall by half the spacing below 1 before its stored number changes: "
        "2⁻⁹ in bfloat16, 2⁻¹² in float16.");
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const auto first = [](const FrequencyPlan& plan, Format format) {
        return static_cast<double>(first_cos_below_one(plan, format));
    };
    d.number("first position with a cos below 1, base θ, bfloat16", first(base, Format::bfloat16),
             "1");
    const double b = d.number("scaled θ, bfloat16", first(scaled, Format::bfloat16), "82");
    const double h = d.number("scaled θ, float16", first(scaled, Format::float16), "29");
    d.number("scaled θ, float32", first(scaled, Format::float32), "1");
    d.confirm("With scaled θ every cos of the first 82 rows is 1 in bfloat16.", b > 64 && h > 16);
}

void derive_distinct_rows(Derivation& d) {
    d.say("Positions whose rows of cos and sin are the same numbers cannot be told apart.");
    const auto rows = [](std::uint64_t n, Format format) {
        return stored_rows(scaled_rope(128, 1e4, n), n, format);
    };
    const StoredRows own = rows(2048, Format::bfloat16), far = rows(32768, Format::bfloat16);
    const auto count = [&](const char* label, std::uint64_t found, const char* recorded) {
        return d.number(label, static_cast<double>(found), recorded, "rows");
    };
    const double all = count("distinct in bfloat16, n = 2048, of 2049", own.distinct, "2049");
    count("distinct rows of cos alone, n = 2048", own.distinct_cos, "1003");
    d.confirm("For n = 2048 all are distinct, by their sines.", all == 2049);
    d.say("For longer contexts:");
    count("distinct in bfloat16, n = 4096, of 4097", rows(4096, Format::bfloat16).distinct, "4090");
    count("distinct in bfloat16, n = 8192, of 8193", rows(8192, Format::bfloat16).distinct, "7850");
    const double some = count("distinct in bfloat16, n = 32768, of 32769", far.distinct, "20278");
    count("equal to their neighbour, n = 32768", far.equal_neighbours, "12491");
    count("distinct in float16, n = 32768, of 32769", rows(32768, Format::float16).distinct,
          "32593");
    d.refute("For longer contexts they are not.", some < 32769);
}

void derive_total_rotation(Derivation& d) {
    d.say(
        "A pair turns by nθ̄ over the whole context; what is below 0.01 rad drowns in the "
        "rounding of 16 bits.");
    const FrequencyPlan scaled = scaled_rope();
    const auto below = [&](double angle) {
        double count = 0;
        for (const PlannedFrequency& pair : scaled.pairs)
            if (pair.inv_freq * 2048.0 < real(angle)) ++count;
        return count;
    };
    d.number("pairs that turn by less than 0.1 rad", below(0.1), "44", "of 64");
    const double dead =
        d.number("pairs that turn by less than 0.01 rad", below(0.01), "28", "of 64");
    d.number("pairs that turn by less than 0.001 rad", below(0.001), "12", "of 64");
    d.confirm("28 of 64 pairs hardly turn at all.", dead > 0);
}

void derive_beyond(Derivation& d) {
    const FrequencyPlan pair = scaled_rope(2);
    const TurnRate rate = turn_rate(pair.pairs.front());
    d.say(
        "Beyond n the first pair's cosine is negative, and at 4n it has made a whole turn. In the "
        "exact phases, where θ̄₀ is 1/(4n) of a turn, position 8192 is position 0.");
    const BigReal after = d.number("cos of pair 0 at s = 2049",
                                   cosine(pair.pairs.front().inv_freq * 2049.0), "-7.6699e-4");
    const double phase =
        d.number("phase of pair 0 at s = 8192", turns(phase_at(rate, 8192)), "0", "turns");
    d.say(
        "Base θ never comes back exactly, 1 rad being no fraction of a turn. Nearest within 2048 "
        "is 710 = 113 turns and a little.");
    const BigReal near = d.number("|e^{710i} − 1|", 2.0 * absolute(sine(real(355))), "6.0289e-5");
    d.confirm(
        "With d = 2, positions 8192 apart are identical under scaled θ; under base θ all "
        "differ.",
        phase == 0 && after < real(0) && near > real(0));
}

void derive_two_lengths(Derivation& d) {
    d.say(
        "n stands in every angle: doubling it halves them all, so B̂ of 4096 at 2s is B̂ of 2048 "
        "at s.");
    const BigReal own =
        d.number("B̂(512), n = 2048", mean_score(scaled_rope(), 512), "0.995218134720762750");
    const BigReal other = d.number(
        "B̂(1024), n = 4096", mean_score(scaled_rope(128, 1e4, 4096), 1024), "0.995218134720762750");
    d.confirm("They are the same number.", absolute(own - other) < real(0x1p-290));
    d.say("Now the same distance under both.");
    const BigReal same =
        d.number("B̂(512), n = 4096", mean_score(scaled_rope(128, 1e4, 4096), 512), "0.998798");
    d.confirm(
        "At one distance the two differ: weights trained for one n meet other angles under "
        "another.",
        same > own);
}

constexpr Entry scaled_precision_entries[] = {
    {"001-cost-first-change", "follows from §4",
     "Under scaled θ all cosines of the first 82 rows are 1 in bfloat16.", Status::theorem,
     derive_first_change, "rope-check plot-decay"},
    {"001-cost-distinct-rows", "follows from §4",
     "Under scaled θ each position has its own row in 16 bits.", Status::on_a_range,
     derive_distinct_rows},
    {"001-cost-total-rotation", "follows from §4",
     "Scaled θ turns 28 of 64 pairs by less than 0.01 rad over the context.", Status::theorem,
     derive_total_rotation},
    {"001-cost-beyond", "follows from §4",
     "Under scaled θ the first pair repeats after 4n positions.", Status::theorem, derive_beyond},
    {"001-cost-two-lengths", "follows from §4",
     "Tables of scaled θ for two lengths n are incompatible.", Status::theorem, derive_two_lengths},
};

}  // namespace

std::span<const Entry> scaled_precision() { return scaled_precision_entries; }

}  // namespace rope::ledger
