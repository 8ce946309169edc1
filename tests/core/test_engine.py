"""Engines: a protocol of two functions, a default that the face fills, no part in choosing a rule."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.core.calls import pulled

import chainrules as cr
from chainrules.core import engine as slot
from chainrules.core import set_default_engine


class Noting:
    """An engine that notes who was differentiated, and leaves the work to the default one."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def value_and_pullback(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        self.seen.append(f)
        return cr.core.default_engine().value_and_pullback(f, *x, **kwargs)

    def value_and_pushforward(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[..., Any]]:
        self.seen.append(f)
        return cr.core.default_engine().value_and_pushforward(f, *x, **kwargs)


def twice(f, x):
    return f(f(x))


@cr.rrule(twice)
def twice_rrule(f: object, x: float, *, engine):
    middle, first = engine.value_and_pullback(f, x)
    y, second = engine.value_and_pullback(f, middle)
    return y, lambda y_bar: (cr.NoTangent(), first(*second(y_bar))[0])


def square(x):
    return x * x


def test_the_default_engine_is_the_source_engine() -> None:
    assert cr.core.default_engine() is cr.engines.source.engine
    assert isinstance(cr.core.default_engine(), cr.core.Engine)
    assert isinstance(Noting(), cr.core.Engine)
    assert not isinstance(object(), cr.core.Engine)


def test_a_rule_is_given_its_caller_and_else_the_default() -> None:
    assert pulled(twice, square, 3.0)[1] == 4 * 3.0**3
    caller = Noting()
    answered = cr.core.reverse(twice, (square, 3.0), engine=caller)
    assert answered is not None
    assert answered[1](1.0)[1] == 4 * 3.0**3
    assert caller.seen == [square, square]
    assert cr.grad(lambda x: twice(square, x))(3.0) == 4 * 3.0**3


def test_the_caller_does_not_choose_the_rule() -> None:
    found = [
        cr.core.reverse(square_with_rule, (2.0,), engine=e)
        for e in (None, Noting(), cr.core.default_engine())
    ]
    assert [f is not None and f[1](1.0) for f in found] == [(-1.0,)] * 3


def square_with_rule(x):
    return x * x


@cr.rrule(square_with_rule)
def square_rrule(x: float, *, engine):
    return x * x, lambda y_bar: (-1.0,)


def test_operators_take_an_engine() -> None:
    caller = Noting()
    assert cr.grad(square, engine=caller)(3.0) == 6.0
    assert cr.derivative(square, engine=caller)(3.0) == 6.0
    assert caller.seen == [square, square]


def test_the_slot_may_be_filled_anew_and_an_empty_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot, "_default", None)
    with pytest.raises(cr.ChainRulesError, match="no default engine is set"):
        cr.core.default_engine()
    mine = Noting()
    set_default_engine(mine)
    assert cr.core.default_engine() is mine
