"""Functions with rules inside JAX, through the host, beside `custom_vjp` and `pure_callback` written by hand.

Each is value and gradient of a sum of squares, compiled and not. By hand there is one callback for the
value, and one for the cotangents, which is given the value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.by_hand import ByHand, cases
from benchmarks.dispatch import Pair
from benchmarks.engines import installed

import chainrules as cr


def pairs() -> list[Pair]:
    """One row for each function, compiled and not; none where JAX is not installed."""
    return [pair for case in cases() for pair in _pairs(case)] if installed(["jax"]) else []


def _pairs(case: ByHand) -> list[Pair]:
    import jax
    import jax.numpy as jnp

    arrays = [jnp.asarray(a) for a in case.x]
    rows = []
    hand = in_jax(case)
    for way in ("compiled", "not compiled"):
        timed = []
        for g in (cr.to_jax(case.f, how="callback"), hand):
            gradient = jax.value_and_grad(lambda *a, g=g: jnp.sum(g(*a) ** 2), tuple(range(len(arrays))))
            timed.append(jax.jit(gradient) if way == "compiled" else gradient)
        ours, bare = (_finished(g, arrays) for g in timed)
        for found, wanted in zip(ours()[1], bare()[1], strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-9)
        rows.append(Pair(f"to_jax: {case.name}, {way}", "custom_vjp by hand", ours, bare))
    return rows


def _finished(gradient: Any, arrays: list[Any]) -> Callable[[], Any]:
    """The gradient's call, which waits for the result."""
    import jax

    def run() -> Any:
        return jax.block_until_ready(gradient(*arrays))

    return run


def in_jax(case: ByHand) -> Any:
    """A function of JAX with a hand-written rule on the host."""
    import jax

    like = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), (case.f(*case.x), case.x))

    def on_host(*x: Any) -> Any:
        return case.f(*map(np.asarray, x))

    def back_on_host(*given: Any) -> Any:
        return case.back(*map(np.asarray, given))

    def value(*x: Any) -> Any:
        return jax.pure_callback(on_host, like[0], *x)

    def forward(*x: Any) -> Any:
        y = value(*x)
        return y, (y, *x)

    def backward(kept: Any, y_bar: Any) -> Any:
        return jax.pure_callback(back_on_host, like[1], y_bar, *kept)

    f = jax.custom_vjp(value)
    f.defvjp(forward, backward)
    return f
