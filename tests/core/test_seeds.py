"""Seeds as an author sees them, and what an author returns as the contract wants it."""

from typing import Any

import numpy as np
import pytest
from tests.core.calls import value_and_pullback

import chainrules as cr
from chainrules import Composite, NotImplementedTangent, RuleContractError, Thunk, Zero
from chainrules.core.seeds import absorbs, answer_to, light, ready, ready_inside
from chainrules.tangents import IndexedTangent


def indexed() -> Any:
    return cr.grad(lambda x: x[1] ** 2, form="raw")(np.array([1.0, 2.0]))


def test_what_needs_no_rule() -> None:
    gap = NotImplementedTangent("a gap")
    assert absorbs(Zero())
    assert absorbs(gap)
    assert not absorbs(0.0)
    assert answer_to(Zero()) is Zero()
    assert answer_to(gap) is gap


def test_what_an_author_sees() -> None:
    assert ready(Thunk(lambda: 2.0)) == 2.0
    assert ready(indexed()).tolist() == [0.0, 4.0]
    inside = ready_inside(Composite[tuple](Thunk(lambda: 1.0), Composite[tuple](indexed())))
    assert inside[0] == 1.0
    assert inside[1][0].tolist() == [0.0, 4.0]
    assert isinstance(light(indexed()), IndexedTangent)


@pytest.mark.parametrize("returned", [None, 0, True, "a", [1.0], {"a": 1.0}])
def test_what_is_no_tangent_is_refused(returned) -> None:
    def halved(x):
        return x / 2

    @cr.rrule(halved)
    def halved_rrule(x: float):
        return x / 2, lambda y_bar: returned

    _, pullback = value_and_pullback(halved, 1.0)
    with pytest.raises(RuleContractError, match=r"halved_rrule breaks the rule contract: the cotangent of"):
        pullback(1.0)


def test_the_number_of_cotangents() -> None:
    def product(x, y):
        return x * y

    @cr.rrule(product)
    def product_rrule(x: float, y: float):
        return x * y, lambda z_bar: (y * z_bar,)

    with pytest.raises(RuleContractError, match="1 cotangents for 2 data parameters"):
        value_and_pullback(product, 1.0, 2.0)[1](1.0)
