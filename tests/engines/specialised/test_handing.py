"""A call that is given functions: its text makes the arguments and takes the result apart."""

from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple

import pytest

from chainrules.engines.specialised.reading.handing import Handing
from chainrules.engines.specialised.reading.templates import Fixed, Inside, Leaf, Parts


@dataclass
class Rates:
    a: Any
    b: Any


class Pair(NamedTuple):
    a: Any
    b: Any


def cubic_of(a: Any) -> Any:
    def f(x: Any, *, by: Any = 1.0) -> Any:
        return by * a * x

    return f


def double(x: Any) -> Any:
    return 2.0 * x


def called(f: Any, rates: Any, pair: Any) -> Any:
    return {"a": [f(1.0), rates.a], "b": (pair, pair.b)}


def test_a_call_is_a_text_of_what_it_is_made_of() -> None:
    captured = Inside(FunctionType, ("a",), (Leaf(),), cubic_of(0.0).__code__, globals(), (), (("by", 3.0),))
    rates = Parts(Rates, ("a", "b"), (Leaf(), Fixed(double)))
    pair = Parts(Pair, ("a", "b"), (Leaf(), Leaf()))
    result = Parts(dict, ("a", "b"), (Leaf(), Parts(tuple, (), (Fixed(Pair), Leaf()))))
    call = Handing(called, (captured, rates, pair), ("pair",), result)
    assert call.value(5.0, 7.0, 1, 2) == ([15.0, 7.0], 2)
    (f, made), words = call.arguments(5.0, 7.0, 1, 2)
    assert (f(2.0), made, words) == (30.0, Rates(7.0, double), {"pair": Pair(1, 2)})
    assert call.apart({"a": 1, "b": (2, 3)}) == (1, 3)
    for other in ({"a": 1, "b": (2, 3, 4)}, {"a": 1, "b": (2, 3), "c": 4}):
        with pytest.raises(ValueError, match=r"too many|^$"):
            call.apart(other)
