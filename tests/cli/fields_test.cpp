// All code that uses the keys of a rope section handles each row of their table.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/text/json_text.hpp"
#include "rope/checks/report.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io::fields_test {

// For each kind, a value that every key of the kind accepts, as JSON and on the command line.
struct Example {
    const char *json, *word;
};
Example example_of(const ScalingField& field) {
    constexpr Example examples[] = {
        {"0.5", "0.5"}, {"4096", "4096"}, {"false", "false"}, {"[0.5,0.5]", "0.5,0.5"}};
    return examples[field.member.index()];
}

// A rope type, and the keys for a Spec of it.
struct Use {
    const Variant& variant;
    std::vector<const ScalingField*> given;
};
std::vector<const ScalingField*> required_by(const Variant& variant) {
    std::vector<const ScalingField*> fields;
    for (const UsedKey& key : variant.keys)
        if (key.is_required) fields.push_back(&field_of(key.member));
    return fields;
}
Use use_of(const ScalingField& field) {
    for (const Variant& variant : variants())
        if (const UsedKey* key = find_key(variant.keys, field.member)) {
            Use use{variant, required_by(variant)};
            if (!key->is_required) use.given.push_back(&field);
            return use;
        }
    throw std::logic_error("no rope_type uses " + std::string(field.name));
}

Flags flags_for(const Use& use) {
    Flags flags{{"--dim", "4"}, {"--rope rope_type", std::string(use.variant.name)}};
    for (const ScalingField* field : use.given)
        flags.push_back({"--rope " + std::string(field->name), example_of(*field).word});
    return flags;
}

std::string config_for(const Use& use) {
    std::string keys;
    for (const ScalingField* field : use.given)
        keys.append(", \"").append(field->name).append("\": ").append(example_of(*field).json);
    return R"({"head_dim": 4, "rope_parameters": {"rope_type": ")" + std::string(use.variant.name) +
           "\"" + keys + "}}";
}

Spec spec_with(const ScalingField& field) {
    return resolve_spec(std::nullopt, flags_for(use_of(field))).spec;
}

Spec without(Spec spec, const ScalingField& field) {
    std::visit([&](auto member) { spec.scaling.*member = {}; }, field.member);
    return spec;
}

// The key's number, or each number of its list.
void put(Spec& spec, const ScalingField& field, double value) {
    if (const auto* real = std::get_if<std::optional<double> Scaling::*>(&field.member))
        spec.scaling.*(*real) = value;
    if (const auto* whole = std::get_if<std::optional<std::uint64_t> Scaling::*>(&field.member))
        spec.scaling.*(*whole) = static_cast<std::uint64_t>(value);
    if (const auto* list = std::get_if<std::vector<double> Scaling::*>(&field.member))
        spec.scaling.*(*list) = {value, value};
}

std::optional<InputError> refusal_of(const Spec& spec) {
    try {
        validate(spec);
    } catch (const InputError& error) {
        return error;
    }
    return std::nullopt;
}

bool holds_metric(const Spec& spec, const std::string& name) {
    Report report;
    report.spec = spec;
    const std::vector<Metric> metrics = metrics_of(report);
    return std::any_of(metrics.begin(), metrics.end(),
                       [&](const Metric& metric) { return metric.name == name; });
}

class Fields : public ConfigTest {};

TEST_F(Fields, HaveAKeyOfRopeThatSetsThem) {
    for (const ScalingField& field : scaling_fields()) {
        SCOPED_TRACE(field.name);
        const SpecFlag& flag = find_spec_flag("--rope " + std::string(field.name));
        EXPECT_EQ(flag.field, field.name);
        EXPECT_EQ(flag.help.find("{}"), std::string::npos);
        const ResolvedSpec resolved = resolve_spec(std::nullopt, flags_for(use_of(field)));
        EXPECT_TRUE(is_set(resolved.spec.scaling, field));
        EXPECT_EQ(origin_of(resolved, field.name), flag.name);
    }
}

TEST_F(Fields, AreReadFromAConfigWithTheirOrigin) {
    for (const ScalingField& field : scaling_fields()) {
        SCOPED_TRACE(field.name);
        const ResolvedSpec resolved = resolve(config_for(use_of(field)));
        EXPECT_EQ(resolved.spec.scaling, spec_with(field).scaling);
        EXPECT_EQ(origin_of(resolved, field.name),
                  "config.json: rope_parameters." + std::string(field.name));
    }
}

TEST_F(Fields, AreWrittenToReportsCommandLinesAndMetrics) {
    for (const ScalingField& field : scaling_fields()) {
        SCOPED_TRACE(field.name);
        const Spec spec = spec_with(field), bare = without(spec, field);
        const auto json = spec_json(spec)["rope_parameters"];
        ASSERT_TRUE(json.contains(field.name));
        EXPECT_EQ(json[field.name], nlohmann::json::parse(example_of(field).json));
        EXPECT_FALSE(spec_json(bare)["rope_parameters"].contains(field.name));

        EXPECT_NE(setting_value(spec, field.name), setting_value(bare, field.name));

        const std::string metric = "spec/" + std::string(field.name);
        EXPECT_TRUE(holds_metric(spec, metric));
        EXPECT_FALSE(holds_metric(bare, metric));

        const std::vector<std::string> words = spec_words(spec);
        Flags flags;
        for (std::size_t i = 0; i < words.size(); i += 2)
            if (words[i] == rope_option)
                for (Flag& flag : flags_of_rope(words[i + 1])) flags.push_back(std::move(flag));
            else
                flags.push_back({words[i], words[i + 1]});
        EXPECT_EQ(resolve_spec(std::nullopt, flags).spec, spec);
    }
}

TEST_F(Fields, OutOfRangeAreRefusedWithTheirNameAndRange) {
    for (const ScalingField& field : scaling_fields()) {
        SCOPED_TRACE(field.name);
        if (field.member == ScalingMember(&Scaling::truncate)) continue;  // either value is right
        for (const double value : {field.range.least - 1, field.range.most * 2}) {
            Spec spec = spec_with(field);
            put(spec, field, value);
            const auto refusal = refusal_of(spec);
            ASSERT_TRUE(refusal) << value;
            EXPECT_EQ(refusal->field, field.name);
            EXPECT_EQ(refusal->wanted, field.range.wanted);
            EXPECT_EQ(refusal->what(),
                      refusal->field + " is " + refusal->value + "; it must be " + refusal->wanted);
        }
    }
}

TEST_F(Fields, MissingAreRefusedByNameWhereATypeNeedsThem) {
    for (const Variant& variant : variants())
        for (const UsedKey& key : variant.keys) {
            const ScalingField& field = field_of(key.member);
            SCOPED_TRACE(std::string(variant.name) + " " + std::string(field.name));
            Use use{variant, required_by(variant)};
            if (!key.is_required) use.given.push_back(&field);
            const Spec spec = resolve_spec(std::nullopt, flags_for(use)).spec;
            EXPECT_FALSE(refusal_of(spec));
            const auto refusal = refusal_of(without(spec, field));
            EXPECT_EQ(refusal.has_value(), key.is_required);
            if (refusal) {
                EXPECT_EQ(refusal->field, field.name);
            }
        }
}

TEST_F(Fields, LeftOutAreReportedWithTheirTypesDefault) {
    for (const Variant& variant : variants())
        for (const UsedKey& key : variant.keys) {
            const std::string value = default_text(key);
            if (value.empty()) continue;
            const ScalingField& field = field_of(key.member);
            SCOPED_TRACE(field.name);
            const ResolvedModel model = resolve_all(config_for({variant, required_by(variant)}));
            const auto found =
                std::find_if(model.defaulted.begin(), model.defaulted.end(),
                             [&](const Origin& origin) { return origin.field == field.name; });
            ASSERT_NE(found, model.defaulted.end());
            EXPECT_EQ(found->from, value);
        }
}

}  // namespace rope::io::fields_test
