"""Checks that docs/audits.md matches the record of tools/audits.sh, and that the record is complete; audits nothing.

usage: record_test.py
"""
import re
import unittest

import page


class Record(unittest.TestCase):
    def setUp(self):
        self.record = page.read()

    def test_page_shows_the_record(self):
        self.assertEqual(page.PAGE.read_text(), page.page(self.record))

    def test_every_row_of_a_table_is_as_wide_as_its_head(self):
        tables = re.findall(r"(?:^\|.*\n)+", page.PAGE.read_text(), re.M)
        self.assertEqual(len(tables), 2)
        for table in tables:
            self.assertEqual(len({row.count("|") for row in table.splitlines()}), 1)

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(self.record), 30)
        self.assertGreaterEqual(len({one["implementation"] for one in self.record}), 4)
        self.assertEqual(len({page.name(one) for one in self.record}), len(self.record))
        self.assertGreaterEqual(sum(one["positions"] is not None for one in self.record), 30)

    def test_wrong_results_have_a_reason(self):
        for one in self.record:
            wrong = any("wrong" in cell for cell in one["formats"].values())
            self.assertEqual(wrong, bool(one["reason"]), page.name(one))
            self.assertTrue(one["answers"] and one["formats"], page.name(one))

    def test_errors_grow_with_the_positions(self):
        for one in filter(None, (one["positions"] for one in self.record)):
            errors = [one[key] for key in page.UP_TO]
            self.assertEqual(errors, sorted(errors))
            first = one["first_beyond_1e_3"]
            self.assertEqual(first is None, errors[-1] <= 1e-3)
            for error, limit in zip(errors, page.UP_TO.values()):
                self.assertEqual(error > 1e-3, first is not None and first < limit, one)

    def test_a_changed_result_is_named(self):
        self.assertEqual([*page.difference(self.record, self.record)], [])
        mended = [{**one, "formats": {"float32": "double"}} if one["reason"] else one for one in self.record]
        wrong = sum(bool(one["reason"]) for one in self.record)
        self.assertEqual(len([*page.difference(self.record, mended)]), wrong)
        self.assertGreaterEqual(wrong, 5)
        lost = [*page.difference(self.record, self.record[1:])]
        self.assertEqual(len(lost), 1)
        self.assertIn(self.record[0]["configuration"], lost[0])

    def test_adapters_are_short(self):
        adapters = [file for file in page.HERE.iterdir() if re.search(r"(?m)^(// )?usage: .* DIR\b", file.read_text())]
        self.assertGreaterEqual(len(adapters), 6)
        for file in adapters:
            self.assertLessEqual(len(file.read_text().splitlines()), 60, file.name)


if __name__ == "__main__":
    unittest.main()
