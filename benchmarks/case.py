"""A case: one program in plain NumPy, the gradient that a person would write for it, and where it is taken.

`checked` compares an engine's value and gradient with the hand-written ones; nothing is timed before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class WrongGradient(AssertionError):
    """An engine and the hand-written gradient disagree, so that a time would mean nothing."""


@dataclass(frozen=True)
class Case:
    """One row of the table.

    `program(*parameters, *data)` uses no name of its module but `np` and constants, so that it can be
    run on another engine's namespace; `by_hand` takes the same and returns the value and a tuple.
    """

    name: str
    program: Callable[..., Any]
    by_hand: Callable[..., tuple[Any, tuple[Any, ...]]]
    parameters: tuple[Any, ...]
    data: tuple[Any, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)  # engine: why

    @property
    def argnums(self) -> tuple[int, ...]:
        """Every parameter is differentiated."""
        return tuple(range(len(self.parameters)))

    def hand_written(self) -> tuple[Any, tuple[Any, ...]]:
        """What the engines are compared with."""
        return self.by_hand(*self.parameters, *self.data)


def checked(case: Case, engine: str, result: tuple[Any, tuple[Any, ...]]) -> None:
    """Refuse a value or a gradient that is not the hand-written one."""
    value, gradients = case.hand_written()
    names = ["value", *(f"gradient {i}" for i in case.argnums)]
    for name, wanted, got in zip(names, (value, *gradients), (result[0], *result[1]), strict=True):
        scale = float(np.max(np.abs(wanted), initial=0.0))
        if np.shape(wanted) != np.shape(got) or not np.allclose(got, wanted, rtol=1e-9, atol=1e-12 * scale):
            raise WrongGradient(
                f"{engine} on {case.name}: its {name} is {got!r}, written by hand it is {wanted!r}"
            )
