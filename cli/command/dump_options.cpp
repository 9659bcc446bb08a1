#include "cli/command/dump_options.hpp"

#include <optional>

#include "rope/spec/spec.hpp"

namespace rope::cli {
namespace {

constexpr Option tensor(std::string_view name, std::string_view help) {
    return {.name = name, .value = "TENSOR", .help = help, .reads = Reads::tensor};
}

std::optional<io::RawArrays> raw_arrays(const Arguments& arguments) {
    const auto element = arguments.value("--raw"), shape = arguments.value("--shape");
    if (!element && !shape) return std::nullopt;
    if (!element || !shape) throw InputError("--raw and --shape belong together; name both");
    return io::RawArrays{io::parse_raw_element(*element), io::parse_raw_shape(*shape)};
}

}  // namespace

std::vector<Option> dump_options() {
    return {
        {.name = "DUMP",
         .value = "FILE",
         .help = ".npy, .npz or .safetensors; its tensors are found by their usual names",
         .reads = Reads::file},
        tensor("--cos", "the table of cosines: FILE or FILE:NAME,"),
        tensor("--sin", "or the NAME alone of one in DUMP"),
        tensor("--cos-sin", "a table that holds both"),
        tensor("--angles", "a table of position * inv_freq"),
        tensor("--inv-freq", "the frequencies alone"),
        tensor("--q", "vectors before rotation"),
        tensor("--q-rot", "the same vectors after rotation"),
        tensor("--k", "keys before rotation"),
        tensor("--k-rot", "keys after rotation"),
        tensor("--positions",
               "position of each row; default position_ids of DUMP, else 0, 1, 2, …"),
        {.name = "--raw",
         .value = "TYPE",
         .help = "every FILE but that of --positions is numbers alone: f32, f64, f16 or bf16"},
        {.name = "--shape", .value = "LIST", .help = "of those files, as 4096,64"},
        {.name = "--cache-layout",
         .value = "NAME",
         .help = "how a table holds cos and sin; default found from its numbers"},
        {.name = "--axes",
         .value = "LETTERS",
         .help = "what q's axes are, of b, h, s and d, such as bhsd; default found"},
        {.name = "--pipeline",
         .value = "NAME",
         .help = "who made it, and so how exact it must be; default unknown"},
    };
}

io::DumpFiles dump_files(const Arguments& arguments) {
    const auto file = [&](std::string_view name) { return arguments.value(name).value_or(""); };
    return {.dump = file("DUMP"),
            .cos = file("--cos"),
            .sin = file("--sin"),
            .cos_sin = file("--cos-sin"),
            .angles = file("--angles"),
            .inv_freq = file("--inv-freq"),
            .q = file("--q"),
            .q_rot = file("--q-rot"),
            .k = file("--k"),
            .k_rot = file("--k-rot"),
            .positions = file("--positions"),
            .raw = raw_arrays(arguments)};
}

std::vector<std::string> dump_words(const Arguments& arguments) {
    std::vector<std::string> words;
    for (const Option& option : dump_options()) {
        if (const auto value = arguments.value(option.name)) {
            if (option.name != "DUMP") words.emplace_back(option.name);
            words.push_back(*value);
        }
    }
    return words;
}

}  // namespace rope::cli
