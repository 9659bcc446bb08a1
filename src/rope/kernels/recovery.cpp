// What two vectors say of the rotation between them.
#include "rope/kernels/recovery.hpp"

#include "rope/kernels/unit.hpp"

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

bool recover(size_t n, PairLanes x, PairLanes y, double least_square, CosSinOut turn) {
    const double* __restrict x1 = x.first, * __restrict x2 = x.second;
    const double* __restrict y1 = y.first, * __restrict y2 = y.second;
    double* __restrict c = turn.c, * __restrict s = turn.s;
    uint64_t small = 0;
    ROPE_CHECK_INDEPENDENT
    for (size_t i = 0; i < n; ++i) {
        const double norm = x1[i] * x1[i] + x2[i] * x2[i];
        c[i] = (y1[i] * x1[i] + y2[i] * x2[i]) / norm;
        s[i] = (y2[i] * x1[i] - y1[i] * x2[i]) / norm;
        small |= norm < least_square ? 1U : 0U;
    }
    return small != 0;
}

void turn_errors(size_t n, const TurnedLanes& lanes, CosSin turn, double scale,
                 double* __restrict norm, double* __restrict error) {
    const double* __restrict xa = lanes.own_a, * __restrict pa = lanes.partner_a;
    const double* __restrict xb = lanes.own_b, * __restrict pb = lanes.partner_b;
    const double* __restrict ya = lanes.out_a, * __restrict yb = lanes.out_b;
    const double* __restrict c = turn.c, * __restrict s = turn.s;
    ROPE_CHECK_INDEPENDENT
    for (size_t i = 0; i < n; ++i) {
        const double squares = xa[i] * xa[i] + pa[i] * pa[i] + xb[i] * xb[i] + pb[i] * pb[i];
        const double length = __builtin_sqrt(squares / 2);
        const double ea = ya[i] - scale * (xa[i] * c[i] + pa[i] * s[i]);
        const double eb = yb[i] - scale * (xb[i] * c[i] + pb[i] * s[i]);
        norm[i] = length;
        error[i] = __builtin_sqrt(ea * ea + eb * eb) / (length * scale);
    }
}

}  // namespace

extern const RecoveryKernels recovery;
const RecoveryKernels recovery{recover, turn_errors};

}  // namespace rope::ROPE_CHECK_ISA_NAME
