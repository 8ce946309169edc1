"""Every way of holding an array or a list with every way of changing it: it is right, or refused by name.

The suite takes one program in 2,560; `CHAINRULES_FUZZ=2560` takes all of them.
"""

import itertools
import random
from types import ModuleType
from typing import Any

import pytest
from tests.engines import ways, ways_natively, ways_of_callables, ways_of_lists, ways_of_rules
from tests.engines.fuzzing import NAMED, SCALE, Compared, Untold

ONE_IN = 2560
KINDS = (ways, ways_of_lists, ways_natively, ways_of_callables, ways_of_rules)


def chosen_of(kind: ModuleType) -> list[tuple[Any, ...]]:
    every = list(itertools.product(kind.MADE, kind.HELD, kind.CHANGED, kind.PLACES, (False, True)))
    random.Random(5).shuffle(every)
    return every[: len(every) * min(SCALE, ONE_IN) // ONE_IN]


CHOSEN = {kind: chosen_of(kind) for kind in KINDS}


def compared(kind: ModuleType, chosen: list[tuple[Any, ...]], order: str) -> tuple[int, int]:
    """How many of these programs were compared, and how many refused otherwise than as documented."""
    told = refused = 0
    for combined in chosen:
        text = kind.program(*combined)
        if text:
            try:
                getattr(Compared(text, kind.NAMES), order)()
                told += 1
            except Untold:
                pass
            except NAMED:
                refused += 1
    return told, refused


@pytest.mark.parametrize("kind", CHOSEN, ids=["arrays", "lists", "natively", "callables", "rules"])
def test_first_derivatives(kind: ModuleType) -> None:
    chosen = CHOSEN[kind]
    told, refused = compared(kind, chosen, "first_order")
    assert told > len(chosen) * kind.LEAST_TOLD
    assert refused < len(chosen) * kind.MOST_REFUSED


@pytest.mark.parametrize("kind", CHOSEN, ids=["arrays", "lists", "natively", "callables", "rules"])
def test_second_derivatives(kind: ModuleType) -> None:
    chosen = CHOSEN[kind][:: kind.SECOND]
    assert compared(kind, chosen, "second_order") != (0, 0)
