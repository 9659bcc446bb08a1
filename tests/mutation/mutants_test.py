#!/usr/bin/env python3
"""Each kind of mutant is made from code, and none from comments and strings."""
import unittest

from mutants import mutants_of

SOURCE = """#include <a/1.hpp>
// a < b + 2
static_assert(f(3) == 4);
std::vector<int> f(const A& a) {
    if (x < 10 && y == "a < b") g(x, y);
    x += 0.5;
    return 'a' - x + "b" + max(x, y);
}
"""


class Mutants(unittest.TestCase):
    def test_are_every_small_change_of_code_only(self):
        made = {one.applied(SOURCE) for one in mutants_of(SOURCE)}
        wanted = {
            SOURCE.replace("x < 10", "x <= 10"), SOURCE.replace("x < 10", "x < 11"),
            SOURCE.replace("&&", "||"), SOURCE.replace("y ==", "y !="),
            SOURCE.replace("g(x, y)", "g(y, x)"), SOURCE.replace("x += 0.5", "x += 1.0"),
            SOURCE.replace("    x += 0.5;", ";"), SOURCE.replace("' - x", "' + x")}
        self.assertEqual(made, wanted)

    def test_are_shown_with_their_line(self):
        shown = [one.shown("a.cpp", SOURCE) for one in mutants_of(SOURCE)]
        self.assertIn('a.cpp:7: `return \'a\' - x + "b" + max(x, y);` -> `return \'a\' + x + "b" + max(x, y);`', shown)


unittest.main()
