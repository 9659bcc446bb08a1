#include "io/lint/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/printable.hpp"
#include "io/lint/lint_rules.hpp"
#include "io/model/models.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

void add(std::vector<Lint>& all, std::optional<Lint> found) {
    if (found && std::find(all.begin(), all.end(), *found) == all.end())
        all.push_back(*std::move(found));
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// What says already that a key is not read: a finding about it or about all of its section, or the
// same key elsewhere that was read.
class Told {
  public:
    Told(const ConfigFile& file, const std::vector<Lint>& findings) : findings_(findings) {
        for (const LayerSection& layer : file.layers)
            if (!layer.assumed)
                for (const std::string& key : layer.rope.read()) read_.emplace(last_name(key));
        for (const std::string& key : file.model.read()) read_.emplace(last_name(key));
        if (read_.contains("rope_type")) read_.emplace("type");
    }
    bool holds(const std::string& path) const {
        const bool is_overruled = path.starts_with("rope_parameters.") ||
                                  path.find(".rope_parameters.") != std::string::npos;
        return read_.contains(last_name(path)) ||
               std::ranges::any_of(findings_, [&](const Lint& one) {
                   return one.where.ends_with(": " + path) ||
                          (one.id == "two-rope-sections" && is_overruled);
               });
    }

  private:
    const std::vector<Lint>& findings_;
    std::set<std::string, std::less<>> read_;
};

// A key that other rope types use is easily left over; any other may be misspelled, or mean more
// than is known here.
Lint unread_key(const DraftedModel& model, const std::string& path) {
    const std::string where = model.file->name + ": " + path;
    const ScalingField* field = find_field(last_name(path));
    const bool is_of_the_type =
        field != nullptr && std::ranges::any_of(model.drafts, [&](const SpecDraft& draft) {
            return draft.rotates && uses(draft.spec.scaling.rope_type, field->member);
        });
    if (is_of_the_type)
        return {"unread-key", Severity::note, where,
                "transformers does not read it here; another library may"};
    if (field != nullptr)
        return {"unread-key", Severity::note, where, "is not used by this rope_type; leave it out"};
    if (last_name(path).starts_with("indexer_"))
        return {
            "unread-key", Severity::note, where,
            "is of sparse attention's indexer; check its rotation with --dim, without the config"};
    return {"unread-key", Severity::warning, where,
            "is about rotary embeddings, but nothing here reads it; check its spelling, or what "
            "the model's code does with it"};
}

void add_unread_keys(std::vector<Lint>& all, const DraftedModel& model) {
    const ConfigFile& file = *model.file;
    const std::vector<Lint> of_keys = all;
    const Told told(file, of_keys);
    std::set<std::string> unread;
    for (const std::string& key : file.ignored())
        if (!told.holds(key) && unread.insert(key).second) all.push_back(unread_key(model, key));
}

}  // namespace

std::string_view to_string(Severity severity) {
    return severity == Severity::note ? "note" : "warning";
}

std::vector<Lint> lint(const DraftedModel& model) {
    std::vector<Lint> all;
    const std::vector<LayerSection> none;
    for (const LayerSection& layer : model.file ? model.file->layers : none) {
        if (layer.absent) continue;
        for (Lint& one : rows_that_hold(*model.file, layer)) add(all, std::move(one));
        for (const KeyRule rule : key_rules()) add(all, rule(*model.file, layer));
    }
    if (model.file)
        for (const KeyRemark& one : model.file->remarks)
            all.push_back(
                {"unread-key", Severity::warning, model.file->name + ": " + one.path, one.what});
    if (model.file) add_unread_keys(all, model);
    for (const SpecDraft& draft : model.drafts) {
        if (!draft.rotates) continue;
        for (const ValueRule rule : value_rules()) add(all, rule(draft));
        for (Lint& one : rows_that_hold(draft)) add(all, std::move(one));
    }
    std::ranges::stable_sort(all, std::greater{}, &Lint::severity);
    return all;
}

bool gates(const std::vector<Lint>& findings) {
    return std::ranges::any_of(findings,
                               [](const Lint& one) { return one.severity != Severity::note; });
}

namespace {

constexpr std::size_t longest_message = 1000;

}  // namespace

std::string lint_text(std::span<const Lint> findings) {
    std::string text;
    for (const auto& [id, severity, where, message] : findings)
        text += fmt::format("{}: {}: {} [{}]\n", to_string(severity), printable(where),
                            printable(message, longest_message), id);
    return text;
}

nlohmann::ordered_json lint_json(std::span<const Lint> findings) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& [id, severity, where, message] : findings)
        all.push_back({{"id", id},
                       {"severity", to_string(severity)},
                       {"where", where},
                       {"message", message}});
    return all;
}

Cells lint_cells(std::span<const Lint> findings) {
    Cells cells{{"severity", "lint", "where", "what"}, "llll"};
    for (const auto& [id, severity, where, message] : findings)
        cells.rows.push_back({std::string(to_string(severity)), id, printable(where),
                              printable(message, longest_message)});
    return cells;
}

}  // namespace rope::io
