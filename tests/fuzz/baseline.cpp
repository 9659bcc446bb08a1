#include "io/render/baseline.hpp"

#include "rope/checks/report.hpp"
#include "tests/fuzz/fuzz.hpp"

void rope::fuzz::try_input(Bytes input) {
    const io::Baseline baseline = io::parse_baseline(text_of(input), "b.json");
    const std::string text = io::baseline_json(baseline);
    const io::Baseline again = io::parse_baseline(text, "again.json");
    require(io::baseline_json(again) == text, "what was written is read as another baseline");
    for (std::size_t k = 0; k < baseline.runs.size(); ++k)
        for (const Drift& drift : drift_of(baseline.runs[k].metrics, again.runs[k].metrics))
            require(drift.change == Change::same, "drifted from itself: " + drift.recorded.name);
}
