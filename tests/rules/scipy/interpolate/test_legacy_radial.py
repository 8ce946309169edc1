"""The older surface of radial functions, with each of its functions."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import Rbf, RBFInterpolator
from tests.rules.cases import case, normal, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X, Y, D, AT = uniform(8), uniform(8, seed=1), normal(8), uniform(3, seed=2)
FUNCTIONS = ("multiquadric", "inverse", "gaussian", "linear", "cubic", "quintic", "thin_plate")
MADE = Rbf(X, Y, D, function="gaussian", epsilon=0.7)
CASES = [
    case(Rbf.__call__, MADE, AT, AT[::-1]),
    case(Rbf.__call__, Rbf(X, Y, normal(8, 2), mode="N-D"), AT, AT[::-1]),
    *(case(getattr, MADE, name) for name in ("xi", "di", "epsilon", "nodes")),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_by_points_and_values(function: str) -> None:
    check_grads(
        lambda x, y, d, at: Rbf(x, y, d, function=function, smooth=0.1)(at, at[::-1]), X, Y, D, AT, order=1
    )


def test_several_values_at_each_point() -> None:
    check_grads(lambda x, d: Rbf(x, Y, d, mode="N-D", epsilon=0.8)(AT, AT).T, X, normal(8, 2), order=1)


def test_what_takes_its_place_has_the_same_derivative() -> None:
    tangent = normal(8, seed=5)
    points, at = np.stack((X, Y), axis=1), np.stack((AT, AT[::-1]), axis=1)
    old = cr.jvp(lambda d: Rbf(X, Y, d, function="gaussian", epsilon=0.5)(AT, AT[::-1]), (D,), (tangent,))[1]
    new = cr.jvp(
        lambda d: RBFInterpolator(points, d, kernel="gaussian", epsilon=2.0, degree=-1)(at), (D,), (tangent,)
    )[1]
    np.testing.assert_allclose(old, new, rtol=1e-6)


@pytest.mark.parametrize(("name", "value"), [("function", np.exp), ("norm", "cityblock")])
def test_functions_and_norms_of_the_users_are_refused(name: str, value: Any) -> None:
    with pytest.raises(cr.UnsupportedArgument, match=name):
        cr.vjp(lambda d: Rbf(X, Y, d, **{name: value})(AT, AT), D)
