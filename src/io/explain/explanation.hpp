// What a config asks for, and how that was read from it: the JSON of `explain`, as a value, and
// what is printed of it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/resolve/resolved_model.hpp"
#include "io/text/cells.hpp"
#include "rope/readings/readings.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope::io {

// What a config asks for, and how that was read from it: the JSON of `explain`, as a value.

using SettingValue =
    std::variant<std::monostate, bool, std::uint64_t, double, std::string, std::vector<double>>;

// A field of the Spec by its name in a config, its value and where that came from.
struct Setting {
    std::string field;
    SettingValue value;
    std::string from;
};

// One group of layers that rotate alike.
struct ExplainedPlan {
    std::string layers;  // "all layers"
    Spec spec;
    std::vector<Setting> settings;
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

// Empty where the Spec has no such field, or leaves it open.
SettingValue setting_value(const Spec& spec, std::string_view field);

// The tables that the text and the Markdown of an explained model share.

Cells settings_cells(const ExplainedPlan& plan);  // field, value, where from
Cells band_cells(const ExplainedPlan& plan);      // pairs 0–28, what was done to them, wavelengths
Cells pair_cells(const ExplainedPlan& plan);  // "29 of 64 pairs never complete a turn in the 8,192
                                              // positions of training: 35–63"
std::string never_turning_text(const ExplainedPlan& plan);

// "critical dimension 70; min(d, 2⌈d/2·log_b(T/2π)⌉) = 70 (…)"
std::string critical_dimension_text(const CriticalDimension& critical);

// "unscaled", "÷8", "÷1.05…6.3 (blended)"
std::string band_text(const BandRun& run);

std::string value_text(const SettingValue& value);

// How other libraries read a config, as text, Markdown and JSON.

// At most 80 columns.
std::string readings_text(const ComparedReadings& readings);
std::string readings_markdown(const ComparedReadings& readings);

nlohmann::ordered_json rule_json(const ReadingRule& rule);
nlohmann::ordered_json readings_json(const ComparedReadings& readings);

// ExplainedModel -> JSON, schema rope-check-explain/1.

inline constexpr std::string_view explain_schema = "rope-check-explain/1";

// Keys in a fixed order; a pair's wavelength is "inf" where it does not rotate.
std::string explain_json(const ExplainedModel& explanation, std::string_view version);

// ExplainedModel -> GitHub's Markdown, for a model card or a pull request.

// As explain_text, in headings and tables.
std::string explain_markdown(const ExplainedModel& explanation, bool verbose);

// ExplainedModel -> text for a terminal.

// What was read, and the pairs in runs that behave alike; `verbose` lists every pair.
std::string explain_text(const ExplainedModel& explanation, bool verbose);

}  // namespace rope::io
