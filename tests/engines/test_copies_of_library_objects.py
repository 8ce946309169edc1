"""Copies and fields of a library's objects: the derivative goes on, or they are refused."""

import copy

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy import sparse, stats
from scipy.interpolate import CubicSpline, interp1d
from scipy.spatial.transform import Rotation

import chainrules as cr

SITES = np.linspace(0.0, 1.0, 6)
VALUES = np.sin(3.0 * SITES) + 1.5
X = np.array([0.9, 1.1])


def of_a_spline(x):
    return copy.copy(CubicSpline(SITES, VALUES * x[0]))(0.3) * x[1]


def of_an_interpolant(x):
    return copy.copy(interp1d(SITES, VALUES * x[0]))(0.3) * x[1]


def of_a_spline_in_a_list(x):
    return copy.deepcopy([CubicSpline(SITES, VALUES * x[0])])[0](0.3) * x[1]


def of_a_distribution(x):
    return copy.copy(stats.norm(x[0], x[1])).pdf(0.2)


def of_a_sparse_array(x):
    return (copy.copy(sparse.csr_array(np.outer(x, x))) @ x).sum()


@pytest.mark.parametrize(
    "f", [of_a_spline, of_an_interpolant, of_a_spline_in_a_list, of_a_distribution, of_a_sparse_array]
)
def test_copies_go_on(f):
    h = 1e-6
    expected = [(f(X + h * u) - f(X - h * u)) / (2.0 * h) for u in np.eye(2)]
    for _ in range(4):
        np.testing.assert_allclose(cr.grad(f)(X), expected, rtol=1e-6)
        np.testing.assert_allclose(cr.jvp(f, (X,), (X,))[1], expected @ X, rtol=1e-6)


class Scaled:
    """A class that says what of it is copied."""

    def __init__(self, a):
        self.a = a

    def __getstate__(self):
        return {"a": self.a * 2.0}


@pytest.mark.parametrize(
    "f",
    [
        lambda x: copy.copy(Polynomial([x[0], x[1]]))(0.3),
        lambda x: copy.deepcopy(Polynomial([x[0], x[1]]))(0.3),
        lambda x: copy.copy(Rotation.from_rotvec([x[0], x[1], 0.1])).apply([1.0, 2.0, 3.0])[0],
        lambda x: copy.copy(Scaled(x[0])).a,
        lambda x: copy.deepcopy({"of": Scaled(x)})["of"].a.sum(),
    ],
)
def test_what_is_copied_in_another_way_is_refused(f):
    for way in (lambda: cr.grad(f)(X), lambda: cr.jvp(f, (X,), (X,))):
        with pytest.raises(cr.NotDifferentiableError, match="is copied by its own"):
            way()


@pytest.mark.parametrize(
    "f",
    [
        lambda x: vars(sparse.csr_array(np.outer(x, x)))["data"].sum(),
        lambda x: vars(interp1d(SITES, VALUES * x[0]))["x"].sum(),
    ],
)
def test_fields_that_no_rule_gives_are_refused(f):
    with pytest.raises(cr.NoRuleError, match="__dict__"):
        cr.grad(f)(X)


def test_fields_of_users_objects_are_given():
    class Plain:
        def __init__(self, a):
            self.a = a

    np.testing.assert_array_equal(cr.grad(lambda x: vars(Plain(x))["a"][0] * 3.0)(X), [3.0, 0.0])
