// What a config asks for, and how that was read from it: the JSON of `explain`, as a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/resolve/resolved_model.hpp"
#include "rope/readings/readings.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope::io {

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

}  // namespace rope::io
