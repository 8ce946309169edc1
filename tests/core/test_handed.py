"""What stands for a function or an object that a program handed on."""

from __future__ import annotations

import gc
from functools import partial
from typing import Any

from chainrules.core.callables import Integer
from chainrules.core.handed import (
    Standing,
    as_handed,
    copied_on,
    hand_on,
    origin_of,
    stand_in,
    taken_back,
    while_standing,
)


class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.n = 0

    def one_more(self, x: Any) -> Any:
        self.n += 1
        return x


def copied(f: Any) -> Any:
    made = type(f)(f.__code__, f.__globals__)
    hand_on(made, f)
    return made


def doubled(x: Any) -> Any:
    return 2.0 * x


def test_functions_and_partials_have_it_as_an_attribute() -> None:
    made = copied(doubled)
    assert as_handed(made) is doubled and as_handed(copied(made)) is doubled and as_handed(doubled) is doubled
    whole = partial(pow, 2.0)
    other = partial(pow, 2.0)
    hand_on(other, whole)
    assert as_handed(other) is whole and as_handed(whole) is whole
    assert as_handed((1.0, made, [other])) == (1.0, doubled, [whole])


def test_objects_and_their_methods() -> None:
    own, made, again = Counter(), Counter(), Counter()
    stand_in(made, own)
    copied_on(made, again)
    assert as_handed(made) is own and as_handed(again) is own and as_handed(own) is own
    method = as_handed(again.one_more)
    assert method(3.0) == 3.0 and (own.n, made.n, again.n) == (1, 0, 0)
    assert as_handed({"c": made}) == {"c": own}
    copied_on(own, Counter())  # which stands for nothing


def test_nothing_is_kept_of_what_is_gone() -> None:
    own = Counter()
    for _ in range(100):
        stand_in(Counter(), own)
    gc.collect()
    assert as_handed(Counter()) is not own


def test_whole_numbers_that_vary() -> None:
    assert type(as_handed(Integer(3))) is int and as_handed(3) == 3


def test_lists_and_dictionaries_stand_while_a_rule_runs() -> None:
    own, made, again = [1.0, {"n": 0}], [1.0, {"n": 0}], [1.0, {"n": 0}]
    standing = Standing()
    stand_in(made, own, standing)
    assert as_handed(made) is made
    with while_standing(standing):
        stand_in(made, own, standing)
        copied_on(made, again)
        assert as_handed((made, again)) == (own, own)
        assert as_handed(again) is own and origin_of(again) is own
    assert as_handed(made) is made


def test_what_is_taken_back_stands_for_nothing() -> None:
    own, made, standing = Counter(), Counter(), Standing()
    f = copied(doubled)
    stand_in(made, own, standing)
    hand_on(f, doubled, standing)
    assert as_handed([made, f]) == [own, doubled]
    taken_back((1.0, {"f": f}))
    assert as_handed([made, f]) == [made, f]
    assert as_handed(f, always=True) is doubled and origin_of(made) is own
    method = made.one_more
    taken_back(method)
    assert as_handed(method) == method
