// The memory of GMP, on which MPFR computes.
#pragma once

namespace rope {

// From now on it throws std::bad_alloc where there is none, and asks std::get_new_handler first; by
// itself it ends the process. For programs: it is one setting of a whole process.
void make_gmp_throw();

}  // namespace rope
