"""Methods that keep an array of the module that they are given: they may, unless somebody writes into it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

DATA = np.linspace(-0.7, 0.9, 6).reshape(3, 2)
W = np.array([0.7, 1.1])


class Keeping:
    def __init__(self, w: Any) -> None:
        self.w, self.x, self.y = w, np.zeros(2), np.zeros(2)

    def forward(self, x: Any) -> Any:
        self.x = x
        self.y = np.tanh(self.w * x)
        return self.y


class Pure:
    def __init__(self, w: Any) -> None:
        self.w = w

    def forward(self, x: Any) -> Any:
        return np.sin(self.w * x)


class Writing(Keeping):
    def forward(self, x: Any) -> Any:
        self.x = x
        self.x[0] = self.x[0] * self.w[0]
        return self.x


def through(layers: Any, x: Any) -> Any:
    for layer in layers:
        x = layer.forward(x)
    return x


def of_keeping(w: Any) -> Any:
    return np.sum(through([Keeping(w), Keeping(w * w)], DATA) ** 2)


def of_pure(w: Any) -> Any:
    return np.sum(through([Pure(w), Pure(w * w)], DATA) ** 2)


def of_both(w: Any) -> Any:
    x = DATA
    for layer in (Pure(w), Keeping(w), Pure(w[::-1])):
        x = layer.forward(x)
    return np.sum(x)


def inside(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def own(w: Any) -> Any:
        return f(w) * w[0]

    return own


@pytest.mark.parametrize("f", [of_keeping, of_pure, of_both, inside(of_keeping), inside(of_both)])
def test_what_is_kept_alone(f):
    check_grads(f, W, order=2)
    assert DATA.flags.writeable


def of_writing(w: Any) -> Any:
    return np.sum(through([Keeping(w), Writing(w)], DATA)) + np.sum(through([Writing(w)], DATA[0]))


def test_what_is_written_into_is_given_back():
    before = DATA.copy()
    slope = []
    for h in (1e-6, -1e-6):
        DATA[...] = before
        slope.append(inside(of_writing)(W + h))
    DATA[...] = before
    found = cr.grad(inside(of_writing))(W)
    np.testing.assert_allclose(np.sum(found), (slope[0] - slope[1]) / 2e-6, rtol=1e-5)
    DATA[...] = before
    assert DATA.flags.writeable


def test_hessians_of_layers_that_keep_what_they_computed():
    def gradient(w):
        return cr.grad(of_keeping)(w)

    steps = 1e-5 * np.eye(2)
    slopes = [(gradient(W + e) - gradient(W - e)) / 2e-5 for e in steps]
    np.testing.assert_allclose(cr.hessian(of_keeping)(W), slopes, rtol=1e-6)
