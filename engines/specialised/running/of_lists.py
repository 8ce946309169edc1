"""Long lists: a function of a list of floats has the text of one of an array, whose entries are in a list.

    s(values)       def standing_(given0_): return callee_(given0_.tolist())

In a text a list that is differentiated is its items, as many variables as there are. One that is long is the
list that the text makes of an array. A function that may change what it is given is left to the ordinary
program.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ....core.registry import rules_of
from ....tangents import Composite
from ...source.reruns import changes
from ..reading.kinds import LONG
from .aside import stands_aside
from .entry import learn, specialised
from .standing import calling, made_of


class OfArrays:
    """A call with arrays in the place of long lists, which are at these places."""

    def __init__(self, f: FunctionType, argnums: Any, x: tuple[Any, ...], places: tuple[int, ...]) -> None:
        self.f, self.argnums, self.places = _with_arrays(f, len(x), places), argnums, places
        self.x = tuple([np.array(v) if i in places else v for i, v in enumerate(x)])

    def answer(self) -> Any:
        """Value and gradients by the text; None where there is none, or it does not fit."""
        known = specialised(self.f, self.argnums, self.x, {}, True)
        return None if known is None else (known[0], self._each(_as_list, known[1]))

    def learn(self, y: Any, gradients: Any) -> None:
        """Note what the ordinary program answered."""
        learn(self.f, self.argnums, self.x, {}, y, self._each(np.array, gradients))

    def _each(self, made: Any, gradients: Any) -> Any:
        """The gradients, those of the lists made otherwise."""
        if type(self.argnums) is int:
            return made(gradients)
        pairs = zip(self.argnums, gradients, strict=True)
        return tuple([made(g) if i in self.places else g for i, g in pairs])


def _as_list(gradient: Any) -> Any:
    return Composite[list](*gradient.tolist())


def _with_arrays(f: FunctionType, count: int, places: tuple[int, ...]) -> FunctionType:
    """The function of arrays that calls f with lists."""
    known = made_of(f, "of_arrays")
    made = known.get((count, places))
    if made is None:
        parameters = [f"given{i}_" for i in range(count)]
        given = [f"{p}.tolist()" if i in places else p for i, p in enumerate(parameters)]
        made = known[count, places] = calling(f, parameters, (), given)
    return made


def of_arrays(f: Any, argnums: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> OfArrays | None:
    """The same call with arrays in the place of long lists; None where none of these is differentiated."""
    for v in x:
        if type(v) is list and len(v) > LONG:
            break
    else:
        return None
    wanted = argnums if isinstance(argnums, tuple | list) else (argnums,)
    if (
        type(f) is not FunctionType
        or kwargs
        or any(type(i) is not int or not 0 <= i < len(x) for i in wanted)
    ):
        return None
    places = tuple(sorted({i for i in wanted if _is_long(x[i])}))
    if not places or any(_is_shared(x, i) for i in places) or rules_of(f) is not None or changes(f, x, {}):
        return None
    return OfArrays(f, argnums, x, places)


def _is_long(v: Any) -> bool:
    return type(v) is list and len(v) > LONG and set(map(type, v)) == {float}


def _is_shared(x: tuple[Any, ...], i: int) -> bool:
    """Whether an argument is another one as well."""
    return any(v is x[i] for j, v in enumerate(x) if j != i)


def by_arrays(f: Any, argnums: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Value and gradients where lists are long, by the text of arrays; None where there is none."""
    lists = of_arrays(f, argnums, x, kwargs)
    return None if lists is None else lists.answer()


def learnt(f: Any, argnums: Any, x: tuple[Any, ...], kwargs: dict[str, Any], y: Any, gradients: Any) -> None:
    """As `learn`, where lists are long, too."""
    lists = of_arrays(f, argnums, x, kwargs)
    if lists is None:
        learn(f, argnums, x, kwargs, y, gradients)
    else:
        lists.learn(y, gradients)


for _f in (by_arrays, learnt):
    stands_aside(_f)
