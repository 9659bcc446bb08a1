#include "rope/readings/readings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/yarn.hpp"

namespace rope {

bool is_type(const Spec& spec, std::string_view rope_type) {
    return spec.scaling.rope_type == rope_type;
}

bool by_older_type(Spec& spec, const ConfigFacts& facts) {
    if (!facts.by_older_type) return false;
    spec.scaling = *facts.by_older_type;
    constexpr auto original = &Scaling::original_max_position_embeddings;
    if (uses(spec.scaling.rope_type, original) && !(spec.scaling.*original))
        spec.scaling.*original = spec.max_position_embeddings;
    if (!is_type(spec, "dynamic") && !is_type(spec, "longrope")) spec.seq_len.reset();
    return true;
}

bool always_truncate(Spec& spec, const ConfigFacts&) {
    if (spec.scaling.truncate.value_or(true)) return false;
    spec.scaling.truncate.reset();
    return true;
}

bool drop_attention_factor(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "yarn") || !spec.scaling.attention_factor) return false;
    spec.scaling.attention_factor.reset();
    return true;
}

// mscale_all_dim stays for the softmax scale; alone, it has no effect on cos and sin
bool drop_mscale_ratio(Spec& spec, const ConfigFacts&) {
    Scaling& scaling = spec.scaling;
    if (!is_type(spec, "yarn") || scaling.mscale.value_or(0) == 0 ||
        scaling.mscale_all_dim.value_or(0) == 0)
        return false;
    scaling.mscale.reset();
    return true;
}

bool default_each_mscale(Spec& spec, const ConfigFacts&) {
    Scaling& scaling = spec.scaling;
    const double mscale = scaling.mscale.value_or(1), all = scaling.mscale_all_dim.value_or(0);
    // transformers 5 takes a pair that is not complete, or zero, for none: getms(s, 1)
    const bool is_pair = scaling.mscale.value_or(0) != 0 && all != 0;
    if (!is_type(spec, "yarn") || is_pair || (mscale == 1 && all == 0)) return false;
    const BigReal factor =
        yarn_magnitude(*scaling.factor, mscale) / yarn_magnitude(*scaling.factor, all);
    return change(scaling.attention_factor, factor.to_double());
}

bool longrope_by_ratio(Spec& spec, const ConfigFacts&) {
    Scaling& scaling = spec.scaling;
    if (!is_type(spec, "longrope") || !(scaling.factor || scaling.attention_factor)) return false;
    scaling.factor.reset();
    scaling.attention_factor.reset();
    return true;
}

bool longrope_by_engine(Spec& spec, const ConfigFacts&) {
    const Scaling& scaling = spec.scaling;
    if (!is_type(spec, "longrope") || (scaling.short_factor == scaling.long_factor &&
                                       scaling.short_mscale == scaling.long_mscale))
        return false;
    return change(spec.seq_len, spec.max_position_embeddings);
}

bool drop_list_mscales(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "longrope")) return false;
    const bool had_short = change(spec.scaling.short_mscale, std::nullopt);
    return change(spec.scaling.long_mscale, std::nullopt) || had_short;
}

bool dynamic_unscaled(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "dynamic")) return false;
    spec.scaling = {};
    spec.seq_len.reset();
    return true;
}

bool drop_factor_of_proportional(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "proportional") || spec.scaling.factor.value_or(1) == 1) return false;
    spec.scaling.factor.reset();
    return true;
}

bool read_extrapolation_factor(Spec& spec, const ConfigFacts& facts) {
    return is_type(spec, "yarn") && facts.extrapolation_factor &&
           change(spec.scaling.ext_factor, facts.extrapolation_factor);
}

bool change_original(Spec& spec, const std::optional<std::uint64_t>& length,
                     std::uint64_t otherwise) {
    return change(spec.scaling.original_max_position_embeddings, length.value_or(otherwise));
}

std::optional<LayerNumbers> but_every_fourth(const ConfigFacts& facts) {
    if (facts.layer_count == 0) return std::nullopt;
    LayerNumbers layers;
    for (std::uint32_t i = 0; i < facts.layer_count; ++i)
        if ((i + 1) % 4 != 0) layers.push_back(i);
    return layers;
}

bool is_mimo_v2(const ConfigFacts& facts) { return facts.model_type == mimo_v2; }

bool mimo_of_the_top(Spec& spec, const ConfigFacts& facts, double theta) {
    if (!is_mimo_v2(facts)) return false;
    const double base = facts.top_theta.value_or(theta);
    const double fraction = facts.top_fraction.value_or(1);
    const bool changed =
        change(spec.rope_theta, facts.slides ? facts.swa_theta.value_or(base) : base);
    return change(spec.rotary_dim, static_cast<std::uint32_t>(spec.head_dim * fraction)) || changed;
}

std::optional<LayerNumbers> by_hybrid_pattern(const ConfigFacts& facts) {
    if (!is_mimo_v2(facts) || facts.layer_count == 0 ||
        facts.hybrid_pattern.size() != facts.layer_count)
        return std::nullopt;
    LayerNumbers layers;
    for (std::uint32_t i = 0; i < facts.hybrid_pattern.size(); ++i)
        if ((facts.hybrid_pattern[i] == 1) == facts.slides) layers.push_back(i);
    return layers;
}

void refuse_mimo_v2(const ConfigFacts& facts, std::string_view library) {
    if (is_mimo_v2(facts))
        throw InputError("model_type", "is mimo_v2_flash, a class that " + std::string(library) +
                                           " does not have");
}

namespace {

// As the config names it: HunYuan's dynamic with alpha is a static base here, GTE's ntk ntk_mixed.
std::string_view type_in_config(const Spec& spec, const ConfigFacts& facts) {
    if (spec.scaling.rope_type == "ntk_mixed" && !facts.model_type.empty()) return "ntk";
    return facts.has_alpha ? "dynamic" : std::string_view(spec.scaling.rope_type);
}

void require_known(const Reading& reading, const Spec& spec, const ConfigFacts& facts) {
    const std::string library(reading.library);
    const bool is_default = &reading == readings().data();
    if (facts.is_gguf && !is_default && reading.name != "ggml")
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

void apply_rule(ReadSpec& read, const ReadingRule& rule, const ConfigFacts& facts) {
    const bool turns_otherwise = rule.apply != nullptr && rule.apply(read.spec, facts);
    const bool are_others = read.layers && rule.layers != nullptr && rule.layers(facts);
    if (turns_otherwise || are_others) read.changed.push_back(&rule);
}

}  // namespace

ConfigFacts facts_of(const Spec& spec) {
    const auto& original = spec.scaling.original_max_position_embeddings;
    return {.top_original = original, .section_original = original};
}

std::span<const Reading> readings() {
    static const std::array table{
        transformers_reading, transformers_457_reading, transformers_445_reading,
        vllm_reading,         vllm_025_reading,         ggml_reading,
        mlx_reading,          tensorrt_llm_reading,     paper_reading};
    return table;
}

const Reading& find_reading(std::string_view name) {
    return one_of(readings(), &Reading::name, "--reading", name);
}

std::string reading_sentence(const Spec& spec) {
    return "the config as " + std::string(find_reading(spec.reading).library) +
           " reads it (--reading " + spec.reading + ")";
}

std::vector<std::string_view> keys_of(const Reading& reading, std::string_view model_type) {
    std::vector<std::string_view> keys;
    for (const ReadingRule& rule : reading.rules)
        if (rule.own.model_type.empty() || rule.own.model_type == model_type)
            keys.insert(keys.end(), rule.own.keys.begin(), rule.own.keys.end());
    return keys;
}

std::optional<LayerNumbers> layers_as_read(const Reading& reading, const ConfigFacts& facts) {
    for (const ReadingRule& rule : reading.rules)
        if (auto layers = rule.layers != nullptr ? rule.layers(facts) : std::nullopt)
            if (*layers != facts.layers) return layers;
    return std::nullopt;
}

ReadSpec read_as(const Reading& reading, const Spec& spec, const ConfigFacts& facts) {
    ReadSpec read{.spec = spec, .changed = {}, .layers = layers_as_read(reading, facts)};
    for (const ReadingRule& rule : reading.rules)
        if (rule.chooses_type) apply_rule(read, rule, facts);
    require_known(reading, read.spec, facts);
    for (const ReadingRule& rule : reading.rules)
        if (!rule.chooses_type) apply_rule(read, rule, facts);
    if (&reading != readings().data()) read.spec.reading = reading.name;
    validate(read.spec);
    return read;
}

namespace {

// Whether text turns the pair: its fourth position is 0.
std::vector<bool> turns_in_text(const Spec& spec) {
    std::vector<bool> turns;
    for (const std::uint32_t axis : axis_of_pairs(spec.axes, spec.pairs()))
        turns.push_back(spec.axes.scheme != AxisScheme::interleaved4 || axis != 3);
    return turns;
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
