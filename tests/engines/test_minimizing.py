"""`minimize`: nested parameters through SciPy's methods, with history, callback and bounds."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr

METHODS = ["BFGS", "L-BFGS-B", "CG", "TNC", "SLSQP", "Newton-CG", "trust-ncg", "trust-krylov", "trust-exact"]
START = {"w": np.array([2.0, -1.0]), "b": 0.5}
rng = np.random.default_rng(0)
X = rng.normal(size=(30, 2))
Y = X @ np.array([1.5, -0.5]) + 0.25


def loss(params, x, y):
    return np.mean((x @ params["w"] + params["b"] - y) ** 2)


@dataclass
class Point:
    x: float
    y: float


def rosenbrock(p):
    return (1.0 - p.x) ** 2 + 100.0 * (p.y - p.x**2) ** 2


@pytest.mark.parametrize("method", METHODS)
def test_a_fit_of_nested_parameters(method):
    found = cr.minimize(loss, START, X, Y, method=method, tol=1e-10)
    assert np.allclose(found.params["w"], [1.5, -0.5], atol=1e-4)
    assert isinstance(found.params["b"], float)
    assert np.isclose(found.params["b"], 0.25, atol=1e-4)
    assert np.isclose(found.history[0], loss(START, X, Y))
    assert found.history[-1] == pytest.approx(found.fun, abs=1e-8)
    assert START["b"] == 0.5


@pytest.mark.parametrize("method", ["Nelder-Mead", "Powell", "COBYLA"])
def test_methods_without_derivatives_are_given_none(method):
    found = cr.minimize(
        lambda p: abs(p["a"] - 1.0) + p["b"] ** 2, {"a": 0.0, "b": 1.0}, method=method, tol=1e-8
    )
    assert np.isclose(found.params["a"], 1.0, atol=1e-3)


def test_the_steps_are_scipys_own():
    found = cr.minimize(rosenbrock, Point(-1.2, 1.0), method="BFGS")
    own = optimize.minimize(optimize.rosen, [-1.2, 1.0], jac=optimize.rosen_der, method="BFGS")
    assert isinstance(found.params, Point)
    assert found.nit == own.nit
    assert np.allclose([found.params.x, found.params.y], own.x)
    assert len(found.history) == found.nit + 1


def test_a_callback_sees_parameters_and_ends_the_search():
    seen = []

    def callback(params, value):
        seen.append((params.x, value))
        return len(seen) == 3

    found = cr.minimize(rosenbrock, Point(-1.2, 1.0), method="BFGS", callback=callback)
    assert len(seen) == 3
    assert [value for _, value in seen] == found.history[1:]
    assert seen[-1][0] == found.params.x


@pytest.mark.parametrize(
    "bounds", [(0.0, 1.0), ({"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 1.0}), [(0.0, 1.0)] * 2]
)
def test_bounds_like_the_parameters(bounds):
    found = cr.minimize(
        lambda p: (p["a"] - 3.0) ** 2 + (p["b"] + 3.0) ** 2, {"a": 0.5, "b": 0.5}, bounds=bounds
    )
    assert (found.params["a"], found.params["b"]) == (1.0, 0.0)


def test_what_cannot_be_moved_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="no real numbers"):
        cr.minimize(lambda p: 0.0, {"name": "x"})
    with pytest.raises(cr.UnsupportedArgument, match="holds 1 numbers and params 2"):
        cr.minimize(rosenbrock, Point(0.0, 0.0), bounds=([0.0], [1.0]))


def test_progress_with_tqdm_and_without(capsys, monkeypatch):
    pytest.importorskip("tqdm")
    cr.minimize(lambda x: (x - 1.0) ** 2, 3.0, progress=True)
    assert "minimize" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr("chainrules.engines.minimizing.find_spec", lambda name: None)
    cr.minimize(lambda x: (x - 1.0) ** 2, 3.0, progress=True)
    assert "step 1:" in capsys.readouterr().err


@pytest.mark.parametrize("operator", [cr.grad, cr.derivative])
def test_a_derivative_of_what_was_found_is_refused(operator):
    def fitted(a):
        return cr.minimize(lambda x: (x - a) ** 2, 0.0, method="BFGS").fun

    with pytest.raises(cr.NotDifferentiableError, match="what minimize found is not differentiated"):
        operator(fitted)(2.0)
