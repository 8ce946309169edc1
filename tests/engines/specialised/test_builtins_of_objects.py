"""Builtins that ask a user's object: `len` and `abs` call its method."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of


@dataclass(frozen=True)
class Pair:
    x: Any
    y: Any

    def __abs__(self) -> Any:
        return math.hypot(self.x, self.y)

    def __len__(self) -> int:
        return 2


def scaled(w: Any) -> Any:
    p = Pair(w[0], w[1])
    return w[2] * abs(p) ** 3 / len(p) + abs(w[2])


def test_the_absolute_value_of_an_object() -> None:
    with specialised_after(1):
        for w in map(np.array, ([3.0, 4.0, 2.0], [1.0, 2.0, -1.0], [0.5, -0.5, 3.0])):
            r = np.hypot(w[0], w[1])
            by_hand = [1.5 * w[2] * r * w[0], 1.5 * w[2] * r * w[1], r**3 / 2 + np.sign(w[2])]
            np.testing.assert_allclose(cr.grad(scaled)(w), by_hand)
    assert text_of(scaled)
