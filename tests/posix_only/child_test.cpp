// The tests of children once more, without what only Linux has: signalfd and prctl.
#include "io/child_test.cpp"  // NOLINT(bugprone-suspicious-include)
