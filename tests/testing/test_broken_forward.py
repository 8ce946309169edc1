"""A corpus of wrong forward rules, and of modes that disagree: each fails in the check meant for it."""

import copy
from typing import Any

import numpy as np
import pytest

from chainrules.core import forward_only, non_differentiable, reverse_only
from chainrules.tangents import NO_TANGENT, ZERO, Composite, NotImplementedTangent, Zero, is_zero, unthunk
from chainrules.testing import check_frule, check_rrule, check_rule, with_tangent
from chainrules.testing.api import _case
from chainrules.testing.checks import adjoint_identity

X = np.array([0.5, -1.2, 2.0])
Y = np.array([1.5, 0.3, -0.7])
A = np.array([[1.0, 2.0], [-0.5, 0.3]])
Z = np.array([0.5 + 1j, -1.2 - 0.3j])
KINDS, DIFFERENCES, LINEAR = "forward kinds", "forward against differences", "forward linear"


def drifting():
    calls: list[int] = []

    def pushforward(t, x):
        calls.append(1)
        return t[0] * len(calls)

    return pushforward


def in_place(t):
    t *= 2.0
    return t


# (what is wrong, the check that must see it, the argument, f, pushforward(tangents, *x), arguments)
ROWS: list[tuple[str, str, int | None, Any, Any, tuple[Any, ...]]] = [
    ("flipped sign", DIFFERENCES, 0, lambda x: np.cos(x), lambda t, x: np.sin(x) * t[0], (X,)),
    ("factor of 1.001 in one of two", DIFFERENCES, 1, lambda a, b: a * b,
     lambda t, a, b: t[0] * b + 1.001 * a * t[1], (X, Y)),
    ("second argument forgotten", DIFFERENCES, 1, lambda a, b: a * b, lambda t, a, b: t[0] * b, (X, Y)),
    ("lost transpose", DIFFERENCES, 0, lambda a: a.T @ a, lambda t, a: t[0] @ a + a.T @ t[0], (A,)),
    ("order of a product", DIFFERENCES, 1, lambda a, b: a @ b,
     lambda t, a, b: t[0] @ b + t[1] @ a, (A, A + 1)),
    ("conjugate", DIFFERENCES, 0, lambda z: z * z, lambda t, z: 2 * np.conj(z) * t[0], (Z,)),
    ("output items swapped", DIFFERENCES, 0, lambda x: (2.0 * x, 3.0 * x),
     lambda t, x: Composite[tuple](3.0 * t[0], 2.0 * t[0]), (X,)),
    ("quadratic in the tangent", LINEAR, 0, lambda x: 1.0 * x, lambda t, x: t[0] + 1e-3 * t[0] ** 2, (X,)),
    ("affine", LINEAR, 0, lambda x: 1.0 * x, lambda t, x: t[0] + 1.0, (X,)),
    ("stateful", LINEAR, 0, lambda x: 1.0 * x, drifting(), (X,)),
    ("tangent written into", "seeds are borrowed", None, lambda x: 2.0 * x,
     lambda t, x: in_place(t[0]), (X,)),
    ("None", "forward value", None, lambda x: 2.0 * x, lambda t, x: None, (X,)),
    ("not broadcast to the value", "forward kinds", 1, lambda a, b: a * b,
     lambda t, a, b: t[0] * b + t[1], (X, 2.0)),
    ("not implemented", KINDS, 0, lambda x: 2.0 * x, lambda t, x: NotImplementedTangent("later"), (X,)),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_wrong_pushforward_is_caught(row, forward, fails):
    _, check, argument, f, pushforward, args = row
    fails(check_frule, forward(f, pushforward), args, check, argument)


UNWRAPPED: list[tuple[str, str, int | None, Any, Any, tuple[Any, ...]]] = [
    ("float64 for float32", KINDS, 0, lambda x: x * 2,
     lambda t, x: 2.0 * t[0].astype(float), (X.astype("f4"),)),
    ("complex for real", KINDS, 0, lambda x: x * 2, lambda t, x: 2 * t[0] + 0j, (X,)),
    ("something for nothing", "forward of zero tangents", None, lambda x: x * 2,
     lambda t, x: np.ones(3) if is_zero(t[0]) else 2 * unthunk(t[0]), (X,)),
    ("no thunks", "forward of thunked tangents", 0, lambda x: x * 2,
     lambda t, x: ZERO if is_zero(t[0]) else 2 * t[0] if type(t[0]) is np.ndarray else ZERO, (X,)),
]  # fmt: skip


@pytest.mark.parametrize("row", UNWRAPPED, ids=[row[0] for row in UNWRAPPED])
def test_a_wrong_rule_that_is_not_wrapped_is_caught(row, forward, fails):
    _, check, argument, f, pushforward, args = row
    fails(check_frule, forward(f, pushforward, complete=True), args, check, argument)


def test_check_rule_sees_the_fault_of_either_mode(reverse, forward, fails):
    f = forward(reverse(lambda x: 1.0 * x, lambda g, x: g), lambda t, x: 2.0 * t[0])
    check_rrule(f, X)
    fails(check_rule, f, (X,), DIFFERENCES, 0)
    g = forward(reverse(lambda x: 1.0 * x, lambda g, x: 2.0 * g), lambda t, x: t[0])
    check_frule(g, X)
    fails(check_rule, g, (X,), "reverse against differences", 0)


def test_the_adjoint_identity_needs_no_differences(reverse, forward, fails):
    f = forward(
        reverse(lambda a, b: a @ b, lambda g, a, b: (g @ b.T, a @ g)), lambda t, a, b: t[0] @ b + a @ t[1]
    )
    fails(lambda f, *x: adjoint_identity(_case("check", f, x, {})[0]), f, (A, A + 1), "adjoint identity", 1)


def test_a_lone_mode_is_told_unless_it_is_declared(reverse, forward, fails):
    f = reverse(lambda x: 2.0 * x, lambda g, x: 2.0 * g)
    fails(check_rule, f, (X,), "forward rule: there is none", None)
    reverse_only(f, why="a test of this declaration")
    check_rule(f, X)
    g = forward(lambda x: 2.0 * x, lambda t, x: 2.0 * t[0])
    fails(check_rule, g, (X,), "reverse rule: there is none", None)
    forward_only(g, why="a test of this declaration")
    check_rule(g, X)


def test_what_is_declared_non_differentiable_has_no_derivative():
    def first(x):
        return int(np.argmax(x))

    non_differentiable(first, why="returns an index")
    for check in (check_rule, check_frule, check_rrule):
        check(first, X)


def test_a_check_that_would_move_nothing_is_refused(reverse, fails):
    f = reverse(lambda x: 2.0 * np.sum(x), lambda g, x: np.full(np.shape(x), 3.0 * g))
    for x in (3, np.arange(3)):
        assert "with_tangent(3, 1.0)" in fails(check_rrule, f, (x,), "nothing to check", None)
    fails(check_rrule, f, (with_tangent(np.arange(3), np.ones(3)),), "reverse against differences", 0)
    check_rrule(f, ())


def test_a_value_that_is_declared_immovable_must_be_answered_so(reverse, fails):
    f = reverse(lambda x, n: x**n, lambda g, x, n: (g * n * x ** (n - 1), Zero()))
    check_rrule(f, X, 3)
    check_rrule(f, X, with_tangent(3, Zero()))
    fails(check_rrule, f, (X, with_tangent(3, NO_TANGENT)), "reverse kinds", 1)
    fails(check_rrule, f, (X + 2, with_tangent(3, 1.0)), "reverse against differences", 1)


def test_the_callers_values_stay_as_they_are(reverse):
    given: dict[str, Any] = {"w": X.copy(), "name": "a"}
    before = copy.deepcopy(given)
    f = reverse(lambda d: d["w"] * 2, lambda g, d: Composite[dict]({"w": 2.0 * g}))
    check_rrule(f, given)
    assert given["name"] == "a"
    assert np.array_equal(given["w"], before["w"])
