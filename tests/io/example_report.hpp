// One Report with every kind of finding, for the tests of its renderings.
#pragma once

#include <limits>

#include "rope/report/report.hpp"

namespace rope {

inline Report example_report() {
    Report report;
    report.spec.max_position_embeddings = 4096;
    report.inv_freq = {1, 0.5};
    report.subject = {"pipeline bf16-angles", "bf16-angles", 4096, 1};
    Finding orthogonality;
    orthogonality.check = "orthogonality";
    orthogonality.kind = Kind::law;
    orthogonality.verdict = Verdict::holds;
    orthogonality.statement = "R(m)ᵀR(m) = a²I";
    orthogonality.source = "RoFormer";
    orthogonality.observed = 1.2e-7;
    orthogonality.allowed = 2.4e-7;
    orthogonality.samples = 262144;
    Finding relative;
    relative.check = "relative-position";
    relative.kind = Kind::law;
    relative.verdict = Verdict::holds;
    relative.observed = 1e-6;
    relative.allowed = 1e-3;
    relative.samples = 262144;
    relative.fields = {{"position_pairs", std::uint64_t{16777216}}};
    Finding pass;
    pass.check = "pass-through";
    pass.kind = Kind::law;
    pass.verdict = Verdict::not_applicable;
    pass.note = "every dimension rotates";
    Finding table;
    table.check = "table-accuracy";
    table.kind = Kind::conformance;
    table.verdict = Verdict::violated;
    table.observed = 2;
    table.allowed = 0.00390625;
    table.worst = Witness{{3259}, 10, -1, 0x1.ffffeb9f27312p-1};
    table.samples = 262144;
    table.violations = Violations{167131, 5, 1};
    table.fields = {{"K", 131072.5, FieldRole::measured},
                    {"class", std::string("none"), FieldRole::place}};
    table.note = "position*inv_freq was rounded to 8 bits before cos; keep the angle in float32";
    Finding c3;
    c3.check = "c3-R3";
    c3.claim = "c3";
    c3.reading = "R3";
    c3.kind = Kind::claim;
    c3.verdict = Verdict::violated;
    c3.worst = Witness{{3}, 0, 0.99, 0.42};
    c3.fields = {{"first_violation", std::uint64_t{3}, FieldRole::event, "violation"},
                 {"searched_to", std::uint64_t{16384}, FieldRole::domain},
                 {"reading", std::string("|r̂| decreasing, q = k"), FieldRole::reading}};
    Finding decay;
    decay.check = "score-decay";
    decay.kind = Kind::claim;
    decay.verdict = Verdict::holds;
    decay.statement = "B(s) = Σ cos sθ";
    decay.fields = {{"first_rise", std::uint64_t{17}, FieldRole::event, "rise"},
                    {"first_negative", std::monostate{}, FieldRole::event, "negative"},
                    {"searched_to", std::uint64_t{32768}, FieldRole::domain}};
    report.findings = {orthogonality, relative, pass, table, c3, decay};
    return report;
}

}  // namespace rope
