// Reads configs of any format up to frequencies.
#pragma once

#include "io/explain/explanation.hpp"
#include "io/model/resolved_model.hpp"
#include "io/render/results.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rope::fuzz {

// Wide heads with many layers take long, and test nothing else.
inline bool is_small(const io::ResolvedModel& model) {
    std::uint64_t pairs = 0;
    for (const io::LayerGroup& group : model.groups) pairs += group.resolved.spec.pairs();
    return pairs <= 512;
}

// The printed flags give the same rotation; no flag names the model whose scores are scaled.
inline void require_own_words(const Spec& spec) {
    const std::vector<std::string> words = io::spec_words(spec);
    std::vector<io::Flag> flags;
    for (std::size_t k = 0; k + 1 < words.size(); k += 2) flags.push_back({words[k], words[k + 1]});
    Spec again = io::resolve_spec(std::nullopt, flags).spec;
    again.reading = spec.reading;
    again.mscale_of_scores = spec.mscale_of_scores;
    require(again == spec, io::shell_words(words));
}

inline void explain_model(io::ResolvedModel model) {
    if (!is_small(model)) return;
    io::ExplainedModel explained = io::explain(io::with_both_tables(std::move(model)), {});
    is_accepted([&] { explained = io::explain(explained.model, {}, true); });
    require(!io::explain_document(explained, false).json.empty(), "no JSON");
    require(!io::explain_document(explained, true).text.empty(), "no text");
    require(!io::explain_document(explained, true).markdown.empty(), "no Markdown");
}

}  // namespace rope::fuzz
