"""Functions with rules inside HIPS autograd, beside a primitive written by hand: value and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.by_hand import ByHand, cases
from benchmarks.dispatch import Pair
from benchmarks.engines import installed

import chainrules as cr


def pairs() -> list[Pair]:
    """One row for each function; none where autograd is not installed."""
    return [_pair(case) for case in cases()] if installed(["autograd"]) else []


def _pair(case: ByHand) -> Pair:
    ours, bare = (_gradient(f, case.x) for f in (cr.to_autograd(case.f), in_autograd(case)))
    for found, wanted in zip(ours(), bare(), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9)
    return Pair(f"to_autograd: {case.name}", "primitive by hand", ours, bare)


def _gradient(f: Any, x: tuple[Any, ...]) -> Callable[[], Any]:
    from autograd.core import make_vjp

    seed = np.ones_like(f(*x))

    def run() -> Any:
        if len(x) == 1:
            return (make_vjp(f, x[0])[0](seed),)
        return make_vjp(lambda x: f(*[x[i] for i in range(2)]), x)[0](seed)

    return run


def in_autograd(case: ByHand) -> Any:
    """A primitive of autograd with a hand-written rule in NumPy: all cotangents at once."""
    from autograd.extend import defvjp_argnums, primitive

    f = primitive(case.f)

    def maker(argnums: Any, y: Any, x: Any, kwargs: Any) -> Any:
        def pullback(y_bar: Any) -> Any:
            found = case.back(y_bar, y, *x)
            return [found[i] for i in argnums]

        return pullback

    defvjp_argnums(f, maker)
    return f
