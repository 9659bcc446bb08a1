#include "io/lint/lint.hpp"

#include <algorithm>
#include <functional>

#include "io/lint/lint_rules.hpp"
#include "io/model/draft_model.hpp"
#include "rope/spec/fields.hpp"

namespace rope::io {
namespace {

void add(std::vector<Lint>& all, std::optional<Lint> found) {
    if (found && std::find(all.begin(), all.end(), *found) == all.end())
        all.push_back(*std::move(found));
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// By a finding about it, about all of its section, or by the same key elsewhere that was read.
bool is_told_already(const ConfigFile& file, const std::string& path,
                     const std::vector<Lint>& all) {
    const std::string_view name = last_name(path);
    const bool is_overruled =
        path.starts_with("rope_parameters.") || path.find(".rope_parameters.") != std::string::npos;
    const auto is_about = [&](const Lint& one) {
        return one.where.ends_with(": " + path) || (one.id == "two-rope-sections" && is_overruled);
    };
    const auto reads = [&](const LayerSection& layer) {
        const std::vector<std::string> keys = layer.rope.read();
        return std::ranges::any_of(keys, [&](const std::string& key) {
            return last_name(key) == name || (name == "type" && last_name(key) == "rope_type");
        });
    };
    return std::ranges::any_of(all, is_about) || std::ranges::any_of(file.layers, reads);
}

// A key that other rope types use is easily left over; any other may be misspelled, or mean more
// than is known here.
Lint unread_key(const ConfigFile& file, const std::string& path) {
    const std::string where = file.name + ": " + path;
    if (find_field(last_name(path)) != nullptr)
        return {"unread-key", Severity::note, where, "is not used by this rope_type; leave it out"};
    return {"unread-key", Severity::warning, where,
            "is about rotary embeddings, but nothing here reads it; check its spelling, or what "
            "the model's code does with it"};
}

}  // namespace

std::string_view to_string(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            break;
    }
    return "error";
}

std::vector<Lint> lint(const DraftedModel& model) {
    std::vector<Lint> all;
    if (model.file)
        for (const LayerSection& layer : model.file->layers)
            for (const KeyRule rule : key_rules()) add(all, rule(*model.file, layer));
    if (model.file)
        for (const std::string& key : model.file->ignored())
            if (!is_told_already(*model.file, key, all)) add(all, unread_key(*model.file, key));
    for (const SpecDraft& draft : model.drafts)
        if (draft.rotates)
            for (const ValueRule rule : value_rules()) add(all, rule(draft));
    std::ranges::stable_sort(all, std::greater{}, &Lint::severity);
    return all;
}

bool gates(const std::vector<Lint>& findings) {
    return std::ranges::any_of(findings,
                               [](const Lint& one) { return one.severity != Severity::note; });
}

}  // namespace rope::io
