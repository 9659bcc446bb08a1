// Men et al., Base of RoPE Bounds Context Length, Table 2: the least base of each context length,
// to keep B(s) = Σcos sθ_i ≥ 0. Read with d = 128, 1k = 1000 and bases of two digits, under which
// the rows agree best.
#include <array>
#include <string>

#include "base/decimal.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"

namespace rope::ledger {
namespace {

constexpr PairCounts pairs{64, 0};

struct Row {
    std::uint64_t length;
    double base;  // as published
    const char* first_negative;
    const char* least;              // B(s) within the length
    const char* of_two_digits;      // the least such base that holds
    const char* infimum = nullptr;  // of all bases that hold
    const char* binding = nullptr;  // its s
};
constexpr std::array<Row, 11> rows{{
    {1000, 4.3e3, "1077", "0.401493", "4300", "4206.01922326284", "884"},
    {2000, 1.6e4, "2724", "2.86273", "16000", "11587.2443031111", "1788"},
    {4000, 2.7e4, "4079", "0.58229", "27000", "26912.4782259947", "3572"},
    {8000, 8.4e4, "8592", "0.91852", "84000", "83613.4273793557", "6846"},
    {16000, 3.1e5, "12223", "-1.86063", "320000"},
    {32000, 6.4e5, "27685", "-1.93795", "630000"},
    {64000, 2.1e6, "77306", "1.54371", "2100000"},
    {128000, 7.8e6, "128915", "0.0252403", "7800000"},
    {256000, 3.6e7, "207455", "-0.878139", "33000000"},
    {512000, 6.4e7, "511210", "-0.223252", "65000000"},
    {1000000, 5.1e8, "874868", "-1.16020", "350000000"},
}};

void add_infimum(Derivation& d, const Row& row) {
    d.say(
        "Of all bases, with any digits, those that hold begin lower: each base below is excluded "
        "by some s.");
    const BaseBound bound =
        bound_base({.pairs = pairs, .context = row.length, .island_work = 0, .threads = 1});
    const double infimum = d.number("infimum of the bases", bound.infimum->base, row.infimum);
    d.number("s at which B is 0 there", static_cast<double>(bound.infimum->position.value()),
             row.binding);
    d.confirm(
        "It is below the published base, and that by rounding up or by a gap between bases "
        "that hold.",
        bound.proved && infimum < row.base);
}

template <std::size_t index>
void derive_row(Derivation& d) {
    constexpr Row row = rows[index];
    const auto length = static_cast<double>(row.length), binary = length / 1000 * 1024;
    d.say("Search every distance at base " + decimal(row.base) + " for B(s) < 0.");
    const BaseScan scan =
        scan_sum(CosineSum(pairs, ln(row.base)), row.length, row.length + row.length / 2);
    const double first =
        d.number("first s with B(s) < 0", static_cast<double>(scan.first_negative.value()),
                 row.first_negative);
    const double least = d.number("least B(s) to " + decimal(row.length), scan.least, row.least);
    d.say("Try every base of two digits, from 1 up.");
    const double round =
        d.number("least base of two digits that holds",
                 first_of_digits(pairs, row.length, 1, largest_base, 2).value(), row.of_two_digits);
    if (first <= length) {
        d.refute("The published base fails within " + decimal(row.length) + ", and " +
                     decimal(round) + " holds.",
                 least < 0 && round != row.base);
        return;
    }
    d.confirm("It is the published one.", least >= 0 && round == row.base);
    if (first <= binary)
        d.refute("If 1k is 1024, it fails within " + decimal(binary) + ".", first > length);
    if (row.infimum != nullptr) add_infimum(d, row);
}

constexpr Status holds = Status::theorem, partly = Status::on_a_range,
                 fails = Status::false_as_stated;
constexpr Entry men_table_entries[] = {
    {"men-table-1k", "Table 2", "Of bases of two digits, the least for 1k is 4.3e3.", holds,
     derive_row<0>},
    {"men-table-2k", "Table 2", "Of bases of two digits, the least for 2k is 1.6e4.", holds,
     derive_row<1>},
    {"men-table-4k", "Table 2", "Of bases of two digits, the least for 4k is 2.7e4.", partly,
     derive_row<2>},
    {"men-table-8k", "Table 2", "Of bases of two digits, the least for 8k is 8.4e4.", holds,
     derive_row<3>},
    {"men-table-16k", "Table 2", "Of bases of two digits, the least for 16k is 3.1e5.", fails,
     derive_row<4>},
    {"men-table-32k", "Table 2", "Of bases of two digits, the least for 32k is 6.4e5.", fails,
     derive_row<5>},
    {"men-table-64k", "Table 2", "Of bases of two digits, the least for 64k is 2.1e6.", holds,
     derive_row<6>},
    {"men-table-128k", "Table 2", "Of bases of two digits, the least for 128k is 7.8e6.", partly,
     derive_row<7>},
    {"men-table-256k", "Table 2", "Of bases of two digits, the least for 256k is 3.6e7.", fails,
     derive_row<8>},
    {"men-table-512k", "Table 2", "Of bases of two digits, the least for 512k is 6.4e7.", fails,
     derive_row<9>},
    {"men-table-1m", "Table 2", "Of bases of two digits, the least for 1M is 5.1e8.", fails,
     derive_row<10>},
};

}  // namespace

std::span<const Entry> men_table() { return men_table_entries; }

}  // namespace rope::ledger
