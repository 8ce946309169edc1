"""Variations of a call: which there are, what is left for which reason, and what they find."""

from typing import Any

import numpy as np
import pytest

from chainrules.core import UnsupportedArgument, frule, rrule
from chainrules.tangents import Zero
from chainrules.testing import check_rule, checking, constrained, with_tangent
from chainrules.testing.variations import (
    BY_FUNCTION,
    BY_RULE,
    KINDS,
    NOT_FINITE,
    NOT_SAME,
    NOT_SETTLED,
    PASSED,
    WRITES,
    Variation,
    outcome,
    variations,
)

X = np.array([[0.5, -1.2, 2.0], [0.3, 0.7, -0.4]])


def test_places_stay_within_what_is_cut():
    made = {v.kind: v.args for v in variations((np.eye(3), np.array([1, 2, 2]), np.array([7, 0, 1])))}
    assert [x.tolist() for x in made["length one"]] == [[[1.0]], [0], [7]]


def kinds(*args: Any) -> dict[str, Any]:
    return {v.kind: v.args for v in variations(args)}


def test_types_and_shapes() -> None:
    made = kinds(X, [np.ones(3), 2.0], 4)
    assert set(made) == set(KINDS) - {"float64", "stretched"}
    assert {made[k][0].dtype.name for k in ("float32", "complex64", "complex128")} == {
        "float32", "complex64", "complex128",
    }  # fmt: skip
    assert [made[k][0].shape for k in ("no axes", "empty", "length one", "stack")] == [
        (), (2, 0), (2, 1), (2, 2, 3),
    ]  # fmt: skip
    assert made["empty"][1][0].shape == (0,)  # axes of one length together
    assert made["float32"][1][1] == 2.0
    assert kinds(X, 0.5)["stretched"][0].shape == (2, 2, 3)
    assert type(kinds(0.5)["complex64"][0]) is np.complex64
    assert kinds(np.array([1, 2], np.float32))["float64"][0].dtype == float


def test_what_has_a_tangent_of_its_own_stays() -> None:
    held = with_tangent(np.ones(3), Zero())
    assert all(args[1] is held for args in kinds(X, held).values())
    assert kinds(constrained(np.eye(2), "symmetric")) == {}


def of(f: Any, kind: str, *args: Any) -> str:
    def check(*x: Any) -> None:
        check_rule(f, *x)

    return outcome(check, f, Variation(kind, kinds(*args)[kind]), {})


def real_only(x: Any) -> Any:
    return x * 2.0


@rrule(real_only)
def real_only_rrule(x: np.ndarray):
    if np.iscomplexobj(x):
        raise UnsupportedArgument(real_only, "x", x)
    return x * 2.0, lambda y_bar: 2.0 * y_bar


@frule(real_only)
def real_only_frule(tangents, x: np.ndarray):
    if np.iscomplexobj(x):
        raise UnsupportedArgument(real_only, "x", x)
    return x * 2.0, 2.0 * tangents[0]


@pytest.mark.parametrize(
    ("f", "kind", "want"),
    [
        (np.sin, "stack", PASSED),
        (np.floor, "complex64", BY_FUNCTION),
        (np.mean, "empty", NOT_FINITE),
        (lambda x: np.random.default_rng().normal(x), "stack", NOT_SAME),
        (real_only, "complex128", BY_RULE),
        (lambda x: x.sort(), "stack", WRITES),
    ],
)
def test_outcomes(f: Any, kind: str, want: str) -> None:
    assert of(f, kind, X) == want


def test_corners() -> None:
    assert of(np.abs, "length one", np.array([0.0, 1.0])) in (PASSED, NOT_SETTLED)


def test_what_stood_in_memory_is_no_value() -> None:
    empty, kwargs = Variation("empty", (np.zeros((2, 3, 0), complex),)), {"s": (4, 3), "axes": (0, 2)}
    for _ in range(3):
        found = outcome(lambda x: check_rule(np.fft.irfftn, x, **kwargs), np.fft.irfftn, empty, kwargs)
        assert found in (NOT_SAME, NOT_FINITE, PASSED)


def flat(x: Any) -> Any:
    return np.sum(x)


@rrule(flat)
def flat_rrule(x: np.ndarray):
    def flat_pullback(y_bar):
        return np.full(x.shape, y_bar, float)  # right for real numbers in double precision alone

    return np.sum(x), flat_pullback


@frule(flat)
def flat_frule(tangents, x: np.ndarray):
    return np.sum(x), np.sum(tangents[0].real)


def test_what_they_find() -> None:
    check_rule(flat, X)
    with (
        checking(vary=True),
        pytest.raises(AssertionError, match=r"grown to float64(?s:.*)variation: float32"),
    ):
        check_rule(flat, X)
    with checking(vary=True):
        check_rule(np.multiply, X, 2.0)
