"""What tests ask of a specialised program: its gradient, held to the ordinary program and to differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.core import implicit
from chainrules.engines.specialised.running.entry import Settings, specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.rules.scipy.integrate import integral, slopes


def differences(f: Callable[[Any], Any], x: Any, step: float = 1e-6) -> Any:
    """The gradient by central differences."""
    return np.array([(f(x + e) - f(x - e)) / (2 * step) for e in step * np.eye(len(x))])


def is_right(f: Callable[[Any], Any], x: Any, rtol: float = 1e-6) -> bool:
    """Hold the gradient to the ordinary program and to differences; whether f was specialised at once."""
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for k in range(3):
            cr.grad(f)(x + 0.01 * k)
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(x)
        is_specialised = bool(text_of(f))
    np.testing.assert_allclose(found, differences(f, x), rtol=rtol, atol=rtol / 10)
    return is_specialised and not met


def hold_directions(f: Callable[[Any], Any], x: Any) -> None:
    """Hold the derivative along a direction, and that of the gradient, to differences."""
    v, e = np.linspace(-1.0, 1.0, len(x)), 1e-5
    with specialised_after(1):
        for _ in range(3):
            _, dy = cr.jvp(f, (x,), (v,))
            hv = cr.hvp(f, x, v)
    np.testing.assert_allclose(dy, differences(f, x) @ v, rtol=1e-5, atol=1e-7)
    slope = (cr.grad(f)(x + e * v) - cr.grad(f)(x - e * v)) / (2 * e)
    np.testing.assert_allclose(hv, slope, rtol=1e-4, atol=1e-6)


def by_ordinary(f: Callable[..., Any], *args: Any, of: Any = cr.grad) -> Any:
    """The gradient, or what else is asked for, by the ordinary program."""
    Settings.on, before = False, Settings.on
    try:
        return of(f)(*args)
    finally:
        Settings.on = before


def refuse_solvers_the_ordinary_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let gradients through integrals, equations, roots and minima fail unless programs answer."""

    def asked(*given: Any) -> Any:
        raise AssertionError("the ordinary program was asked")

    monkeypatch.setattr(integral, "cotangents_at", asked)
    monkeypatch.setattr(slopes.Followed, "backed", asked)
    monkeypatch.setattr(implicit, "numbers_of", asked)
    monkeypatch.setattr(implicit, "number_reverse", asked)
