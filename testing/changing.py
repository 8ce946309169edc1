"""Callables that change an argument, as programs that an engine differentiates.

The program copies what the callable changes, calls it, and returns its value with the states after the
call. It is text, since an engine that reads programs has to see which callable it is that is called.
"""

from __future__ import annotations

import copy
import itertools
import linecache
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..tangents.sparse import is_sparse

_numbers = itertools.count(1)


def with_states(
    f: Callable[..., Any], count: int, kwargs: Mapping[str, Any], places: tuple[int, ...]
) -> Callable[..., Any]:
    """The function of so many arguments whose value is that of f and the arguments at these places.

    Example: >>> with_states(np.copyto, 2, {}, (0,))(np.zeros(2), 3.0)
             (None, array([3., 3.]))
    """
    names = [f"x{i}" for i in range(count)]
    given = ", ".join([*names, *(f"{k}=given_{k}" for k in kwargs)])
    changed = [names[i] for i in places]
    lines = [f"    {name} = copied({name})" for name in changed]
    text = "\n".join(
        [
            f"def changing({', '.join(names)}):",
            *lines,
            f"    y = f({given})",
            f"    return {', '.join(('y', *changed))}",
            "",
        ]
    )
    filename = f"<check {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"f": f, "copied": copied, **{f"given_{k}": v for k, v in kwargs.items()}}
    exec(compile(text, filename, "exec"), namespace)
    made: Callable[..., Any] = namespace["changing"]
    return made


def copied(x: Any) -> Any:
    """x, to be written into."""
    if is_sparse(x):  # of which some are dictionaries
        return x.copy()
    if isinstance(x, list | dict):
        return list(x) if isinstance(x, list) else dict(x)
    return np.copy(x) if isinstance(x, np.ndarray) else copy.copy(x)
