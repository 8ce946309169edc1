"""The `__dict__` of an object, which is there or is not, whatever its class answers."""

from __future__ import annotations

from typing import Any


def own_dict(x: Any) -> dict[str, Any]:
    """The `__dict__` of an object, whatever `__getattr__` its class has; empty where there is none.

    Example: >>> own_dict(2.0)
             {}
    """
    if not type(x).__dictoffset__:
        return {}
    try:
        return object.__getattribute__(x, "__dict__")  # type: ignore[no-any-return]  # or a class's view of one
    except AttributeError:  # of a class in C that shows none
        return {}
