// The results of explain, diff, list, base-bound and claims, as values and as their outputs.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/model/resolved_model.hpp"
#include "io/text/document.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/claims/ledger.hpp"
#include "rope/spec/readings.hpp"
#include "rope/spec/spec.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope::io {

// A group of layers with one rotation.
struct ExplainedPlan {
    LayerGroup group;
    double attention_factor = 1;
    double softmax_scale_factor = 1;
    std::vector<SpectralPair> pairs;
    std::optional<CriticalDimension> critical;  // none if the trained length is unknown
    std::uint64_t context = 0;                  // number of positions in which turns are counted
    std::optional<ComparedReadings> readings = {};
};

struct ExplainedModel {
    ResolvedModel model;
    std::vector<ExplainedPlan> plans;      // groups that rotate
    std::vector<std::string> not_rotated;  // names of the other layers
};

// Default context: each plan's max_position_embeddings. `has_readings` adds how other libraries
// read the config; it requires the reading of transformers 5.
ExplainedModel explain(ResolvedModel model, std::optional<std::uint64_t> context,
                       bool has_readings = false);

// `verbose` lists every pair; else pairs with the same treatment share a row.
Document explain_document(const ExplainedModel& explanation, bool verbose);

// From 1000 up with commas, below with three significant digits.
std::string length_text(double positions);
// "6.28…13,410"; one number if both are printed alike
std::string span_text(const std::string& first, const std::string& last);
// "÷8", "÷1.05…6.3"
std::string divided_text(const BandRun& run);

nlohmann::ordered_json rule_json(const ReadingRule& rule);
// Two numbers by their names, and how far they are apart.
nlohmann::ordered_json contrast_json(const Contrast& both, const char* a = "a",
                                     const char* b = "b");

struct DiffedPlan {
    std::string layers;  // "all layers"
    Difference difference;
    std::vector<std::string> differing;  // names of the fields; empty: one rotation
    bool permuted = false;               // only in layout; weights were permuted for it
};

struct Diff {
    std::string a, b;                         // names of the two configs
    std::vector<DiffedPlan> plans;            // layers that rotate in both
    std::vector<std::string> only_a, only_b;  // layers without counterpart
    std::vector<Lint> lint;                   // of both configs

    bool same() const;
};

// Compares two models. Groups of layers are matched by layer number if both configs have numbers,
// without layers that only the longer model has; else by name, each with every group that shares
// one. A config with one rotation is matched with every group of the other. Default positions: the
// lengths for which the two were trained and are usable. Numbers differ above a relative
// `tolerance`.
Diff diff(const ResolvedModel& a, const ResolvedModel& b,
          const std::vector<std::uint64_t>& positions, double tolerance = same_in_float32);

// Returns the differences and their sizes; `verbose` lists every pair.
Document diff_document(const Diff& diff, bool verbose);

// The names that options take, with their meanings.

struct List {
    std::string_view name, meaning;
    // Only "models" takes words: it lists the models that have every word in their name, layers,
    // layout or rope_type. Throws InputError with the words if there is none.
    Document (*document)(std::span<const std::string> words, bool verbose);
};

std::span<const List> lists();

struct BaseBoundReport {
    Spec spec;
    BaseQuestion asked;
    std::optional<BaseBound> found;  // for unscaled frequencies
    std::optional<BaseScan> judged;  // for the Spec's frequencies, if asked
    std::string assumed = {};        // "head_dim 128, context 2,048", if no option gives them
};

// Returns the document. With scaled frequencies, the JSON has no keys of the search. "certified" is
// true if the result is proved, false if only searched. "infimum" is null if it is proved that no
// base holds; its "base" is null if none was found. `verbose` lists every interval.
Document base_bound_document(const BaseBoundReport& report, bool verbose);

// Returns every claim with its status and section, without computing any; the Markdown is
// docs/claims.md.
Document claims_document(std::span<const ledger::Entry* const> claims);
// Returns the derivations of claims, step by step.
Document claims_document(std::span<const ledger::Derivation> claims);

}  // namespace rope::io
