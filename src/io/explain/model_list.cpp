#include "io/explain/model_list.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/spec_json.hpp"
#include "io/json/json_text.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/text/cells.hpp"
#include "io/text/number_text.hpp"

namespace rope::io {
namespace {

bool is_meant(const ListedModel& listed, const std::string& word) {
    const Spec& spec = listed.spec;
    const std::string text = std::string(listed.model->name) + " " + listed.layers + " " +
                             std::string(to_string(spec.layout)) + " " + spec.scaling.rope_type;
    return text.find(word) != text.npos;
}

std::vector<ListedModel> all_models() {
    std::vector<ListedModel> all;
    for (const Model& model : models()) {
        const Flag flag{"--model", std::string(model.name)};
        for (const LayerGroup& group : resolve_model(std::nullopt, {&flag, 1}).groups)
            if (group.rotates) all.push_back({&model, group.layers, group.resolved.spec});
    }
    return all;
}

std::string widths(const Spec& spec) {
    const std::string head = decimal(spec.head_dim);
    return spec.rotary_dim == spec.head_dim ? head : decimal(spec.rotary_dim) + "/" + head;
}

// As --layout takes it, too.
std::string short_layout(PairLayout layout) {
    return layout == PairLayout::interleaved_to_half_split ? "interleaved_to_half"
                                                           : std::string(to_string(layout));
}

}  // namespace

std::vector<ListedModel> listed_models(std::span<const std::string> words) {
    std::vector<ListedModel> listed = all_models();
    std::erase_if(listed, [&](const ListedModel& one) {
        return !std::ranges::all_of(words,
                                    [&](const std::string& word) { return is_meant(one, word); });
    });
    if (listed.empty())
        throw InputError("no model's name, layers, layout or rope_type has '" +
                         join(
                             words, [](const auto& word) { return printable(word); }, " ") +
                         "'; rope-check list models lists all");
    return listed;
}

std::string models_text(std::span<const ListedModel> models, bool verbose) {
    Cells cells{{"model", "dim", "base", "rope_type", "context", "layout"}, "lrrlrl"};
    if (verbose) {
        cells.head.emplace_back("source");
        cells.align = "lrrlrll";
    }
    std::string_view before;
    for (const auto& [model, layers, spec] : models) {
        const bool is_whole = layers == "all layers";
        if (!is_whole && model->name != before) cells.rows.push_back({std::string(model->name)});
        before = model->name;
        cells.rows.push_back({is_whole ? std::string(model->name) : "  " + layers, widths(spec),
                              plain(spec.rope_theta), spec.scaling.rope_type,
                              decimal(spec.max_position_embeddings), short_layout(spec.layout)});
        if (verbose) cells.rows.back().emplace_back(model->source);
    }
    return aligned(cells, 0);
}

std::string models_json(std::span<const ListedModel> models, std::string_view version) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const auto& [model, layers, spec] : models)
        list.push_back({{"name", model->name},
                        {"layers", layers},
                        {"spec", spec_json(spec)},
                        {"source", model->source}});
    const Json json{{"schema", models_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"models", std::move(list)}};
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
