"""Types that are differentiable under a condition: asked at every call, specialised or not."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.types import register_type


def energy(x: Any) -> Any:
    return np.sum(x * x * x)


def another(x: Any) -> Any:
    return np.sum(x * x * x * x)


OPERATORS: list[Callable[[Any], Callable[[Any], Any]]] = [
    cr.grad,
    cr.value_and_grad,
    cr.hessian,
    lambda f: lambda x: cr.hvp(f, x, x),
]
GOOD, BAD = np.array([1.0, 2.0]), np.array([1.0, -2.0])


def positive(x: Any) -> bool:
    return bool(np.all(x > 0))


@pytest.mark.parametrize("operator", OPERATORS)
def test_what_a_condition_refuses_is_refused(operator: Callable[[Any], Callable[[Any], Any]]) -> None:
    with specialised_after(1, early=True):
        of = operator(energy)
        before = [of(BAD) for _ in range(3)][-1]
        with register_type(np.ndarray, where=positive):
            for f in (energy, another):  # the second without a run before
                for _ in range(3):
                    operator(f)(GOOD)
                    with pytest.raises(cr.NotDifferentiableError, match="positive holds"):
                        operator(f)(BAD)
        for _ in range(3):
            after = of(BAD)
        np.testing.assert_allclose(after[-1], before[-1])


def test_there_are_texts_again_without_it() -> None:
    with specialised_after(1):
        with register_type(np.ndarray, where=positive):
            cr.grad(energy)(GOOD)
        for _ in range(3):
            cr.grad(energy)(BAD)
        assert text_of(energy)
