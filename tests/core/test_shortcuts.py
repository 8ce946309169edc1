"""A shortcut gives its answer at first order, and None where it is differentiated."""

import pytest

import chainrules as cr
from chainrules.core.shortcuts import shortcut

taken: list[bool] = []


@shortcut
def quick(x):
    return 3.0 * cr.stop_gradient(x) ** 2


def slope(x):
    known = quick(x)
    taken.append(known is not None)
    return known if known is not None else 3.0 * x**2


def test_a_plain_call_takes_the_shortcut():
    taken.clear()
    assert slope(2.0) == 12.0
    assert taken == [True]


@pytest.mark.parametrize(
    "run", [lambda: cr.grad(slope)(2.0), lambda: cr.jvp(slope, (2.0,), (1.0,))[1]], ids=["reverse", "forward"]
)
def test_a_derivative_goes_the_ordinary_way(run):
    taken.clear()
    assert run() == 12.0
    assert taken == [False]
