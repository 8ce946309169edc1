"""Blocks under `with`: filters of warnings, errors that are suppressed, objects with `__enter__`."""

import contextlib
import math
import warnings

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, hold_directions, is_right

X = np.array([0.7, -0.3, 1.4, 0.2])


def ignoring(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.filterwarnings("ignore", message="nothing", category=UserWarning)
        y = np.where(x > 0.0, np.log(x), x)
    return np.sum(y**2)


def by_keywords(x):
    total = 0.0
    for v in x:
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            for k in range(3):
                if k == 2:
                    break
                total = total + np.exp(v) * k
    return total


def within_another(x):
    if x[0] > 0.0:
        with np.errstate(invalid="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.sum(x**3)
    return np.sum(x**2)


def suppressed(x):
    total = 0.0
    for v in x:
        with contextlib.suppress(ValueError):
            total = total + math.sqrt(v * v)
    return total


class Scaled:
    def __init__(self, x, k):
        self.x, self.k, self.count = x, k, 0

    def __enter__(self):
        self.x = self.x * self.k
        self.count += 1
        return self

    def __exit__(self, kind, error, trace):
        self.x = self.x / 3.0
        return kind is ValueError


def by_an_object(x):
    s = Scaled(x, x[0])
    total = 0.0
    for _ in range(2):
        with s as t, Scaled(x, 2.0) as u:
            total = total + np.sum(np.sin(t.x) * u.x)
    return total * s.count + s.x[1]


def returned(x):
    s = Scaled(x, x[1])
    with s, Scaled(x, 2.0) as t:
        return np.sum(s.x**2 * t.x)


def returned_in_a_try(x):
    if x[0] > 0.0:
        try:
            return np.sum(np.exp(x))
        except ValueError:
            pass
    return np.sum(x**2)


def returned_in_a_match(x, k=1):
    if x[0] > 0.0:
        match k:
            case 1:
                return np.sum(np.exp(x))
    return np.sum(x**2)


@pytest.mark.parametrize(
    "f",
    [
        *(ignoring, within_another, suppressed, by_an_object, returned, returned_in_a_try),
        returned_in_a_match,
    ],
)
def test_blocks_under_with(f):
    x = X if f is not ignoring else X + 1.0
    assert is_right(f, x)
    hold_directions(f, x)
    for k in (1.0, -1.0, 2.0, -1.0, 1.0):
        if f is not ignoring:
            np.testing.assert_allclose(cr.grad(f)(k * x), differences(f, k * x), rtol=1e-6, atol=1e-8)


def test_filters_by_keyword():
    assert is_right(by_keywords, X)


def told(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = np.sum(np.isinf(np.log(x - x)) * x)
    return y + np.sum(np.isnan(np.sqrt(x)) * x)


def test_a_filter_holds_in_its_block_and_no_longer():
    for _ in range(6):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            cr.grad(told)(X)
        assert {str(w.message) for w in seen} == {"invalid value encountered in sqrt"}
    assert text_of(told)


def test_warnings_that_are_errors_are_the_users():
    def strict(x):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                y = np.sum(np.log(x))
            except RuntimeWarning:
                y = np.sum(x**2)
        return y * 2.0

    with specialised_after(1):
        for x in (X**2, X**2 + 1.0, X, X**2, X - 1.0, X**2):
            np.testing.assert_allclose(cr.grad(strict)(x), differences(strict, x), rtol=1e-6)


def caught(x):
    s = Scaled(x, 2.0)
    y = 1.0
    with s:
        y = math.sqrt(s.x[1])
    return y * s.x[0] + s.x[2]


def test_what_a_block_catches_is_left_to_the_ordinary_program():
    with specialised_after(1):
        for k in (-1.0, -2.0, 1.0, -1.0, 1.0):
            np.testing.assert_allclose(cr.grad(caught)(k * X), differences(caught, k * X), rtol=1e-6)
