"""What a tape cannot see through is refused: by name, with the place, and with what to write instead."""

import math
import sys
from datetime import timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import chainrules as cr


def halved(x):
    return x / 2


HALVED = np.frompyfunc(halved, 1, 1)

X = np.array([0.5, -1.2, 2.0])


def stored(x: Any) -> Any:
    a = np.zeros(3)
    a[0] = x[0]
    return a.sum()


def stored_slice(x: Any) -> Any:
    a = np.zeros(3)
    a[1:] = x[1:]
    return a.sum()


def stored_in_value(x: Any) -> Any:
    y = x * 2
    y[0] = 1.0
    return y.sum()


def augmented(x: Any) -> Any:
    y = x * 2
    y += 1
    return y.sum()


def augmented_plain(x: Any) -> Any:
    a = np.ones(3)
    a += x
    return a.sum()


def refilled(x: Any) -> Any:
    buffer, total = np.zeros(3), 0.0
    for k in range(2):
        buffer[:] = k
        total = total + np.sum(buffer * x)
    return total


def refilled_behind_a_view(x: Any) -> Any:
    buffer = np.ones(4)
    y = buffer[1:] * x
    buffer[2] = 5.0
    return y.sum()


def constant_of_it(x: Any) -> Any:
    y = x * x
    cr.stop_gradient(x)[0] = 7.0
    return y.sum()


def constant_of_a_step(x: Any) -> Any:
    y = x * x
    cr.stop_gradient([y])[0][0] = 7.0
    return y.sum()


def objects(x: Any) -> Any:
    a = np.empty(3, dtype=object)
    for i in range(3):
        a[i] = x[i] * x[i]
    return a


def reshaped(x: Any) -> Any:
    x.shape = (3, 1)
    return x.sum()


REFUSED = [
    (lambda x: float(x[0]), cr.NotDifferentiableError, "a float was asked"),
    (lambda x: complex(x[0]).real, cr.NotDifferentiableError, "a complex number was asked"),
    (lambda x: math.sin(x[0]), cr.NotDifferentiableError, "np.sin for math.sin"),
    (lambda x: np.asarray(x).sum(), cr.NotDifferentiableError, "plain array"),
    (lambda x: np.array([x[0], x[1]]).sum(), cr.NotDifferentiableError, "np.stack"),
    (lambda x: np.array([x, x], dtype=object).sum(), cr.NotDifferentiableError, "plain array"),
    (lambda x: np.ndarray.sum(x), cr.NotDifferentiableError, "takes plain values"),
    (lambda x: x[0] * float(Decimal(x[1])), cr.NotDifferentiableError, "takes plain values"),
    (lambda x: x[0] * timedelta(seconds=x[1]).seconds, cr.NotDifferentiableError, "takes plain values"),
    (lambda x: np.frombuffer(memoryview(x)).sum(), cr.NotDifferentiableError, "takes plain values"),
    (lambda x: {x[0]: 1.0}[x[0]] * x[1], cr.NotDifferentiableError, "as a key"),
    (lambda x: x[0] * len(f"{x[0]:.3f}"), cr.NotDifferentiableError, "made text"),
    (lambda x: HALVED(x[2]), cr.NoRuleError, "halved"),
    (lambda x: np.sin(x, out=np.zeros(3)).sum(), cr.AliasedMutationError, "out="),
    (lambda x: np.copyto(np.zeros(3), x), cr.AliasedMutationError, "copyto"),
    (lambda x: x.sort() or x.sum(), cr.AliasedMutationError, "sort"),
    (reshaped, cr.AliasedMutationError, "x.shape = …"),
    (stored, cr.NotDifferentiableError, "a[i] = x"),
    (stored_slice, cr.NotDifferentiableError, "np.concatenate"),
    (stored_in_value, cr.AliasedMutationError, "x[…] = …"),
    (augmented, cr.AliasedMutationError, "x = x + y"),
    (augmented_plain, cr.AliasedMutationError, "out="),
    (refilled, cr.AliasedMutationError, "in the computation"),
    (refilled_behind_a_view, cr.AliasedMutationError, "in the computation"),
    (constant_of_it, cr.AliasedMutationError, "in the computation"),
    (constant_of_a_step, cr.AliasedMutationError, "in the computation"),
    (lambda x: (objects(x) * x).sum(), cr.NotDifferentiableError, "ndarray[3] of object holds values"),
]


@pytest.mark.parametrize(("f", "kind", "says"), REFUSED)
def test_it_is_refused_with_the_place_and_a_way_out(f, kind, says):
    with pytest.raises(kind) as caught:
        cr.grad(f, engine="tape")(X)
    error = caught.value
    assert says in str(error)
    assert "test_refusals.py" in error.where
    assert error.next


def test_a_value_that_hides_recorded_ones_is_refused():
    for run in (
        lambda: cr.vjp(objects, X, engine="tape"),
        lambda: cr.jvp(objects, (X,), (X,), engine="tape"),
    ):
        with pytest.raises(cr.NotDifferentiableError, match="holds values that the tape records"):
            run()


def test_arrays_of_objects_are_summed_by_their_values():
    assert cr.grad(lambda x: objects(x).sum(), engine="tape")(X).tolist() == (2 * X).tolist()


def test_arrays_are_writable_again_afterwards():
    x, w = X.copy(), np.ones(3)
    cr.grad(lambda x: np.sum(w * x), engine="tape")(x)
    with pytest.raises(cr.NotDifferentiableError):
        cr.grad(lambda x: float(np.sum(w[1:] * x[1:])), engine="tape")(x)
    x[0] = w[0] = 2.0


def twice(x: Any) -> Any:
    return x + x


def unchanged(x: Any) -> Any:
    return x


@cr.rrule(twice)
def twice_rrule(x: float | np.ndarray) -> Any:
    def twice_pullback(y_bar: Any) -> Any:
        return 7.0 * y_bar  # by which it is seen

    return 2 * x, twice_pullback


@cr.rrule(unchanged)
def unchanged_rrule(x: float | np.ndarray) -> Any:
    def unchanged_pullback(y_bar: Any) -> Any:
        return np.clip(y_bar, -1.0, 1.0)

    return x, unchanged_pullback


@pytest.mark.parametrize("f", [twice, unchanged])
def test_a_plain_call_of_a_function_with_a_rule_is_refused_and_call_is_the_way_out(f):
    with pytest.raises(cr.NotDifferentiableError, match=r"chainrules\.call"):
        cr.grad(lambda x: 3.0 * f(x), engine="tape")(1.5)
    assert sys.getprofile() is None
    assert cr.grad(lambda x: 3.0 * cr.call(f, x), engine="tape")(1.5) == (21.0 if f is twice else 1.0)
    assert cr.grad(lambda x: x * f(2.0), engine="tape")(1.5) == f(2.0)


def test_an_unknown_engine_is_answered_with_the_known_ones():
    with pytest.raises(cr.UnsupportedArgument, match="engine='source' or engine='tape'"):
        cr.grad(np.sin, engine="tpae")(0.5)


OPERATORS = [
    lambda E: cr.grad(lambda x: np.sum(x**2), engine=E)(X),
    lambda E: cr.value_and_grad(lambda x: (np.sum(x**2), x.shape), has_aux=True, engine=E)(X),
    lambda E: cr.derivative(lambda t: {"a": t * t}, engine=E)(2.0)["a"],
    lambda E: cr.value_and_derivative(lambda t: t * X, engine=E)(2.0),
    lambda E: cr.vjp(lambda a, b: (a * b, {"s": a + b}), X, 2.0, engine=E)[1]((X, {"s": np.ones(3)})),
    lambda E: cr.jvp(lambda a, b: a * b, (X, 2.0), (np.ones(3), 1.0), engine=E),
    lambda E: cr.jacobian(lambda x: np.outer(x, x)[0], engine=E)(X),
    lambda E: cr.jacobian(lambda x: np.concatenate([x, x * x[0]]), engine=E)(X),
    lambda E: cr.jacobian(lambda x: x * x[0], jac_mode="fwd", engine=E)(X),
    lambda E: cr.hessian(lambda p: np.sum(p["a"] ** 2 * p["b"]), engine=E)({"a": X, "b": 2.0})["a"]["b"],
    lambda E: cr.hvp(lambda x: np.sum(x**3) * x[0], X, np.ones(3), engine=E),
    lambda E: cr.linearize(lambda x: np.sin(x) * x[0], X, engine=E)[1](np.ones(3)),
    lambda E: cr.linear_transpose(lambda x: np.diag([1.0, 2.0, 3.0])[:2] @ x, X, engine=E)(np.ones(2)),
    lambda E: cr.grad(lambda x: np.sum(x * cr.stop_gradient({"a": x})["a"]), engine=E)(X),
    lambda E: cr.grad(lambda x: np.sum(cr.with_gradient(x, lambda t: 10 * t) ** 2), engine=E)(X),
    lambda E: cr.grad(lambda x: np.sum(cr.checkpoint(lambda v: np.sin(v) * v)(x) ** 2), engine=E)(X),
]


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_operator_takes_the_engine_by_name(operator):
    ours, tapes = operator(None), operator("tape")
    assert type(ours) is type(tapes)
    for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (ours, tapes)), strict=True):
        np.testing.assert_allclose(cr.ravel(b)[0], cr.ravel(a)[0], rtol=1e-12)
