#include "tests/fuzz/arrays.hpp"
#include "tests/fuzz/models.hpp"

void rope::fuzz::try_input(Bytes input) {
    is_accepted([&] { read_arrays(input, "x.gguf"); });
    explain_model(io::resolve_model(file_of(text_of(input), "x.gguf"), {}));
}
