#include "tests/fuzz/arrays.hpp"

void rope::fuzz::try_input(Bytes input) { read_arrays(input, "x.npz"); }
