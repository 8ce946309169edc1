"""`check_type` passes types that keep their promises and catches each broken one by the check meant."""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules import types as ct
from chainrules.testing import CheckError, check_type

MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])


@cr.differentiable_type
@dataclass
class Dense:
    weight: np.ndarray
    bias: np.ndarray
    on: bool = cr.no_derivative(True)


@cr.differentiable_type
@dataclass
class Vector:
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


@cr.differentiable_type
@dataclass
class Model:
    layers: list[Dense]
    turn: ct.Orthogonal


@pytest.mark.parametrize(
    "x",
    [
        2.0,
        MATRIX,
        {"a": 1.0, "b": [MATRIX, "name"]},
        Vector(1.0, 2.0),
        Dense(MATRIX, np.ones(2)),
        Dense.TangentVector(MATRIX, np.ones(2)),
        Model([Dense(MATRIX, np.ones(2))], ct.Orthogonal(np.eye(3))),
        ct.Sphere([0.6, 0.8, 0.0]),
        cr.move(ct.Orthogonal(np.eye(3)), ct.SkewSymmetric(np.arange(9.0).reshape(3, 3))),
        ct.Definite(MATRIX @ MATRIX.T + np.eye(2)),
        ct.Simplex([0.2, 0.3, 0.5]),
        ct.SkewSymmetric(MATRIX),
        ct.Symmetric(MATRIX),
    ],
    ids=lambda x: type(x).__qualname__,
)
def test_types_that_keep_their_promises(x: Any) -> None:
    if type(x) is dict:
        with pytest.raises(cr.NotDifferentiableError):
            ct.tangent_type(Any)
    check_type(type(x), x)


def test_rounding_is_allowed_for_where_it_is_named() -> None:
    q = ct.Quantized(np.array([10, 20], np.int8), scale=0.1)
    check_type(ct.Quantized, q, coarse=0.1)
    with pytest.raises(CheckError, match=r"difference|moving"):
        check_type(ct.Quantized, q)


def broken(**ways: Any) -> Any:
    """A type like an array, its tangents arrays, with these ways in place of the right ones."""

    class Broken:
        def __init__(self, v: Any) -> None:
            self.v = v

    def project(x: Any, t: Any) -> Any:
        return np.asarray(t.v if isinstance(t, cr.Composite) else t, float)

    right: dict[str, Any] = {
        "tangent": np.ndarray,
        "zero": lambda x: np.zeros(2),
        "move": lambda x, t: type(x)(x.v + t),
        "difference": lambda a, b: a.v - b.v,
        "project": project,
    }
    read = ways.pop("read_rule", lambda x, y_bar: y_bar)
    push = ways.pop("push", lambda x, dx: dx)
    ct.manifold(Broken, **{**right, **ways})

    @cr.frule(getattr, Broken, "v")
    def v_frule(tangents: Any, x: Broken) -> Any:
        return x.v, push(x, tangents[0])

    @cr.rrule(getattr, Broken, "v")
    def v_rrule(x: Broken) -> Any:
        return x.v, lambda y_bar: (read(x, y_bar),)

    return Broken


def writes(x: Any, t: Any) -> Any:
    moved = type(x)(x.v + t)
    x.v = x.v + 0.5 * np.any(t)
    return moved


def writes_metric(x: Any, x_bar: Any) -> Any:
    x.v = x.v + 1.0
    return x_bar


class Odd:
    """A vector whose sums and multiples can be wrong."""

    plus: Any = None
    times: Any = None

    def __init__(self, v: Any) -> None:
        self.v = v

    def __add__(self, other: Any) -> Any:
        return type(self)(type(self).plus(self.v, other.v))

    def __rmul__(self, s: Any) -> Any:
        return type(self)(type(self).times(s, self.v))


def odd(plus: Any = None, times: Any = None, product: Any = None, rebuild: Any = None) -> Any:
    """A type whose tangents are vectors with these operations in place of the right ones."""
    T = type("T", (Odd,), {})
    T.plus = staticmethod(plus or (lambda a, b: a + b))
    T.times = staticmethod(times or (lambda s, v: s * v))
    made: Any = T
    cr.natural_tangent(
        T,
        T,
        zero=lambda x: made(np.zeros(2)),
        difference=lambda a, b: made(a.v - b.v),
        move=lambda x, t: made(x.v + t.v),
        scale=lambda s, t: made(made.times(s, t.v)),
        inner=product or (lambda a, b: float(a.v @ b.v)),
        numbers=lambda t: (t.v, rebuild or made),
    )

    @cr.frule(getattr, T, "v")
    def v_frule(tangents: Any, x: T) -> Any:  # type: ignore[valid-type]
        return x.v, tangents[0].v

    @cr.rrule(getattr, T, "v")
    def v_rrule(x: T) -> Any:  # type: ignore[valid-type]
        return x.v, lambda y_bar: (made(y_bar),)

    return T


BROKEN = {
    "moves at zero": (broken(move=lambda x, t: type(x)(x.v + t + 0.01)), "zero"),
    "moves twice as far": (broken(move=lambda x, t: type(x)(x.v + 2 * t)), "difference|moving"),
    "moves backwards": (
        broken(move=lambda x, t: type(x)(x.v - t), difference=lambda a, b: b.v - a.v),
        "pairing",
    ),
    "moves into another type": (broken(move=lambda x, t: x.v + t if np.any(t) else type(x)(x.v)), "moving"),
    "writes when it moves": (broken(move=writes), "purity|difference|moving"),
    "a difference of the wrong sign": (broken(difference=lambda a, b: b.v - a.v), "difference"),
    "a difference that is halved": (broken(difference=lambda a, b: 0.5 * (a.v - b.v)), "difference"),
    "a zero that is none": (broken(zero=lambda x: np.ones(2)), "zero"),
    "a zero of another type": (broken(zero=lambda x: [0.0, 0.0]), "zero"),
    "a metric that is not symmetric": (
        broken(metric=lambda x, g: np.array([[1.0, 1.0], [0.0, 1.0]]) @ g),
        "metric",
    ),
    "a metric that is not positive": (broken(metric=lambda x, g: -g), "metric"),
    "a metric that is not linear": (broken(metric=lambda x, g: g * np.sum(g**2)), "metric"),
    "a metric that writes": (broken(metric=writes_metric), "purity"),
    "a pullback of the wrong sign": (broken(read_rule=lambda x, y_bar: -y_bar), "pairing"),
    "a pullback that is transposed": (broken(read_rule=lambda x, y_bar: y_bar[::-1]), "pairing"),
    "a pushforward that is doubled": (broken(push=lambda x, dx: 2 * dx), "pairing"),
    "a projection that is none": (broken(project=lambda x, t: 0.5 * np.asarray(t)), "projection"),
    "a sum that forgets": (odd(plus=lambda a, b: a), "addition"),
    "a multiple that is squared": (odd(times=lambda s, v: s * s * v), "multiples"),
    "a product that is not symmetric": (odd(product=lambda a, b: float(a.v[0] * b.v[1])), "inner product"),
    "a product that is negative": (odd(product=lambda a, b: -float(a.v @ b.v)), "inner product"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_types_are_caught_by_the_check_that_is_meant(name: str) -> None:
    T, checks = BROKEN[name]
    with pytest.raises(CheckError) as caught:
        check_type(T, T(np.array([1.0, -2.0])), read=lambda x: x.v)
    assert caught.value.check in checks.split("|"), str(caught.value)
    assert T.__qualname__ in str(caught.value)


@pytest.mark.parametrize("make", [broken, odd])
def test_the_same_types_unbroken_pass(make: Any) -> None:
    T = make()
    check_type(T, T(np.array([1.0, -2.0])), read=lambda x: x.v)


def test_a_field_that_is_marked_must_not_move() -> None:
    @cr.differentiable_type
    @dataclass
    class Counted:
        w: float
        moves: int = cr.no_derivative(0)

    @cr.construct.register(Counted)
    def construct_counted(P: Any, values: Any, like: Any) -> Any:
        made = copy.copy(like)
        made.w, made.moves = values.get("w", like.w), like.moves + 1
        return made

    with pytest.raises(CheckError, match="marked fields: moving changed moves"):
        check_type(Counted, Counted(1.0))


def test_what_is_no_such_type_is_refused() -> None:
    with pytest.raises(TypeError, match="not a Dense"):
        check_type(Dense, 1.0)
    T = broken()
    with pytest.raises(TypeError, match="give read="):
        check_type(T, T(np.ones(2)))
