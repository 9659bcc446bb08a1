// What is wrong with a dump: the mistake that turns the truth into it, found by replaying each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rope/report.hpp"
#include "rope/row_source.hpp"

namespace rope {

// Frequencies alone, as implementations keep them: one per pair, radians per position.
struct FrequencyDump {
    std::vector<double> inv_freq;
    Format format = Format::float32;
    std::string origin;
};

using Dump = std::variant<TableDump, RotatedDump, FrequencyDump>;

// The rows 0 … context − 1 that turn by exactly these, times the Spec's attention_factor. Judged
// as a dump is (row_source.hpp). Throws InputError when they are not as many as the Spec's pairs.
std::unique_ptr<RowSource> frequency_rows(const Spec& spec, const FrequencyDump& dump,
                                          std::uint64_t context,
                                          const Pipeline* pipeline = nullptr);

// One kind of mistake: a row of the explicit table of all that are known.
struct Mistake {
    std::string_view id;      // "pair-layout"
    std::string_view what;    // in a sentence, for --list-mistakes
    std::string_view advice;  // the usual cause, and the way out
};
std::span<const Mistake> mistakes();
// Throws InputError naming the known mistakes when there is none of that id.
const Mistake& find_mistake(std::string_view id);

struct Diagnosis {
    std::vector<Explanation> explanations;  // report.hpp; best first; empty when nothing is wrong
    std::vector<std::string> facts;         // what is known where nothing fits, a sentence each
};

// How the dump was judged.
struct Judgement {
    std::vector<std::uint64_t> wrong_at = {};  // positions where checks found it wrong
    // Where a pipeline was named: its own exactness in place of what unknown makes are allowed.
    std::optional<Exactness> exactness = {};
};

// What turns the truth of `asked` into the dump. Looks at 256 rows at most, those that were found
// wrong among them. Nothing is explained by a replay that leaves any value outside its allowance.
Diagnosis diagnose(const Spec& asked, const Dump& dump, const Judgement& judgement = {});

// Diagnoses what a judgement of the dump found violated, by `exactness`, into its report.
void diagnose_into(Report& report, const Dump& dump, const Exactness& exactness);

// The report on a dump of other widths than the Spec's, which no row of the truth can be held
// against: table-accuracy violated, and the diagnosis.
Report judge_width(const Spec& spec, const Dump& dump);

struct Identity {
    Spec spec;          // the default of the dump's width where nothing fits
    bool fits = false;  // up to the mistakes that diagnose(spec, dump) then names
};

// What the dump is, without being told; `known` are Specs to try first, as published models have
// them. Their layouts do not matter.
Identity identify(const Dump& dump, std::span<const Spec> known = {});

}  // namespace rope
