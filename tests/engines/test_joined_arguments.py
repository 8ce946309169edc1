"""Functions that change an argument that is, or is a part of, something else that they see."""

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

import chainrules as cr
from chainrules.testing import check_grads

table = Table()
X = np.array([1.3, 0.7, -0.4])


class Tank:
    def __init__(self, w):
        self.w = w * w


def mixed(z, y):
    z[1] = z[1] * y[1]
    y[1] = y[1] * z[0]
    return y[0] * z[2]


def pushed(b, c):
    b.w = b.w * 0.5 + c.w
    c.w = c.w * b.w


def drawn(b, tanks):
    for c in tanks:
        b.w = b.w + c.w * c.w


@table(X)
def views(x):
    a = x * 1.0
    return mixed(a, a[1:]) + mixed(a, a[::-1]) + np.sum(a) + mixed(y=a, z=a)


@table(X)
def objects(x):
    tanks = [Tank(x[0]), Tank(x[1])]
    for b in tanks:
        for c in tanks:
            pushed(b, c)
        drawn(b, tanks)
    return tanks[0].w * tanks[1].w


@table(X)
def captured(x):
    a, tank = x * 1.0, Tank(x[2])
    b, tanks = a[1:], [tank, Tank(x[0])]

    def inner(b, tank):
        a[2] = x[0] * x[1]
        tanks[0].w = tanks[0].w * x[1]
        return b[1] * tank.w

    return inner(b, tank) * a[2]


def arguments(x, y):
    return mixed(x, y) + np.sum(x * y)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_programs(f, x):
    check(f, x)


def test_they_nest():
    check_grads(views, X, order=2)
    check_grads(objects, X, order=2)


def test_arguments_of_the_caller_that_share_memory():
    a = X.copy()
    pulled = sum(cr.grad(arguments, argnums=(0, 1))(a, a[:]))

    def alone(x):
        a = x * 1.0
        return arguments(a, a[:])

    np.testing.assert_allclose(pulled, cr.grad(alone)(X))


def test_what_is_captured_and_only_read():
    def f(x):
        a = x * 1.0

        def inner(b):
            b[0] = x[0] * 3.0
            return a[1]

        return inner(a[1:])

    rightly.grad(f)(X)
