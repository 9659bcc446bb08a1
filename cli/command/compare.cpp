#include <fmt/format.h>

#include "cli/command/drawn_cases.hpp"
#include "cli/command/dump_cases.hpp"
#include "cli/command/dump_options.hpp"
#include "cli/command/judging.hpp"
#include "cli/command/other_truths.hpp"
#include "cli/plot/explorer_page.hpp"
#include "cli/plot/plotting.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"

namespace rope::cli {
namespace {

std::vector<Option> compare_options() {
    std::vector<Option> own = dump_options();
    own.push_back({.name = "--context",
                   .value = "N",
                   .help = "check --inv-freq at positions below N (default: "
                           "max_position_embeddings)"});
    own.push_back(
        {.name = "--table", .help = "check q and k against cos and sin of the same dump"});
    return with_judging_options(std::move(own), report_and_figure_files);
}

std::string compare_words() {
    std::string text = "\nCache layouts:\n ";
    for (const io::CacheLayout layout : io::cache_layouts()) {
        text += " " + std::string(to_string(layout));
    }
    return text + "\n";
}

// A figure shows rows against those of a config.
void refuse_figures(const Arguments& arguments) {
    const std::vector<Target> targets = report_targets(arguments);
    if (figures_among(targets).empty() && pages_among(targets).empty()) return;
    throw InputError("--output",
                     ": figures and pages compare with a config; leave out --table and "
                     "--rotary-dim 0, or write x.txt, x.json, x.xml or x.md");
}

int run_compare(const Arguments& arguments) {
    const AskedDump asked = asked_dump(arguments);
    io::DumpTensors tensors(dump_files(arguments));
    const bool is_special = is_stillness_asked(arguments) || arguments.has("--table");
    if (is_special && arguments.has("--xpos"))
        throw InputError("--xpos", "does nothing with --table or --rotary-dim 0; leave one out");
    if (is_special) refuse_figures(arguments);
    if (is_stillness_asked(arguments)) return judge_stillness(tensors, asked.hints, arguments);
    if (arguments.has("--table")) return judge_by_own_table(tensors, asked.hints, arguments);
    const DumpCases dumps = dump_cases(tensors, asked, arguments);
    const int code = judge_and_report(dumps.cases, arguments, dump_words(arguments));
    draw_comparison(dumps.cases, arguments);
    write_report_page(dumps.cases, arguments, dump_words(arguments));
    return code;
}

}  // namespace

constinit const Command compare_command{
    .name = "compare",
    .summary = "find what is wrong in tables, frequencies or rotated vectors",
    .doing = "reading",
    .examples =
        "  rope-check compare dump.npz llama-3-8b\n"
        "  rope-check compare dump.npz --dim 64 --base 500000\n"
        "  rope-check compare --cos cos.npy --sin sin.npy path/to/model\n"
        "  rope-check compare --q q.npy --q-rot q_rot.npy --dim 128 --layout interleaved\n"
        "  rope-check compare cache.npy --cache-layout cos-sin --pipeline vllm-bf16-cache\n"
        "  rope-check compare onnx_test.npz --table --layout interleaved\n"
        "  rope-check compare dump.npz --dim 64 -o errors.svg -o report.html\n",
    .options = compare_options,
    .repeats_spec = false,
    .words = compare_words,
    .run = run_compare,
    .targets = report_targets,
};

}  // namespace rope::cli
