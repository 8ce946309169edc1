"""Every way of holding an array with every way of changing one: derivatives are right, or refused by name.

The suite takes one program in eighty; `CHAINRULES_FUZZ=80` takes all of them.
"""

import itertools
import random

import pytest
from tests.engines.fuzzing import NAMED, SCALE, Compared, Untold
from tests.engines.ways import CHANGED, HELD, MADE, NAMES, PLACES, program

EVERY = list(itertools.product(MADE, HELD, CHANGED, PLACES, (False, True)))
random.Random(5).shuffle(EVERY)
BATCHES = 16
CHOSEN = EVERY[: len(EVERY) * min(SCALE, 80) // 80]


def compared(chosen, order):
    """How many of these programs were compared, and how many are refused by name."""
    told = refused = 0
    for ways in chosen:
        text = program(*ways)
        if text:
            try:
                getattr(Compared(text, NAMES), order)()
                told += 1
            except Untold:
                pass
            except NAMED:
                refused += 1
    return told, refused


@pytest.mark.parametrize("batch", range(BATCHES))
def test_first_derivatives(batch):
    chosen = CHOSEN[batch::BATCHES]
    told, refused = compared(chosen, "first_order")
    assert told > len(chosen) / 2
    assert refused < len(chosen) / 6


@pytest.mark.parametrize("batch", range(BATCHES))
def test_second_derivatives(batch):
    chosen = CHOSEN[batch :: 10 * BATCHES]
    told, _ = compared(chosen, "second_order")
    assert told > len(chosen) / 3
