"""Metadata of a rule, constant for the inner of two derivatives, varies in the outer one."""

import functools
import heapq
import math
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import Compared, X, dense

import chainrules as cr
from chainrules.tangents import MissingDerivativeError


class Scale:
    def __init__(self, k: Any) -> None:
        self.k = k


def weighed(q: Any, *, by: Any) -> Any:
    return np.sum(q**2 * by)


def chosen(q: Any, *, options: Any) -> Any:
    return np.sum(q**2 * options["by"]) * options["scale"].k


def integral(q: Any, *, kernel: Callable[[Any], Any]) -> Any:
    return np.sum(kernel(q) ** 2)


def into(out: Any, q: Any, *, by: Any) -> None:
    out[:] = q * q * by


def written(q: Any, by: Any) -> Any:
    out = np.ones(3)
    into(out, q, by=by)
    return np.sum(out**2)


@cr.rrule(weighed)
def _(q: np.ndarray, *, by: Any) -> Any:
    return np.sum(q**2 * by), lambda g: (2.0 * g * q * by,)


@cr.frule(weighed)
def _(tangents: Any, q: np.ndarray, *, by: Any) -> Any:
    return np.sum(q**2 * by), np.sum(2.0 * q * tangents[0] * by)


@cr.rrule(chosen)
def _(q: np.ndarray, *, options: Any) -> Any:
    by, k = options["by"], options["scale"].k
    return np.sum(q**2 * by) * k, lambda g: (2.0 * g * q * by * k,)


@cr.frule(chosen)
def _(tangents: Any, q: np.ndarray, *, options: Any) -> Any:
    by, k = options["by"], options["scale"].k
    return np.sum(q**2 * by) * k, np.sum(2.0 * q * tangents[0] * by) * k


@cr.rrule(integral)
def _(q: np.ndarray, *, kernel: Any) -> Any:
    y, back = cr.vjp(lambda q: np.sum(kernel(q) ** 2), q)
    return y, lambda g: (back(g)[0],)


@cr.frule(integral)
def _(tangents: Any, q: np.ndarray, *, kernel: Any) -> Any:
    return cr.jvp(lambda q: np.sum(kernel(q) ** 2), (q,), (tangents[0],))


@cr.rrule(into, mutates=(0,))
def _(out: np.ndarray, q: np.ndarray, *, by: Any) -> Any:
    out[:] = q * q * by
    return None, lambda g, states: (np.zeros(3), 2.0 * q * by * cr.materialize(states[0], like=q))


@cr.frule(into, mutates=(0,))
def _(tangents: Any, out: np.ndarray, q: np.ndarray, *, by: Any) -> Any:
    out[:] = q * q * by
    return None, cr.NoTangent(), {0: 2.0 * q * by * tangents[1]}


NAMES = {
    "np": np, "cr": cr, "functools": functools, "heapq": heapq, "math": math, "statistics": statistics,
    "Scale": Scale, "weighed": weighed, "chosen": chosen, "integral": integral, "written": written,
}  # fmt: skip
INNER = {
    "a number": "weighed(w, by=c)",
    "an array": "weighed(w, by=z)",
    "in a list": "weighed(w, by=[z][0])",
    "in a dict": "chosen(w, options={'by': z, 'scale': Scale(c)})",
    "by a partial": "functools.partial(weighed, by=z)(w)",
    "by a dict": "weighed(w, **{'by': z})",
    "mapped": "sum(map(functools.partial(weighed, by=z), [w, w * 2.0]))",
    "function": "integral(w, kernel=lambda t: c * t * t)",
    "partial": "integral(w, kernel=functools.partial(np.multiply, z))",
    "of what is written": "written(w, z)",
    "second inner derivative": "np.sum(cr.grad(lambda v: weighed(v, by=z) * c)(w)) * w[0]",
    "of NumPy: period": "np.interp(w * 2.0, [0.0, 0.6, 0.7], [1.0, 2.0, 1.5], period=2.0 * c) @ (w * w)",
    "of NumPy: range": "np.sum(np.histogram(w, range=(0.0, 3.0 * c))[1] * w[0] ** 2)",
    "of NumPy: bins": "np.sum(np.histogram(w, bins=[0.0, c, 2.0], density=True)[0] * w[0] ** 2)",
    "of NumPy: bins of a plane": "np.sum(np.histogram2d(w, w, [[0.0, c, 2.0], 2], density=True)[0]) * w[0]",
    "of NumPy: weights": "np.quantile(w, 0.5, weights=z * c, method='inverted_cdf') * c",
    "of Python: default": "max([], default=c) * w[0] ** 2",
    "of Python: key": "sorted([w[0], w[1]], key=lambda v: -v * c)[0] ** 2 * c",
    "of Python: nlargest": "heapq.nlargest(1, [w[0], w[1]], key=lambda v: v * c)[0] ** 2 * c",
}
OUTER = {
    "gradient": "np.sum(cr.grad(f)(w) * x)",
    "value": "cr.vjp(f, w)[0] * x[0]",
    "pushforward": "sum(cr.jvp(f, (w,), (x,)))",
    "curvature": "np.sum(cr.hvp(f, w, x))",
}
REFUSED = {
    "initial": "np.sum(w * w, initial=c)",
    "initial of a method": "(w * w).max(initial=9.0 * c)",
    "initial of a ufunc": "np.add.reduce(w * w, initial=c)",
    "mean": "np.var(w * w, mean=c)",
    "order": "np.linalg.norm(w * w, ord=2.0 + c)",
    "start": "math.prod([w[0], w[1]], start=c)",
    "centre": "statistics.pvariance([w[0], w[1], w[2]], mu=c)",
}


def outer(inner: str, of: str) -> Compared:
    lines = ["w = x * x", "c = np.sum(x) * 0.4", "z = x * c", f"def f(w): return {inner}", f"return {of}"]
    return Compared("def program(x):\n" + "".join(f"    {line}\n" for line in lines), NAMES)


def computed(program: Compared) -> int:
    """In how many modes it is computed, and is right; it is refused in the others."""
    modes = (cr.grad(program.f), lambda x: [dense(cr.jvp(program.f, (x,), (e,))[1], 0.0) for e in np.eye(3)])
    derivatives = 0
    for derivative in modes:
        try:
            found = derivative(X)
        except (cr.NoRuleError, cr.UnsupportedArgument, MissingDerivativeError) as error:
            if "metadata, without a derivative" not in str(error):
                raise
            continue
        derivatives += 1
        np.testing.assert_allclose(found, program.slopes, 1e-4, 1e-5 * program.scale)
    return derivatives


@pytest.mark.parametrize("of", OUTER.values(), ids=OUTER)
@pytest.mark.parametrize("inner", INNER.values(), ids=INNER)
def test_it_has_a_derivative_where_the_rule_computes_with_it(inner: str, of: str) -> None:
    assert computed(outer(inner, of)), "forward at least: in reverse a rule may call the function itself"


@pytest.mark.parametrize("of", OUTER.values(), ids=OUTER)
@pytest.mark.parametrize("inner", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_where_the_rule_hands_it_to_numpy(inner: str, of: str) -> None:
    found = computed(outer(inner, of))
    assert of != OUTER["value"] or not found  # what is a derivative may not depend on it


def test_what_varies_in_the_inner_derivative_is_refused_there() -> None:
    with pytest.raises(cr.NoRuleError, match="weighed take by as metadata"):
        cr.grad(lambda x: np.sum(cr.grad(lambda w: weighed(w, by=w))(x)))(X)
