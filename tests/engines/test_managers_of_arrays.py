"""Managers made by `contextmanager` that are given arrays, which stay as they are from then on."""

import contextlib

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr

X = np.array([0.3, -0.8])


@contextlib.contextmanager
def cubed(v):
    w = v * v * v
    yield w


@contextlib.contextmanager
def doubled(v):
    yield v * 2.0


def given_an_argument(x):
    with cubed(x) as w:
        y = np.sum(w * x)
    v = x * 1.0
    v[0] = 3.0
    return y + np.sum(v)


def returned_inside(x):
    with doubled(x) as w:
        return np.sum(w * x)


def made_before(x):
    u, k = x * x, 2.0

    @contextlib.contextmanager
    def scaled(v):
        yield v * k

    with scaled(u) as w, cubed(u) as v:
        return np.sum(w * v * x)


@pytest.mark.parametrize("f", [given_an_argument, returned_inside, made_before])
def test_arrays_that_are_given(f):
    cr.testing.check_grads(f, X, order=2)
    x = X.copy()
    cr.grad(f)(x)
    x[0] = 1.0  # it is writeable again


def test_an_array_that_changes_while_a_manager_may_read_it():
    def f(x):
        u = x * 1.0
        with cubed(u) as w:
            u[0] = 2.0
            y = np.sum(w * u)
        return y

    rightly.grad(f)(X)
