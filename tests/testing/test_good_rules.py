"""Right rules of every kind of value pass, whatever the seed."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from chainrules.core import frule, rrule, scalar_rule, unbroadcast
from chainrules.tangents import Composite, InplaceableThunk, NotImplementedTangent, Thunk, Zero, materialize
from chainrules.testing import check_rrule, check_rule, checking, with_tangent

RNG = np.random.default_rng(7)
X = RNG.normal(size=3)
A, B = RNG.normal(size=(3, 2)), RNG.normal(size=(2, 4))
Z = RNG.normal(size=3) + 1j * RNG.normal(size=3)


@dataclass(frozen=True)
class Line:
    slope: float
    at: np.ndarray
    name: str = "line"


class Split(NamedTuple):
    low: Any
    high: Any


def multiply(a, b):
    return np.multiply(a, b)


scalar_rule(multiply, lambda y, a, b: b, lambda y, a, b: a)


def matmul(a, b):
    return a @ b


@frule(matmul)
def matmul_frule(tangents, a: np.ndarray, b: np.ndarray):
    return a @ b, tangents[0] @ b + a @ tangents[1]


@rrule(matmul)
def matmul_rrule(a: np.ndarray, b: np.ndarray, *, needs):
    def matmul_pullback(y_bar):
        a_bar = y_bar @ np.conj(b.T) if needs[0] else Zero()
        return a_bar, Thunk(lambda: np.conj(a.T) @ y_bar)

    return a @ b, matmul_pullback


def add(a, b):
    return a + b


@frule(add)
def add_frule(tangents, a, b):
    da, db = (materialize(t, like=x) for t, x in zip(tangents, (a, b), strict=True))
    return a + b, da + db


@rrule(add)
def add_rrule(a, b):
    a_shape, b_shape = np.shape(a), np.shape(b)
    return a + b, lambda y_bar: (unbroadcast(y_bar, a_shape), unbroadcast(y_bar, b_shape))


def total(x, axis=None, keepdims=False):
    return np.sum(x, axis=axis, keepdims=keepdims)


@frule(total)
def total_frule(tangents, x: np.ndarray, *, axis=None, keepdims=False):
    return tuple(np.sum(a, axis=axis, keepdims=keepdims) for a in (x, tangents[0]))


@rrule(total)
def total_rrule(x: np.ndarray, *, axis=None, keepdims=False):
    shape = x.shape

    def total_pullback(y_bar):
        kept = y_bar if keepdims or axis is None else np.expand_dims(y_bar, axis)
        return np.broadcast_to(kept, shape)

    return np.sum(x, axis=axis, keepdims=keepdims), total_pullback


def value_at(line, t):
    return line.slope * t + line.at


@frule(value_at)
def value_at_frule(tangents, line: Line, t: float):
    d, dt = tangents
    return value_at(line, t), d.slope * t + line.slope * dt + d.at + Zero() if d else np.full(
        3, line.slope * dt
    )


@rrule(value_at)
def value_at_rrule(line: Line, t: float):
    def value_at_pullback(y_bar):
        along = float(np.sum(y_bar))
        return Composite[Line](slope=along * t, at=y_bar), along * line.slope

    return value_at(line, t), value_at_pullback


def halves(x):
    return Split(x[:1] * 2.0, {"rest": x[1:] ** 2, "name": "high"})


@frule(halves)
def halves_frule(tangents, x):
    (dx,) = tangents
    high = Composite[dict]({"rest": 2 * x[1:] * dx[1:]})
    return halves(x), Composite[Split](low=2.0 * dx[:1], high=high)


@rrule(halves)
def halves_rrule(x):
    y = halves(x)

    def halves_pullback(y_bar):
        bar = materialize(y_bar, like=y)
        return np.concatenate([2.0 * bar.low, 2 * x[1:] * bar.high["rest"]])

    return y, halves_pullback


def square_norm(z):
    return np.sum(np.abs(z) ** 2)


@frule(square_norm)
def square_norm_frule(tangents, z):
    return square_norm(z), np.sum(2 * (np.conj(z) * tangents[0]).real)


@rrule(square_norm)
def square_norm_rrule(z):
    def add_into(acc, y_bar):
        acc += 2 * y_bar * z
        return acc

    def square_norm_pullback(y_bar):
        return InplaceableThunk(lambda acc: add_into(acc, y_bar), lambda: 2 * y_bar * z)

    return square_norm(z), square_norm_pullback


def power(x, n):
    return x**n


@frule(power)
def power_frule(tangents, x, n):
    dx, dn = tangents
    along = n * x ** (n - 1) * dx
    return x**n, along + (NotImplementedTangent("the exponent") if dn else Zero())


@rrule(power)
def power_rrule(x, n):
    return x**n, lambda y_bar: (y_bar * n * x ** (n - 1), NotImplementedTangent("the exponent"))


def shifted(x, by, scale=2.0):
    x *= scale
    x += by
    return x.sum()


@frule(shifted, mutates=(0,))
def shifted_frule(tangents, x, by, *, scale=2.0):
    dx, dby = (materialize(t, like=v) for t, v in zip(tangents, (x, by), strict=True))
    after = scale * dx + dby
    return shifted(x, by, scale), after.sum(), {0: after}


@rrule(shifted, mutates=(0,))
def shifted_rrule(x, by, *, scale=2.0):
    by_shape = np.shape(by)

    def shifted_pullback(y_bar, states):
        after = y_bar + states[0] + np.zeros(3)
        return scale * after, unbroadcast(after, by_shape)

    return shifted(x, by, scale), shifted_pullback


CASES: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (multiply, (3.0, X), {}),
    (multiply, (np.float64(0.5), 2.0), {}),
    (multiply, (X[:0], X[:0]), {}),
    (multiply, (np.array(0.7), X[:1]), {}),
    (multiply, (X.astype("f4"), np.float32(0.3)), {}),
    (multiply, (X.astype("f2"), X.astype("f2")), {}),
    (multiply, (Z, X), {}),
    (multiply, (Z.astype("c8"), 1j), {}),
    (multiply, (X * 1e8, X * 1e-8), {}),
    (multiply, (X, 3), {}),
    (multiply, (X, with_tangent(3, 1.0)), {}),
    (multiply, (X, True), {}),
    (matmul, (A, B), {}),
    (matmul, (A + 1j, B.astype(complex)), {}),
    (add, (A[None], A), {}),
    (add, (2.0, np.ones((2, 1))), {}),
    (total, (A,), {}),
    (total, (A,), {"axis": -1, "keepdims": True}),
    (total, (A, 1), {}),
    (value_at, (Line(0.5, X), 2.0), {}),
    (halves, (X,), {}),
    (square_norm, (Z,), {}),
    (square_norm, (X,), {}),
    (power, (np.abs(X), with_tangent(2.5, Zero())), {}),
    (shifted, (X, X + 1), {}),
    (shifted, (X, 0.5), {"scale": 3.0}),
]
IDS = [f"{f.__name__}-{i}" for i, (f, _, _) in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_right_rule_passes_over_twenty_seeds(case):
    f, args, kwargs = case
    for seed in range(20):
        with checking(seed=seed):
            check_rule(f, *args, **kwargs)


def test_a_rule_at_the_edge_of_a_domain_is_checked_from_one_side():
    def root(x):
        if x < 0:
            raise ValueError("negative")
        return x**1.5

    @rrule(root)
    def root_rrule(x: float):
        return root(x), lambda y_bar: 1.5 * y_bar * x**0.5

    check_rrule(root, 0.01)
    with (
        pytest.raises(AssertionError, match=r"(?s)differences, argument 0.*one side"),
        checking(max_range=0.1),
    ):
        check_rrule(root, 0.0)


def test_a_corner_is_checked_from_one_side():
    def bend(x):
        return abs(x)

    @rrule(bend)
    def bend_rrule(x: float):
        return abs(x), lambda y_bar: y_bar * (1.0 if x >= 0 else -1.0)

    check_rrule(bend, 1e-3)
    with checking(side="right"):
        check_rrule(bend, with_tangent(0.0, 1.0))


def test_a_method_that_changes_what_it_is_bound_to_is_checked_as_a_function():
    with pytest.raises(ValueError, match="check the function of the class"):
        check_rule(np.array([2.0, 1.0]).sort)
    check_rule(np.ndarray.sort, np.array([2.0, 1.0]))
