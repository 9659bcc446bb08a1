// What a config asks for, and how that was read from it, as a value and as what `explain` prints.
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

// One group of layers that rotate alike.
struct ExplainedPlan {
    std::string layers;  // "all layers"
    Spec spec;
    std::vector<Origin> origins;
    double attention_factor = 1;
    double softmax_scale_factor = 1;
    std::vector<SpectralPair> pairs;
    std::optional<CriticalDimension> critical;  // empty: the length of training is not known
    std::uint64_t context = 0;                  // positions in which turns are counted
    std::optional<ComparedReadings> readings = {};
};

struct ExplainedModel {
    ResolvedModel model;
    std::vector<ExplainedPlan> plans;      // of the groups that rotate
    std::vector<std::string> not_rotated;  // the layers of the others
};

// Without a context, each plan's max_position_embeddings.
ExplainedModel explain(ResolvedModel model, std::optional<std::uint64_t> context);

// Also how other libraries read the config. Requires transformers 5's reading of it.
void add_readings(ExplainedModel& explanation);

// Null where the Spec has no such field, or leaves it open.
nlohmann::ordered_json setting_value(const Spec& spec, std::string_view field);

// `verbose` lists every pair; else those that behave alike are one row.
Document explain_document(const ExplainedModel& explanation, bool verbose);

// How other libraries read a config.

void add_readings(Document& document, const ComparedReadings& readings);
nlohmann::ordered_json readings_json(const ComparedReadings& readings);
nlohmann::ordered_json rule_json(const ReadingRule& rule);

}  // namespace rope::io
