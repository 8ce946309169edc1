"""What pullbacks and generated programs call has rules, so that derivatives nest."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import normal

from chainrules.core import apply_frule, apply_rrule, frule, reverse, rrule, unbroadcast
from chainrules.core.broadcasting import fit
from chainrules.core.engine import Engine
from chainrules.core.seeds import ready
from chainrules.tangents import (
    Composite,
    IndexedTangent,
    InplaceableThunk,
    ItemTangent,
    NoTangent,
    Thunk,
    Zero,
    accumulate,
    add,
    from_fields,
    inner,
    materialize,
    project_to,
    scale,
    unthunk,
)
from chainrules.tangents.buffers import gather
from chainrules.testing import check_grads, check_rule, checking

V, W = normal(3), normal(3, seed=1)
SHAPE, FLOAT = (4,), np.dtype(float)
LINEAR = [
    (add, (V, W), (W, V), V),
    (gather, (V, W), (W, V), V),
    (unthunk, (V,), (W,), V),
    (ready, (V,), (W,), V),
    (materialize, (V, W), (W, Zero()), V),
    (unbroadcast, (normal(2, 3), (3,)), (normal(2, 3, seed=1), NoTangent()), V),
    (fit, (normal(2, 3), V), (normal(2, 3, seed=1), Zero()), V),
    (project_to(V), (V + 0j,), (V + 1j * W,), W),
    (project_to(1.0), (np.float64(2.0),), (3.0,), 5.0),
    (IndexedTangent, (SHAPE, FLOAT, [1, 1, 0], V), (NoTangent(),) * 3 + (W,), normal(4)),
    (ItemTangent, (list, 2, 1, V), (NoTangent(),) * 3 + (W,), Composite[list](V, W)),
    (from_fields, (tuple, (V, 2.0)), (NoTangent(), Composite[tuple](W, 3.0)), Composite[tuple](V, 5.0)),
    (
        from_fields,
        (dict, {"a": 2.0}),
        (NoTangent(), Composite[dict]({"a": 3.0})),
        Composite[dict]({"a": 5.0}),
    ),
    (Composite[tuple], (V, 2.0), (W, 3.0), Composite[tuple](V, 5.0)),
    (InplaceableThunk, (np.add, V), (NoTangent(), W), V),
    (scale, (2.0, V), (3.0, W), V + 1.0),
    (scale, (2.0, Composite[tuple](V, 2.0)), (3.0, Composite[tuple](W, 1.0)), Composite[tuple](W, 5.0)),
    (scale, (2.0, V), (Zero(), W), V + 1.0),
    (scale, (2.0, V), (3.0, Zero()), V + 1.0),
    (inner, (V, W), (W, V + 1.0), 2.0),
    (inner, (V, W), (Zero(), V + 1.0), 2.0),
    (inner, (V, W), (W, Zero()), 2.0),
]


@pytest.mark.parametrize(("f", "x", "dx", "y_bar"), LINEAR)
def test_forward_and_reverse_are_adjoint(f: Any, x: Any, dx: Any, y_bar: Any) -> None:
    forward, backward = apply_frule(f, x, dx), apply_rrule(f, *x)
    assert forward is not None and backward is not None
    cotangents = [*backward[1](y_bar)]
    assert len(cotangents) == len(x)
    moved = sum(inner(x_bar, t) for x_bar, t in zip(cotangents, dx, strict=True))
    assert inner(y_bar, forward[1]) == pytest.approx(moved)
    assert moved != 0


def test_accumulation_does_not_write_when_it_is_differentiated() -> None:
    acc = V.copy()
    found = apply_rrule(accumulate, acc, W)
    assert found is not None
    np.testing.assert_array_equal(found[0], V + W)
    np.testing.assert_array_equal(acc, V)


def test_a_complex_cotangent_projected_on_a_real_primal_is_taken_by_its_real_part() -> None:
    found = apply_rrule(project_to(1.0), 2 + 3j)
    assert found is not None
    assert found[0] == 2.0
    assert found[1](5.0) == (5.0,)


class OneCall:
    """As much of an engine as a thunk needs."""

    def value_and_pullback(self, f: Any, *x: Any, **kwargs: Any) -> Any:
        return f(*x, **kwargs), lambda y_bar: (Composite[type(x[0])](seed=y_bar),)

    def value_and_pushforward(self, f: Any, *x: Any, **kwargs: Any) -> Any:
        return f(*x, **kwargs), lambda *dx: 2 * dx[0]


def test_a_thunk_is_evaluated_by_the_engine() -> None:
    engine = OneCall()
    assert isinstance(engine, Engine)
    found = reverse(Thunk, (lambda: 3.0,), engine=engine)
    assert found is not None
    assert found[0] == 3.0
    assert found[1](7.0)[0].seed == 7.0


class Disc:
    def __init__(self, radius: float) -> None:
        self.radius = radius


def area(disc: Disc) -> float:
    return np.pi * disc.radius**2


@rrule(area)
def area_rrule(disc: Disc):
    def area_pullback(y_bar):
        return Composite[Disc](radius=2 * np.pi * disc.radius * y_bar)

    return area(disc), area_pullback


@frule(area)
def area_frule(tangents, disc: Disc):
    return area(disc), 2 * np.pi * disc.radius * tangents[0].radius


def test_rules_that_make_composites_are_differentiated() -> None:
    check_grads(lambda x: area(Disc(x * x)), 1.3)
    with checking(order=2):
        check_rule(dict, {"w": V, "b": 1.0})
