#include <functional>
#include <map>
#include <utility>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/explain/damage.hpp"
#include "rope/diagnose/explain/explain.hpp"
#include "rope/diagnose/explain/lanes.hpp"
#include "rope/diagnose/explain/observations.hpp"
#include "rope/diagnose/explain/switched.hpp"

namespace rope {
namespace {

constexpr int most_mistakes = 3;

Diagnosis only(Explanation explanation) { return {{std::move(explanation)}, {}}; }

// The usual frequencies of a reading, computed once, and those fitted to its phase lines.
class UsualList {
  public:
    std::vector<Frequencies> operator()(const DumpReading& reading,
                                        const std::vector<PhaseLine>& lines) {
        std::vector<Frequencies>& usual = of_[&reading];
        if (usual.empty()) usual = usual_frequencies(reading.asked);
        std::vector<Frequencies> list = usual;
        for (Frequencies& one : fitted_frequencies(reading.asked, lines))
            list.push_back(std::move(one));
        return list;
    }

  private:
    std::map<const DumpReading*, std::vector<Frequencies>> of_;
};

std::vector<Frequencies> unusual(const DumpReading& reading, const std::vector<PhaseLine>&) {
    std::vector<Frequencies> list = unusual_frequencies(reading.asked);
    list.insert(list.begin(), frequencies_of(reading.asked));
    return list;
}

}  // namespace

Diagnosis diagnose(const Spec& asked, const Dump& dump, const Judgement& judgement) {
    const std::vector<DumpReading> all = readings(asked, dump, judgement);
    if (all.empty()) return {{}, {"no Spec of this shape explains it"}};
    if (auto still = explain_stillness(all.front(), dump)) return only(std::move(*still));
    UsualList own;
    const FrequencyList usual = std::ref(own);
    std::vector<Replay> replays = search(all, usual, most_mistakes);
    const bool by_no_rule = !replays.empty() && !replays.front().frequencies.spec;
    if (replays.empty() || replays.front().cost > 1) {
        std::vector<Replay> others = search(all, unusual, replays.empty() ? 2 : 1);
        if (!others.empty()) replays = std::move(others);
    }
    if (replays.empty())
        if (auto mixed = explain_lanes(asked, dump, asked_misfit(all.front())))
            return only(std::move(*mixed));
    if (replays.empty() || by_no_rule) {
        if (auto switched = explain_switched(all.front())) return only(std::move(*switched));
        if (auto damaged = explain_damage(all.front())) return only(std::move(*damaged));
    }
    if (replays.empty()) return {{}, observations(all.front())};
    return {explain_replays(replays, all, usual, asked), {}};
}

}  // namespace rope
