"""Functions with rules of a user's own that are declared pure: programs that call them have texts."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.core.changes import is_pure
from chainrules.core.templates import Template
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

X = np.array([0.4, -1.3, 2.2])


def logistic(x):
    return 1.0 / (1.0 + np.exp(-x))


cr.scalar_rule(logistic, lambda y, x: y * (1.0 - y), templates=(Template("{y_bar} * {y} * (1.0 - {y})"),))


def with_rules(doubled: Any) -> Any:
    """Rules for x → 2 x² (which the function's own source would not give)."""

    @cr.frule(doubled)
    def doubled_frule(tangents, x: np.ndarray):
        return doubled(x), 4.0 * x * tangents[0]

    @cr.rrule(doubled)
    def doubled_rrule(x: np.ndarray):
        def doubled_pullback(y_bar):
            return 4.0 * x * y_bar

        return doubled(x), doubled_pullback

    return doubled


@with_rules
@cr.pure
def squares(x):
    return np.asarray(2.0 * x * x)


CALLS: list[int] = []


@with_rules
def counted(x):
    CALLS.append(1)
    return 2.0 * x * x


def of_logistic(x):
    return np.sum(logistic(x * x) * x)


def of_squares(x):
    return np.sum(squares(np.sin(x)) * x)


def of_counted(x):
    return np.sum(counted(np.sin(x)) * x)


@pytest.mark.parametrize("f", [of_logistic, of_squares])
def test_a_pure_function_is_called_by_the_text(f: Any) -> None:
    with specialised_after(1, compared=True):
        for x in (X, X * 0.5):
            cr.grad(f)(x)
            cr.hessian(f)(x)
            cr.jvp(f, (x,), (x,))
    with specialised_after(1):
        cr.grad(f)(X)
        assert text_of(f)
        cr.testing.check_grads(f, X, order=2)


def test_the_users_template_is_written_in() -> None:
    with specialised_after(1):
        cr.grad(of_logistic)(X)
        assert "(1.0 - " in text_of(of_logistic)


def test_what_may_have_effects_is_left_to_the_ordinary_program() -> None:
    with specialised_after(1):
        for _ in range(3):
            CALLS.clear()
            cr.grad(of_counted)(X)
            assert len(CALLS) == 1
        assert not text_of(of_counted)


def test_a_function_that_is_declared_later() -> None:
    @with_rules
    def twice(x):
        return 2.0 * x * x

    def f(x):
        return np.sum(twice(x))

    with specialised_after(1):
        cr.grad(f)(X)
        assert not text_of(f)
        assert not is_pure(twice)
        cr.pure(twice)
        assert np.allclose(cr.grad(f)(X), 4.0 * X)
        cr.grad(f)(X)
        assert is_pure(twice)
