#include <fmt/format.h>

#include "cli/command/dump_cases.hpp"
#include "cli/command/dump_options.hpp"
#include "cli/command/judging.hpp"
#include "cli/command/other_truths.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "io/render/mistake_list.hpp"

namespace rope::cli {
namespace {

std::vector<Option> compare_options() {
    std::vector<Option> own = dump_options();
    own.push_back({.name = "--context",
                   .value = "N",
                   .help = "judge --inv-freq at positions below N (default: "
                           "max_position_embeddings)"});
    own.push_back({.name = "--table",
                   .help = "judge q and k by the cos and sin in the same dump, right or wrong"});
    own.push_back({.name = "--list-mistakes",
                   .help = "list the mistakes that a diagnosis can name, as text or json"});
    return with_judging_options(std::move(own));
}

std::string compare_words() {
    std::string text = "\nCache layouts:\n ";
    for (const io::CacheLayout layout : io::cache_layouts()) {
        text += " " + std::string(to_string(layout));
    }
    return text + "\n" + pipeline_list() + check_list();
}

std::vector<Target> compare_targets(const Arguments& arguments) {
    constexpr OutputFormat list_formats[] = {{"text", ".txt"}, {"json", ".json"}};
    return arguments.has("--list-mistakes") ? formatted_targets(list_formats, arguments)
                                            : report_targets(arguments);
}

int list_mistakes(const Arguments& arguments) {
    if (arguments.reports != nullptr)
        throw InputError("compare --list-mistakes has no metrics for a baseline");
    for (const Target& target : compare_targets(arguments))
        deliver(
            target.path,
            target.format == "json" ? io::mistakes_json(ROPE_CHECK_VERSION) : io::mistakes_text(),
            arguments);
    return 0;
}

int run_compare(const Arguments& arguments) {
    if (arguments.has("--list-mistakes")) return list_mistakes(arguments);
    const AskedDump asked = asked_dump(arguments);
    io::DumpTensors tensors(dump_files(arguments));
    const bool is_special = is_stillness_asked(arguments) || arguments.has("--table");
    if (is_special && arguments.has("--xpos"))
        throw InputError("--xpos", "does nothing with --table or --rotary-dim 0; leave one out");
    if (is_stillness_asked(arguments)) return judge_stillness(tensors, asked.hints, arguments);
    if (arguments.has("--table")) return judge_by_own_table(tensors, asked.hints, arguments);
    const DumpCases dumps = dump_cases(tensors, asked, arguments);
    return judge_and_report(dumps.cases, arguments, dump_words(arguments));
}

}  // namespace

constinit const Command compare_command{
    .name = "compare",
    .summary = "judge existing tables, frequencies or rotated vectors",
    .doing = "reading",
    .examples =
        "  rope-check compare dump.npz --dim 64 --base 500000\n"
        "  rope-check compare --cos cos.npy --sin sin.npy --config path/to/model\n"
        "  rope-check compare --q q.npy --q-rot q_rot.npy --dim 128 --layout interleaved\n"
        "  rope-check compare cache.npy --cache-layout cos-sin --pipeline vllm-bf16-cache\n"
        "  rope-check compare onnx_test.npz --table --layout interleaved\n"
        "  rope-check compare --list-mistakes --format text\n",
    .options = compare_options,
    .repeats_spec = false,
    .words = compare_words,
    .run = run_compare,
    .targets = compare_targets,
};

}  // namespace rope::cli
