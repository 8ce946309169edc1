# ruff: noqa: T201, UP030, UP031, UP032, SIM905  these functions print, and make texts in many ways
"""Texts that are split, joined and formatted, in programs that print them or choose by them."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, hold_directions, is_right

X = np.array([0.7, -0.3, 1.4, 0.2])
ACTIVATIONS: dict[str, Any] = {"tanh": np.tanh, "sin": np.sin, "same": lambda t: t * 1.5}


def layers(x):
    for name in "tanh,same,sin".split(","):
        x = ACTIVATIONS[name](x * 1.3)
    a, b = "2.0 0.5".split()
    return np.sum(x) * float(a) + float(b) * x[0]


def by_length(x):
    line = ", ".join(f"{v:.1f}" for v in x)
    head = "-".join([str(i) for i in range(3)])
    return np.sum(x) * (2.0 if line.count(",") == 3 else 1.0) + x[1] * len(head)


def by_format(x):
    name = "{}_{:03d}".format("w", 7)
    weights = {"w_007": x[0] * 2.0, "b_1": x[1]}
    return (
        weights[name] * weights["{kind}_{n}".format(kind="b", n=1)]
        + len("{:>8.3f}|{!r}".format(1.5, "a")) * x[2]
    )


@pytest.mark.parametrize("f", [layers, by_length, by_format])
def test_texts_that_are_chosen_by(f):
    assert is_right(f, X)
    hold_directions(f, X)


def printing(x):
    y = np.sum(x**2)
    print("loss {:.3f} of {}".format(y, len(x)), "; ".join("%g" % v for v in x), "{0!r:>6}".format("a"))
    print("{1} {0}".format(1, 2), "{:{}}".format(3, 5), "a-b".split("-"), " x ".strip().ljust(4) + "|")
    return y


def test_texts_that_are_printed(capsys):
    with specialised_after(1):
        for k in (1.0, 1.0, 2.0, 3.0):
            value = printing(X * k)
            plain = capsys.readouterr().out
            assert cr.value_and_grad(printing)(X * k)[0] == value
            assert capsys.readouterr().out == plain


def joined(x):
    y = np.sum(x**2)
    print("loss {:.3f}".format(y), "; ".join("%g" % v for v in x))
    return y


def test_joined_texts_are_printed_by_a_text(capsys):
    with specialised_after(1):
        for k in (1.0, 1.0, 2.0, 3.0):
            joined(X * k)
            plain = capsys.readouterr().out
            found = cr.grad(joined)(X * k)
            assert capsys.readouterr().out == plain
            np.testing.assert_allclose(found, differences(joined, X * k), rtol=1e-6)
            capsys.readouterr()
    assert text_of(joined)
