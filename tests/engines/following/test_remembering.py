"""Objects and partials that keep something while a solver calls them are refused by name."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr

X = np.array([1.3, 0.7])


class Noting:
    """Notes where it was called."""

    def __init__(self, k: Any) -> None:
        self.k, self.log = k, list[Any]()

    def __call__(self, t: Any) -> Any:
        self.log.append(t)
        return self.k * t

    def less(self, t: Any) -> Any:
        return self(t) - 1.0


class Memo:
    """Gives what it gave before."""

    def __init__(self, k: Any) -> None:
        self.k, self.known = k, dict[Any, Any]()

    def __call__(self, t: Any) -> Any:
        if t not in self.known:
            self.known[t] = self.k * t
        return self.known[t]

    def less(self, t: Any) -> Any:
        return self(t) - 1.0


class Last:
    """Reads again what it computed last."""

    def __init__(self, k: Any) -> None:
        self.k, self.last = k, 0.0

    def __call__(self, t: Any) -> Any:
        self.keep(t)
        return self.last

    def keep(self, t: Any) -> None:
        self.last = self.k * t

    def less(self, t: Any) -> Any:
        return self(t) - 1.0


class Late:
    """Has another factor once it was called late."""

    def __init__(self, k: Any, s: Any) -> None:
        self.k, self.held = k, {"s": s}

    def at(self, t: Any) -> Any:
        if t > 0.9:
            self.held["s"] = 2.0
        return self.k * t * self.held["s"]


def late(p: Any, t: Any) -> Any:
    if t > 0.9:
        p["s"] = 2.0
    return p["k"] * t * p["s"]


def by_late_method(x: Any) -> Any:
    held = Late(x[0], x[1])
    return integrate.quad(lambda t: held.at(t), 0.0, 1.0)[0]


def by_late_partial(x: Any) -> Any:
    f = partial(late, {"k": x[0], "s": x[1]})
    return integrate.quad(lambda t: f(t), 0.0, 1.0)[0]


def by_an_equation(f: Any) -> Any:
    return integrate.solve_ivp(lambda t, y: [f(y[0])], (0.0, 1.0), [1.0]).y[0, -1]


def programs_of(P: Any) -> list[Any]:
    return [
        lambda x: integrate.quad(P(x[0]), 0.0, 1.0)[0],
        lambda x: integrate.quad(P(x[0]).less, 0.0, 1.0)[0],
        lambda x: optimize.brentq(P(x[0]).less, 0.0, 5.0),
        lambda x: by_an_equation(P(x[0])),
    ]


PROGRAMS = [*programs_of(Noting), *programs_of(Memo), *programs_of(Last)[:2], by_late_method, by_late_partial]


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_is_kept_is_refused(f: Any) -> None:
    for _ in range(4):
        with pytest.raises(cr.ChainRulesError):
            cr.grad(f)(X)
    with pytest.raises(cr.ChainRulesError):
        cr.jvp(f, (X,), (np.ones(2),))


def test_the_error_says_what_is_kept_where() -> None:
    def f(x: Any) -> Any:
        return integrate.quad(Noting(x[0]), 0.0, 1.0)[0]

    with pytest.raises(cr.AliasedMutationError, match=r"class Noting .* its `log`") as caught:
        cr.grad(f)(X)
    assert "next: let a function capture" in str(caught.value)


def test_a_field_that_nobody_reads_is_no_memory() -> None:
    class Aside:
        def __init__(self, k: Any) -> None:
            self.k, self.last = k, 0.0

        def __call__(self, t: Any) -> Any:
            self.last = t
            return self.k * t

    for _ in range(4):
        assert np.allclose(cr.grad(lambda x: integrate.quad(Aside(x[0]), 0.0, 1.0)[0])(X), [0.5, 0.0])
