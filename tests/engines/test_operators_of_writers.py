"""Derivatives of functions that write into what they made, inside of what is differentiated."""

from typing import Any

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.fuzzing import PAIRS, Compared

import chainrules as cr


def filled(out: Any, q: Any, c: Any) -> None:
    out[:] = q * q * c


@cr.rrule(filled, mutates=(0,))
def _(out: np.ndarray, q: np.ndarray, c: np.ndarray) -> Any:
    filled(out, q, c)

    def pullback(g: Any, states: Any) -> Any:
        out_bar = cr.materialize(states[0], like=q)
        return np.zeros(3), 2.0 * q * c * out_bar, q * q * out_bar

    return None, pullback


@cr.frule(filled, mutates=(0,))
def _(tangents: Any, out: np.ndarray, q: np.ndarray, c: np.ndarray) -> Any:
    filled(out, q, c)
    dq, dc = (cr.materialize(t, like=q) for t in tangents[1:])
    return None, cr.NoTangent(), {0: 2.0 * q * c * dq + q * q * dc}


def by_rule(w: Any, c: Any) -> Any:
    out = np.ones(3)
    filled(out, w, c)
    return np.sum(out**2)


def by_ufunc(w: Any, c: Any) -> Any:
    out = w * w
    np.add.at(out, [0, 0, 1], c)
    return np.sum(out**3)


def by_list(w: Any, c: Any) -> Any:
    out = [w * w]
    pushed(out, c)
    out.append(c * w)
    return np.sum(out[0] * out[1] * out[2])


def pushed(out: Any, v: Any) -> None:
    out.append(v)


def by_item(w: Any, c: Any) -> Any:
    out = w * 1.0
    out[1:] = c[1:] * w[0]
    return np.sum(out**3)


NAMES = {"np": np, "cr": cr, "by_rule": by_rule, "by_ufunc": by_ufunc, "by_list": by_list, "by_item": by_item}
OPERATORS = {
    "gradient": "np.sum(cr.grad(lambda w: {f}(w, z))(w) * x)",
    "gradient of a function": "np.sum(cr.grad({f})(w, z) * x)",
    "both gradients": "np.sum(np.multiply(*cr.grad({f}, argnums=(0, 1))(w, z)))",
    "with its value": "np.sum(np.multiply(*cr.value_and_grad(lambda w: {f}(w, z))(w)))",
    "pullback": "np.sum(cr.vjp(lambda w: {f}(w, z), w)[1](x[0])[0] * x)",
    "pullback of a function": "np.sum(cr.vjp({f}, w, z)[1](x[0])[1] * x)",
    "pushforward": "cr.jvp(lambda w: {f}(w, z), (w,), (x,))[1]",
    "linear": "cr.linearize(lambda w: {f}(w, z), w)[1](x)",
    "jacobian": "np.sum(cr.jacobian(lambda w: {f}(w, z))(w) * x)",
    "curvature": "np.sum(cr.hvp(lambda w: {f}(w, z), w, x))",
}


WRITERS = ("by_rule", "by_ufunc", "by_list", "by_item")
BOTH = [
    (name, f)
    for name, operator in OPERATORS.items()
    for f in WRITERS
    if f != "by_list" or "cr.grad({f}" not in operator  # which may change what it puts into a list: refused
]


@pytest.mark.parametrize(("operator", "f"), BOTH)
def test_first_derivatives(operator: str, f: str) -> None:
    lines = f"    w = x * x\n    z = x * 1.5\n    return {OPERATORS[operator].replace('{f}', f)}\n"
    Compared(f"def program(x):\n{lines}", NAMES).first_order()


@pytest.mark.parametrize("f", WRITERS)
def test_second_derivatives_of_gradients(f: str) -> None:
    lines = f"    z = x * 1.5\n    return np.sum(cr.grad(lambda w: {f}(w, z))(x * x) * x)\n"
    computed = Compared(f"def program(x):\n{lines}", NAMES).second_order()
    assert computed == list(PAIRS) or f in ("by_rule", "by_list")  # which are refused: they may keep z


def test_a_derivative_of_a_gradient_of_what_may_change_its_arguments() -> None:
    def f(x: Any) -> Any:
        z = x * 1.5
        return np.sum(cr.grad(lambda w: by_list(w, z))(x) * x)

    x = np.array([0.3, 0.7, 1.1])
    rightly.hvp(f, x, x)
