"""What is said of a function that has neither rule nor source: its name, what is near, the line to write."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.source.reading.opaque import _closest


def halved(x: float) -> float:
    return x / 2


HALVED = np.frompyfunc(halved, 1, 1)


@pytest.mark.parametrize(
    ("program", "name", "line"),
    [
        (
            lambda x: HALVED(x),
            "halved (vectorized)(float)",
            "chainrules.scalar_rule(halved (vectorized), …)",
        ),
        (lambda x: sys.getsizeof(x) * 1.0, "sys.getsizeof(float)", "@chainrules.rrule(sys.getsizeof)"),
    ],
)
def test_the_error_names_the_function_and_the_line_to_write(
    program: Callable[..., Any], name: str, line: str
) -> None:
    with pytest.raises(cr.NoRuleError) as refused:
        cr.grad(program)(0.5)
    assert f"no reverse rule for {name}" in str(refused.value)
    assert f"`{line}`" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("mine.arctan_2", "numpy.arctan2"),
        ("mine.numpy", ""),  # the module's name is not what is compared
        ("iter", ""),  # Python's own: `numpy.interp` is no help
        ("mine.argsort_", ""),  # argsort has no derivative, so it is no help
    ],
)
def test_what_is_near_is_differentiable_and_has_almost_the_name(name: str, near: str) -> None:
    cr.grad(np.sin)(0.5)  # loads the rules
    found = _closest("reverse", object(), name).split(", ")
    assert near in found
    assert "numpy.argsort" not in found
