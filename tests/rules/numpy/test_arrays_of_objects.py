"""Arrays of objects are refused by name where something varies in them."""

from typing import Any

import numpy as np
import pytest
from scipy import integrate
from scipy.interpolate import CubicSpline

import chainrules as cr

X = np.array([1.3, 0.7])
SITES = np.array([0.0, 1.0, 2.0])


class Held:
    def __init__(self, k: Any) -> None:
        self.k = k


def of_splines(x: Any) -> Any:
    curves = np.array([CubicSpline(SITES, x[0] * SITES)], dtype=object)
    return curves[0](0.5)


def of_objects(x: Any) -> Any:
    return np.array([Held(x[0]), Held(x[1])])[0].k


def of_dictionaries(x: Any) -> Any:
    return np.asarray([{"k": x[0]}])[0]["k"]


@pytest.mark.parametrize("f", [of_splines, of_objects, of_dictionaries])
def test_arrays_that_are_made(f: Any) -> None:
    for _ in range(4):
        with pytest.raises(cr.NotDifferentiableError, match=r"that ndarray.* of object holds") as caught:
            cr.grad(f)(X)
        assert "next: keep the objects in a list" in str(caught.value)


def test_an_array_that_nothing_is_read_of() -> None:
    def f(x: Any) -> Any:
        np.array([x[0], "a name"], dtype=object)
        return x[0] ** 2

    assert np.allclose(cr.grad(f)(X), [2.6, 0.0])


def test_an_array_that_is_captured() -> None:
    def f(x: Any) -> Any:
        curves = np.array([CubicSpline(SITES, SITES**2)], dtype=object)
        return integrate.quad(lambda t: curves[0](t) * x[0], 0.0, 1.0)[0]

    for _ in range(4):
        with pytest.raises(cr.NotDifferentiableError, match="the CubicSpline that ndarray"):
            cr.grad(f)(X)


def test_an_array_from_outside_is_only_read() -> None:
    curves = np.array([CubicSpline(SITES, SITES**2)], dtype=object)
    for _ in range(4):
        assert np.allclose(cr.grad(lambda x: curves[0](0.5) * x[0])(X), [0.25, 0.0])
