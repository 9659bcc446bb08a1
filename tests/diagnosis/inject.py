#!/usr/bin/env python3
"""Writes dumps with known mistakes, made by NumPy alone, and what they are.

inject.py FOLDER: FOLDER/NAME.npz and FOLDER/cases.json, a list of
  {"name", "file", "spec": flags for rope-check, "expect": ids of mistakes, none where nothing is wrong}
Angles are float32 products of float32 inv_freq, as frameworks make them, then NumPy's float64
cos and sin, rounded to the table's format.
"""
import os
import sys

import axes
import combined
import single
from dumps import Writer


def main(folder):
    os.makedirs(folder, exist_ok=True)
    w = Writer(folder)
    for d in (64, 96, 128):
        for group in (single.sound, single.layouts, single.bases, single.scalings, single.lists,
                      single.widths, single.positions, single.precisions, single.mixed,
                      axes.several, combined.together):
            group(w, d)
    w.close()


if __name__ == "__main__":
    main(sys.argv[1])
