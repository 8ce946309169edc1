"""The suite of programs over engines: ours passes, a wrong one is caught by name, a refusal is told."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.core import default_engine
from chainrules.testing import check_engine
from chainrules.testing.engines import PROGRAMS, Program, run_engine


class Wrong:
    """The default engine, wrong in one way."""

    def __init__(self, spoil: Any) -> None:
        self.spoil = spoil

    def value_and_pullback(self, f, *x, **kwargs):
        y, pullback = default_engine().value_and_pullback(f, *x, **kwargs)
        return y, lambda y_bar: tuple(map(self.spoil, pullback(y_bar)))

    def value_and_pushforward(self, f, *x, **kwargs):
        return default_engine().value_and_pushforward(f, *x, **kwargs)


def refuse(t: Any) -> Any:
    raise cr.NotDifferentiableError("not this program", next="take another")


def test_the_source_engine_passes_every_program():
    check_engine()


def test_a_wrong_engine_is_caught_in_every_program():
    engine = Wrong(lambda t: t if isinstance(t, cr.Zero | cr.NoTangent) else 1.001 * t)
    first = [Program(p.f, p.x) for p in PROGRAMS]
    assert {o.status for o in run_engine(engine, tuple(first), modes=("rev",))} == {"failed"}
    with pytest.raises(AssertionError, match=r"2 of 2 programs\nchain failed: .*against differences"):
        check_engine(engine, PROGRAMS[:2])


def test_a_refusal_is_told_and_can_be_announced():
    program = (Program(np.sin, (0.5,)),)
    with pytest.raises(AssertionError, match=r"sin refused: .*not this program"):
        check_engine(Wrong(refuse), program)
    check_engine(Wrong(refuse), program, refused=("sin",))
