#include "rope/judge/registry.hpp"

#include <array>
#include <string>

#include "base/text.hpp"
#include "rope/checks/check.hpp"

namespace rope {

std::span<const Check> checks() {
    using enum Kind;
    constexpr const char* he_xu = "He & Xu, property (c3)";
    // clang-format off
    static constexpr std::array table{
        // id                   kind          statement                                      source
        Check{"linearity",          law,         "y(m, x) = R(m)x",                               "RoFormer §3.4.2",                check_linearity},
        Check{"structure",          law,         "R(m) mixes the two lanes of a pair, no others", "RoFormer (15)",                  check_structure},
        Check{"table-accuracy",     conformance, "|ẑ − a·z| ≤ a·min(2, K·2⁻²⁴·mθ) + rounding",    "the Spec",                       make_table_accuracy, {}, {}, false, true},
        Check{"turn-rate",          conformance, "a slow pair turns by r·mθ, r = 1",              "the Spec",                       check_turn_rate, {}, {}, false, false, false, false, true},
        Check{"max-error",          conformance, "|ẑ − a·z| ≤ E",                                 "--max-error",                    make_max_error, {}, {}, false, false, true},
        Check{"score-accuracy",     conformance, "⟨R(m)q, R(n)k⟩ is the exact score",             "the Spec",                       check_score_accuracy, {}, {}, false, true},
        Check{"identity-at-zero",   law,         "R(0) = a·I",                                    "He & Xu §2; any rotation",       make_identity_at_zero, {}, {}, true},
        Check{"orthogonality",      law,         "R(m)ᵀR(m) = a²I",                               "RoFormer §3.4.2",                make_orthogonality},
        Check{"pair-norm",          law,         "|R(m)q| = a|q| in each pair",                   "RoFormer §3.4.2",                check_pair_norm},
        Check{"self-inner-product", law,         "⟨R(m)q, R(m)k⟩ = a²⟨q, k⟩",                     "He & Xu, property (c1)",         check_self_inner_product},
        Check{"composition",        law,         "R(m)R(n) = a·R(m + n)",                         "RoFormer §3.2",                  check_composition, {}, {}, false, true},
        Check{"inverse",            law,         "R(−m) = R(m)ᵀ",                                 "RoFormer (15)",                  make_inverse, {}, {}, false, false, false, true},
        Check{"relative-position",  law,         "R(m)ᵀR(n) = a²R(n − m)",                        "He & Xu, property (c2); RoFormer (11)", make_relative_position, {}, {}, false, true},
        Check{"pass-through",       law,         "lanes that do not rotate are untouched",        "partial rotary (GPT-J, GPT-NeoX)", check_pass_through},
        Check{"c3-R0",              claim,       "|r̂ − r| decreases, every q, k",                 he_xu, judge_c3_literal, "c3", "R0"},
        Check{"c3-R1",              claim,       "sθ mod 2π increases in every pair",             "He & Xu, Figures 1 and 2", judge_c3_angle, "c3", "R1"},
        Check{"c3-R2",              claim,       "cos sθ decreases in every pair",                he_xu, judge_c3_cosine, "c3", "R2"},
        Check{"c3-R3",              claim,       "|cos sθ| decreases in every pair",              he_xu, judge_c3_modulus, "c3", "R3"},
        Check{"c3-R4",              claim,       "Σ|q_i|²cos sθ_i decreases for every q",         he_xu, judge_c3_weighted_cosine, "c3", "R4"},
        Check{"score-decay",        claim,       "B(s) = Σcos sθ_i decreases",                    "RoFormer §3.3; arXiv 2405.14591", judge_score_decay},
        Check{"roformer-decay",     claim,       "(2/d)Σ|S_j(s)| decreases",                      "RoFormer §3.4.3",                judge_roformer_decay},
    };
    // clang-format on
    return table;
}

const Check& find_check(std::string_view id) { return one_of(checks(), &Check::id, "check", id); }

Finding finding_of(const Check& check) {
    Finding finding;
    finding.check = check.id;
    finding.kind = check.kind;
    finding.statement = check.statement;
    finding.source = check.source;
    finding.claim = check.claim;
    finding.reading = check.reading;
    return finding;
}

}  // namespace rope
