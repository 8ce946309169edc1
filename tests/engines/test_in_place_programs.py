"""Programs that write in place, unmodified: right by differences, and the same by specialised texts."""

from typing import Any

import numpy as np
import pytest
from tests.engines.programs.in_place import programs

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

PROGRAMS = programs()


def copied(x: Any) -> Any:
    """Arguments that may be written into."""
    if isinstance(x, tuple | list):
        return type(x)(map(copied, x))
    return x.copy() if isinstance(x, np.ndarray) else x


def moved(x: Any, v: Any, step: float) -> Any:
    """An argument a step further along a direction."""
    if isinstance(x, tuple | list):
        return type(x)(moved(a, b, step) for a, b in zip(x, v, strict=True))
    return x + step * v


def direction(x: Any, draw: Any) -> Any:
    """A random direction like an argument."""
    if isinstance(x, tuple | list):
        return tuple(direction(a, draw) for a in x)
    return draw.normal(size=np.shape(x))


def along(gradient: Any, v: Any) -> float:
    """The product of a gradient with a direction."""
    if isinstance(v, tuple):
        return sum(along(g, w) for g, w in zip(gradient, v, strict=True))
    return float(np.sum(np.asarray(gradient) * v))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_the_program_as_it_is(name: str) -> None:
    f, (x, *rest) = PROGRAMS[name]
    v = direction(x, np.random.default_rng(5))
    step = 1e-6
    ahead, behind = (f(moved(x, v, h), *copied(rest)) for h in (step, -step))
    for runs in (10**9, 1):
        with specialised_after(runs):
            for _ in range(2):
                given = copied(x)
                gradient = cr.grad(f)(given, *copied(rest))
                assert along(gradient, v) == pytest.approx((ahead - behind) / (2 * step), rel=1e-5, abs=1e-7)
            changed = copied(x)
            f(changed, *copied(rest))
            np.testing.assert_equal(given, changed)
