"""Gradients in the caller's own containers: a dict for a dict, a list for a list, a dataclass for one.

`form="plain"` asks for them. They hold numbers and arrays alone, so they are ready for JSON, and JAX and
PyTorch read them as trees. What has no derivative (a name, a flag) is `None` there, never its own value,
which could be taken for a gradient. An object that is no container and no dataclass keeps its `Composite`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import is_dataclass
from typing import Any

from ..tangents import ZERO, Composite, construct, fields_of, is_zero
from ..tangents.composite import SEQUENCES
from ..tangents.structure import named_parts


def plain(x: Any, x_bar: Any) -> Any:
    """The gradient x̄ of x in containers of the types of x.

    Shapes:  like x; `None` for what has no derivative.
    Example: >>> plain({"w": 1.0, "name": "a"}, Composite[dict]({"w": 2.0}))
             {'w': 2.0, 'name': None}
    """
    if not isinstance(x_bar, Composite):
        return None if is_zero(x_bar) else x_bar
    if isinstance(x, dict):
        return _rebuilt_dict(x, {key: plain(value, x_bar[key]) for key, value in x.items()})
    if isinstance(x, SEQUENCES) and not hasattr(x, "_fields"):
        values = [plain(value, t) for value, t in zip(x, x_bar, strict=True)]
        return deque(values, x.maxlen) if isinstance(x, deque) else type(x)(values)
    if not (hasattr(x, "_fields") or is_dataclass(x)):
        return x_bar
    known = fields_of(x_bar)
    inside = named_parts(x)
    return construct(type(x), {name: plain(v, known.get(name, ZERO)) for name, v in inside.items()}, like=x)


def _rebuilt_dict(x: Any, values: dict[Any, Any]) -> Any:
    """A dict of the class of x; of a class that wants arguments a plain one."""
    try:
        made = type(x)()
        made.update(values)
    except TypeError:
        return values
    return made
