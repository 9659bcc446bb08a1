// Prints the instruction set in use, and then numbers that every kernel has a part in, to the
// last bit. Exit 77 where ROPE_CHECK_ISA names none that this processor runs.
#include <bit>
#include <cstdio>
#include <iostream>
#include <string>

#include "rope/base_bound/base_bound.hpp"
#include "rope/checks/decay.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/seeded.hpp"
#include "rope/session/judge.hpp"
#include "rope/specs.hpp"
#include "rope/subject/emulate.hpp"
#include "rope/table/exact_rows.hpp"
#include "rope/table/stored_table.hpp"

namespace rope {
namespace {

std::uint64_t hash(const std::vector<double>& values) {
    std::uint64_t h = 0;
    for (const double value : values) {
        h = (h ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
        h ^= h >> 32;
    }
    return h;
}

void print_table(const Spec& spec, std::vector<std::uint64_t> positions, Format format) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const RotaryTable table = build_table(plan, std::move(positions), format);
    std::printf("table %s %016llx %016llx\n", std::string(to_string(format)).c_str(),
                static_cast<unsigned long long>(hash(table.cos)),
                static_cast<unsigned long long>(hash(table.sin)));
}

// Far enough that every part of a position has a say.
void print_float64_table(const Spec& spec) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    constexpr std::size_t rows = 1000;
    std::vector<double> cos(rows * plan.pairs.size()), sin(cos);
    build_table(plan, max_context - 12345 - rows,
                {Format::float64, std::as_writable_bytes(std::span(cos)),
                 std::as_writable_bytes(std::span(sin))});
    std::printf("float64 %016llx %016llx\n", static_cast<unsigned long long>(hash(cos)),
                static_cast<unsigned long long>(hash(sin)));
}

void print_number(const FieldValue& value) {
    if (const auto* real = std::get_if<double>(&value)) std::printf(" %a", *real);
    if (const auto* whole = std::get_if<std::uint64_t>(&value))
        std::printf(" %llu", static_cast<unsigned long long>(*whole));
}

void print_report(const Report& report) {
    for (const Finding& finding : report.findings) {
        std::printf("%s %s %s %a %a", report.subject.pipeline.c_str(), finding.check.c_str(),
                    std::string(to_string(finding.verdict)).c_str(), finding.observed,
                    finding.allowed);
        if (finding.worst) {
            for (const double m : finding.worst->positions)
                print_number(static_cast<std::uint64_t>(m));
            std::printf(" %a %a", finding.worst->got, finding.worst->want);
        }
        if (finding.violations) print_number(finding.violations->count);
        for (const auto& field : finding.fields) print_number(field.value);
        std::printf("\n");
    }
}

void print_decay(const Spec& spec) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const DecayCurves curves = decay_curves(plan, 1000);
    std::printf("decay %016llx %016llx\n", static_cast<unsigned long long>(hash(curves.mean_cos)),
                static_cast<unsigned long long>(hash(curves.roformer)));
}

void print_base_bound(PairCounts pairs) {
    const BaseBound bound = bound_base({pairs, 500});
    for (const auto& [from, to] : bound.islands) std::printf("island %a %a\n", from.base, to.base);
    std::printf("least %a\n", scan_base(pairs, 1e4, 5000).least);
}

void print_everything() {
    std::printf("%s\n", kernels().isa);
    // 65 pairs and 1000 rows leave a remainder in every loop
    const Spec specs[] = {spec_of(130, 1e4), spec_of(64, 5e5, llama3(8)),
                          spec_of(128, 1e4, he_xu())};
    std::vector<std::uint64_t> run(1000);
    for (std::size_t m = 0; m < run.size(); ++m) run[m] = m;
    print_base_bound({65, 0});
    print_base_bound({30, 5});
    for (const Spec& spec : specs) {
        print_decay(spec);
        print_float64_table(spec);
        for (const Format format : {Format::float32, Format::bfloat16, Format::float16}) {
            print_table(spec, run, format);
            print_table(spec, Seeded(1).positions(1000, std::uint64_t{1} << 32), format);
        }
        for (const Pipeline& pipeline : pipelines())
            print_report(judge(spec, *emulate(spec, pipeline, 1000), {}));
    }
}

}  // namespace
}  // namespace rope

int main() {
    try {
        rope::print_everything();
    } catch (const rope::InputError& error) {
        std::cerr << error.what() << '\n';
        return 77;
    }
}
