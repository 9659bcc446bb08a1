#include "io/lint/lint.hpp"

#include <algorithm>

#include "io/lint/lint_rules.hpp"
#include "io/model/draft_model.hpp"

namespace rope::io {
namespace {

void add(std::vector<Lint>& all, std::optional<Lint> found) {
    if (found && std::find(all.begin(), all.end(), *found) == all.end())
        all.push_back(*std::move(found));
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
    for (const SpecDraft& draft : model.drafts)
        if (draft.rotates)
            for (const ValueRule rule : value_rules()) add(all, rule(draft));
    return all;
}

}  // namespace rope::io
