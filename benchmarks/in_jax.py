"""Functions with rules inside JAX, through the host, beside `custom_vjp` and `pure_callback` written by hand.

Each is value and gradient of a sum of squares, compiled and not. By hand, the value and what the pullback
needs of it are computed in one callback, and the cotangent in another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.dispatch import Pair
from benchmarks.engines import installed

import chainrules as cr


def pairs() -> list[Pair]:
    """One row for each function, compiled and not; none where JAX is not installed."""
    if not installed(["jax"]):
        return []
    numbers = np.random.default_rng(0)
    matrix = numbers.normal(size=(60, 60)) + 8 * np.eye(60)
    cases = (
        ("sin, 1000 numbers", np.sin, _sin, (numbers.normal(size=1000),)),
        ("solve, 60 × 60", np.linalg.solve, _solve, (matrix, numbers.normal(size=(60, 4)))),
        ("inverse, 60 × 60", np.linalg.inv, _inv, (matrix,)),
    )
    return [pair for name, f, by_hand, x in cases for pair in _pairs(name, f, by_hand, x)]


def _sin(x: Any) -> tuple[Any, tuple[Any, ...], Callable[..., tuple[Any, ...]]]:
    return np.sin(x), (x,), lambda y_bar, x: (y_bar * np.cos(x),)


def _solve(a: Any, b: Any) -> tuple[Any, tuple[Any, ...], Callable[..., tuple[Any, ...]]]:
    def back(y_bar: Any, a: Any, y: Any) -> tuple[Any, ...]:
        b_bar = np.linalg.solve(a.T, y_bar)
        return -b_bar @ y.T, b_bar

    y = np.linalg.solve(a, b)
    return y, (a, y), back


def _inv(a: Any) -> tuple[Any, tuple[Any, ...], Callable[..., tuple[Any, ...]]]:
    y = np.linalg.inv(a)
    return y, (y,), lambda y_bar, y: (-y.T @ y_bar @ y.T,)


def _pairs(name: str, f: Any, by_hand: Any, x: tuple[Any, ...]) -> list[Pair]:
    import jax
    import jax.numpy as jnp

    arrays = [jnp.asarray(a) for a in x]
    rows = []
    hand = in_jax(by_hand, x)
    for way in ("compiled", "not compiled"):
        timed = []
        for g in (cr.to_jax(f, how="callback"), hand):
            gradient = jax.value_and_grad(lambda *a, g=g: jnp.sum(g(*a) ** 2), tuple(range(len(x))))
            timed.append(jax.jit(gradient) if way == "compiled" else gradient)
        ours, bare = (_finished(g, arrays) for g in timed)
        for found, wanted in zip(ours()[1], bare()[1], strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-9)
        rows.append(Pair(f"to_jax: {name}, {way}", "custom_vjp by hand", ours, bare))
    return rows


def _finished(gradient: Any, arrays: list[Any]) -> Callable[[], Any]:
    """The gradient's call, which waits for the result."""
    import jax

    def run() -> Any:
        return jax.block_until_ready(gradient(*arrays))

    return run


def in_jax(by_hand: Any, x: tuple[Any, ...]) -> Any:
    """A function of JAX with a hand-written rule on the host."""
    import jax

    y, kept, back = by_hand(*x)
    like = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), (y, kept, x))

    def value(*args: Any) -> Any:
        return jax.pure_callback(lambda *a: by_hand(*map(np.asarray, a))[0], like[0], *args)

    def forward(*args: Any) -> Any:
        return jax.pure_callback(lambda *a: by_hand(*map(np.asarray, a))[:2], like[:2], *args)

    def backward(kept: Any, y_bar: Any) -> Any:
        return jax.pure_callback(lambda *a: back(*map(np.asarray, a)), like[2], y_bar, *kept)

    f = jax.custom_vjp(value)
    f.defvjp(forward, backward)
    return f
