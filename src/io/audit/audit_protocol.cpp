#include "io/audit/audit_protocol.hpp"

#include <fmt/format.h>

#include "io/tensor/writers/written_array.hpp"

namespace rope::io {
namespace {

constexpr std::string_view protocol =
    R"(This folder is a request to rotate {rows} vectors; rope-check reads the answer.

  x.npy          float32 [{rows}, {lanes}]   one vector per row
  positions.npy  {element} {shape}   the position of each row{by_axis}
  spec.json      the expected rotation: head_dim, layout, rope_parameters, …

Write the answer to y.npy (or y.safetensors with a tensor y) in the same folder. Its shape is
[{rows}, {lanes}], like x: each row of x rotated to its position. Use the number format in which
you compute: float32, float16 or float64, or bfloat16 in a .safetensors. Every value of x is exact
in all of them.

The program gets the folder as its last argument and in the environment variable ROPE_CHECK_DIR.
It must exit with status 0. Its output is ignored, but if it fails, the end of stderr is shown.

In NumPy, where rotate(x, positions) is your function:

    import sys, numpy
    folder = sys.argv[-1]
    x, positions = (numpy.load(f"{{folder}}/{{name}}.npy") for name in ("x", "positions"))
    numpy.save(f"{{folder}}/y.npy", rotate(x, positions))

In PyTorch, where rotate(q, position_ids) is your function and q is [batch, heads, length,
head_dim]:

    import sys, numpy, torch
    folder = sys.argv[-1]
    x, positions = (torch.from_numpy(numpy.load(f"{{folder}}/{{name}}.npy"))
                    for name in ("x", "positions"))
    y = rotate(x[None, None], positions[None])[0, 0]
    numpy.save(f"{{folder}}/y.npy", y.numpy())

    # NumPy has no bfloat16; use safetensors.torch.save_file({{"y": y}}, f"{{folder}}/y.safetensors")

Then:  rope-check audit check THIS_FOLDER
)";

}  // namespace

std::string audit_protocol(const Audit& audit) {
    const std::size_t axes = audit.positions.size();
    const Element element = encoded_positions({audit.places()}, audit.positions[0]).element;
    using fmt::arg;
    return fmt::format(protocol, arg("rows", audit.rows()), arg("lanes", audit.spec.head_dim),
                       arg("shape", axes == 1 ? fmt::format("[{}]", audit.rows())
                                              : fmt::format("[{}, {}]", axes, audit.rows())),
                       arg("element", to_string(element)),
                       arg("by_axis", axes == 1 ? "" : ", one row per axis"));
}

}  // namespace rope::io
