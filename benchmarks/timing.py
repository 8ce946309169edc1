"""Times that can be compared: all contestants take turns in one process, and the median turn counts.

Each turn repeats a call often enough to last a moment, so that the clock's own cost disappears. The
order is turned round with every round: no contestant always runs behind the same one. The garbage
collector runs as it does in any program, since objects that an engine leaves to it are part of its cost;
it does not look at what was there before, such as the other engines.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

Clock = Callable[[], float]
TURN = 2e-3
"""Seconds that one turn should last."""
WARM = 5
"""Calls before the first that is timed: engines compile at the first, or after a few."""


def medians(
    contestants: Mapping[str, Callable[[], Any]], rounds: int, clock: Clock = time.perf_counter
) -> dict[str, float]:
    """The median seconds of one call of each contestant, over rounds that interleave them."""
    repeats = {name: _repeats(call, clock) for name, call in contestants.items()}
    turns: dict[str, list[float]] = {name: [] for name in contestants}
    names = list(contestants)
    gc.collect()
    gc.freeze()
    try:
        for _ in range(rounds):
            for name in names:
                turns[name].append(_turn(contestants[name], repeats[name], clock))
            names.append(names.pop(0))
    finally:
        gc.unfreeze()
    return {name: statistics.median(seconds) for name, seconds in turns.items()}


def _repeats(call: Callable[[], Any], clock: Clock) -> int:
    for _ in range(WARM):
        call()
    return max(1, int(TURN / max(_turn(call, 1, clock), 1e-9)))


def _turn(call: Callable[[], Any], repeats: int, clock: Clock) -> float:
    start = clock()
    for _ in range(repeats):
        call()
    return (clock() - start) / repeats
