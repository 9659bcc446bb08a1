"""Tests each row of a table, and prints the differences."""
import json
from concurrent.futures import ThreadPoolExecutor


def rows_of(table):
    with open(table, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check(rows, fault_of, name_of, least, passed):
    """The exit code: 1 if a row has a fault or there are fewer than `least` rows."""
    with ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(fault_of, rows))
    for row, fault in zip(rows, faults):
        if fault:
            print(f"{name_of(row)}: {fault}")
    wrong = sum(fault is not None for fault in faults)
    print(f"{len(rows) - wrong} of {len(rows)} {passed}")
    return 1 if wrong or len(rows) < least else 0
