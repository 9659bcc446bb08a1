// The parameters of a config and their origins, as a value and as the output of `explain`.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/resolve/resolved_model.hpp"
#include "io/text/document.hpp"
#include "rope/readings/readings.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope::io {

// A group of layers with one rotation.
struct ExplainedPlan {
    std::string layers;  // "all layers"
    Spec spec;
    std::vector<Origin> origins;
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

// Default context: each plan's max_position_embeddings.
ExplainedModel explain(ResolvedModel model, std::optional<std::uint64_t> context);

// Adds how other libraries read the config. Requires the reading of transformers 5.
void add_readings(ExplainedModel& explanation);

// Returns null if the Spec has no such field or no value for it.
nlohmann::ordered_json setting_value(const Spec& spec, std::string_view field);

// `verbose` lists every pair; else pairs with the same treatment share a row.
Document explain_document(const ExplainedModel& explanation, bool verbose);

void add_readings(Document& document, const ComparedReadings& readings);
nlohmann::ordered_json readings_json(const ComparedReadings& readings);
nlohmann::ordered_json rule_json(const ReadingRule& rule);

}  // namespace rope::io
