"""Cotangents that nobody reads are not computed."""

import numpy as np

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.engines.specialised.writing.rundown import scattered, spread
from chainrules.engines.specialised.writing.unread import without_unread

from .compared import is_right

X = np.random.default_rng(8).normal(size=(5, 3))


def network(layers, x):
    for W, b in layers:
        x = np.tanh(x @ W + b)
    return np.sum(x**2)


def of_weights(w):
    return network([(w.reshape(3, 3), w[:3]), (w.reshape(3, 3) * 0.5, w[3:6])], X)


def in_a_branch(w, x=X[0]):
    if w[0] > 0.0:
        x = x * np.sin(w[:3])
        x = x * w[0]
    else:
        x = x - w[3:6]
    return np.sum(x**2)


def test_the_first_layer_gives_nothing_back():
    layers = [(np.eye(3), np.ones(3)), (np.eye(3) * 0.5, np.ones(3))]
    with specialised_after(1):
        for _ in range(3):
            cr.grad(network)(layers, X)
    text = text_of(network)
    assert text.count(" @ ") == 5  # two forward, one for each matrix, one between
    w = np.random.default_rng(2).normal(size=9)
    w[0] = 1.0
    assert is_right(of_weights, w)
    assert is_right(in_a_branch, w)


def test_what_does_something_stays():
    helpers = {"spread_": spread, "scattered_": scattered, "p1_": None}
    lines = [
        "g1_ = seed_ * y",
        "g2_ = p1_(g1_)",
        "if t1_:",
        "    g3_ = spread_(g1_, x, y)",
        "g4_ = g1_ * 2.0",
    ]
    lines += ["g5_ = g4_ @ A.T", "scattered_(b, i, g1_)", "g6_ = s_.pop()", "g7_ = A @ g1_"]
    kept, at = without_unread(lines, [*range(len(lines))], helpers, ["g7_"])
    assert [lines[i] for i in at] == kept
    assert at == [0, 1, 2, 3, 6, 7, 8]
