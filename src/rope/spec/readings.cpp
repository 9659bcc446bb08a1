#include "rope/spec/readings.hpp"

#include <cmath>

#include "base/text.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

extern const std::string_view readings_text;

namespace {

// "conditions: actions", the last of which may be a refusal with semicolons.
ReadingStep step_of(std::string_view line) {
    const std::size_t colon = line.find(": ");
    ReadingStep step{line.substr(0, colon), {}};
    const std::string_view actions = line.substr(colon + 2);
    if (actions.starts_with("refuse "))
        step.actions = {actions};
    else
        step.actions = split(actions, "; ");
    return step;
}

std::vector<Reading> parse_readings(std::string_view text) {
    std::vector<Reading> all;
    std::vector<std::string_view> names;
    const auto for_each_named = [&](auto change) {
        for (Reading& one : all)
            if (std::ranges::count(names, one.name) > 0) change(one.rules);
    };
    for (const std::string_view line : split(text, "\n")) {
        if (line.empty() || line.starts_with('#')) continue;
        std::vector<std::string_view> fields =
            split(line.substr(std::min<std::size_t>(3, line.size())), " | ");
        if (line.starts_with("== ")) {
            fields.resize(4);
            all.push_back({fields[0], fields[1], split(fields[2], " "), fields[3]});
        } else if (line.starts_with("-- ")) {
            names = split(fields[0], " ");
            for_each_named([&](auto& rules) { rules.push_back({fields[1], {}, {}}); });
        } else if (constexpr std::string_view source = "source: "; line.starts_with(source)) {
            for_each_named([&](auto& rules) { rules.back().source = line.substr(source.size()); });
        } else {
            for_each_named([&](auto& rules) { rules.back().steps.push_back(step_of(line)); });
        }
    }
    return all;
}

// Returns the config's name of the type: HunYuan's dynamic with alpha is a static base here, GTE's
// ntk is ntk_mixed.
std::string_view type_in_config(const Spec& spec, const ConfigFacts& facts) {
    if (spec.scaling.rope_type == "ntk_mixed" && !facts.model_type.empty()) return "ntk";
    return facts.has("section.alpha") ? "dynamic" : std::string_view(spec.scaling.rope_type);
}

void require_known(const Reading& reading, const Spec& spec, const ConfigFacts& facts) {
    const std::string library(reading.library);
    const bool is_default = &reading == readings().data();
    if (facts.has("gguf") && !is_default && reading.name != "ggml")
        throw InputError(
            library +
            ": a GGUF is written for llama.cpp; give the config.json that it was made from");
    const std::string_view type = type_in_config(spec, facts);
    if (!reading.types.empty() && std::ranges::count(reading.types, type) == 0)
        throw InputError(library + " has no rope_type " + std::string(type) + "; it reads " +
                         join(reading.types));
    if (!reading.classes.empty() && type != "default" && !facts.model_type.empty() &&
        !facts.has(reading.classes))
        throw InputError(library + " reads no rope section of model_type " +
                         printable(facts.model_type));
}

// Uses what follows a verb, "layers" or "reads", in the rule's steps whose conditions hold.
template <class Use>
void for_each_rest(const ReadingRule& rule, std::string_view verb, const Spec& spec,
                   const ConfigFacts& facts, Use use) {
    for (const ReadingStep& step : rule.steps)
        for (const std::string_view action : step.actions)
            if (action.starts_with(verb) && hold(step.conditions, spec, facts))
                use(action.substr(verb.size()));
}

std::optional<LayerNumbers> layers_of(const ReadingRule& rule, const ConfigFacts& facts) {
    std::optional<LayerNumbers> layers;
    for_each_rest(rule, "layers ", {}, facts,
                  [&](std::string_view name) { layers = layers_by(name, facts); });
    return layers;
}

// Whether the rule is about the two keys of a type: it comes before the check of the reading's
// types.
bool chooses_type(const ReadingRule& rule) {
    const ReadingStep& first = rule.steps.front();
    return first.actions.front() == "do older_type" || first.conditions.starts_with("older_type");
}

void apply_rule(ReadSpec& read, const ReadingRule& rule, const ConfigFacts& facts) {
    const Spec before = read.spec;
    for (const ReadingStep& step : rule.steps)
        if (hold(step.conditions, read.spec, facts))
            for (const std::string_view action : step.actions) act(action, read.spec, facts);
    if (read.spec != before || (read.layers && layers_of(rule, facts)))
        read.changed.push_back(&rule);
}

// Returns whether text rotates each pair: its fourth position is 0.
std::vector<bool> turns_in_text(const Spec& spec) {
    return mapped<bool>(axis_of_pairs(spec.axes, spec.pairs()), [&](std::uint32_t axis) {
        return spec.axes.scheme != AxisScheme::interleaved4 || axis != 3;
    });
}

std::vector<Contrast> turning(const Difference& difference) {
    const std::vector<bool> a = turns_in_text(difference.a), b = turns_in_text(difference.b);
    std::vector<Contrast> all = difference.inv_freq;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (a[i] == b[i]) continue;
        (a[i] ? all[i].b : all[i].a) = 0;
        all[i].relative = 1;
    }
    return all;
}

void find_radian(ReadingDifference& found) {
    double fastest = 0;
    for (const std::uint32_t i : found.pairs) {
        const double rate = std::abs(found.turning[i].a - found.turning[i].b);
        if (!(rate > fastest)) continue;
        fastest = rate;
        found.radian_pair = i;
    }
    const double position = std::ceil(1 / fastest);
    if (position < static_cast<double>(max_context))
        found.radian_position = static_cast<std::uint64_t>(position);
}

bool is_same_rotation(const Spec& a, Spec b) {
    b.reading = a.reading;
    return a == b || differing(difference(a, b, {})).empty();
}

void add_other(std::vector<OtherReading>& others, const Spec& spec, const ReadSpec& read,
               const Reading& reading) {
    for (OtherReading& earlier : others)
        if (earlier.layers == read.layers &&
            is_same_rotation(earlier.difference.difference.b, read.spec)) {
            earlier.by.push_back({&reading, read.changed});
            return;
        }
    others.push_back(
        {{{&reading, read.changed}}, reading_difference(spec, read.spec), read.layers});
}

}  // namespace

ConfigFacts facts_of(const Spec& spec) {
    ConfigFacts facts;
    if (const auto& original = spec.scaling.original_max_position_embeddings)
        for (const char* name :
             {"top.original_max_position_embeddings", "section.original_max_position_embeddings"})
            facts.numbers[name] = static_cast<double>(*original);
    return facts;
}

std::span<const Reading> readings() {
    static const std::vector<Reading> table = parse_readings(readings_text);
    return table;
}

const Reading& find_reading(std::string_view name) {
    return one_of(readings(), &Reading::name, "--reading", name);
}

std::string reading_sentence(const Spec& spec) {
    return "the config as " + std::string(find_reading(spec.reading).library) +
           " reads it (--reading " + spec.reading + ")";
}

std::span<const std::string_view> keys_of_rules() {
    static const auto names = names_in(readings_text, {"top.", "section.", "class.", "null."});
    return names;
}

std::vector<std::string_view> keys_of(const Reading& reading, const ConfigFacts& facts) {
    std::vector<std::string_view> keys;
    for (const ReadingRule& rule : reading.rules)
        for_each_rest(rule, "reads ", {}, facts, [&](std::string_view names) {
            for (const std::string_view key : split(names, " ")) keys.push_back(key);
        });
    return keys;
}

std::optional<LayerNumbers> layers_as_read(const Reading& reading, const ConfigFacts& facts) {
    for (const ReadingRule& rule : reading.rules)
        if (auto layers = layers_of(rule, facts); layers && *layers != facts.layers) return layers;
    return std::nullopt;
}

ReadSpec read_as(const Reading& reading, const Spec& spec, const ConfigFacts& facts) {
    ReadSpec read{.spec = spec, .changed = {}, .layers = layers_as_read(reading, facts)};
    for (const ReadingRule& rule : reading.rules)
        if (chooses_type(rule)) apply_rule(read, rule, facts);
    require_known(reading, read.spec, facts);
    for (const ReadingRule& rule : reading.rules)
        if (!chooses_type(rule)) apply_rule(read, rule, facts);
    if (&reading != readings().data()) read.spec.reading = reading.name;
    validate(read.spec);
    return read;
}

ReadingDifference reading_difference(const Spec& spec, const Spec& other) {
    ReadingDifference found{.difference = difference(spec, other, {})};
    found.differing = differing(found.difference);
    found.turning = turning(found.difference);
    for (std::uint32_t i = 0; i < found.turning.size(); ++i)
        if (found.turning[i].relative > same_in_float32) found.pairs.push_back(i);
    const auto worst = std::ranges::max_element(found.turning, {}, &Contrast::relative);
    found.worst_pair = static_cast<std::uint32_t>(worst - found.turning.begin());
    find_radian(found);
    return found;
}

ComparedReadings compare_readings(const Spec& spec, const ConfigFacts& facts) {
    ComparedReadings all{.others = {}, .alike = {}, .refused = {}, .layers = facts.layers};
    for (const Reading& reading : readings().subspan(1)) {
        try {
            const ReadSpec read = read_as(reading, spec, facts);
            if (!read.layers && is_same_rotation(spec, read.spec))
                all.alike.push_back(&reading);
            else
                add_other(all.others, spec, read, reading);
        } catch (const InputError& error) {
            all.refused.push_back({&reading, error.what()});
        }
    }
    return all;
}

}  // namespace rope
