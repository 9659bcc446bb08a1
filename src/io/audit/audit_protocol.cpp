#include "io/audit/audit_protocol.hpp"

#include <fmt/format.h>

#include <string_view>

#include "io/shape/position_ids.hpp"
#include "io/tensor/writers/written_array.hpp"

namespace rope::io {
namespace {

constexpr std::string_view how_to_answer =
    R"(Write the answer to {answer} in the same folder.
Its shape is {shape}, like x.{formats}
Every value of x is exact in all of them.

The program gets the folder as its last argument and in the environment variable ROPE_CHECK_DIR.
It must exit with status 0. Its output is ignored, but if it fails, the end of stderr is shown.
`rope-check audit init LANGUAGE` prints a program to start from; LANGUAGE is one of those that
`rope-check audit --help` lists.
)";

constexpr std::string_view in_python = R"(
In NumPy, where rotate({arguments}) is your function:

    import sys, numpy
    folder = sys.argv[-1]
    {arguments} = {loaded}
    numpy.save(f"{{folder}}/y.npy", rotate({arguments}))

In PyTorch, where rotate({torch_arguments}) is your function and q is [batch, heads, length,
head_dim]:

    import sys, numpy, torch
    folder = sys.argv[-1]
    {arguments} = {torch_loaded}
    y = rotate({torch_call}
    numpy.save(f"{{folder}}/y.npy", y.numpy())

    # NumPy has no bfloat16; use y.view(torch.int16).numpy().tofile(f"{{folder}}/y.bf16")
)";

struct FileRow {
    std::string name, type, shape, meaning;
};

std::string row_text(const FileRow& row) {
    return fmt::format("  {:<14} {:<24} {}\n", row.name, row.type + " " + row.shape, row.meaning);
}

std::string files_text(const Request& request) {
    const Audit& audit = request.audit;
    const bool raw = request.form.is_raw, contiguous = request.form.contiguous > 0;
    const std::size_t axes = audit.positions.size();
    std::string text =
        row_text({raw ? "x.f32" : "x.npy", "float32", shape_text(request.shape()),
                  contiguous ? fmt::format("each vector at positions {}, {}, …",
                                           request.form.offset, request.form.offset + 1)
                             : "one vector per row"});
    if (!contiguous)
        text +=
            row_text({raw ? "positions.f64" : "positions.npy",
                      raw ? "float64"
                          : std::string(to_string(
                                encoded_positions({audit.places()}, audit.positions[0]).element)),
                      axes == 1 ? shape_text({audit.rows()}) : shape_text({axes, audit.rows()}),
                      axes == 1 ? "the position of each row"
                                : "the position of each row, one row per axis"});
    if (raw)
        text += row_text({"shape.txt", "text", "", "the shape of x; numbers are little-endian"});
    return text + row_text({"spec.json", "JSON", "",
                            "the expected rotation: head_dim, layout, rope_parameters, …"});
}

constexpr std::string_view in_groups =
    R"(
{which} hold a sequence for each head of each batch entry:
[batch {batch}, heads {heads}, sequence {length}]. Rotate them as such a batch; so a head or a batch
entry that is treated unlike the others is found. In NumPy:

    x[{first}:].reshape({batch}, {heads}, {length}, {lanes})
{positions})";

std::string groups_text(const Request& request) {
    const Audit& audit = request.audit;
    if (audit.sequences() == 0) return "";
    const bool contiguous = request.form.contiguous > 0;
    const std::uint64_t first = contiguous ? request.vectors() : audit.matrix_rows();
    return fmt::format(
        in_groups,
        fmt::arg("which", contiguous ? fmt::format("The last {} sequences", audit.sequences())
                                     : fmt::format("Rows {} to {}", first, audit.rows() - 1)),
        fmt::arg("batch", audit.groups.batch), fmt::arg("heads", audit.groups.heads),
        fmt::arg("length", contiguous ? request.form.contiguous : audit.places()),
        fmt::arg("lanes", audit.spec.head_dim), fmt::arg("first", first),
        fmt::arg("positions", contiguous ? ""
                              : audit.groups.order == SequenceOrder::shared
                                  ? "\nAll of them have the same positions.\n"
                                  : "\nAll heads of a batch entry have the same positions; each "
                                    "batch entry has them in its own\norder.\n"));
}

std::string task_text(const Request& request) {
    if (request.form.is_backward)
        return "\nx is dy, the gradient with respect to rotated vectors. Answer with the gradient "
               "with\nrespect to the vectors before: R(m)ᵀ·dy, dy rotated back by its "
               "position.\n\n";
    return "\nAnswer with each row of x rotated to its position.\n\n";
}

std::string answer_text(const Request& request) {
    const bool raw = request.form.is_raw;
    return fmt::format(
        how_to_answer, fmt::arg("shape", shape_text(request.shape())),
        fmt::arg("answer",
                 raw ? "y.f32, y.f64, y.f16 or y.bf16, by the number format in which\nyou "
                       "compute,"
                     : "y.npy (or y.safetensors with a tensor y)"),
        fmt::arg("formats",
                 raw ? ""
                     : " Use the number format in which you compute: float32,\nfloat16 or "
                       "float64, or bfloat16 in a .safetensors or, without a header, in "
                       "y.bf16."));
}

std::string python_text(const Request& request) {
    using fmt::arg;
    if (request.form.contiguous > 0)
        return fmt::format(
            in_python, arg("arguments", "x"), arg("loaded", R"(numpy.load(f"{folder}/x.npy"))"),
            arg("torch_arguments", "q"),
            arg("torch_loaded", R"(torch.from_numpy(numpy.load(f"{folder}/x.npy")))"),
            arg("torch_call", "x[:, None])[:, 0]"));
    return fmt::format(
        in_python, arg("arguments", "x, positions"),
        arg("loaded",
            "(numpy.load(f\"{folder}/{name}.npy\")\n                    for name in (\"x\", "
            "\"positions\"))"),
        arg("torch_arguments", "q, position_ids"),
        arg("torch_loaded",
            "(torch.from_numpy(numpy.load(f\"{folder}/{name}.npy\"))\n                    for name "
            "in (\"x\", \"positions\"))"),
        arg("torch_call", "x[None, None], positions[None])[0, 0]"));
}

}  // namespace

std::string audit_protocol(const Request& request) {
    return fmt::format(
        "This folder is a request to rotate {} vectors; rope-check reads the answer.\n\n{}{}{}{}{}"
        "\nThen:  rope-check audit check THIS_FOLDER\n",
        request.form.contiguous > 0
            ? (request.vectors() + request.audit.sequences()) * request.form.contiguous
            : request.audit.rows(),
        files_text(request), groups_text(request), task_text(request), answer_text(request),
        request.form.is_raw ? "" : python_text(request));
}

}  // namespace rope::io
