"""Recognising: whether arguments are of the kinds of a call before, asked without finding their kinds out.

That takes longer than many a gradient, above all of containers and objects. A test says no where it is not
sure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..reading.arguments import kind_of_moving
from ..reading.composed import Keyed, Kind, Listed, Made, Named
from ..reading.declined import Declined
from ..reading.kinds import FLOAT64, kind_of, kind_of_given
from ..reading.objects import is_plain_class

_TYPES: dict[str, type] = {"f": float, "d": np.float64, "i": int, "Z": str, "N": type(None)}


def recognising(argnums: Any, kinds: tuple[Kind, ...]) -> Callable[..., bool]:
    """The test of arguments of these kinds."""
    chosen = argnums if isinstance(argnums, tuple | list) else (argnums,)
    moving = {i % len(kinds) for i in chosen}
    writer = _Writer()
    tests = [t for i, k in enumerate(kinds) for t in writer.tests(f"x{i}", k, i in moving)]
    text = f"lambda {', '.join(f'x{i}' for i in range(len(kinds)))}: {' and '.join(tests)}"
    made: Callable[..., bool] = eval(text, writer.bound)
    return made


class _Writer:
    """Writes the tests of one call's arguments."""

    def __init__(self) -> None:
        self.bound: dict[str, Any] = {"type": type, "len": len, "ndarray": np.ndarray, "float64": FLOAT64}

    def bind(self, value: Any) -> str:
        """The name of a value in the text."""
        name = f"c{len(self.bound)}"
        self.bound[name] = value
        return name

    def tests(self, name: str, k: Kind, moving: bool) -> Iterator[str]:
        """Texts that are true of what has this kind; `moving`: in an argument that is differentiated."""
        if type(k) is str and k in _TYPES:
            yield f"type({name}) is {self.bind(_TYPES[k])}"
        elif type(k) is str and k[0] == "a":
            yield f"type({name}) is ndarray"
            yield f"{name}.dtype is float64"
            yield f"{name}.ndim == {k[1:]}"
        elif isinstance(k, tuple) and k[0] == "F":
            yield f"{name} is {self.bind(k[1])}"
        elif type(k) in (tuple, Listed):
            yield f"type({name}) is {'list' if type(k) is Listed else 'tuple'}"
            yield f"len({name}) == {len(k) - 1}"
            for i, item in enumerate(k[1:]):
                yield from self.tests(f"{name}[{i}]", item, moving)
        elif type(k) is Keyed and all(type(key) is str for key in k.keys):
            yield f"type({name}) is dict"
            yield from self.entries(name, k, moving)
        elif type(k) is Made and is_plain_class(k.made) and k.made.__dictoffset__:
            yield f"type({name}) is {self.bind(k.made)}"
            yield from self.entries(f"{name}.__dict__", k, moving)
        elif type(k) is Named and (moving or all(type(item) is str for item in k[1:])):
            yield f"type({name}) is {self.bind(k.made)}"
            for i, item in enumerate(k[1:]):
                yield from self.tests(f"{name}[{i}]", item, moving)
        else:
            yield f"{self.bind(_has_kind)}({name}, {self.bind(k)}, {moving})"

    def entries(self, name: str, k: Any, moving: bool) -> Iterator[str]:
        """The tests of a dictionary's keys and entries."""
        yield f"(*{name},) == {self.bind(k.keys)}"
        for key, item in zip(k.keys, k[1:], strict=True):
            yield from self.tests(f"{name}[{key!r}]", item, moving)


def _has_kind(v: Any, k: Kind, moving: bool) -> bool:
    """Whether a value has a kind that is seldom met."""
    try:
        of = kind_of if type(k) is str and k != "L" else kind_of_moving if moving else kind_of_given
        return bool(of(v) == k)
    except Declined:
        return False
