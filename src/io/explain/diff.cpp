#include <fmt/format.h>

#include <iterator>
#include <numbers>
#include <set>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/explain/explanation.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

std::vector<std::uint64_t> lengths_of(const Spec& a, const Spec& b) {
    std::set<std::uint64_t> lengths;
    for (const Spec* spec : {&a, &b}) {
        lengths.insert(spec->max_position_embeddings);
        if (const auto& original = spec->scaling.original_max_position_embeddings)
            lengths.insert(*original);
    }
    return {lengths.begin(), lengths.end()};
}

bool rotates_one_way(const ResolvedModel& model) {
    return model.groups.size() == 1 && model.groups.front().rotates;
}

std::vector<std::string> names_of(const LayerGroup& group) {
    return group.names.empty() ? std::vector{group.layers} : group.names;
}

using Numbers = std::vector<std::uint32_t>;

// All layer numbers of a model, ascending; empty if some are unknown.
Numbers numbers_of(const ResolvedModel& model) {
    Numbers all;
    for (const LayerGroup& group : model.groups) {
        if (group.numbers.empty()) return {};
        all.insert(all.end(), group.numbers.begin(), group.numbers.end());
    }
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
}

Numbers common(const Numbers& a, const Numbers& b) {
    Numbers both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return both;
}

Numbers without(const Numbers& a, const Numbers& b) {
    Numbers rest;
    std::ranges::set_difference(a, b, std::back_inserter(rest));
    return rest;
}

// "layers 3, 7", "full_attention: 3", "NoPE: 3".
std::string name_of(const LayerGroup& group, const Numbers& numbers) {
    if (group.layers.starts_with("layers ")) return "layers " + ranges(numbers);
    return group.layers.substr(0, group.layers.find(": ")) + ": " + ranges(numbers);
}

// Decides which groups of layers of two models are compared.
class Matching {
  public:
    Matching(const ResolvedModel& a, const ResolvedModel& b)
        : a_(a), b_(b), shared_(common(numbers_of(a), numbers_of(b))) {}

    bool meet(const LayerGroup& a, const LayerGroup& b) const {
        if (a.rotates != b.rotates) return false;
        if (rotates_one_way(a_) || rotates_one_way(b_)) return true;
        const std::vector<std::string> of_a = names_of(a), of_b = names_of(b);
        if (shared_.empty()) return std::ranges::find_first_of(of_a, of_b) != of_a.end();
        const bool is_other_table =
            !a.sequences.empty() && !b.sequences.empty() && a.sequences != b.sequences;
        return !is_other_table && !common(a.numbers, b.numbers).empty();
    }

    std::string name(const LayerGroup& a, const LayerGroup& b) const {
        if (rotates_one_way(a_)) return b.layers;
        const Numbers both = common(a.numbers, b.numbers);
        const bool is_all =
            both == common(a.numbers, shared_) && both == common(b.numbers, shared_);
        if (rotates_one_way(b_) || both.empty() || (is_all && a.layers == b.layers))
            return a.layers;
        if (a.layers == b.layers || a.layers.starts_with("layers ")) return name_of(a, both);
        return "layers " + ranges(both) + " (" + a.layers + " in A, " + b.layers + " in B)";
    }

    // The layers of a group without a counterpart in the other model; empty if none.
    std::string alone(const LayerGroup& group, const ResolvedModel& other) const {
        Numbers left = common(group.numbers, shared_);
        bool is_met = false;
        for (const LayerGroup& one : other.groups) {
            if (!meet(group, one)) continue;
            is_met = true;
            left = without(left, one.numbers);
        }
        if (!is_met) return group.layers;
        const bool by_number =
            !shared_.empty() && !rotates_one_way(a_) && !rotates_one_way(b_) && !left.empty();
        return by_number ? name_of(group, left) : "";
    }

  private:
    const ResolvedModel &a_, &b_;
    Numbers shared_;  // layers that both have; empty if unknown
};

// Whether convert_hf_to_gguf.py makes this architecture of a config's class: it registers
// LlamaModel for Mistral and Mixtral as well.
bool is_made_of(const std::string& architecture, const std::string& model_type) {
    return architecture == model_type ||
           (architecture == "llama" && (model_type == "mistral" || model_type == "mixtral"));
}

// Whether the GGUF's weights are the config's, permuted. Whole heads are permuted, so a head with
// an unrotated part is not.
bool is_permuted_from(const LayerGroup& config, const ResolvedModel& gguf, const LayerGroup& of) {
    const Spec &from = config.resolved.spec, &to = of.resolved.spec;
    return !gguf.permuted_architecture.empty() &&
           is_made_of(gguf.permuted_architecture, config.resolved.facts.model_type) &&
           from.layout == PairLayout::half_split && to.layout == PairLayout::interleaved &&
           from.rotary_dim == from.head_dim && to.rotary_dim == to.head_dim;
}

Json plan_json(const DiffedPlan& plan) {
    const Difference& difference = plan.difference;
    Json worst = contrast_json(difference.worst());
    worst["pair"] = difference.worst_pair;
    Json json{{"layers", plan.layers}, {"differing", plan.differing}};
    for (const char* field : {"rope_type", "head_dim", "rotary_dim", "layout"})
        json[field] = {{"a", setting_value(difference.a, field)},
                       {"b", setting_value(difference.b, field)}};
    json.update({{"permuted", plan.permuted},
                 {"attention_factor", contrast_json(difference.attention_factor)},
                 {"softmax_scale_factor", contrast_json(difference.softmax_scale_factor)},
                 {"worst_inv_freq", std::move(worst)}});
    json["inv_freq_relative"] =
        json_array(difference.inv_freq, [](auto& pair) { return json_number(pair.relative); });
    json["angles"] = json_array(difference.angles, [](const AngleDifference& angle) {
        return Json{{"position", angle.position},
                    {"worst_radians", json_number(angle.worst)},
                    {"pair", angle.pair},
                    {"pairs_lost", angle.pairs_lost}};
    });
    return json;
}

std::vector<std::string> row(std::string name, const Contrast& both) {
    return {std::move(name), significant(both.a, 9), significant(both.b, 9), brief(both.relative)};
}

// Whether pair i of A and pair i of B are of the same dimensions.
bool have_same_pairs(const Difference& difference) {
    return difference.a.rotary_dim == difference.b.rotary_dim;
}

Cells field_cells(const Difference& difference) {
    Cells cells{{"", "A", "B", "relative"}, "lrrr"};
    for (const char* field :
         {"rope_type", "rope_theta", "head_dim", "rotary_dim", "layout", "max_position_embeddings"})
        cells.add(field, setting_text(setting_value(difference.a, field)),
                  setting_text(setting_value(difference.b, field)), "");
    const auto add_if_other = [&](std::string_view field) {
        const Json a = setting_value(difference.a, field), b = setting_value(difference.b, field);
        if (a != b) cells.add(std::string(field), short_text(a), short_text(b), "");
    };
    for (const char* field : {"rotary_offset", "direction", "axes", "mrope_section"})
        add_if_other(field);
    for (const ScalingField& field : scaling_fields()) add_if_other(field.name);
    cells.rows.push_back(row("attention_factor", difference.attention_factor));
    cells.rows.push_back(row("softmax_scale_factor", difference.softmax_scale_factor));
    return cells;
}

// The pairs of B, whose unscaled frequencies are those of A: one band if they are equal, one for
// the divisors that neighbours share, and one for the others.
std::vector<SpectralPair> divided_pairs(const Difference& difference) {
    std::vector<SpectralPair> pairs;
    for (const auto& [a, b, relative] : difference.inv_freq) {
        const Band band = relative > same_in_float32 ? Band::blended : Band::unscaled;
        pairs.push_back({b, a, a == b ? 1 : a / b, 2 * std::numbers::pi / b, band});
    }
    for (std::size_t i = 1; i < pairs.size(); ++i) {
        SpectralPair &before = pairs[i - 1], &pair = pairs[i];
        const bool differ = before.band != Band::unscaled && pair.band != Band::unscaled;
        if (differ && std::abs(pair.divisor / before.divisor - 1) <= same_in_float32)
            before.band = pair.band = Band::interpolated;
    }
    return pairs;
}

Cells band_cells(const std::vector<SpectralPair>& pairs) {
    Cells cells{{"pairs", "frequency in B", "wavelength in B"}, "llr"};
    for (const BandRun& run : band_runs(pairs))
        cells.add(range(run.first, run.last),
                  run.band == Band::unscaled ? "as in A" : "A's " + divided_text(run),
                  span_text(length_text(pairs[run.first].wavelength),
                            length_text(pairs[run.last].wavelength)));
    return cells;
}

Cells angle_cells(const Difference& difference) {
    Cells cells{
        {"at position", "largest angle between A and B", "in pair", "pairs π/2 or more apart"},
        "rrrr"};
    for (const AngleDifference& angle : difference.angles)
        cells.add(grouped(angle.position), significant(angle.worst, 4) + " rad",
                  decimal(angle.pair),
                  fmt::format("{} of {}", angle.pairs_lost, difference.inv_freq.size()));
    return cells;
}

Cells pair_cells(const Difference& difference) {
    Cells cells{{"pair", "A", "B", "relative"}, "rrrr"};
    for (std::size_t i = 0; i < difference.inv_freq.size(); ++i)
        cells.rows.push_back(row(decimal(i), difference.inv_freq[i]));
    return cells;
}

void add_plan(Document& document, const DiffedPlan& plan, bool verbose) {
    std::vector<SpectralPair> pairs;
    if (have_same_pairs(plan.difference)) pairs = divided_pairs(plan.difference);
    std::string text = printable(plan.layers) + ": the same rotation";
    std::vector<std::uint32_t> other;
    for (std::uint32_t i = 0; i < pairs.size(); ++i)
        if (pairs[i].band != Band::unscaled) other.push_back(i);
    if (!plan.differing.empty())
        text = printable(plan.layers) + ": not the same " + join(plan.differing) +
               (other.empty() ? "" : " (pairs " + ranges(other) + ")");
    if (plan.permuted) text += "; the converter permuted q_proj and k_proj for the other layout";
    if (plan.difference.softmax_scale_factor.relative > same_in_float32)
        text += "; another softmax scale";
    document.gap().heading("##", text);
    document.verdict += text + "\n";
    document.gap().table(field_cells(plan.difference), 2);
    if (!have_same_pairs(plan.difference)) {
        document.gap().line("",
                            "  rotary_dim differs, so pair i of A and pair i of B rotate different "
                            "dimensions:\n  their frequencies and angles are not compared");
        return;
    }
    if (std::ranges::count(plan.differing, "inv_freq") > 0)
        document.gap().table(band_cells(pairs), 2);
    if (!plan.differing.empty()) document.gap().table(angle_cells(plan.difference), 2);
    if (verbose) document.gap().table(pair_cells(plan.difference), 2);
}

}  // namespace

bool Diff::same() const {
    return only_a.empty() && only_b.empty() &&
           std::ranges::all_of(plans, [](const DiffedPlan& p) { return p.differing.empty(); });
}

Diff diff(const ResolvedModel& a, const ResolvedModel& b,
          const std::vector<std::uint64_t>& positions, double tolerance) {
    Diff result;
    const Matching matching(a, b);
    for (const LayerGroup& of_a : a.groups) {
        for (const LayerGroup& of_b : b.groups) {
            if (!of_a.rotates || !matching.meet(of_a, of_b)) continue;
            const Spec &spec_a = of_a.resolved.spec, &spec_b = of_b.resolved.spec;
            Difference found = difference(
                spec_a, spec_b, positions.empty() ? lengths_of(spec_a, spec_b) : positions);
            std::vector<std::string> names = differing(found, tolerance);
            const bool permuted =
                is_permuted_from(of_a, b, of_b) || is_permuted_from(of_b, a, of_a);
            if (permuted) std::erase(names, "layout");
            result.plans.push_back(
                {matching.name(of_a, of_b), std::move(found), std::move(names), permuted});
        }
        result.only_a.push_back(matching.alone(of_a, b));
    }
    for (const LayerGroup& of_b : b.groups) result.only_b.push_back(matching.alone(of_b, a));
    for (std::vector<std::string>* only : {&result.only_a, &result.only_b}) std::erase(*only, "");
    result.lint = a.lint;
    result.lint.insert(result.lint.end(), b.lint.begin(), b.lint.end());
    return result;
}

Document diff_document(const Diff& diff, bool verbose) {
    Document document;
    document.line("", "A: " + printable(diff.a));
    document.line("", "B: " + printable(diff.b));
    for (const DiffedPlan& plan : diff.plans) add_plan(document, plan, verbose);
    for (const auto& [name, only] : {std::pair{"A", &diff.only_a}, {"B", &diff.only_b}})
        for (const std::string& layers : *only) {
            const std::string alone = fmt::format("only in {}: {}", name, printable(layers));
            document.gap().line("", alone);
            document.verdict += alone + "\n";
        }
    if (!diff.lint.empty()) {
        document.text += "\n" + lint_text(diff.lint);
        document.markdown += "\n" + markdown_table(lint_cells(diff.lint));
    }
    document.json =
        json_document("rope-check-diff/1", {{"a", diff.a},
                                            {"b", diff.b},
                                            {"same", diff.same()},
                                            {"only_a", diff.only_a},
                                            {"only_b", diff.only_b},
                                            {"plans", json_array(diff.plans, plan_json)},
                                            {"lint", lint_json(diff.lint)}});
    return document;
}

}  // namespace rope::io
