"""Integrals over boxes by their parameters and limits, against closed forms and differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import qmc

import chainrules as cr
from chainrules.core import UnsupportedArgument

SETTINGS: dict[str, Any] = {"rule": "gk15", "rtol": 1e-6}


def of(f, a, b, **options):
    return integrate.cubature(f, a, b, **(SETTINGS | options)).estimate


# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "args": (
        lambda t: of(lambda x, k: np.exp(-k * x[:, 0]), [0.0], [1.0], args=(t,)),
        lambda t: (1 - np.exp(-t)) / t,
    ),
    "a limit, an infinite one, and captured": (
        lambda t: of(lambda x: np.exp(-t * x[:, 0]), [t], [np.inf]),
        lambda t: np.exp(-t * t) / t,
    ),
    "an array": (
        lambda t: np.sum(of(lambda x: np.stack([t * x[:, 0], x[:, 0] ** (2 + t)], axis=-1), [0.0], [1.0])),
        lambda t: t / 2 + 1 / (t + 3),
    ),
    "limits the other way": (lambda t: of(lambda x: t * x[:, 0], [t], [0.0]), lambda t: -(t**3) / 2),
    "two dimensions": (
        lambda t: of(lambda x: t * x[:, 0] * x[:, 1] ** 2, [0.0, t], [t, 3.0], rule="genz-malik"),
        lambda t: t**3 / 2 * (27 - t**3) / 3,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    f, closed = PROGRAMS[name]
    assert f(1.3) == pytest.approx(closed(1.3), rel=1e-6)
    assert cr.grad(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=1e-6)
    assert cr.derivative(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=1e-6)


def test_second_order():
    f, closed = PROGRAMS["args"]
    expected = cr.grad(cr.grad(closed))(1.3)
    assert cr.derivative(cr.grad(f))(1.3) == pytest.approx(expected, rel=1e-6)
    assert cr.grad(cr.derivative(f))(1.3) == pytest.approx(expected, rel=1e-6)


def by_points(t, ends):
    """An integral over a rectangle, by points that a seed draws."""
    ends = [part * t for part in ends]
    return integrate.qmc_quad(
        lambda x: np.exp(-t * x[0]) * x[1],
        [0.0, ends[0]],
        [1.0, ends[1]],
        n_points=64,
        qrng=qmc.Halton(2, seed=1),
    ).integral


@pytest.mark.parametrize("ends", [(0.0, 1.0), (2.0, 0.5)])
def test_quadrature_at_random_points_moves_as_it_does(ends):
    def f(t):
        return by_points(t, ends)

    h = 1e-4
    expected = (f(1.3 + h) - f(1.3 - h)) / (2 * h)
    assert cr.grad(f)(1.3) == pytest.approx(expected, rel=1e-6)
    assert cr.derivative(f)(1.3) == pytest.approx(expected, rel=1e-6)
    expected = (f(1.3 + h) - 2 * f(1.3) + f(1.3 - h)) / h**2
    assert cr.grad(cr.grad(f))(1.3) == pytest.approx(expected, rel=1e-4)


def test_what_is_refused():
    with pytest.raises(UnsupportedArgument, match="points"):
        cr.grad(lambda t: of(lambda x: t * x[:, 0], [0.0], [1.0], points=[np.array([0.3])]))(1.0)
    with pytest.raises(UnsupportedArgument, match="log"):
        cr.grad(lambda t: integrate.qmc_quad(lambda x: np.log(t) + x[0], [0.0], [1.0], log=True).integral)(
            1.3
        )
    with pytest.raises(cr.ChainRulesError, match="standard_error"):
        cr.grad(lambda t: integrate.qmc_quad(lambda x: t * x[0], [0.0], [1.0]).standard_error)(1.3)
    with pytest.raises(cr.ChainRulesError, match="error"):
        cr.grad(lambda t: integrate.cubature(lambda x: np.exp(t * x[:, 0]), [0.0], [1.0], **SETTINGS).error)(
            1.3
        )
    with pytest.raises(cr.NotDifferentiableError, match="did not converge"):
        cr.grad(lambda t: of(lambda x: np.abs(x[:, 0] - 0.3 * t), [0.0], [1.0], max_subdivisions=2))(1.0)
