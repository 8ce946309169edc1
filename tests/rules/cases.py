"""Cases of rule tests: one line each, `case(f, *args, why="", **kwargs)`, and the arrays they use."""

from typing import Any

import numpy as np
import pytest

from chainrules import rules as rules
from chainrules.core import apply_frule, apply_rrule
from chainrules.core.callables import describe_call, name_of
from chainrules.tangents import NoTangent, Zero
from chainrules.testing import with_tangent
from chainrules.testing.random import random_tangent


def case(f: Any, *args: Any, why: str = "", **kwargs: Any) -> Any:
    """A parameter set (f, args, kwargs), named after the call and why it is there."""
    return pytest.param(f, args, kwargs, id=describe_call(f, args, kwargs) + (f" {why}" if why else ""))


def normal(*shape: int, seed: int = 0) -> Any:
    """Standard normal numbers."""
    return np.random.default_rng(seed).standard_normal(shape)


def uniform(*shape: int, low: float = 0.2, high: float = 0.8, seed: int = 0) -> Any:
    """Numbers between bounds, for functions that are not defined everywhere."""
    return np.random.default_rng(seed).uniform(low, high, shape)


def complex_normal(*shape: int, seed: int = 0) -> Any:
    """Complex numbers with standard normal parts."""
    return normal(*shape, seed=seed) + 1j * normal(*shape, seed=seed + 1)


def constant(x: Any) -> Any:
    """An argument that cannot be perturbed: an index, a count."""
    return with_tangent(x, NoTangent())


def held(x: Any) -> Any:
    """An argument that is not perturbed, where differences cannot be taken."""
    return with_tangent(x, Zero())


def of_one_form(x: Any) -> Any:
    """An argument that is perturbed, and never made into one of another precision or shape."""
    return with_tangent(x, random_tangent(x, np.random.default_rng(0)))


def rrule_of(f: Any, *x: Any, **kwargs: Any) -> tuple[Any, Any]:
    """Value and pullback by the rule of f, which there must be."""
    found = apply_rrule(f, *x, **kwargs)
    assert found is not None, f"{name_of(f)} has no reverse rule for this"
    return found


def frule_of(f: Any, x: tuple[Any, ...], dx: tuple[Any, ...], **kwargs: Any) -> Any:
    """Value and tangent by the rule of f, which there must be."""
    found = apply_frule(f, x, dx, **kwargs)
    assert found is not None, f"{name_of(f)} has no forward rule for this"
    return found
