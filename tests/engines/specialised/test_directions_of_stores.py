"""Directions, and products with Hessians, where arguments are written into or are containers."""

from typing import Any

import numpy as np
import pytest
from tests.engines.specialised import test_random_stores_specialised as stores

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

VECTOR = np.array([0.4, -1.3, 2.2, 0.7])


def steps(u):
    for _ in range(3):
        u[1:-1] = u[1:-1] - 0.3 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


def named_again(u):
    for i in range(3):
        u[i] = u[i] * u[i + 1]
        u = u * u[1]
    return np.sum(u**2)


def viewed(u):
    v = u[::-1]
    v[:2] *= v[1:3] * u[0]
    return np.sum(u * v) ** 2


@pytest.mark.parametrize("f", [steps, named_again, viewed], ids=lambda f: f.__name__)
def test_arguments_that_are_written_into(f: Any) -> None:
    v = np.array([0.3, -0.2, 0.5, 1.0])

    def answers(point: Any) -> Any:
        x = [point.copy() for _ in range(4)]
        found = cr.hvp(f, x[0], v), cr.jvp(f, (x[1],), (v,))[1], cr.hessian(f)(x[2])
        return *found, *x

    points = [VECTOR, VECTOR[::-1] * 0.7]
    with specialised_after(10**9):
        right = [answers(x) for x in points]
    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(3):
            for x, wanted in zip(points, right, strict=True):
                for mine, theirs in zip(answers(x), wanted, strict=True):
                    np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)
    if f is not named_again:
        assert not met
    np.testing.assert_array_equal(v, [0.3, -0.2, 0.5, 1.0])
    with specialised_after(1, compared=True):
        for x in points * 2:
            answers(x)


def test_a_direction_that_is_the_argument_itself() -> None:
    with specialised_after(10**9):
        x = VECTOR.copy()
        right = cr.hvp(steps, x, x)
        x = VECTOR.copy()
        slope = cr.jvp(steps, (x,), (x,))
    with specialised_after(1):
        for _ in range(3):
            x = VECTOR.copy()
            np.testing.assert_allclose(cr.hvp(steps, x, x), right)
            x = VECTOR.copy()
            np.testing.assert_allclose(cr.jvp(steps, (x,), (x,)), slope)


def network(parameters, x):
    (w, b), scale = parameters
    hidden = np.tanh(w @ x + b)
    return np.sum(hidden**2) * scale**3


def by_names(p, x):
    return np.sum(np.exp(p["w"] * x)) * p["b"] ** 2


def in_stacks(p):
    a, b = p
    return np.sum(np.matmul(a, b) ** 3) + np.sum((a[0] @ b[:1]) ** 2)


def drawn(seed: int, like: Any) -> Any:
    """Normal numbers like those of an argument."""
    draw = np.random.default_rng(seed)

    def one(v: Any) -> Any:
        if isinstance(v, tuple):
            return tuple(map(one, v))
        if isinstance(v, dict):
            return {k: one(x) for k, x in v.items()}
        return draw.normal(size=np.shape(v)) if np.ndim(v) else float(draw.normal())

    return one(like)


CASES = [
    (network, (((np.ones((3, 2)), np.ones(3)), 1.0), np.array([0.5, -0.3]))),
    (by_names, ({"w": np.ones(2), "b": 2.0}, np.array([0.5, -0.3]))),
    (in_stacks, ((np.ones((4, 2, 3)), np.ones((1, 3, 2))),)),
]


@pytest.mark.parametrize(("f", "like"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_arguments_that_are_tuples_or_dictionaries(f: Any, like: Any) -> None:
    points = [(drawn(i, like[0]), *like[1:]) for i in range(2)]
    v = drawn(7, like[0])
    rest = [0.0 * x for x in like[1:]]

    def answers(x: Any) -> Any:
        return cr.hvp(f, x, v, argnums=0), cr.hvp(f, x, (v,), argnums=(0,))[0], *cr.jvp(f, x, (v, *rest))

    with specialised_after(10**9):
        right = [answers(x) for x in points]
    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(3):
            for x, wanted in zip(points, right, strict=True):
                for mine, theirs in zip(answers(x), wanted, strict=True):
                    assert type(mine) is type(theirs) or isinstance(mine, float)
                    for a, b in zip(numbers(mine), numbers(theirs), strict=True):
                        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    assert not met
    with specialised_after(1, compared=True):
        for x in points:
            answers(x)


def numbers(t: Any) -> list[Any]:
    """The numbers and arrays in a gradient."""
    if isinstance(t, float | np.ndarray):
        return [t]
    parts = [t[k] for k in t] if isinstance(t, cr.tangents.Composite[dict]) else t
    return [x for part in parts for x in numbers(part)]


@pytest.mark.parametrize("group", range(6))
@pytest.mark.filterwarnings("ignore")
def test_random_programs_have_the_same_directions(group: int) -> None:
    for seed in range(group * 2, group * 2 + 2):
        directions_agree(seed)


def directions_agree(seed: int) -> str:
    """What became of a random program: "same", or why nothing was compared."""
    f = stores.function(stores.Programs(seed).text(), f"<random directions of stores {seed}>")
    draw = np.random.default_rng(seed)
    points = [(draw.normal(size=5), float(draw.normal())) for _ in range(2)]
    dx = draw.normal(size=5), float(draw.normal())

    def both(x: Any, s: float) -> Any:
        u, w = x.copy(), x.copy()
        y, t = cr.jvp(f, (u, s), dx)
        return y, t, *cr.hvp(f, (w, s), dx, argnums=(0, 1)), u, w

    met: list[str] = []
    with np.errstate(all="ignore"):
        try:
            with specialised_after(10**9):
                right = [both(*x) for x in points]
        except Exception as refused:
            return f"refused: {type(refused).__name__}"
        with specialised_after(1, met=met):
            for x, wanted in [*zip(points, right, strict=True)] * 2:
                for mine, theirs in zip(both(*x), wanted, strict=True):
                    size = np.max(np.abs(theirs), initial=1.0, where=np.isfinite(theirs))
                    np.testing.assert_allclose(mine, theirs, rtol=1e-6, atol=1e-7 * size)
    return f"declined: {met[0]}" if met else "same"
