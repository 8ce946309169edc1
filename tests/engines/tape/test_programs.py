"""Programs on the tape: what runs is differentiated in both modes, to second order, as differences say."""

import math
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from tests.engines.matrix import ROWS
from tests.engines.random_programs import function_of, programs
from tests.engines.table import Table

import chainrules as cr
from chainrules.testing import check_engine, check_grads

X = np.array([0.5, -1.2, 2.0])
A = np.array([[1.0, 2.0, -0.3], [-0.5, 0.3, 0.8]])
table = Table()


def test_the_suite_of_programs_passes_but_for_a_write():
    check_engine("tape", refused=("written",))


@table(X)
def methods(x: Any) -> Any:
    return (x.reshape(3, 1).T * x).sum(axis=0).mean() + x.dot(x) + x.T @ x + x.real.max() - x.std()


@table(X)
def python_over_entries(x: Any) -> Any:
    total = 0.0
    for v in x:
        total += v * v
    return total + max(x) * abs(x[1]) + sorted(x)[0] + x[-1].item() + sum(x[1:]) + len(x) * x[0]


@table(X)
def indices(x: Any) -> Any:
    return x[np.argmax(x)] * x[np.array([0, 0])][1] * x[..., None][0, 0] * x[x > 0].sum()


@table(X)
def containers(x: Any) -> Any:
    rows = [x * k for k in range(2)] + [np.ones(3)]
    named: dict[str, Any] = {"a": np.stack(rows), "b": (x[0], x[1])}
    return np.concatenate([named["a"], [x]]).sum(axis=0) * named["b"][1]


@table(X)
def keywords(x: Any) -> Any:
    y = np.clip(x, a_min=-0.1, a_max=x[2] * 0.4)
    return np.linalg.solve(a=np.eye(3) + np.outer(x, x), b=y)


@table(A @ A.T + 2 * np.eye(2))
def several_results(a: Any) -> Any:
    found, second = np.linalg.eigh(a + a.T), np.linalg.svd(a, compute_uv=False)
    return np.sum(found.eigenvalues**3) + second[0] + np.split(a, 2)[1].sum()


@table(X)
def methods_of_ufuncs(x: Any) -> Any:
    return np.multiply.outer(x, x).sum() + np.add.reduce(x * x) + np.maximum.accumulate(x)[-1]


@table(2.7)
def whole_numbers_end_a_derivative(t: Any) -> Any:
    return (t - int(t)) * t + (t // 1) * t + round(t) * t + divmod(t, 2.0)[1] + math.floor(t) * t


@table(1.0 + 2.0j)
def complex_numbers(z: Any) -> Any:
    return abs(z * z.conjugate()) + (z * 2).imag + np.exp(1j * z).real


@table(X)
def functions_of_functions(x: Any) -> Any:
    return np.apply_along_axis(lambda row: row * x[0], 0, np.outer(x, x)).sum()


@table(0.3)
def opaque_functions_by_call(t: Any) -> Any:
    return cr.call(math.sin, t) * cr.call(math.hypot, t, 2.0) + np.float64(2.0) ** t + 3 % (1 + t)


@table(X)
def reversed_operators(x: Any) -> Any:
    return 2.0 ** (0.1 * x) - 1.0 / (3.0 + x * x) + np.ones((2, 3)) @ x @ np.ones(2) + (-x) - (+x)


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass
class Layer:
    w: Any
    b: Any
    name: str = "layer"

    def __call__(self, x: Any) -> Any:
        return np.tanh(self.w @ x + self.b)

    def __rmul__(self, k: Any) -> Any:
        return Layer(k * self.w, k * self.b)


@table(Layer(A, np.array([0.1, 0.2])), {"x": X, "k": 1.5}, Pair(2.0, [0.3, X]))
def structures(layer: Any, inputs: Any, pair: Any) -> Any:
    first, (scale, shift) = pair
    y = (scale * layer)(inputs["x"] * inputs["k"] + shift)
    return {"y": y * first, "layer": Layer(y, pair.first)}


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_programs_of_one_order(f, x):
    check_grads(f, *x, order=1, engine="tape")


@pytest.mark.parametrize("f", [containers, indices, methods, reversed_operators])
def test_programs_of_two_orders(f):
    check_grads(f, X, order=2, engine="tape")


def test_keywords_that_vary_twice_are_differentiated_in_reverse_and_refused_forward():
    check_grads(keywords, X, order=2, modes=("rev",), engine="tape")
    with pytest.raises(AssertionError, match="by position"):
        check_grads(keywords, X, order=2, engine="tape")


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r.name not in ("reduce", "piecewise")], ids=lambda r: r.name
)
def test_the_catalogue_in_reverse(row):
    """What the rule alone answers."""
    answer = cr.core.reverse(row.f, row.args, row.kwargs)
    assert answer is not None
    y, back = answer
    recorded, pullback = cr.vjp(lambda *x: row.f(*x, **row.kwargs), *row.args, engine="tape")
    np.testing.assert_equal(cr.ravel(recorded)[0], cr.ravel(y)[0])
    zeros, unravel = cr.ravel(cr.zero_tangent(y))
    seed = unravel(np.cos(np.arange(zeros.size)))
    for t, s, x in zip(pullback(seed), back(seed), row.args, strict=True):
        if isinstance(x, np.ndarray) and x.dtype.kind in "fc":
            np.testing.assert_allclose(cr.materialize(t, like=x), cr.materialize(s, like=x), rtol=1e-12)


@settings(max_examples=25)
@given(programs())
def test_random_programs_agree_with_the_source_engine(text):
    """The tape knows math and plain arrays by other names."""
    recorded = text.replace("math.tanh", "np.tanh").replace("np.array", "np.stack")
    found = [gradient(text, "source"), gradient(recorded, "tape")]
    assume(all(np.isfinite(g).all() for g in found))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9, atol=1e-9, err_msg=text)


def gradient(text: str, engine: str) -> Any:
    """The value of a random program and its derivatives."""
    f: Any = function_of(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            y: Any = f(0.7, 1.3)
        except (UnboundLocalError, NameError, ArithmeticError, TypeError):
            y = None
        assume(isinstance(y, int | float | np.floating) and abs(float(y)) < 1e6)
        value, pullback = cr.vjp(f, 0.7, 1.3, engine=engine)
        assert value == y
        return [float(y), *(float(cr.materialize(t, like=0.0)) for t in pullback(1.0))]


def test_threads_inside_a_run_record_on_one_tape():
    def of_entries(x: Any) -> Any:
        def powers(v: Any) -> Any:
            return sum(np.sin(v * k) for k in range(1, 20))

        with ThreadPoolExecutor(4) as threads:
            return sum(threads.map(powers, x))

    x, before = np.linspace(0.1, 1.0, 8), sys.getswitchinterval()
    expected = sum(k * np.cos(k * x) for k in range(1, 20))
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            np.testing.assert_allclose(cr.grad(of_entries, engine="tape")(x), expected)
    finally:
        sys.setswitchinterval(before)
