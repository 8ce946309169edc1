"""Branches that are met one after the other, and those that a changed argument would take."""

from typing import Any

import numpy as np

import chainrules as cr
from chainrules.engines.specialised.running.entry import known_of
from chainrules.engines.specialised.running.shown import text_of

from .compared import by_ordinary

RNG = np.random.default_rng(5)


def variants_of(f: Any) -> Any:
    """What is known of the calls of f, by their kinds."""
    known = known_of(f)
    assert known is not None
    return known


def determinant(A):
    sign = 1.0
    for k in range(len(A) - 1):
        p = k + int(np.argmax(np.abs(A[k:, k])))
        if p != k:
            A[[k, p]] = A[[p, k]]
            sign = -sign
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return sign * np.prod(np.diag(A))


def pieces(x):
    y = 0.0
    y += x[0] if x[0] > 1.0 else x[0] ** 2
    y += np.sin(x[1]) if x[1] > 0.5 else 3.0 * x[1]
    y += x[2] ** 3 if x[2] < -0.5 else x[2]
    y += np.exp(x[3]) if x[3] > 0.3 else -x[3]
    y += x[4] * x[0] if x[4] > 0.8 else x[4] ** 4
    y += np.cos(x[5]) if x[5] < -0.9 else x[5] * x[1]
    y += 2.0 * x[6] if x[6] > 1.2 else x[6] ** 2
    return y


def test_a_text_has_the_branches_of_what_was_given():
    A = RNG.normal(size=(5, 5))
    for _ in range(6):
        value, found = cr.value_and_grad(determinant)(A.copy())
        np.testing.assert_allclose(value, np.linalg.det(A))
        np.testing.assert_allclose(found, np.linalg.det(A) * np.linalg.inv(A).T)
    assert text_of(determinant)
    assert all(v.misses == 0 for v in variants_of(determinant).values())


def test_a_text_is_written_anew_for_as_many_branches_as_there_are():
    for _ in range(60):
        x = RNG.normal(size=7)
        np.testing.assert_allclose(cr.grad(pieces)(x), by_ordinary(pieces, x))
    assert text_of(pieces)
    variant = next(iter(variants_of(pieces).values()))
    before = variant.count
    for _ in range(40):
        cr.grad(pieces)(RNG.normal(size=7))
    assert variant.count - before < 10  # the others are answered by the text


def test_second_derivatives_meet_branches_too():
    v = np.linspace(-1.0, 1.0, 7)
    for _ in range(60):
        x = RNG.normal(size=7)
        slope = (by_ordinary(pieces, x + 1e-6 * v) - by_ordinary(pieces, x - 1e-6 * v)) / 2e-6
        np.testing.assert_allclose(cr.hvp(pieces, x, v), slope, rtol=1e-6, atol=1e-6)
    variant = variants_of(pieces)[(("gradient", (0,)), "a1")]
    assert not variant.dead and variant.program is not None
