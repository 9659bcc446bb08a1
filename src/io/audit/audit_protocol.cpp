#include "io/audit/audit_protocol.hpp"

#include <fmt/format.h>

namespace rope::io {
namespace {

constexpr std::string_view protocol =
    R"(This folder asks a program to rotate {rows} vectors; rope-check reads the answer.

  x.npy          float32 [{rows}, {lanes}]   the vectors, one a row
  positions.npy  int64 {shape}   the position of each row{by_axis}
  spec.json      what the rotation is to be: head_dim, layout, rope_parameters, …

Write y.npy (or y.safetensors with a tensor y) beside them, [{rows}, {lanes}] like x: each row
of x rotated to its position, in the number format that you compute in: float32, float16 or
float64, or bfloat16 in a .safetensors. All values of x are exact in each of them.

The folder is the program's last argument, and in the variable ROPE_CHECK_DIR. Its status must be
0; what it prints does not matter, save that the end of stderr is shown when it fails.

In NumPy, with rotate(x, positions) yours:

    import sys, numpy
    folder = sys.argv[-1]
    x, positions = (numpy.load(f"{{folder}}/{{name}}.npy") for name in ("x", "positions"))
    numpy.save(f"{{folder}}/y.npy", rotate(x, positions))

In PyTorch, with rotate(q, position_ids) yours, q being [batch, heads, length, head_dim]:

    import sys, numpy, torch
    folder = sys.argv[-1]
    x, positions = (torch.from_numpy(numpy.load(f"{{folder}}/{{name}}.npy"))
                    for name in ("x", "positions"))
    y = rotate(x[None, None], positions[None])[0, 0]
    numpy.save(f"{{folder}}/y.npy", y.numpy())

    # bfloat16, which NumPy lacks: safetensors.torch.save_file({{"y": y}}, f"{{folder}}/y.safetensors")

Then:  rope-check audit check THIS_FOLDER
)";

}  // namespace

std::string audit_protocol(const Audit& audit) {
    const std::size_t axes = audit.positions.size();
    using fmt::arg;
    return fmt::format(protocol, arg("rows", audit.rows()), arg("lanes", audit.spec.head_dim),
                       arg("shape", axes == 1 ? fmt::format("[{}]", audit.rows())
                                              : fmt::format("[{}, {}]", axes, audit.rows())),
                       arg("by_axis", axes == 1 ? "" : ", one line for each axis"));
}

}  // namespace rope::io
