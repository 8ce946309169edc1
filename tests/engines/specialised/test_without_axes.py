"""Arrays without axes, as `np.where` makes of numbers: numbers stand in their place in texts, unseen."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of


def hinge(x: Any) -> Any:
    return np.where(x > 0.5, x**2, -x) * 2.0 + 1.0


def hinges(w: Any) -> Any:
    total = 0.0
    for v in w:
        total = total + np.where(v > 0.0, v**2, -v) * np.tensordot(w, w, 1)
    return total


def gathered(w: Any) -> Any:
    found = [np.where(v > 0.0, np.sin(v), v) for v in w]
    found.append(np.asarray(w[0]))
    return sum(found) + found[0].item() * math.exp(found[1]) + np.stack(found).max()


def real_parts(w: Any) -> Any:
    a = np.outer(w, w)
    a.real[0] += w[0]
    return a.real.sum() + np.real(a @ a).trace() + w[1].real ** 2


WITH_TEXTS: list[Callable[[Any], Any]] = [hinges, real_parts]


def changed_in_place(w: Any) -> Any:
    y = np.where(w[0] > 0.0, w[0], 2.0 * w[0])
    z = y
    y += w[1]
    return z * w[0]


def asked_for_its_type(w: Any) -> Any:
    y = np.where(w[0] > 0.0, w[0], 2.0 * w[0])
    return y * w[1] if isinstance(y, np.ndarray) else y


def asked_for_its_name(w: Any) -> Any:
    y = np.where(w[0] > 0.0, w[0], 2.0 * w[0])
    return y * w[1] if type(y).__name__ == "ndarray" else y


def copied(w: Any) -> Any:
    y = np.where(w[0] > 0.0, w[0], 2.0 * w[0]).copy()
    z = y
    y += w[1]
    return z * w[0]


def spelled(w: Any) -> Any:
    y = np.where(w[0] > 0.0, w[0], 2.0 * w[0])
    return y * w[1] if repr(y).startswith("array") else y


ORDINARY: list[Callable[[Any], Any]] = [
    changed_in_place,
    asked_for_its_type,
    asked_for_its_name,
    copied,
    spelled,
]


def slopes(f: Callable[[Any], Any], w: Any) -> Any:
    step = 1e-6
    return np.array([(f(w + step * e) - f(w - step * e)) / (2 * step) for e in np.eye(len(w))])


@pytest.mark.parametrize("f", [*WITH_TEXTS, *ORDINARY])
def test_gradients_are_those_of_differences(f: Callable[[Any], Any]) -> None:
    with specialised_after(1):
        for w in map(np.array, ([0.4, 0.7], [-0.3, 0.9], [0.2, -0.6], [0.5, 0.8])):
            value, gradient = cr.value_and_grad(f)(w)
            assert value == f(w)
            np.testing.assert_allclose(gradient, slopes(f, w), rtol=1e-6, atol=1e-7)
            np.testing.assert_allclose(cr.jvp(f, (w,), (w,))[1], gradient @ w)
    assert (f in WITH_TEXTS) <= bool(text_of(f))


def test_a_number_alone() -> None:
    with specialised_after(1):
        for x in (0.7, 0.2, 0.9, -0.4):
            assert cr.grad(hinge)(x) == pytest.approx(4 * x if x > 0.5 else -2.0)
    assert text_of(hinge)
