"""Directions of functions that are given some arguments by name: these stand still."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of


def misfit(x: Any, y: Any, power: int = 2, *, scale: float = 1.0, shift: Any) -> Any:
    return np.sum(np.sin(x) ** power * y) * scale + shift * x[0]


def test_what_is_given_by_name_stands_still() -> None:
    with specialised_after(1):
        for k in range(4):
            x = np.array([0.3, -0.5, 1.0 + k])
            options: list[dict[str, Any]] = [
                {"shift": 2.0},
                {"shift": 1.5 * k, "scale": 3},
                {"shift": 2.0, "power": 3},
            ]
            for more in options:
                n, scale = more.get("power", 2), more.get("scale", 1.0)
                slopes = n * np.sin(x) ** (n - 1) * np.cos(x) * 2.0 * scale
                by_hand = slopes @ x + np.sum(np.sin(x) ** n) * scale + more["shift"] * x[0]
                value, tangent = cr.jvp(misfit, (x, 2.0), (x, 1.0), **more)
                assert value == misfit(x, 2.0, **more)
                assert tangent == pytest.approx(by_hand)
    assert text_of(misfit)


def test_names_that_a_function_does_not_have_are_refused() -> None:
    for _ in range(4):
        with pytest.raises(TypeError, match="unexpected keyword argument 'width'"):
            cr.jvp(misfit, (np.ones(2), 2.0), (np.ones(2), 1.0), shift=1.0, width=2.0)
