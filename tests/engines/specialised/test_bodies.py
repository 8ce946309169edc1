"""Rules that are programs: a specialised program has their texts; what does not vary is called as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import linalg

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .test_idioms_specialised import differences, hold_specialised

X = np.array([0.3, -0.75, 1.1, 0.2, -1.43, 0.6])
AT, POINTS = np.linspace(0.0, 1.0, 6), np.array([0.05, 0.31, 0.77, 0.93])
KNOWN = np.array([1.0, -2.0, 0.5])


def interpolated(x: Any) -> Any:
    return np.sum(np.interp(POINTS, AT, x) ** 2)


def with_a_list(x: Any) -> Any:
    return np.interp([0.1, 0.6], AT, x)[1] ** 2


def middle(x: Any) -> Any:
    return np.median(x) * x[0]


def of_a_rank(x: Any) -> Any:
    return np.percentile(x, 30.0) ** 2 + np.quantile(x, 0.8)


def area(x: Any) -> Any:
    return np.trapezoid(x * x, AT) + np.trapezoid(x, dx=x[0])


def covariance(x: Any) -> Any:
    return np.cov(x.reshape(2, 3))[0, 1] ** 2


def correlation(x: Any) -> Any:
    return np.corrcoef(x.reshape(2, 3), rowvar=True)[0, 1]


def fitted(x: Any) -> Any:
    return np.sum(np.polyfit(AT, x, 2) ** 2)


def slopes(x: Any) -> Any:
    return np.sum(np.gradient(x, AT) ** 2) + np.gradient(x)[2] * np.gradient(x.reshape(2, 3), axis=0)[0, 1]


def twice(x: Any) -> Any:
    y = np.median(np.array([np.median(x), x[0], x[1]]))
    return y * np.median(x[:5])


def in_a_helper(x: Any) -> Any:
    return centred(x) + centred(x * x)


def centred(x: Any) -> Any:
    return np.sum((x - np.median(x)) ** 2)


def likelihood(x: Any) -> Any:
    k = np.exp(-((AT[:, None] - AT) ** 2) / x[0] ** 2) + np.eye(6)
    factor = linalg.cholesky(k, lower=True)
    return x @ linalg.cho_solve((factor, True), x) + np.sum(np.log(np.diag(factor)))


def transposed(x: Any) -> Any:
    a = x[:4].reshape(2, 2)
    return np.sum(linalg.polar(a)[0] * a.mT) + np.sum(linalg.pinvh(a @ a.mT + np.eye(2)))


FOLLOWED: list[Callable[[Any], Any]] = [
    *(interpolated, with_a_list, middle, of_a_rank, area, covariance, correlation, fitted, slopes, twice),
    *(in_a_helper, likelihood, transposed),
]


@pytest.mark.parametrize("f", FOLLOWED)
def test_the_text_of_a_rule_is_that_of_its_program(f: Any) -> None:
    hold_specialised(f, X)
    with specialised_after(1):
        for x in (X, X * 1.1, X[::-1].copy(), X * 0.9):
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-8)
        assert "_b(" in text_of(f)


def test_second_derivatives_go_through_it() -> None:
    expected = np.array([differences(lambda x, i=i: cr.grad(covariance)(x)[i], X) for i in range(6)])
    with specialised_after(1):
        for _ in range(3):
            found = cr.hessian(covariance)(X)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_what_is_not_differentiated_is_called_as_it_is() -> None:
    def scaled(x: Any, q: float) -> Any:
        return np.sum(x) * np.percentile(KNOWN, q=q, axis=-1) * np.median(KNOWN, 0)

    with specialised_after(1):
        for q in (20.0, 20.0, 70.0):
            np.testing.assert_allclose(cr.grad(scaled)(X, q), np.percentile(KNOWN, q) * 0.5)
        text = text_of(scaled)
    assert "percentile_1_(" in text and "q=q" in text and "axis=" in text


def test_a_program_that_is_not_read_is_left() -> None:
    def with_two(x: Any) -> Any:
        return np.sum(np.histogram(x, 3, weights=x)[0] ** 2) + np.median(x)

    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for _ in range(2):
            cr.grad(with_two)(X)
        text = text_of(with_two)
    assert met == [] and "median_1_b(" in text and "histogram_1_b(" not in text


def test_branches_of_a_program_are_those_of_each_call() -> None:
    def between(x: Any, at: Any) -> Any:
        return np.sum(np.interp(at, AT, x) * np.arange(1.0, 5.0))

    with specialised_after(1):
        for shift in (0.0, 0.0, 0.5, -0.5, 0.0):
            at = POINTS + shift
            found = cr.grad(between)(X, at)
            np.testing.assert_allclose(found, differences(lambda x, at=at: between(x, at), X), atol=1e-8)


def test_a_body_is_given_as_many_arguments_as_there_are() -> None:
    """Where all are zero at first, so is what a body computes that is given the first one alone."""

    def blocks(a: Any, b: Any) -> Any:
        return np.sum(linalg.block_diag(a, b) ** 2)

    a = np.array([[0.3, 0.1], [-0.2, 0.4]])
    for k in range(8):
        scale = 0.0 if k < 4 else 1.0
        value, slopes = cr.value_and_grad(blocks, (0, 1))(scale * a, 2.0 * scale * a.T)
        np.testing.assert_allclose(value, 5.0 * scale * np.sum(a**2))
        np.testing.assert_allclose(slopes[0], 2.0 * scale * a)
        np.testing.assert_allclose(slopes[1], 4.0 * scale * a.T)
    assert "written_rrule" not in text_of(blocks)


def test_an_argument_that_a_function_does_not_use() -> None:
    def used(a: Any, b: Any) -> Any:
        return np.sum(a**2) * len(b)

    def f(x: Any) -> Any:
        both = np.concatenate((x, 2.0 * x))
        return used(x, both) + np.sum(both)

    x = np.array([0.3, 0.1, -0.2])
    with specialised_after(1, compared=True):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(x), 12.0 * x + 3.0)
        assert text_of(f)


PLACES = [0, 2, 1]


def test_a_list_from_outside_that_a_rule_is_given() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.take(x, PLACES) ** 2)

    with specialised_after(1, compared=True):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(np.array([0.3, 0.1, -0.2])), [0.6, 0.2, -0.4])
        assert text_of(f)


def test_arguments_that_are_called_type() -> None:
    def f(x: Any, type: float) -> Any:
        return np.sum(np.linalg.norm(np.outer(x, x), axis=1)) * type

    x = np.array([0.3, 0.1, -0.2])
    with specialised_after(1, compared=True):
        for _ in range(3):
            made = cr.grad(f)(x, 2.0)
        assert text_of(f)
    np.testing.assert_allclose(made, differences(lambda v: f(v, 2.0), x), rtol=1e-6)
