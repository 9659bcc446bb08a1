#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/report/drift.hpp"
#include "rope/report/metric.hpp"

namespace rope {
namespace {

constexpr double safety = 3;  // a spread of few runs is less than that of many

void widen(Metric& metric, double least, double most, std::size_t runs) {
    metric.spread = most - least;
    if (metric.kind == MetricClass::exact) metric.kind = MetricClass::band;
    if (safety * metric.spread <= metric.atol) return;
    metric.atol = safety * metric.spread;
    metric.basis = "3 times the spread of " + decimal(runs) + " runs";
}

}  // namespace

std::vector<Metric> with_spread(const std::vector<std::vector<Metric>>& runs) {
    std::vector<Metric> metrics = runs.front();
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        Metric& metric = metrics[i];
        if (metric.kind == MetricClass::report) continue;
        bool same = true;
        std::optional<double> least = number_of(metric.value), most = least;
        for (const std::vector<Metric>& run : runs) {
            if (i >= run.size() || run[i].name != metric.name)
                throw InputError("the runs of --repeat do not have the same metrics: " +
                                 metric.name);
            same = same && is_same_value(run[i].value, metric.value);
            const std::optional<double> number = number_of(run[i].value);
            if (!number) least = std::nullopt;
            if (!least) continue;
            least = std::min(*least, *number);
            most = std::max(*most, *number);
        }
        if (same) continue;
        if (least) {
            widen(metric, *least, *most, runs.size());
        } else {
            metric.kind = MetricClass::report;
            metric.basis = "differed between runs";
        }
    }
    return metrics;
}

std::vector<Metric> renewed(const std::vector<Metric>& recorded, std::vector<Metric> now) {
    for (Metric& metric : now) {
        const auto old = std::lower_bound(
            recorded.begin(), recorded.end(), metric.name,
            [](const Metric& m, const std::string& name) { return m.name < name; });
        if (old == recorded.end() || old->name != metric.name) continue;
        FieldValue value = std::move(metric.value);
        const double spread = std::max(metric.spread, old->spread);
        metric = *old;
        metric.value = std::move(value);
        metric.spread = spread;
        const auto number = number_of(metric.value);
        if (!number || metric.kind == MetricClass::report) continue;
        const double tolerance = metric.atol + metric.rtol * std::abs(*number);
        if (tolerance < spread)
            throw InputError(metric.name + ": its tolerance " + decimal(tolerance) +
                             " is tighter than the spread " + decimal(spread) +
                             " between runs; make atol at least that");
    }
    return now;
}

}  // namespace rope
