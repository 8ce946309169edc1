"""Frozen distributions that a program makes, or finds outside: what they hold stands in the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .test_idioms_specialised import differences, hold_specialised

X = np.array([0.3, -0.7, 0.4])
AT, COUNTS = np.linspace(-1.0, 2.0, 7), np.arange(5)
OUTSIDE = stats.norm(0.2, 1.3)


def normal(x: Any) -> Any:
    return np.sum(stats.norm(x[0], np.exp(x[1])).logpdf(AT) * AT)


def by_name(x: Any) -> Any:
    law = stats.norm(scale=np.exp(x[1]), loc=x[0])
    return np.sum(law.pdf(AT)) + law.cdf(x[2]) * law.ppf(0.3)


def with_a_shape(x: Any) -> Any:
    return np.sum(stats.gamma(np.exp(x[0]), scale=np.exp(x[1])).logpdf(AT + 1.5) * AT)


def location_alone(x: Any) -> Any:
    law = stats.t(4.0, x[0])
    return np.sum(law.logsf(AT)) * law.logcdf(x[1])


def counts(x: Any) -> Any:
    return np.sum(stats.poisson(np.exp(x[0])).logpmf(COUNTS) * COUNTS) * x[1]


def mixture(x: Any) -> Any:
    laws = [stats.norm(x[0], 1.0), stats.t.freeze(4.0, x[1], np.exp(x[2]))]
    return np.sum(np.log(0.3 * laws[0].pdf(AT) + 0.7 * laws[1].pdf(AT)))


def of_several(x: Any) -> Any:
    return np.sum(stats.norm(x, 1.0).logpdf(0.2)) + stats.norm(x[0], 2.0).entropy()


def from_outside(x: Any) -> Any:
    return np.sum(OUTSIDE.logpdf(x)) * np.sum(OUTSIDE.cdf(x))


PROGRAMS: list[Callable[[Any], Any]] = [
    *(normal, by_name, with_a_shape, location_alone, counts, mixture, of_several, from_outside),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_they_are_what_they_hold(f: Any) -> None:
    hold_specialised(f, X)


def test_nothing_is_frozen() -> None:
    with specialised_after(1):
        for _ in range(3):
            cr.grad(normal)(X)
        assert "freeze" not in text_of(normal)


@pytest.mark.parametrize("f", [normal, with_a_shape, mixture])
def test_second_derivatives(f: Any) -> None:
    v = np.array([0.2, -1.0, 0.4])
    with specialised_after(1):
        for x in (X, 1.1 * X, -X):
            expected = (cr.grad(f)(x + 1e-5 * v) - cr.grad(f)(x - 1e-5 * v)) / 2e-5
            np.testing.assert_allclose(cr.hvp(f, x, v), expected, rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(cr.jvp(f, (x,), (v,))[1], differences(f, x) @ v, rtol=1e-5)


def test_outside_the_support_and_parameters_that_are_none() -> None:
    def scaled(x: Any, at: Any) -> Any:
        return np.sum(stats.expon(x[0], x[1]).logpdf(at)) + np.sum(stats.gamma(x[2]).pdf(at))

    with specialised_after(1, compared=True), np.errstate(all="ignore"):
        for x in (np.abs(X), np.abs(X), np.array([0.3, -0.5, 0.4]), np.array([0.1, 0.5, 2.0])):
            for at in (AT + 1.5, AT):
                cr.grad(scaled)(x, at)


def test_what_no_frozen_distribution_is_given_is_an_error() -> None:
    def of_too_many(x: Any) -> Any:
        return stats.norm(x[0], x[1], x[2]).logpdf(0.1)

    with specialised_after(1):
        for _ in range(3):
            with pytest.raises(TypeError):
                cr.grad(of_too_many)(X)
